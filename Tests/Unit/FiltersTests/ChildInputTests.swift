import ApusPlatform
import ApusProcesses
import Testing

/// Writing to the standard input of a child process.
struct ChildInputTests {
  init() { signal(SIGPIPE, SIG_IGN) }

  private func give(_ count: Int, to script: String, within limit: Duration = .seconds(60)) -> Bool {
    ChildInput.send([UInt8](repeating: 0x61, count: count), to: "/bin/sh", ["-c", script], within: limit)
  }

  @Test func `a child that reads all input succeeds`() {
    #expect(give(3_000_000, to: "test $(wc -c) -eq 3000000"))
    #expect(give(0, to: "cat"))
  }

  @Test func `a child that fails or does not read is reported`() {
    #expect(!ChildInput.send([0x61], to: "no-such-program-here", [], within: .seconds(60)))
    #expect(!give(1, to: "cat; exit 3"))
    // The child exits without reading its input.
    #expect(!give(3_000_000, to: "exit 0"))
  }

  @Test func `a child that exceeds the time limit is ended`() {
    #expect(!give(1, to: "exec sleep 600", within: .milliseconds(20)))
    #expect(!give(3_000_000, to: "exec sleep 600", within: .milliseconds(20)))
  }

  @Test func `writing returns while background jobs of the child run`() {
    #expect(give(1, to: "cat; sleep 2 &"))
  }
}
