import ApusPlatform
import ApusProcesses
import Testing

/// Giving another program something to read.
struct ChildInputTests {
  init() { signal(SIGPIPE, SIG_IGN) }

  private func give(_ count: Int, to script: String, within limit: Duration = .seconds(60)) -> Bool {
    ChildInput.give([UInt8](repeating: 0x61, count: count), to: "/bin/sh", ["-c", script], within: limit)
  }

  @Test func aProgramThatReadsAllAndEndsWellHasIt() {
    #expect(give(3_000_000, to: "test $(wc -c) -eq 3000000"))
    #expect(give(0, to: "cat"))
  }

  @Test func aProgramThatHasItNotIsTold() {
    #expect(!ChildInput.give([0x61], to: "no-such-program-here", [], within: .seconds(60)))
    #expect(!give(1, to: "cat; exit 3"))
    // It ends without reading what it is given.
    #expect(!give(3_000_000, to: "exit 0"))
  }

  @Test func oneThatTakesTooLongIsEnded() {
    #expect(!give(1, to: "exec sleep 600", within: .milliseconds(20)))
    #expect(!give(3_000_000, to: "exec sleep 600", within: .milliseconds(20)))
  }

  @Test func whatItLeavesBehindKeepsNobodyWaiting() {
    #expect(give(1, to: "cat; sleep 2 &"))
  }
}
