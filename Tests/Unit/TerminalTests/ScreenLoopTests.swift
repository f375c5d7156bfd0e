import ApusExplorerTerminal
import ApusPlatform
import Testing

@Suite(.timeLimit(.minutes(1))) @ScreenActor struct ScreenLoopTests {
  @Test func `readable descriptors are handled on the screen thread`() async {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    let mailbox = Mailbox<UInt8>()
    ScreenLoop.shared.addSource(reader) {
      ScreenActor.shared.assertIsolated()
      var byte: UInt8 = 0
      if read(reader, &byte, 1) == 1 { mailbox.post(byte) }
    }
    await Task.detached {
      var byte: UInt8 = 42
      _ = write(writer, &byte, 1)
    }.value
    #expect(await mailbox.next() == [42])
    ScreenLoop.shared.removeSource(reader)
    close(reader)
    close(writer)
  }

  @Test func `an alarm fires once`() async {
    let mailbox = Mailbox<String>()
    ScreenLoop.shared.setAlarm(after: .zero) { mailbox.post("now") }
    #expect(await mailbox.next() == ["now"])
    await Task.yield()
    #expect(mailbox.takeAll() == [])
  }

  @Test func `jobs of concurrent tasks run serially`() async {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { await counter.count() } }
    }
    #expect(counter.value == 100)
  }
}

@ScreenActor private final class Counter {
  var value = 0

  func count() async {
    let before = value
    for _ in 0..<10 { value = before }
    value = before + 1
  }
}
