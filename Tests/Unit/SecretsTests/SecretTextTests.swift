import ApusSecrets
import Testing

/// Text with `$`: its parts, and errors.
struct SecretTextTests {
  @Test func `variable names start with a letter or an underscore`() throws {
    #expect(try SecretText("$_A1").parts == [.variable("_A1")])
    #expect(try SecretText("a $B-c").parts == [.text("a "), .variable("B"), .text("-c")])
    #expect(try SecretText("${B}c").parts == [.variable("B"), .text("c")])
    for name in ["1A", "9", "", "-A", "\u{E9}"] {
      #expect(throws: SecretTextError.self, "$\(name)") { try SecretText("$\(name)") }
      #expect(throws: SecretTextError.badName(name)) { try SecretText("${\(name)}") }
    }
    #expect(throws: SecretTextError.unclosed("${")) { try SecretText("${A") }
  }

  @Test func `a doubled dollar is a literal dollar`() throws {
    #expect(try SecretText("a$$b").parts == [.text("a$b")])
    #expect(try SecretText("$$$A").parts == [.text("$"), .variable("A")])
    #expect(SecretText(literal: "$A $").source == "$$A $$")
    #expect(try SecretText(SecretText(literal: "$A $").source).parts == [.text("$A $")])
  }

  @Test func `a command may contain parentheses`() throws {
    #expect(try SecretText("$(f (a) ')' \")\")x").parts == [.command("f (a) ')' \")\""), .text("x")])
    #expect(throws: SecretTextError.unclosed("$(")) { try SecretText("$(f (a)") }
    #expect(throws: SecretTextError.unclosed("$(")) { try SecretText("$(f ')'") }
  }

  @Test func `parts are resolved in order`() throws {
    let text = try SecretText("a $B $(c) $$")
    let resolved = try text.resolved(
      variable: { $0 == "B" ? "1" : nil }, run: { $0 == "c" ? "2" : "" })
    #expect(resolved == "a 1 2 $")
    #expect(text.isLive && text.variables == ["B"] && text.commands == ["c"])
    #expect(try !SecretText("a $$").isLive)
    #expect(throws: SecretTextError.noVariable("D")) {
      try SecretText("$D").resolved(variable: { _ in nil }, run: { _ in "" })
    }
  }

  @Test func `live ranges are in bytes`() {
    let ranges = SecretText.liveRanges(in: "\u{E9} ${A}$(b) $$")
    #expect(ranges.map(\.range) == [3..<7, 7..<11] && ranges.map(\.isCommand) == [false, true])
    #expect(SecretText.liveRanges(in: "$1").isEmpty)
  }
}
