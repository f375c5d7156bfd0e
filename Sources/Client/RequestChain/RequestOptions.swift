import ApusClientAPI
import ApusClientCache
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// The options of a single request.
public struct RequestOptions: Sendable {
  /// The order in which a query uses cache and network. Mutations and subscriptions always use the network.
  public var cachePolicy: CachePolicy = .cacheFirst
  /// Whether a query may return incomplete data from the cache.
  public var allowsPartialReads = false
  /// Whether a query may return expired data from the cache.
  public var allowsStaleReads = false
  /// The time at which the response is written to the cache.
  public var cacheWrites: CacheWritePolicy = .whenComplete
  /// Whether a result is emitted after it was written.
  public var cacheWriteTiming: CacheWriteTiming = .beforeResult
  /// The request ID in cache changes; `nil` for a new one.
  public var requestID: RequestID?
  /// The expected data of a mutation. Cache reads and watchers use it until the mutation's response is complete or
  /// failed.
  public var optimisticData: JSONValue?
  /// The requested format of deferred fragments.
  public var incremental: IncrementalDelivery = .automatic
  /// Header fields for this request. They replace fields of the client with the same names.
  public var headers: HTTPHeaders = [:]
  /// The `extensions` of the request, an object whose meaning is defined by the server (GraphQL over HTTP, section
  /// "Request Parameters"). Persisted queries add their own.
  public var extensions: JSONValue = .object([])
  /// The `onError` parameter of the request: the effect of a field error on the result, for servers that support it;
  /// `nil` leaves the choice to the server.
  public var onError: ErrorBehavior?
  /// The URL of a subscription; `nil` for that of `SubscriptionOptions`. The rules of `SubscriptionOptions.url` apply,
  /// and an origin that is neither the client's nor that of `SubscriptionOptions.url` gets no connection payload
  /// either.
  public var subscriptionURL: String?
  /// Files to upload with the operation, by the GraphQL multipart request specification.
  public var files: [GraphQLFile] = []
  /// Time limits; nil for those of the client.
  public var timeouts: HTTPTimeouts?
  /// The maximum number of retries.
  public var maximumRetries = 3
  /// The retry policy of a watched query or a pager for refetching lost data.
  public var refetching = RetryPolicy()
  /// The refetch depth of this fetch: see `CacheChange.refetchDepth`.
  package var refetchDepth = 0
  /// The watch that makes the request; `nil` for a single request.
  package var watch: WatchIdentity?
  /// The header field that replaces the endpoint's credentials, for the connection payload of a subscription.
  package var replacingField: (@Sendable () async throws -> (name: String, value: String))?
  /// A value for custom interceptors.
  public var context: (any RequestContext)?
  /// The monitor that records the bytes on the wire.
  public var monitor: RequestMonitor?

  /// Creates options from the most common ones. All others can be set afterwards.
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
