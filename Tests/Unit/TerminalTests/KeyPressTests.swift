import ApusExplorerTerminal
import Testing

@Suite struct KeyPressTests {
  @Test(arguments: [
    "Ctrl-R", "Alt-1", "F5", "Shift-F6", "Esc", "Enter", "Tab", "Shift-Tab", "Ctrl-Space", "Space", "?", "a", "A", "-",
    "Ctrl-Alt-Shift-Up", "Alt-f", "Alt-F", "PageDown", "Ctrl-Home", "F12", "Alt-Enter", "Ctrl--", "é", "Ctrl-Shift-Z",
  ])
  func `key names parse to themselves`(name: String) throws {
    #expect(try #require(KeyPress(name)).description == name)
  }

  @Test func `key names are normalized`() {
    #expect(KeyPress("ctrl-r") == KeyPress("Ctrl-R"))
    #expect(KeyPress("control-pgup") == KeyPress("Ctrl-PageUp"))
    #expect(KeyPress(.character("a"), .shift) == KeyPress("A"))
    #expect(KeyPress(.character("?"), .shift) == KeyPress("?"))
    #expect(KeyPress("Alt-f") != KeyPress("Alt-F"))
  }

  @Test(arguments: ["", "Ctrl-", "F25", "F0", "Hyper-x", "ab", "Nowhere"])
  func `unknown key names are rejected`(text: String) {
    #expect(KeyPress(text) == nil)
  }

  @Test func `only unmodified characters are typed`() {
    #expect(KeyPress("x").typed == "x")
    #expect(KeyPress("Space").typed == " ")
    #expect(KeyPress("Ctrl-X").typed == nil)
    #expect(KeyPress("Enter").typed == nil)
  }
}
