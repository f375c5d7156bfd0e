import ApusClientAPI
import ApusClientCache
import ApusClientNetwork
import ApusClientOperation
import ApusClientSubscriptions

/// The chain that serves queries, mutations and subscriptions.
///
/// 1. The cache, where there is one. The limit on retries the chain sees to by itself.
/// 2. What the features ask for on the way out: to be tried again, a token, a digest, a line in the log.
/// 3. Network fetch, response code, multipart parsing, JSON parsing. A subscription is fetched event by event instead.
/// 4. The same features on the way back: each may have the request sent again in other words.
/// 5. Cache write.
public struct DefaultInterceptorProvider: InterceptorProvider {
  private let transport: HTTPTransport
  private let store: CacheStore?
  private let hub: SubscriptionHub
  private let features: RequestFeatures

  /// A provider for the requests of one client, which share the transport, the cache and the connection of
  /// subscriptions.
  public init(
    transport: HTTPTransport, store: CacheStore?, subscriptions: SubscriptionOptions = .init(),
    features: RequestFeatures = .init()
  ) {
    self.transport = transport
    self.store = store
    self.features = features
    hub = SubscriptionHub(options: subscriptions, transport: transport)
  }

  /// The interceptors for one request, in the order above: new ones each time.
  public func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    let isSubscription = operation.compiled.operationType == .subscription
    // Each of these handles the request and its response.
    let both = featureInterceptors
    var chain: [any RequestChainInterceptor] = []
    if !isSubscription {
      if let store { chain.append(CacheReadInterceptor(store: store)) } else { chain.append(NoCacheInterceptor()) }
    }
    chain += both
    if isSubscription {
      chain.append(SubscriptionFetchInterceptor(transport: transport, hub: hub))
    } else {
      if features.usesGET, features.persistedQueries == nil { chain.append(QueryByGETInterceptor()) }
      chain.append(NetworkFetchInterceptor(transport: transport))
      chain.append(ResponseCodeInterceptor())
      chain.append(MultipartParsingInterceptor())
    }
    chain.append(JSONParsingInterceptor(registry: features.partReaders))
    chain += both.reversed()
    if let store { chain.append(CacheWriteInterceptor(store: store)) }
    return chain
  }

  private var featureInterceptors: [any RequestChainInterceptor] {
    var chain: [any RequestChainInterceptor] = []
    if let policy = features.retry { chain.append(RetryInterceptor(policy: policy)) }
    if let credentials = features.credentials {
      chain.append(AuthenticationInterceptor(credentials: credentials, options: features.authentication))
    }
    if var options = features.persistedQueries {
      options.usesGET = options.usesGET || features.usesGET
      chain.append(PersistedQueryInterceptor(options: options))
    }
    if let log = features.log { chain.append(LoggingInterceptor(log: log)) }
    return chain
  }

  /// Lets the cache answer where the policy is `networkFirst` and the network fails; `nil` without a cache.
  public func errorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any RequestChainErrorInterceptor)? {
    store.map { CacheFallbackInterceptor(store: $0) }
  }
}

/// Stands in for the cache where there is none: `cacheOnly` finds nothing.
struct NoCacheInterceptor: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if request.options.cachePolicy == .cacheOnly, request.compiled.operationType == .query {
      throw GraphQLClientError.cacheMiss(missing: [])
    }
    return .proceed(request: request, response: response)
  }
}
