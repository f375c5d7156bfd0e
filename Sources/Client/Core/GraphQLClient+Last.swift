import ApusClientAPI
import ApusClientRequestChain

/// One result in place of a stream: the last one, with all of its deferred parts.
extension GraphQLClient {
  /// Runs a query and gives its last result: with `cacheAndNetwork` the server's. Errors of fields are in the result.
  ///
  /// - Parameter cachePolicy: Where the query looks first, and what it falls back on; the client's own without one.
  /// - Throws: What `fetch(query:)` throws, a `GraphQLClientError` above all; `CancellationError` where the task was
  ///   cancelled before the result was whole.
  public func fetch<Query: QueryOperation>(
    _ query: Query, cachePolicy: CachePolicy? = nil, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    try await last(of: fetch(query: query, cachePolicy: cachePolicy, context: context))
  }

  /// The same with all of a request's options.
  ///
  /// - Throws: As above: a `GraphQLClientError` above all, `CancellationError` where the task was cancelled.
  public func fetch<Query: QueryOperation>(
    _ query: Query, options: RequestOptions
  ) async throws -> GraphQLResult<Query.Data> {
    try await last(of: fetch(query: query, options: options))
  }

  /// Runs a mutation, once, and gives its last result. Errors of fields are in the result.
  ///
  /// - Throws: What `perform(mutation:)` throws, a `GraphQLClientError` above all; `CancellationError` where the task
  ///   was cancelled before the result was whole: whether the server executed the mutation is then not known.
  public func perform<Mutation: MutationOperation>(
    _ mutation: Mutation, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Mutation.Data> {
    try await last(of: perform(mutation: mutation, context: context))
  }

  /// The same with all of a request's options.
  ///
  /// - Throws: As above: a `GraphQLClientError` above all, `CancellationError` where the task was cancelled.
  public func perform<Mutation: MutationOperation>(
    _ mutation: Mutation, options: RequestOptions
  ) async throws -> GraphQLResult<Mutation.Data> {
    try await last(of: perform(mutation: mutation, options: options))
  }

  /// Runs a mutation with the answer that it will probably get lying over the cache meanwhile, and gives its last
  /// result.
  ///
  /// - Throws: As `perform(_:context:)`, a `GraphQLClientError` above all; what lay over the cache is gone by then.
  public func perform<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimistic data: Mutation.Data, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Mutation.Data> {
    try await last(of: perform(mutation: mutation, optimistic: data, context: context))
  }

  /// The same with all of a request's options.
  ///
  /// - Throws: As `perform(_:context:)`, a `GraphQLClientError` above all; what lay over the cache is gone by then.
  public func perform<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimistic data: Mutation.Data, options: RequestOptions
  ) async throws -> GraphQLResult<Mutation.Data> {
    try await last(of: perform(mutation: mutation, optimistic: data, options: options))
  }

  private func last<Data: Sendable>(of results: Results<Data>) async throws -> GraphQLResult<Data> {
    var last: GraphQLResult<Data>?
    do {
      for try await result in results { last = result }
    } catch let failure as GraphQLClientError {
      // The server's answer is there, and a mutation took effect: that it could not be kept, or that a part of it could not
      // be placed, is an error of the result.
      guard failure.leavesResultWhole, var whole = last, whole.response == .complete else { throw failure }
      whole.errors.append(GraphQLError(message: "\(failure)"))
      return whole
    }
    // The results of a task that was cancelled end quietly.
    if last?.response != .complete { try Task.checkCancellation() }
    guard let last else { throw GraphQLClientError.noResult }
    return last
  }
}

extension GraphQLClientError {
  /// Whether the error says nothing against a complete result before it.
  fileprivate var leavesResultWhole: Bool {
    switch self {
    case .cacheFailure, .brokenProtocol: true
    case .network, .status, .notGraphQL, .brokenJSON, .jsonBeyondLimit, .incomplete, .introspectionRefused,
      .subscription, .cacheMiss, .tooManyRetries, .mutationNotRepeated, .undeclaredVariable, .notFinite, .noResult:
      false
    }
  }
}
