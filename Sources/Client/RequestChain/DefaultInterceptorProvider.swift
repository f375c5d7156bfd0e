import ApusClientAPI
import ApusClientCache
import ApusClientNetwork
import ApusClientSubscriptions

/// The chain that serves queries, mutations and subscriptions.
///
/// 1. The limit on retries, and the cache, where there is one.
/// 2. What the features ask for on the way out: to be tried again, a token, a digest, a line in the log.
/// 3. Network fetch, response code, multipart parsing, JSON parsing. A subscription is fetched event by event instead.
/// 4. The same features on the way back: each may have the request sent again in other words.
/// 5. Cache write.
public struct DefaultInterceptorProvider: InterceptorProvider {
  private let transport: HTTPTransport
  private let store: CacheStore?
  private let hub: SubscriptionHub
  private let features: RequestFeatures

  public init(
    transport: HTTPTransport, store: CacheStore?, subscriptions: SubscriptionOptions = .init(),
    features: RequestFeatures = .init()
  ) {
    self.transport = transport
    self.store = store
    self.features = features
    hub = SubscriptionHub(options: subscriptions, transport: transport)
  }

  public func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    let reading: any RequestChainInterceptor = store.map { CacheReadInterceptor(store: $0) } ?? NoCacheInterceptor()
    let isSubscription = operation.compiled.operationType == .subscription
    let before: [any RequestChainInterceptor] =
      [MaxRetryInterceptor()] + (isSubscription ? [] : [reading])
    // Each of these hears of the request and of its response.
    var both: [any RequestChainInterceptor] = features.retry.map { [RetryInterceptor(policy: $0)] } ?? []
    if let credentials = features.credentials {
      both.append(AuthenticationInterceptor(credentials: credentials, options: features.authentication))
    }
    if let options = features.persistedQueries { both.append(PersistedQueryInterceptor(options: options)) }
    if let log = features.log { both.append(LoggingInterceptor(log: log)) }
    let parsing = JSONParsingInterceptor(registry: features.partReaders)
    let fetching: [any RequestChainInterceptor] =
      isSubscription
      ? [SubscriptionFetchInterceptor(transport: transport, hub: hub), parsing]
      : [
        NetworkFetchInterceptor(transport: transport), ResponseCodeInterceptor(), MultipartParsingInterceptor(),
        parsing,
      ]
    let writing: [any RequestChainInterceptor] = store.map { [CacheWriteInterceptor(store: $0)] } ?? []
    return before + both + fetching + both.reversed() + writing
  }

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
    if request.options.cachePolicy == .cacheOnly, request.operation.compiled.operationType == .query {
      throw GraphQLClientError.cacheMiss(missing: [])
    }
    return .proceed(request: request, response: response)
  }
}
