import ApusClientIncremental
import ApusClientNetwork
import ApusJSON

/// An event stream that an audit reads while it sends other requests.
final class StreamConversation {
  /// An event of single connection mode.
  struct Event {
    let name: String
    let data: JSONValue

    var id: String? { data["id"]?.string }
    var hasResult: Bool { data["payload"]?["data"] != nil || data["payload"]?["errors"]?.count ?? 0 > 0 }
    var text: String { "\(name) \(data.shortText)" }
  }

  private enum Signal: Sendable {
    case head(HTTPHead)
    case bytes([UInt8], ContinuousClock.Instant)
    case end(NetworkError?)
    case timeout(Int)
  }

  private let signals: AsyncStream<Signal>.Continuation
  private var iterator: AsyncStream<Signal>.AsyncIterator
  private let task: Task<Void, Never>
  private let start = ContinuousClock.now
  private var waitCount = 0
  private var reader = ServerSentEventReader()
  private var events: ArraySlice<Event> = []
  private var hasEnded = false
  /// The received data, as proof.
  private(set) var exchange: Exchange

  init(_ request: HTTPRequest, transport: HTTPTransport) {
    let (stream, signals) = AsyncStream.makeStream(of: Signal.self)
    self.signals = signals
    iterator = stream.makeAsyncIterator()
    exchange = Exchange(request)
    task = Task {
      do {
        for try await event in transport.send(request) {
          switch event {
          case .head(let head): signals.yield(.head(head))
          case .bytes(let chunk): signals.yield(.bytes(chunk.bytes, chunk.arrival))
          case .sent, .end: continue
          }
        }
        signals.yield(.end(nil))
      } catch {
        signals.yield(.end(error as? NetworkError))
      }
    }
  }

  func cut() { task.cancel() }

  /// Returns the status of the response; 0 if none arrives in time.
  func status(within limit: Duration) async -> Int {
    while exchange.head == nil, !hasEnded, await receive(within: limit) {}
    return exchange.status
  }

  /// Returns the next event; nil if none arrives in time.
  func next(within limit: Duration) async -> Event? {
    while events.isEmpty, !hasEnded, await receive(within: limit) {}
    return events.popFirst()
  }

  /// Receives more of the stream. Returns false if nothing arrives in time.
  private func receive(within limit: Duration) async -> Bool {
    waitCount += 1
    let (number, signals) = (waitCount, signals)
    let timer = Task {
      try? await Task.sleep(for: limit)
      signals.yield(.timeout(number))
    }
    defer { timer.cancel() }
    while let signal = await iterator.next() {
      switch signal {
      case .timeout(let timed) where timed == number: return false
      case .timeout: continue
      case .head(let head): exchange.head = head
      case .bytes(let bytes, let arrival):
        exchange.reads.append(.init(bytes: bytes, elapsed: arrival - start))
        let received = (try? reader.receive(bytes)) ?? []
        events += received.map { Event(name: $0.name, data: (try? JSONDocument(parsing: $0.data).root) ?? .null) }
      case .end(let failure):
        exchange.failure = failure
        hasEnded = true
      }
      return true
    }
    return false
  }
}
