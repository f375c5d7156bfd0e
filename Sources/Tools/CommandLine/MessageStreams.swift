import ApusPlatform
import Dispatch
import Synchronization

/// Reads standard input on a dedicated thread, so that a silent client does not block any task.
enum InputThread {
  /// Returns the input in portions. The next portion is read when the previous one has been consumed.
  static func portions() -> AsyncStream<[UInt8]> {
    let taken = DispatchSemaphore(value: 0)
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    DispatchQueue(label: "apus.input").async {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = FileDescriptor.read(STDIN_FILENO, into: &buffer)
        guard count > 0 else { break }
        continuation.yield(Array(buffer[..<count]))
        taken.wait()
      }
      continuation.finish()
    }
    // A request for another portion means that the previous one has been processed.
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

/// Writes messages to standard output in order on a dedicated thread, so that a client that writes before it reads blocks no
/// other work.
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

  /// Blocks while too much output is waiting, which also stops reading from a client that does not read.
  func waitWhileFull() {
    if waiting.withLock({ $0 > Self.limit }) { finish() }
  }

  /// Waits until all output is written.
  func finish() { queue.sync {} }
}
