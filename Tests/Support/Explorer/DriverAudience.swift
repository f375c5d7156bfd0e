import ApusExplorerTerminal
import ApusPlatform

/// Shows a person what a driver does, on the terminal that the tests run in: a frame for each key, and time to look at it.
///
/// `APUS_WATCH=400 swift test --filter aRoundOfPages` waits 400 ms after each key.
@ScreenActor
package final class DriverAudience {
  private let delay: Duration
  private let write: @Sendable ([UInt8]) -> Void
  private var writer: FrameWriter

  package init(delay: Duration, write: @escaping @Sendable ([UInt8]) -> Void) {
    self.delay = delay
    self.write = write
    writer = FrameWriter(dialect: TerminalDialect())
  }

  /// Nobody, unless `APUS_WATCH` says how long to look and there is a terminal to look at.
  package static func invited() -> DriverAudience? {
    guard let milliseconds = getenv("APUS_WATCH").flatMap({ Int(String(cString: $0)) }) else { return nil }
    let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    return DriverAudience(delay: .milliseconds(milliseconds)) { bytes in
      _ = Descriptor.writeAll(bytes, to: terminal)
    }
  }

  /// What the terminal shows, beneath it what was done, for as long as it takes to see it.
  func see(_ terminal: VirtualTerminal, after step: String) async {
    // The tests write to the same terminal: nothing is known of what it shows.
    writer.invalidate()
    let bytes = writer.bytes(for: terminal.frame, cursor: nil)
    write(bytes + Array("\u{1B}[0m\u{1B}[\(terminal.size.height + 1);1H\u{1B}[K\(step)\r\n".utf8))
    // Nothing is waited for but a person's eyes; without `APUS_WATCH` there is no audience and no pause.
    try? await Task.sleep(for: delay)
  }

  func leave() { write(writer.bytesForLeaving()) }
}
