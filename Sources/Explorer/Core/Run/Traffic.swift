import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusJSON
import Synchronization

/// What went over the wire for a run, as a person looks at it.
package struct Traffic: Hashable, Sendable {
  /// One part of the response as it came, or one message of a WebSocket.
  package struct Part: Hashable, Sendable {
    package var headers: [String]
    package var text: String
    package var byteCount: Int
    package var elapsed: Duration
  }

  /// The instant at which a phase of the request was over.
  package struct Phase: Hashable, Sendable {
    package var name: String
    package var end: Duration
  }

  /// Of a very long part only the beginning is kept to be looked at.
  static let shownBytes = 16 << 10
  /// Of very many parts the newest, and no more bytes of their texts than this.
  static let partLimit = 1000
  static let byteLimit = 4 << 20

  package var status: String?
  /// The code of a status that says that the request failed.
  package var failedStatus: Int?
  package var format: String?
  package var headers: [String] = []
  package var phases: [Phase] = []
  package var isConnectionReused = false
  package var upload: HTTPUploadProgress?
  package var subscription: SubscriptionState?
  package var parts: [Part] = []
  /// Parts that were there before the first that is kept.
  package var droppedCount = 0
  private var keptBytes = 0

  package init() {}

  mutating func note(_ observation: RequestMonitor.Observation) {
    switch observation {
    case .sent(let progress): upload = progress
    case .subscription(let state): subscription = state
    case .head(let head):
      status = "HTTP/\(head.version) \(head.status)"
      failedStatus = head.isSuccess ? nil : head.status
      headers = head.headers.fields.map { "\($0.name): \($0.value)" }
    case .part(let part):
      parts.append(
        Part(
          headers: part.headers.fields.map { "\($0.name): \($0.value)" },
          text: String(decoding: part.body.prefix(Self.shownBytes), as: UTF8.self), byteCount: part.body.count,
          elapsed: part.elapsed))
      keptBytes += min(part.body.count, Self.shownBytes)
      if parts.count > Self.partLimit || keptBytes > Self.byteLimit { forgetOldest() }
    case .ended(let timings):
      isConnectionReused = timings.isConnectionReused
      phases = [
        ("name", timings.nameLookup), ("connect", timings.connect), ("TLS", timings.tls ?? .zero),
        ("sent", timings.request), ("first byte", timings.firstByte), ("last byte", timings.lastByte),
      ].filter { $0.1 > .zero }.map { Phase(name: $0.0, end: $0.1) }
    }
  }

  /// A tenth at once, so that it is seldom done.
  private mutating func forgetOldest() {
    let count = max(1, parts.count / 10)
    for part in parts.prefix(count) { keptBytes -= min(part.byteCount, Self.shownBytes) }
    parts.removeFirst(count)
    droppedCount += count
  }
}

/// The traffic of a run as it is noted on the network's side, and word of each change for who tells of it.
final class TrafficNotes: Sendable {
  private let state = Mutex(Traffic())
  /// However many changes nobody has looked at yet, they are one piece of news.
  let news: AsyncStream<Void>
  private let changed: AsyncStream<Void>.Continuation

  init() {
    (news, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  var traffic: Traffic { state.withLock { $0 } }

  func note(_ observation: RequestMonitor.Observation) {
    state.withLock { $0.note(observation) }
    changed.yield()
  }

  func finish() { changed.finish() }
}
