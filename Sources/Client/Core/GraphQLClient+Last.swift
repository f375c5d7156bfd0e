import ApusClientAPI
import ApusClientRequestChain

/// Operations that return only the last result, with all deferred fragments.
extension GraphQLClient {
  /// Runs a query and returns its last result; with `cacheAndNetwork`, the server's. The result contains field errors.
  ///
  /// - Parameter cachePolicy: The cache policy; `nil` for the client's default.
  /// - Throws: The errors of `fetch(query:)`, usually a `GraphQLClientError`; `CancellationError` if the task is
  ///   canceled before the result is complete.
  public func fetch<Query: QueryOperation>(
    _ query: Query, cachePolicy: CachePolicy? = nil, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Query.Data> {
    try await last(of: fetch(query: query, cachePolicy: cachePolicy, context: context))
  }

  /// Runs a query with all request options and returns its last result.
  ///
  /// - Throws: The errors of `fetch(query:options:)`, usually a `GraphQLClientError`; `CancellationError` if the task
  ///   is canceled.
  public func fetch<Query: QueryOperation>(
    _ query: Query, options: RequestOptions
  ) async throws -> GraphQLResult<Query.Data> {
    try await last(of: fetch(query: query, options: options))
  }

  /// Runs a mutation, once, and returns its last result. The result contains field errors.
  ///
  /// - Throws: The errors of `perform(mutation:)`, usually a `GraphQLClientError`; `CancellationError` if the task is
  ///   canceled before the result is complete. In that case the server may or may not have executed the mutation.
  public func perform<Mutation: MutationOperation>(
    _ mutation: Mutation, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Mutation.Data> {
    try await last(of: perform(mutation: mutation, context: context))
  }

  /// Runs a mutation with all request options and returns its last result.
  ///
  /// - Throws: The errors of `perform(mutation:options:)`, usually a `GraphQLClientError`; `CancellationError` if the
  ///   task is canceled.
  public func perform<Mutation: MutationOperation>(
    _ mutation: Mutation, options: RequestOptions
  ) async throws -> GraphQLResult<Mutation.Data> {
    try await last(of: perform(mutation: mutation, options: options))
  }

  /// Runs a mutation and returns its last result. Until it arrives, cache reads use the expected data.
  ///
  /// - Throws: The errors of `perform(_:context:)`, usually a `GraphQLClientError`. The expected data is removed
  ///   before.
  public func perform<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimistic data: Mutation.Data, context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Mutation.Data> {
    try await last(of: perform(mutation: mutation, optimistic: data, context: context))
  }

  /// Runs a mutation with all request options and returns its last result. Until it arrives, cache reads use the
  /// expected data.
  ///
  /// - Throws: The errors of `perform(_:context:)`, usually a `GraphQLClientError`. The expected data is removed
  ///   before.
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
      // The result is complete, and a mutation has taken effect. A failure to cache or to merge it is reported as an
      // error in the result.
      guard failure.leavesResultWhole, var complete = last, complete.completeness == .complete else { throw failure }
      complete.errors.append(GraphQLError(message: "\(failure)"))
      return complete
    }
    // The stream of a canceled task ends without an error.
    if last?.completeness != .complete { try Task.checkCancellation() }
    guard let last else { throw GraphQLClientError.noResult }
    return last
  }
}

extension GraphQLClientError {
  /// Whether a complete result before this error is still valid.
  fileprivate var leavesResultWhole: Bool {
    switch self {
    case .cacheFailure, .protocolViolation: true
    case .network, .status, .notGraphQL, .invalidJSON, .jsonBeyondLimit, .incomplete, .introspectionRefused,
      .subscription, .cacheMiss, .tooManyRetries, .mutationNotRetried, .undeclaredVariable, .notFinite, .noResult:
      false
    }
  }
}
