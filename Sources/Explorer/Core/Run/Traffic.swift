import ClientNetwork
import ClientRequestChain
import ClientSubscriptions
import JSON

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
  /// Of very many parts the newest.
  static let partLimit = 1000

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
      if parts.count > Self.partLimit {
        parts.removeFirst(Self.partLimit / 10)
        droppedCount += Self.partLimit / 10
      }
    case .ended(let timings):
      isConnectionReused = timings.isConnectionReused
      phases = [
        ("name", timings.nameLookup), ("connect", timings.connect), ("TLS", timings.tls ?? .zero),
        ("sent", timings.request), ("first byte", timings.firstByte), ("last byte", timings.lastByte),
      ].filter { $0.1 > .zero }.map { Phase(name: $0.0, end: $0.1) }
    }
  }
}
