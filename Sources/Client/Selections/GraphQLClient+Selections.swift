import ApusClientAPI
import ApusClientCore
import ApusClientRequestChain
import ApusJSON

// Type-safe selections on the client core.
extension GraphQLClient {
  /// Sends a query or a mutation, and gives its value once all of it is there, deferred parts included.
  ///
  /// Errors of fields leave null in the nearest place that may be null, and so does a value that is not what its type says
  /// (GraphQL, section 6.4.4); `result(of:)` gives the errors along with the value. Throws a `SelectionError` where there is
  /// no such place, or the response does not fit the selection otherwise, what the selection's own closures throw, a
  /// `GraphQLClientError`, or a `CancellationError` where the task was cancelled.
  public func send<Value: Sendable, Root: RequestScope>(
    _ selection: Selection<Value, Root>, name: String? = nil, cachePolicy: CachePolicy? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> Value {
    try await send(selection, name: name, options: options(cachePolicy, context))
  }

  /// The same with all of a request's options.
  ///
  /// - Throws: As above: `SelectionError`, `GraphQLClientError`, `CancellationError`, and what the closures throw.
  public func send<Value: Sendable, Root: RequestScope>(
    _ selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) async throws -> Value {
    let result = try await result(of: selection, name: name, options: options)
    guard let value = result.data else { throw SelectionError.noData(result.errors) }
    return value
  }

  /// Sends a query or a mutation, and gives its last result: the value, where there is one, and the errors of fields
  /// beside it.
  ///
  /// - Throws: As `send(_:name:cachePolicy:context:)`, but that a result without a value is one.
  public func result<Value: Sendable, Root: RequestScope>(
    of selection: Selection<Value, Root>, name: String? = nil, cachePolicy: CachePolicy? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Value> {
    try await result(of: selection, name: name, options: options(cachePolicy, context))
  }

  /// The same with all of a request's options.
  ///
  /// - Throws: As `send(_:name:cachePolicy:context:)`, but that a result without a value is one.
  public func result<Value: Sendable, Root: RequestScope>(
    of selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) async throws -> GraphQLResult<Value> {
    var last: GraphQLResult<Value>?
    for try await result in results(of: selection, name: name, options: options) { last = result }
    // The results of a task that was cancelled end quietly.
    if last?.response != .complete { try Task.checkCancellation() }
    guard let last else { throw SelectionError.noData([]) }
    return last
  }

  /// Every result of a query or a mutation as it arrives: what the cache has, the first part, each deferred part.
  public func results<Value: Sendable, Root: RequestScope>(
    of selection: Selection<Value, Root>, name: String? = nil, cachePolicy: CachePolicy? = nil,
    context: (any RequestContext)? = nil
  ) -> Results<Value> {
    results(of: selection, name: name, options: options(cachePolicy, context))
  }

  /// The same with all of a request's options.
  public func results<Value: Sendable, Root: RequestScope>(
    of selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) -> Results<Value> {
    run(selection, name) { operation in transport.send(operation: operation, options: options) }
  }

  /// The results of a query, and again whenever the cache changes under it.
  public func watch<Value: Sendable, Root: QueryScope>(
    _ selection: Selection<Value, Root>, name: String? = nil, cachePolicy: CachePolicy? = nil,
    context: (any RequestContext)? = nil
  ) -> Results<Value> {
    watch(selection, name: name, options: options(cachePolicy, context))
  }

  /// The same with all of a request's options.
  public func watch<Value: Sendable, Root: QueryScope>(
    _ selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) -> Results<Value> {
    run(selection, name) { operation in watch(query: operation, options: options) }
  }

  /// Listens to a subscription: a result for each event. Ending the iteration ends the subscription.
  public func listen<Value: Sendable, Root: SubscriptionScope>(
    to selection: Selection<Value, Root>, name: String? = nil, context: (any RequestContext)? = nil
  ) -> Results<Value> {
    listen(to: selection, name: name, options: RequestOptions(context: context))
  }

  /// The same with all of a request's options.
  public func listen<Value: Sendable, Root: SubscriptionScope>(
    to selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) -> Results<Value> {
    run(selection, name) { operation in transport.send(operation: operation, options: options) }
  }

  private func run<Value: Sendable, Root: RootScope>(
    _ selection: Selection<Value, Root>, _ name: String?,
    _ start: (SelectionOperation<Value, Root>) -> Results<Value>
  ) -> Results<Value> {
    do throws(SelectionError) {
      return start(try SelectionOperation(selection, name: name))
    } catch {
      return Results { $0.finish(throwing: error) }
    }
  }
}
