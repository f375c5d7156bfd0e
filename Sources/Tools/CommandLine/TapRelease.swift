import ApusAlgorithms
import ApusClientTraffic
import Synchronization

/// Releases the payloads that `apus tap --hold` holds, by the lines of standard input.
///
/// | input | released |
/// |---|---|
/// | an empty line | the next payload of each operation that waits |
/// | "`3`" | the next payload of operation 3 |
/// | "`all`" | everything, and nothing waits from then on |
/// | another line | nothing; a message names the three above |
/// | the end of input | as for "`all`", since nothing can be released any more |
final class TapRelease: Sendable {
  /// The maximum length of a line, in bytes. A longer one is read as several lines.
  private static let lineLimit = 1000

  private let control: DeliveryControl
  /// The operations that have a waiting payload, by their numbers.
  private let waiting = Mutex<[Int: TrafficOperationID]>([:])

  init(_ control: DeliveryControl) { self.control = control }

  /// Notes the operations whose payloads wait.
  func receive(_ report: TrafficReport) {
    switch report {
    case .held(let request, _), .ended(let request):
      waiting.withLock { $0[request.number] = request.heldCount > 0 ? request.id : nil }
    case .began, .hint, .responded, .part, .payload, .changed, .conflict, .other: break
    }
  }

  /// Reads lines until the end of the input.
  func run(_ input: AsyncStream<[UInt8]> = InputThread.portions()) async {
    var rest: [UInt8] = []
    for await portion in input {
      rest += portion
      while let end = rest.firstIndex(of: 0x0A) ?? (rest.count > Self.lineLimit ? Self.lineLimit : nil) {
        release(String(decoding: rest[..<end].trimming { $0 == 0x20 || $0 == 0x0D }, as: UTF8.self))
        rest.removeFirst(end + 1)
      }
    }
    control.releaseAll()
  }

  private func release(_ line: String) {
    switch (line, Int(line)) {
    case ("", _): control.releaseNext()
    case ("all", _): control.releaseAll()
    case (_, let number?):
      guard let operation = waiting.withLock({ $0[number] }) else {
        StandardStreams.narrate("apus: operation \(number) has no payload that waits")
        return
      }
      control.release(operation)
    case (_, nil):
      StandardStreams.narrate("apus: press Enter to release the next payloads, or type an operation's number or 'all'")
    }
  }
}
