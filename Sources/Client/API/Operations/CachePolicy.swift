/// Where a query looks first, and what it falls back on. Mutations and subscriptions always go to the network.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
  /// The cache if it has all of the query, else a fetch. If only deferred fragments are missing, or partial reads are
  /// allowed, the cached data comes before the fetch.
  case cacheFirst
  /// A fetch; the cache when the network fails, and only then.
  case networkFirst
  /// The server's answer, without a look into the cache; it is written there all the same.
  case networkOnly
  /// The cache alone; what is not there is an error.
  case cacheOnly
  /// What the cache has, then a fetch in any case.
  case cacheAndNetwork
}

/// When a response is written to the cache.
public enum CacheWritePolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing is written to the cache.
  case never
  /// Once all deferred parts have arrived.
  case whenComplete
  /// With each part; a fragment that has not arrived yet reads as pending.
  case incremental
}

/// When a result is given out that is to be written to the cache.
public enum CacheWriteTiming: String, Sendable, Hashable, CaseIterable {
  /// Once it is written; it tells which keys it changed.
  case beforeResult
  /// At once: when the next one is asked for, or nobody reads on, it is written beside what follows, one result after the
  /// other, and the stream ends behind the last write. Which keys it changed is told by the store, whose changes name the
  /// request and the part. A mutation with optimistic data is written first all the same.
  case afterResult
}
