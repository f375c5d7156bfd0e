import ApusExplorerTerminal
import Testing

@Suite struct ControlSequencesTests {
  @Test func `copied text is one sequence`() {
    #expect(ControlSequences.clipboard("foo") == "\u{1B}]52;c;Zm9v\u{7}")
  }

  @Test func `GNU screen receives a long sequence in pieces`() {
    let sequence = ControlSequences.clipboard(String(repeating: "a", count: 300), throughGNUScreen: true)
    #expect(sequence.components(of: "\u{1B}P") == 2 && sequence.hasSuffix("\u{1B}\\"))
  }

  @Test func `notifications contain no control characters`() {
    let text = "query A\u{7}\u{1B}]52;c;x\u{9C}\u{1B}\\; \u{8}is complete"
    #expect(ControlSequences.notification(text, as: .text) == "\u{1B}]9;Apus: query A]52,c,x\\, is complete\u{7}")
    #expect(
      ControlSequences.notification(text, as: .titled) == "\u{1B}]777;notify;Apus;query A]52,c,x\\, is complete\u{7}")
    // In ConEmu, OSC 9 followed by a number is another command.
    #expect(ControlSequences.notification("4;1;50", as: .text) == "\u{1B}]9;Apus: 4,1,50\u{7}")
    let long = ControlSequences.notification(String(repeating: "👨‍👩‍👧", count: 10_000), as: .text)
    #expect(long.unicodeScalars.count < 1100 && long.hasSuffix("👨‍👩‍👧\u{7}"))
  }

  @Test func `sequences are wrapped for nested multiplexers`() {
    #expect(ControlSequences.wrapped("\u{1B}]9;x\u{7}", through: []) == "\u{1B}]9;x\u{7}")
    #expect(
      ControlSequences.wrapped("\u{1B}]9;x\u{7}", through: [.tmux]) == "\u{1B}Ptmux;\u{1B}\u{1B}]9;x\u{7}\u{1B}\\")
    #expect(
      ControlSequences.wrapped("\u{1B}]9;x\u{7}", through: [.gnuScreen]) == "\u{1B}P\u{1B}]9;x\u{7}\u{1B}\\")
    // The string terminator for tmux must not end GNU screen's string, so its two bytes are sent in two pieces.
    #expect(
      ControlSequences.wrapped("\u{1B}]9;x\u{7}", through: [.gnuScreen, .tmux])
        == "\u{1B}P\u{1B}Ptmux;\u{1B}\u{1B}]9;x\u{7}\u{1B}\u{1B}\\\u{1B}P\\\u{1B}\\")
    #expect(
      ControlSequences.wrapped("\u{1B}]9;x\u{7}", through: [.tmux, .gnuScreen])
        == "\u{1B}Ptmux;\u{1B}\u{1B}P\u{1B}\u{1B}]9;x\u{7}\u{1B}\u{1B}\\\u{1B}\\")
  }

  @Test func `a title cannot end its control sequence`() {
    #expect(ControlSequences.title("a\u{7}\u{1B}]0;evil\u{9C}") == "\u{1B}]2;a]0;evil\u{7}")
  }
}

extension String {
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
