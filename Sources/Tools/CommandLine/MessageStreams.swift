import ApusPlatform
import Dispatch
import Synchronization

/// Reads standard input on a thread of its own, so that no task is blocked by a client that says nothing.
enum InputThread {
  /// What comes, in portions; the next one is read when this one was taken.
  static func portions() -> AsyncStream<[UInt8]> {
    let taken = DispatchSemaphore(value: 0)
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    DispatchQueue(label: "apus.input").async {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = Descriptor.read(STDIN_FILENO, into: &buffer)
        guard count > 0 else { break }
        continuation.yield(Array(buffer[..<count]))
        taken.wait()
      }
      continuation.finish()
    }
    // Whoever asks for more has dealt with what there was.
    let isFirst = Mutex(true)
    return AsyncStream {
      let wasFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if !wasFirst { taken.signal() }
      for await portion in stream { return portion }
      return nil
    }
  }
}

/// Messages on their way to standard output, written one behind the other on a thread of their own: a client that writes
/// before it reads keeps nobody waiting.
final class OutputLine: Sendable {
  private static let limit = 64 << 20

  private let queue = DispatchQueue(label: "apus.output")
  private let waiting = Mutex(0)

  func write(_ bytes: [UInt8]) {
    waiting.withLock { $0 += bytes.count }
    queue.async { [self] in
      StandardStreams.output(bytes: bytes)
      waiting.withLock { $0 -= bytes.count }
    }
  }

  /// Lets a client that does not read wait with what it writes.
  func waitWhileFull() {
    if waiting.withLock({ $0 > Self.limit }) { finish() }
  }

  /// Waits until all is written.
  func finish() { queue.sync {} }
}
