import ApusExplorerTerminal
import ApusPlatform

/// Shows the steps of a driver on the terminal in which the tests run: a frame for each key, with a delay.
///
/// `APUS_WATCH=400 swift test --no-parallel --filter PagingScenarioTests` waits 400 ms after each key.
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

  /// Returns an audience if `APUS_WATCH` sets a delay and there is a terminal.
  package static func invited() -> DriverAudience? {
    guard let milliseconds = getenv("APUS_WATCH").flatMap({ Int(String(cString: $0)) }) else { return nil }
    let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    return DriverAudience(delay: .milliseconds(milliseconds)) { bytes in
      _ = FileDescriptor.writeAll(bytes, to: terminal)
    }
  }

  /// Shows the screen and the step below it, and waits.
  func see(_ terminal: VirtualTerminal, after step: String) async {
    // The tests write to the same terminal, so its content is unknown.
    writer.invalidate()
    let bytes = writer.bytes(for: terminal.frame, cursor: nil)
    write(bytes + Array("\u{1B}[0m\u{1B}[\(terminal.size.height + 1);1H\u{1B}[K\(step)\r\n".utf8))
    // Only gives the user time to look. Without `APUS_WATCH` there is no delay.
    try? await Task.sleep(for: delay)
  }

  func leave() { write(writer.bytesForLeaving()) }
}
