import ApusExplorerTerminal
import Testing

/// The control sequences for the terminal's modes.
@Suite struct TerminalModesTests {
  private func requested(_ answers: TerminalResponse...) -> (modes: TerminalModes, written: String) {
    var modes = TerminalModes()
    _ = modes.questions()
    var written = ""
    for answer in answers { written += modes.handle(answer) }
    return (modes, written)
  }

  @Test func `all modes are queried before the device attributes`() {
    var modes = TerminalModes()
    #expect(!modes.isAwaitingAnswers)
    #expect(
      modes.questions() == "\u{1B}[?u\u{1B}[?2026$p\u{1B}[?1004$p\u{1B}[?2031$p\u{1B}[?1036$p\u{1B}[?1039$p\u{1B}[c")
    #expect(modes.isAwaitingAnswers)
  }

  @Test func `no modes are set if only device attributes are reported`() {
    let (modes, written) = requested(.attributes)
    #expect(written.isEmpty && modes.entering.isEmpty && modes.renewing.isEmpty && modes.leaving.isEmpty)
    #expect(!modes.isAwaitingAnswers && !modes.synchronizes)
  }

  @Test func `supported modes are enabled and restored`() {
    let (modes, written) = requested(
      .keyboardFlags(0), .mode(2026, setting: 2), .mode(1004, setting: 2), .attributes)
    #expect(written == "\u{1B}[>5u\u{1B}[?1004h")
    #expect(modes.synchronizes)
    #expect(modes.leaving == "\u{1B}[?2026l\u{1B}[?1004l\u{1B}[<u")
    #expect(modes.entering == "\u{1B}[>5u\u{1B}[?1004h")
    // Nothing was popped from the terminal's stack, so nothing is pushed.
    #expect(modes.renewing == "\u{1B}[=5;1u\u{1B}[?1004h")
  }

  @Test func `reports of the color scheme are enabled if supported and restored`() {
    let (modes, written) = requested(.mode(2031, setting: 2), .mode(2031, setting: 2), .attributes)
    #expect(written == "\u{1B}[?2031h")
    #expect(modes.leaving == "\u{1B}[?2031l" && modes.entering == written && modes.renewing == written)
    #expect(requested(.mode(2031, setting: 0), .attributes).modes.leaving.isEmpty)
  }

  @Test(arguments: [
    ("\u{1B}[?997;1n", TerminalResponse.colorScheme(isDark: true)), ("\u{1B}[?997;2n", .colorScheme(isDark: false)),
    ("\u{1B}[?997;3n", nil), ("\u{1B}[?997n", nil), ("\u{1B}[?6;1n", nil), ("\u{1B}[997;1n", nil),
  ])
  func `a report of the color scheme is read`(bytes: String, answer: TerminalResponse?) {
    var decoder = InputDecoder()
    _ = decoder.feed(bytes.utf8)
    #expect(decoder.takeAnswers() == (answer.map { [$0] } ?? []))
  }

  @Test func `modes that are set or unsupported are not changed`() {
    let (modes, written) = requested(
      .mode(1004, setting: 1), .mode(2026, setting: 0), .mode(7, setting: 2), .attributes)
    #expect(written.isEmpty && modes.leaving.isEmpty && !modes.synchronizes)
    #expect(requested(.mode(1004, setting: 0), .mode(2026, setting: 4)).written.isEmpty)
  }

  @Test func `repeated responses do not enable modes twice`() {
    #expect(requested(.keyboardFlags(1), .keyboardFlags(1), .attributes).written == "\u{1B}[>5u")
    #expect(requested(.attributes, .keyboardFlags(1)).written.isEmpty)
  }

  @Test func `focus reporting is enabled in tmux without a response`() {
    var modes = TerminalModes()
    _ = modes.questions()
    #expect(modes.reportFocus() == "\u{1B}[?1004h")
    #expect(modes.handle(.mode(1004, setting: 2)).isEmpty)
    #expect(modes.leaving == "\u{1B}[?1004l")
  }

  @Test func `escape prefix for alt is enabled if supported and restored`() {
    let (modes, written) = requested(.mode(1036, setting: 2), .mode(1039, setting: 2), .attributes)
    #expect(written == "\u{1B}[?1036h\u{1B}[?1039h")
    #expect(modes.leaving == "\u{1B}[?1036l\u{1B}[?1039l")
    #expect(modes.entering == written && modes.renewing == written)
    // A mode that is set already, or unknown, is not changed.
    #expect(requested(.mode(1036, setting: 1), .mode(1039, setting: 0), .attributes).written.isEmpty)
  }
}
