import ApusExplorerTerminal
import Testing

@Suite struct ControlSequencesTests {
  // RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"), ("漢", "5ryi"),
  ])
  func bytesBecomeBase64(text: String, encoded: String) {
    #expect(ControlSequences.base64(text.utf8) == encoded)
  }

  @Test func aCopiedTextTravelsInOneSequence() {
    #expect(ControlSequences.clipboard("foo") == "\u{1B}]52;c;Zm9v\u{7}")
  }

  @Test func screenGetsItInPieces() {
    let sequence = ControlSequences.clipboard(String(repeating: "a", count: 300), throughGNUScreen: true)
    #expect(sequence.components(of: "\u{1B}P") == 2 && sequence.hasSuffix("\u{1B}\\"))
  }

  @Test func aTitleCannotEndItsSequence() {
    #expect(ControlSequences.title("a\u{7}\u{1B}]0;evil\u{9C}") == "\u{1B}]2;a]0;evil\u{7}")
  }
}

extension String {
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
