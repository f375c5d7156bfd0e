import ApusClientAPI
import ApusClientCache
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions

/// Runs operations against one endpoint. `fetch(query:)`, `perform(mutation:)` and similar functions return a stream of
/// results; `try await fetch(query)` and `try await perform(mutation)` return the last result.
///
/// A stream ends with its request (a watch ends when it is canceled). An error is thrown after all results before it.
/// Ending the iteration or canceling its task cancels the request.
public final class GraphQLClient: Sendable {
  /// The results of a request as they arrive, for one iteration. Throws a `GraphQLClientError` if the request fails;
  /// errors of custom interceptors and operations are thrown unchanged.
  public typealias Results<Data: Sendable> = AsyncThrowingStream<GraphQLResult<Data>, any Error>

  /// The transport of the client's requests: the endpoint and the interceptors.
  public let transport: RequestChainNetworkTransport
  /// The cache of the client, or nil for a client without one.
  public let store: CacheStore?
  /// The default policy of queries. `RequestOptions` contain their own policy.
  public let defaultCachePolicy: CachePolicy

  /// Creates a client with the default interceptor chain.
  public convenience init(
    url: String, headers: HTTPHeaders = [:], connection: HTTPConnectionOptions = .init(),
    timeouts: HTTPTimeouts = .init(), store: CacheStore? = nil, subscriptions: SubscriptionOptions = .init(),
    features: RequestFeatures = .init(), defaultCachePolicy: CachePolicy = .cacheFirst
  ) {
    let endpoint = HTTPRequest(url: url, headers: headers, timeouts: timeouts, connection: connection)
    self.init(
      endpoint: endpoint, store: store, subscriptions: subscriptions, features: features,
      defaultCachePolicy: defaultCachePolicy)
  }

  /// Creates a client with the default interceptor chain and all options of the endpoint.
  public convenience init(
    endpoint: HTTPRequest, network: HTTPTransport = HTTPTransport(), store: CacheStore? = nil,
    subscriptions: SubscriptionOptions = .init(), features: RequestFeatures = .init(),
    defaultCachePolicy: CachePolicy = .cacheFirst
  ) {
    let provider = DefaultInterceptorProvider(
      transport: network, store: store, subscriptions: subscriptions, features: features)
    self.init(
      transport: RequestChainNetworkTransport(
        endpoint: endpoint, interceptorProvider: provider, deduplicatesQueries: features.deduplicatesQueries),
      store: store, defaultCachePolicy: defaultCachePolicy)
  }

  /// Creates a client with custom interceptors. `store` is the cache that `watch` observes.
  public init(
    transport: RequestChainNetworkTransport, store: CacheStore? = nil, defaultCachePolicy: CachePolicy = .cacheFirst
  ) {
    self.transport = transport
    self.store = store
    self.defaultCachePolicy = defaultCachePolicy
  }

  /// Returns the options of a query with a cache policy and a context.
  package func options(_ cachePolicy: CachePolicy?, _ context: (any RequestContext)?) -> RequestOptions {
    RequestOptions(cachePolicy: cachePolicy ?? defaultCachePolicy, context: context)
  }

  /// The URL of the endpoint.
  public var url: String { transport.endpoint.url }
  /// The URL of the endpoint without user, password and query, for display.
  public var redactedURL: String { transport.endpoint.redactedURL }

  /// The time limits of requests that have no others in their options.
  package var timeouts: HTTPTimeouts { transport.endpoint.timeouts }

  /// Returns a client with the same endpoint, connections and cache, and other features.
  package func changingFeatures(_ change: (inout RequestFeatures) -> Void) -> GraphQLClient {
    GraphQLClient(
      transport: transport.changingFeatures(change), store: store, defaultCachePolicy: defaultCachePolicy)
  }

  /// Ends all subscriptions over WebSockets. Returns after the servers were notified: a program that ends immediately after
  /// its last result would close the socket without a word.
  package func closeSubscriptions() async { await transport.closeSubscriptions() }

  /// Returns the events of requests that start from now on (see `ClientEvent`). Each call returns a separate stream,
  /// which ends when the client and its requests are released. A stream that is not read keeps the newest events.
  public func events(
    bufferingPolicy: AsyncStream<ClientEvent>.Continuation.BufferingPolicy = .bufferingNewest(10_000)
  ) -> AsyncStream<ClientEvent> {
    transport.events(bufferingPolicy: bufferingPolicy)
  }

  /// Runs a query.
  public func fetch<Query: QueryOperation>(
    query: Query, cachePolicy: CachePolicy? = nil, context: (any RequestContext)? = nil
  ) -> Results<Query.Data> {
    fetch(query: query, options: options(cachePolicy, context))
  }

