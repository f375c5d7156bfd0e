import ApusClientAPI
import ApusClientNetwork
import ApusJSON

/// All that may differ from one request to the next.
public struct RequestOptions: Sendable {
  /// Where a query looks first, and what it falls back on. Mutations and subscriptions always go to the network.
  public var cachePolicy: CachePolicy = .cacheFirst
  /// Whether a query that the cache knows in part is given out with what is there.
  public var allowsPartialReads = false
  /// Whether what has outlived its time in the cache is still an answer.
  public var allowsStaleReads = false
  /// When the response is written to the cache.
  public var cacheWrites: CacheWritePolicy = .whenComplete
  /// Whether a result waits until it is written.
  public var cacheWriteTiming: CacheWriteTiming = .beforeResult
  /// What the changes that the request makes in the cache name it by; `nil` takes a new one.
  public var requestID: RequestID?
  /// Of a mutation: the data that it will probably answer. Reads and watchers see it until the real answer is whole, or
  /// the mutation failed.
  public var optimisticData: JSONValue?
  /// In which form deferred parts are asked for.
  public var incremental: IncrementalDelivery = .automatic
  /// Header fields for this request; they replace those of the client that have the same name.
  public var headers: HTTPHeaders = [:]
  /// The members of the request's `extensions`, an object that the server gives its meaning (GraphQL over HTTP, section
  /// "Request Parameters"). Persisted queries add theirs.
  public var extensions: JSONValue = .object([])
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

  /// Options with those that differ most often; all others can be set.
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
