import ClientAPI
import ClientCache
import ClientNetwork
import ClientSubscriptions

/// The chain that serves queries, mutations and subscriptions over HTTP: retry limit, cache read, network fetch,
/// response code, multipart parsing, JSON parsing, cache write. Without a store the cache is left out. A subscription is
/// fetched event by event instead.
public struct DefaultInterceptorProvider: InterceptorProvider {
  private let transport: HTTPTransport
  private let store: CacheStore?
  private let hub: SubscriptionHub

  public init(transport: HTTPTransport, store: CacheStore?, subscriptions: SubscriptionOptions = .init()) {
    self.transport = transport
    self.store = store
    hub = SubscriptionHub(options: subscriptions, transport: transport)
  }

  public func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    let reading: any RequestChainInterceptor = store.map { CacheReadInterceptor(store: $0) } ?? NoCacheInterceptor()
    let fetching: [any RequestChainInterceptor]
    if operation.compiled.operationType == .subscription {
      fetching = [
        MaxRetryInterceptor(), SubscriptionFetchInterceptor(transport: transport, hub: hub), JSONParsingInterceptor(),
      ]
    } else {
      fetching = [
        MaxRetryInterceptor(), reading, NetworkFetchInterceptor(transport: transport), ResponseCodeInterceptor(),
        MultipartParsingInterceptor(), JSONParsingInterceptor(),
      ]
    }
    return fetching + (store.map { [CacheWriteInterceptor(store: $0)] } ?? [])
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
