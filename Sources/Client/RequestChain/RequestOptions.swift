import ApusClientAPI
import ApusClientNetwork
import ApusJSON

/// Where a query looks first, and what it falls back on. Mutations and subscriptions always go to the network.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
  /// A whole hit in the cache, else a fetch. With partial reads allowed: what is there, then the fetch.
  case cacheFirst
  /// A fetch; the cache when the network fails, and only then.
  case networkFirst
  case networkOnly
  /// The cache alone; what is not there is an error.
  case cacheOnly
  /// What the cache has, then a fetch in any case.
  case cacheAndNetwork
}

/// When a response is written to the cache.
public enum CacheWritePolicy: String, Sendable, Hashable, CaseIterable {
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

/// In which form deferred parts are asked for.
public enum IncrementalDelivery: String, Sendable, Hashable, CaseIterable {
  /// Both formats are offered, the server chooses.
  case automatic = "auto"
  case defer20220824 = "20220824"
  case incrementalV02 = "v0.2"
  /// Plain JSON only.
  case off
}

/// All that may differ from one request to the next.
public struct RequestOptions: Sendable {
  public var cachePolicy: CachePolicy = .cacheFirst
  /// Whether a query that the cache knows in part is given out with what is there.
  public var allowsPartialReads = false
  /// Whether what has outlived its time in the cache is still an answer.
  public var allowsStaleReads = false
  public var cacheWrites: CacheWritePolicy = .whenComplete
  public var cacheWriteTiming: CacheWriteTiming = .beforeResult
  /// What the changes that the request makes in the cache name it by; `nil` takes a new one.
  public var requestID: RequestID?
  /// Of a mutation: the data that it will probably answer. Reads and watchers see it until the real answer is whole, or
  /// the mutation failed.
  public var optimisticData: JSONValue?
  public var incremental: IncrementalDelivery = .automatic
  /// Header fields for this request; they replace those of the client that have the same name.
  public var headers: HTTPHeaders = [:]
  /// Files that travel with the operation, by the GraphQL multipart request form.
  public var files: [GraphQLFile] = []
  /// nil takes the client's.
  public var timeouts: HTTPTimeouts?
  /// How often an interceptor may ask for another attempt.
  public var maximumRetries = 3
  /// Of a watched query and a pager: how long they wait before they ask again for what was lost, where asking failed.
  public var refetching = RetryPolicy()
  /// Of a fetch that makes good a loss: see `CacheChange.refetchDepth`.
  package var refetchDepth = 0
  /// Travels with the request to the caller's own interceptors.
  public var context: (any RequestContext)?
  /// Records what goes over the wire, for those who want to look at it.
  public var monitor: RequestMonitor?

  public init(
    cachePolicy: CachePolicy = .cacheFirst, allowsPartialReads: Bool = false,
    cacheWrites: CacheWritePolicy = .whenComplete, incremental: IncrementalDelivery = .automatic,
    context: (any RequestContext)? = nil
  ) {
    self.cachePolicy = cachePolicy
    self.allowsPartialReads = allowsPartialReads
    self.cacheWrites = cacheWrites
    self.incremental = incremental
    self.context = context
  }
}