  /// Runs a query with all request options.
  public func fetch<Query: QueryOperation>(query: Query, options: RequestOptions) -> Results<Query.Data> {
    transport.send(operation: query, options: options)
  }

  /// Runs a query, and emits its result again whenever cached data that it uses changes. The stream ends only if it is
  /// canceled or the query itself fails.
  ///
  /// If a needed record is removed, the remaining result is emitted immediately and, unless the policy is `cacheOnly`,
  /// the query is fetched again, once. If that fails, the error is part of the next result, and the watch continues.
  public func watch<Query: QueryOperation>(
    query: Query, cachePolicy: CachePolicy? = nil, context: (any RequestContext)? = nil
  ) -> Results<Query.Data> {
    watch(query: query, options: options(cachePolicy, context))
  }

  /// Watches a query with all request options.
  public func watch<Query: QueryOperation>(query: Query, options: RequestOptions) -> Results<Query.Data> {
    guard let store else { return fetch(query: query, options: options) }
    return QueryWatcher(client: self, store: store, query: query, options: options).results()
  }

  /// Subscribes. Each event is a complete result. The stream ends when the server completes the subscription; ending
  /// the iteration unsubscribes. After a lost connection the client reconnects according to its `SubscriptionOptions`.
  /// The monitor in the request options reports the state of the connection.
  ///
  /// Over WebSockets, all subscriptions of a client share one connection.
  public func subscribe<Subscription: SubscriptionOperation>(
    subscription: Subscription, context: (any RequestContext)? = nil
  ) -> Results<Subscription.Data> {
    subscribe(subscription: subscription, options: RequestOptions(context: context))
  }

  /// Subscribes with all request options.
  public func subscribe<Subscription: SubscriptionOperation>(
    subscription: Subscription, options: RequestOptions
  ) -> Results<Subscription.Data> {
    transport.send(operation: subscription, options: options)
  }

  /// Runs an operation with files, by the GraphQL multipart request specification.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil
  ) -> Results<Operation.Data> {
    upload(operation: operation, files: files, options: RequestOptions(context: context))
  }

  /// Runs an operation with files and all request options, whose monitor reports the progress of the upload.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], options: RequestOptions
  ) -> Results<Operation.Data> {
    // The server would not use a file without a declared variable.
    for file in files {
      let name = String(file.variablePath.prefix { $0 != "." })
      guard !operation.compiled.hasVariable(name) else { continue }
      return Results { $0.finish(throwing: GraphQLClientError.undeclaredVariable(name)) }
    }
    var options = options
    options.files = files
    // The cache cannot represent files.
    if operation.compiled.operationType == .query { options.cachePolicy = .networkOnly }
    return transport.send(operation: operation, options: options)
  }

  /// Runs a mutation. It is sent once and never repeated by the client. It is sent, and its response is written to the
  /// cache, even if its results are not read.
  ///
  /// Ending the iteration after it started, or canceling its task, closes the connection. The server may or may not
  /// have executed the mutation then. A task that is canceled before it starts reading sends nothing.
  public func perform<Mutation: MutationOperation>(
    mutation: Mutation, context: (any RequestContext)? = nil
  ) -> Results<Mutation.Data> {
    perform(mutation: mutation, options: RequestOptions(context: context))
  }

  /// Runs a mutation with all request options.
  public func perform<Mutation: MutationOperation>(
    mutation: Mutation, options: RequestOptions
  ) -> Results<Mutation.Data> {
    guard let store, let data = options.optimisticData else {
      return transport.send(operation: mutation, options: options)
    }
    // The optimistic layer is removed with the last result, so the response must be written before that.
    var options = options
    options.cacheWriteTiming = .beforeResult
    let results = transport.send(operation: mutation, options: options)
    return OptimisticMutation(store: store, mutation: mutation, data: data).results(of: results)
  }

  /// Runs a mutation with expected data, which cache reads use until the response is complete, including deferred
  /// fragments, or the mutation has failed.
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, optimistic data: Mutation.Data, context: (any RequestContext)? = nil
  ) -> Results<Mutation.Data> {
    perform(mutation: mutation, optimistic: data, options: RequestOptions(context: context))
  }

  /// Runs a mutation with expected data and all request options.
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, optimistic data: Mutation.Data, options: RequestOptions
  ) -> Results<Mutation.Data> {
    var options = options
    options.optimisticData = data.__data.json
    return perform(mutation: mutation, options: options)
  }
}
