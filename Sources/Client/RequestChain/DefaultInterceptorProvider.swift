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
    links(for: operation.compiled.operationType).map(\.interceptor)
  }

  /// The same as a chain has them.
  func links(for type: CompiledOperation.OperationType) -> [ChainLink] {
    let isSubscription = type == .subscription
    // Each of these hears of the request and of its response.
    let both = featureInterceptors
    var chain: [ChainLink] = []
    chain.reserveCapacity(6 + 2 * both.count)
    if !isSubscription {
      chain.append(.own(reading))
    }
    for interceptor in both { chain.append(.own(interceptor)) }
    if isSubscription {
      chain.append(.own(SubscriptionFetchInterceptor(transport: transport, hub: hub)))
    } else {
      if features.usesGET, features.persistedQueries == nil { chain.append(.own(QueryByGETInterceptor())) }
      chain.append(.own(NetworkFetchInterceptor(transport: transport)))
      chain.append(.own(ResponseCodeInterceptor()))
      chain.append(.own(MultipartParsingInterceptor()))
    }
    chain.append(.own(JSONParsingInterceptor(registry: features.partReaders)))
    for interceptor in both.reversed() { chain.append(.own(interceptor)) }
    if let store { chain.append(.own(CacheWriteInterceptor(store: store))) }
    return chain
  }

  private var reading: any PlainInterceptor {
    if let store { CacheReadInterceptor(store: store) } else { NoCacheInterceptor() }
  }

  private var featureInterceptors: [any PlainInterceptor] {
    var chain: [any PlainInterceptor] = []
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
    fallback
  }

  var fallback: CacheFallbackInterceptor? { store.map { CacheFallbackInterceptor(store: $0) } }
}

/// Stands in for the cache where there is none: `cacheOnly` finds nothing.
struct NoCacheInterceptor: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    try await lead(request, response)
  }

  func step(_ request: PlainRequest, _ response: PlainResponse?) throws -> PlainStep {
    .now(try action(request, response))
  }

  private func action(_ request: PlainRequest, _ response: PlainResponse?) throws -> PlainAction {
    if request.options.cachePolicy == .cacheOnly, request.asked.type == .query {
      throw GraphQLClientError.cacheMiss(missing: [])
    }
    return .proceed(request: request, response: response)
  }
}
