import ApusClientAPI
import ApusClientCore
import ApusClientRequestChain
import ApusJSON

// Type-safe selections for the client.
extension GraphQLClient {
  /// Runs a query or mutation and returns its complete value, including deferred fields.
  ///
  /// A field with an error, or with a value of the wrong type, becomes null, which propagates to the nearest nullable
  /// field (GraphQL specification, section 6.4.4); use `result(of:)` to get the errors as well. Throws a
  /// `SelectionError` if there is no such field or the response does not match the selection in another way, errors of
  /// the selection's closures, a `GraphQLClientError`, or a `CancellationError` if the task was canceled.
  public func send<Value: Sendable, Root: RequestScope>(
    _ selection: Selection<Value, Root>, name: String? = nil, cachePolicy: CachePolicy? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> Value {
    try await send(selection, name: name, options: options(cachePolicy, context))
  }

  /// Runs a query or mutation with request options and returns its complete value.
  ///
  /// - Throws: `SelectionError`, `GraphQLClientError`, `CancellationError`, and errors of the selection's closures.
  public func send<Value: Sendable, Root: RequestScope>(
    _ selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) async throws -> Value {
    let result = try await result(of: selection, name: name, options: options)
    guard let value = result.data else { throw SelectionError.noData(result.errors) }
    return value
  }

  /// Runs a query or mutation and returns its last result, with the value, if any, and the errors of fields.
  ///
  /// - Throws: Errors as in `send(_:name:cachePolicy:context:)`, but not for a result without a value.
  public func result<Value: Sendable, Root: RequestScope>(
    of selection: Selection<Value, Root>, name: String? = nil, cachePolicy: CachePolicy? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Value> {
    try await result(of: selection, name: name, options: options(cachePolicy, context))
  }

  /// Runs a query or mutation with request options and returns its last result.
  ///
  /// - Throws: Errors as in `send(_:name:cachePolicy:context:)`, but not for a result without a value.
  public func result<Value: Sendable, Root: RequestScope>(
    of selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) async throws -> GraphQLResult<Value> {
    var last: GraphQLResult<Value>?
    for try await result in results(of: selection, name: name, options: options) { last = result }
    // The results of a canceled task end without an error.
    if last?.completeness != .complete { try Task.checkCancellation() }
    guard let last else { throw SelectionError.noData([]) }
    return last
  }

  /// Returns the results of a query or mutation as they arrive: from the cache, the initial result, and one per
  /// payload.
  public func results<Value: Sendable, Root: RequestScope>(
    of selection: Selection<Value, Root>, name: String? = nil, cachePolicy: CachePolicy? = nil,
    context: (any RequestContext)? = nil
  ) -> Results<Value> {
    results(of: selection, name: name, options: options(cachePolicy, context))
  }

  /// Returns the results of a query or mutation with request options.
  public func results<Value: Sendable, Root: RequestScope>(
    of selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) -> Results<Value> {
    run(selection, name) { operation in transport.send(operation: operation, options: options) }
  }

  /// Returns the results of a query, and new results whenever the cache changes.
  public func watch<Value: Sendable, Root: QueryScope>(
    _ selection: Selection<Value, Root>, name: String? = nil, cachePolicy: CachePolicy? = nil,
    context: (any RequestContext)? = nil
  ) -> Results<Value> {
    watch(selection, name: name, options: options(cachePolicy, context))
  }

  /// Returns the results of a query with request options, and new results whenever the cache changes.
  public func watch<Value: Sendable, Root: QueryScope>(
    _ selection: Selection<Value, Root>, name: String? = nil, options: RequestOptions
  ) -> Results<Value> {
    run(selection, name) { operation in watch(query: operation, options: options) }
  }

  /// Subscribes and returns a result for each event. Ending the iteration ends the subscription.
  public func subscribe<Value: Sendable, Root: SubscriptionScope>(
    to selection: Selection<Value, Root>, name: String? = nil, context: (any RequestContext)? = nil
  ) -> Results<Value> {
    subscribe(to: selection, name: name, options: RequestOptions(context: context))
  }

  /// Subscribes with request options and returns a result for each event.
  public func subscribe<Value: Sendable, Root: SubscriptionScope>(
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
