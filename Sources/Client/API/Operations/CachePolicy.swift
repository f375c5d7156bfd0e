/// The order in which a query uses the cache and the network. Mutations and subscriptions always use the network.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
  /// The cache if it has the complete result, otherwise the network. If only deferred fragments are missing, or partial
  /// reads are allowed, the cached data is emitted before the fetch.
  case cacheFirst
  /// The network; the cache only if the network fails.
  case networkFirst
  /// The network without reading the cache. The response is still written to it.
  case networkOnly
  /// Only the cache. Missing data is an error.
  case cacheOnly
  /// The cached data, then the network in any case.
  case cacheAndNetwork

  /// Whether requests can be sent.
  package var usesNetwork: Bool {
    switch self {
    case .cacheFirst, .networkFirst, .networkOnly, .cacheAndNetwork: true
    case .cacheOnly: false
    }
  }

  /// Whether the cache is read before a request is sent.
  package var readsCacheFirst: Bool {
    switch self {
    case .cacheFirst, .cacheOnly, .cacheAndNetwork: true
    case .networkFirst, .networkOnly: false
    }
  }

  /// Whether the cache is read if the network fails.
  package var fallsBackToCache: Bool {
    switch self {
    case .networkFirst: true
    case .cacheFirst, .networkOnly, .cacheOnly, .cacheAndNetwork: false
    }
  }
}

/// The time at which a response is written to the cache.
public enum CacheWritePolicy: String, Sendable, Hashable, CaseIterable {
  /// Never.
  case never
  /// The response is written when all deferred fragments have arrived.
  case whenComplete
  /// The response is written after each payload. A fragment that has not arrived reads as pending.
  case incremental
}

/// The order of emitting a result and writing it to the cache.
public enum CacheWriteTiming: String, Sendable, Hashable, CaseIterable {
  /// The result is emitted after the write, with the changed keys.
  case beforeResult
  /// The result is emitted immediately. It is written in the background when the next result is requested or the reader
  /// is gone, one result after the other, and the stream ends after the last write. The store's change notifications
  /// name the request and payload. A mutation with optimistic data is always written first.
  case afterResult
}
