import ReaderAPI

/// The client of the program and the cache that it reads and writes.
struct Session: Sendable {
  let client: GraphQLClient
  let store: CacheStore

  /// If there is a file, its data is available at the next start, with or without a network.
  init(_ arguments: Arguments) throws {
    let cache: any NormalizedCache =
      if let file = arguments.cacheFile { try SQLiteNormalizedCache(path: file) } else { InMemoryNormalizedCache() }
    store = CacheStore(cache: cache, resolver: CacheKeyResolver(schema: BirdsSchema.Metadata.self))
    var features = RequestFeatures()
    // A query that did not reach the server is retried once, after a short delay, because the user is waiting.
    var retry = RetryPolicy()
    retry.firstDelay = .milliseconds(50)
    features.retry = retry
    client = GraphQLClient(url: arguments.url, store: store, features: features)
  }

  /// The options of all requests: one retry.
  static func options(_ policy: CachePolicy) -> RequestOptions {
    var options = RequestOptions(cachePolicy: policy)
    options.maximumRetries = 1
    return options
  }
}
