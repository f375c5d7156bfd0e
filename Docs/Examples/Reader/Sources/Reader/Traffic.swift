import ReaderAPI

/// Counts the events of the client, for example for metrics.
actor Traffic {
  private var requests = 0
  private var bytes = 0
  private var failures = 0
  private var reads: [ClientEvent.CacheRead.Outcome: Int] = [:]

  init(of client: GraphQLClient) {
    let events = client.events()
    // The loop ends when the client is released.
    Task { [weak self] in
      for await event in events { await self?.count(event) }
    }
  }

  private func count(_ event: ClientEvent) {
    switch event.kind {
    case .sent: requests += 1
    case .received(_, let byteCount): bytes += byteCount
    case .cacheRead(let read): reads[read.outcome, default: 0] += 1
    case .failed: failures += 1
    default: break
    }
  }

  var summary: String {
    """
    \(requests) requests, \(bytes) bytes, \(failures) failed
    the cache had all \(reads[.hit] ?? 0) times, some \(reads[.partial] ?? 0), nothing \(reads[.miss] ?? 0)
    """
  }
}
