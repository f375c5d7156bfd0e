import ApusClientAPI
import ApusClientCache
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions

/// Runs operations against one endpoint. `fetch(query:)`, `perform(mutation:)` and their like give the results as a stream;
/// `try await fetch(query)` and `try await perform(mutation)` wait for the last of them.
///
/// A stream ends when its request is fulfilled (a watch, when it is cancelled). An error is thrown behind all results
/// that came before it. Ending the iteration, or cancelling its task, cancels the request on the wire.
public final class GraphQLClient: Sendable {
  /// The results of a request as they arrive, to be iterated once. It throws a `GraphQLClientError` where the request
  /// failed, and as they are the errors of the caller's own interceptors and operations.
  public typealias Results<Data: Sendable> = AsyncThrowingStream<GraphQLResult<Data>, any Error>

  /// What sends the client's requests: the endpoint, and the interceptors that each passes.
  public let transport: RequestChainNetworkTransport
  /// The cache that the client's queries read and write; nil for a client without one.
  public let store: CacheStore?
  /// The policy of queries that are sent without one. `RequestOptions` have one of their own.
  public let defaultCachePolicy: CachePolicy

  /// A client with the default chain of interceptors.
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

  /// A client with the default chain of interceptors, for an endpoint with all of its options.
  public convenience init(
    endpoint: HTTPRequest, network: HTTPTransport = HTTPTransport(), store: CacheStore? = nil,
    subscriptions: SubscriptionOptions = .init(), features: RequestFeatures = .init(),
    defaultCachePolicy: CachePolicy = .cacheFirst
  ) {
    let provider = DefaultInterceptorProvider(
      transport: network, store: store, subscriptions: subscriptions, features: features)
    self.init(
      transport: RequestChainNetworkTransport(
        endpoint: endpoint, interceptorProvider: provider, sharesIdenticalQueries: features.sharesIdenticalQueries),
      store: store, defaultCachePolicy: defaultCachePolicy)
  }

  /// A client with interceptors of the caller's; `store` is what `watch` listens to.
  public init(
    transport: RequestChainNetworkTransport, store: CacheStore? = nil, defaultCachePolicy: CachePolicy = .cacheFirst
  ) {
    self.transport = transport
    self.store = store
    self.defaultCachePolicy = defaultCachePolicy
  }

  /// The options of a query that is sent with a policy alone, or without one.
  package func options(_ cachePolicy: CachePolicy?, _ context: (any RequestContext)?) -> RequestOptions {
    RequestOptions(cachePolicy: cachePolicy ?? defaultCachePolicy, context: context)
  }

  /// Where the client's requests go.
  public var url: String { transport.endpoint.url }
  /// The same without user, password and query: fit to be shown.
  public var shownURL: String { transport.endpoint.shownURL }

  /// What happens to the requests that begin from now on: see `ClientEvent`. Many may listen, each to a stream of its own,
  /// which ends when the client and its requests are gone; one that does not read keeps the newest events.
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

  /// Runs a query with all of a request's options.
  public func fetch<Query: QueryOperation>(query: Query, options: RequestOptions) -> Results<Query.Data> {
    transport.send(operation: query, options: options)
  }

  /// Runs a query, and again gives its result whenever the cache changes under it. Ends only when it is cancelled, or
  /// when the query itself fails.
  ///
  /// When a record that the query needs is lost, what is left of the result is given at once, and, unless the policy is
  /// `cacheOnly`, fetched anew once. Should that fail, its error comes with the result, and the watch goes on.
  public func watch<Query: QueryOperation>(
    query: Query, cachePolicy: CachePolicy? = nil, context: (any RequestContext)? = nil
  ) -> Results<Query.Data> {
    watch(query: query, options: options(cachePolicy, context))
  }

  /// Watches a query with all of a request's options.
  public func watch<Query: QueryOperation>(query: Query, options: RequestOptions) -> Results<Query.Data> {
    guard let store else { return fetch(query: query, options: options) }
    return QueryWatcher(client: self, store: store, query: query, options: options).results()
  }

  /// Subscribes; each event is a complete result. The stream ends when the server completes the subscription, and ending
  /// its iteration tells the server. A lost connection is made again as the client's `SubscriptionOptions` say; its state
  /// can be followed on the options' monitor.
  ///
  /// Over WebSockets all subscriptions of a client share one connection.
  public func subscribe<Subscription: SubscriptionOperation>(
    subscription: Subscription, context: (any RequestContext)? = nil
  ) -> Results<Subscription.Data> {
    subscribe(subscription: subscription, options: RequestOptions(context: context))
  }

  /// Subscribes with all of a request's options.
  public func subscribe<Subscription: SubscriptionOperation>(
    subscription: Subscription, options: RequestOptions
  ) -> Results<Subscription.Data> {
    transport.send(operation: subscription, options: options)
  }

  /// Runs an operation with files, by the GraphQL multipart request form.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil
  ) -> Results<Operation.Data> {
    upload(operation: operation, files: files, options: RequestOptions(context: context))
  }

  /// The same with all of a request's options, whose monitor tells how far the files are.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], options: RequestOptions
  ) -> Results<Operation.Data> {
    // A server would be sent a place for the file that nothing reads.
    for file in files {
      let name = String(file.variablePath.prefix { $0 != "." })
      guard !operation.compiled.hasVariable(name) else { continue }
      return Results { $0.finish(throwing: GraphQLClientError.undeclaredVariable(name)) }
    }
    var options = options
    options.files = files
    // A cache knows nothing of files.
    if operation.compiled.operationType == .query { options.cachePolicy = .networkOnly }
    return transport.send(operation: operation, options: options)
  }

  /// Runs a mutation. It is sent once: no failure makes the client send it again, and nobody has to read the results
  /// for it to be sent, or for its answer to be written to the cache.
  ///
  /// Leaving the results after they were begun to be read, or cancelling the task that reads them, closes the connection;
  /// whether the server executed the mutation by then is not known. A task that was cancelled before it began to read
  /// sends nothing.
  public func perform<Mutation: MutationOperation>(
    mutation: Mutation, context: (any RequestContext)? = nil
  ) -> Results<Mutation.Data> {
    perform(mutation: mutation, options: RequestOptions(context: context))
  }

  /// Runs a mutation with all of a request's options.
  public func perform<Mutation: MutationOperation>(
    mutation: Mutation, options: RequestOptions
  ) -> Results<Mutation.Data> {
    guard let store, let data = options.optimisticData else {
      return transport.send(operation: mutation, options: options)
    }
    // What lies over the cache is taken away with the last result: the real answer must be beneath it by then.
    var options = options
    options.cacheWriteTiming = .beforeResult
    let results = transport.send(operation: mutation, options: options)
    return OptimisticMutation(store: store, mutation: mutation, data: data).results(of: results)
  }

  /// Runs a mutation with the answer that it will probably get lying over the cache until the real one is whole, its
  /// deferred parts included, or the mutation has failed.
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, optimistic data: Mutation.Data, context: (any RequestContext)? = nil
  ) -> Results<Mutation.Data> {
    perform(mutation: mutation, optimistic: data, options: RequestOptions(context: context))
  }

  /// The same with all of a request's options.
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, optimistic data: Mutation.Data, options: RequestOptions
  ) -> Results<Mutation.Data> {
    var options = options
    options.optimisticData = data.__data.json
    return perform(mutation: mutation, options: options)
  }
}
