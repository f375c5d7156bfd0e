import ApusClientAPI
import ApusClientCache
import ApusClientNetwork
import ApusClientOperation
import ApusClientSubscriptions

/// The default chain for queries, mutations and subscriptions.
///
/// 1. Cache read, if there is a cache. The chain itself limits retries.
/// 2. Features, on the way to the network: retry, token, query digest, logging.
/// 3. Network fetch, response code, multipart parsing, JSON parsing. A subscription is fetched event by event instead.
/// 4. The same features, on the way back. Each may send the request again in another form.
/// 5. Cache write.
public struct DefaultInterceptorProvider: InterceptorProvider {
  private let transport: HTTPTransport
  private let store: CacheStore?
  private let hub: SubscriptionHub
  package var features: RequestFeatures

  /// Creates a provider for the requests of one client, which share the transport, the cache and the connection for
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

  /// Returns new interceptors for one request, in the order above.
  public func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    let isSubscription = operation.compiled.operationType == .subscription
    // These handle both the request and its response.
    let both = featureInterceptors
    var chain: [any RequestChainInterceptor] = []
    if !isSubscription {
      if let store { chain.append(CacheReadInterceptor(store: store)) } else { chain.append(NoCacheInterceptor()) }
    }
    chain += both
    if isSubscription {
      chain.append(SubscriptionFetchInterceptor(transport: transport, hub: hub, usesGET: features.usesGET))
    } else {
      if features.usesGET, features.persistedQueries == nil { chain.append(QueryByGETInterceptor()) }
      chain.append(NetworkFetchInterceptor(transport: transport))
      chain.append(ResponseCodeInterceptor())
      chain.append(MultipartParsingInterceptor())
    }
    chain.append(JSONParsingInterceptor(registry: features.partReaders, store: store))
    chain += both.reversed()
    if let store { chain.append(CacheWriteInterceptor(store: store)) }
    return chain
  }

  func closeSubscriptions() async { await hub.close() }

  private var featureInterceptors: [any RequestChainInterceptor] {
    var chain: [any RequestChainInterceptor] = []
    if let policy = features.retry { chain.append(RetryInterceptor(policy: policy)) }
    if let credentials = features.credentials {
      chain.append(AuthenticationInterceptor(credentials: credentials, options: features.authentication))
    }
    if let renewable = features.renewableHeaders { chain.append(AuthenticationInterceptor(renewable)) }
    if var options = features.persistedQueries {
      options.usesGET = options.usesGET || features.usesGET
      chain.append(PersistedQueryInterceptor(options: options))
    }
    if let log = features.log { chain.append(LoggingInterceptor(log: log)) }
    return chain
  }

  /// Returns the interceptor that reads the cache if the policy is `networkFirst` and the network fails; `nil` without
  /// a cache.
  public func errorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any RequestChainErrorInterceptor)? {
    store.map { CacheFallbackInterceptor(store: $0) }
  }
}

/// Replaces the cache read in a client without a cache: `cacheOnly` throws a cache miss.
struct NoCacheInterceptor: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if !request.options.cachePolicy.usesNetwork, request.compiled.operationType == .query {
      throw GraphQLClientError.cacheMiss(missing: [])
    }
    return .proceed(request: request, response: response)
  }
}
