import ApusExplorerTerminal
import ApusExplorerTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) @ScreenActor struct VirtualTerminalTests {
  @Test func `presented text can be read and found`() {
    let terminal = VirtualTerminal(width: 10, height: 2)
    var frame = Frame(size: terminal.size)
    frame.put("漢 here", at: Point(column: 1, row: 1), style: Style(foreground: .indexed(3)))
    terminal.present(frame, cursor: CursorPlacement(Point(column: 0, row: 0)))
    #expect(terminal.lines == ["", " 漢 here"])
    #expect(terminal.find("here") == Point(column: 4, row: 1))
    #expect(terminal.style(column: 4, row: 1).foreground == .indexed(3))
  }

  @Test func `events arrive in order and together`() async {
    let terminal = VirtualTerminal()
    terminal.press("Ctrl-R", "F5")
    terminal.resize(width: 60, height: 16)
    #expect(
      await terminal.nextEvents() == [.key("Ctrl-R"), .key("F5"), .resize(Size(width: 60, height: 16))])
    #expect(terminal.size == Size(width: 60, height: 16))
  }

  @Test func `a reader waits for messages of other tasks`() async {
    let mailbox = Mailbox<Int>()
    async let received = mailbox.next()
    await Task.detached { mailbox.post(7) }.value
    #expect(await received == [7])
  }

  @Test func `a canceled reader returns no messages`() async {
    let mailbox = Mailbox<Int>()
    let reader = Task { await mailbox.next() }
    reader.cancel()
    #expect(await reader.value == [])
  }
}
