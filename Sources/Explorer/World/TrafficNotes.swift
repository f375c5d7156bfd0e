import ApusClientNetwork
import ApusClientRequestChain
import ApusExplorerCore
import Synchronization

extension Traffic {
  mutating func note(_ observation: RequestMonitor.Observation) {
    switch observation {
    case .sent(let progress):
      upload = Upload(sentByteCount: progress.sentByteCount, totalByteCount: progress.totalByteCount)
    case .subscription(let state): subscription = state
    case .head(let head):
      status = "HTTP/\(head.version) \(head.status)"
      failedStatus = head.isSuccess ? nil : head.status
      headers = head.headers.fields.map { "\($0.name): \($0.value)" }
    case .part(let part):
      add(
        Part(
          headers: part.headers.fields.map { "\($0.name): \($0.value)" },
          text: String(decoding: part.body.prefix(Self.shownBytes), as: UTF8.self), byteCount: part.body.count,
          elapsed: part.elapsed))
    case .ended(let timings):
      isConnectionReused = timings.isConnectionReused
      phases = [
        ("name", timings.nameLookup), ("connect", timings.connect), ("TLS", timings.tls ?? .zero),
        ("sent", timings.request), ("first byte", timings.firstByte), ("last byte", timings.lastByte),
      ].filter { $0.1 > .zero }.map { Phase(name: $0.0, end: $0.1) }
    }
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
