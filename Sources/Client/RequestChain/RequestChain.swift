import ApusClientAPI

/// One step on the way of a request to its results.
///
/// Interceptors are made for one request, so they may keep state about it. An interceptor of your own returns
/// `.proceed(request: request, response: response)` when it has nothing to say.
public protocol RequestChainInterceptor: Sendable {
  /// Called once on the way to the network, with no response, and behind the network fetch once for each part.
  ///
  /// - Throws: Any error. The error interceptors hear of it; what none of them turns into an action is thrown by the
  ///   stream of results, behind those that came before: `NetworkError` and `SubscriptionFailure` as the
  ///   `GraphQLClientError` that has them, all others as they are.
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation>
}

/// Hears of every error an interceptor throws, and may turn it into an action. The provider names one for the chain; an
/// interceptor that is one as well is asked before it, the last in the chain first.
public protocol RequestChainErrorInterceptor: Sendable {
  /// Returns how to go on, or throws: the same error, or another that says more.
  ///
  /// - Throws: The error that it is given, or another in its place.
  func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation>
}

/// Says which interceptors an operation passes, in their order.
public protocol InterceptorProvider: Sendable {
  /// The interceptors for one request: new ones each time, where they keep a state.
  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor]
  /// The interceptor that is asked about errors last; `nil`, the default, for none. Where the chain reads a cache, the cache
  /// answers `networkFirst` after that interceptor has thrown.
  func errorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any RequestChainErrorInterceptor)?
}

extension InterceptorProvider {
  /// Nobody.
  public func errorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any RequestChainErrorInterceptor)? { nil }
}

/// Leads one request through its interceptors to its results.
///
/// 1. Each interceptor is asked in turn and answers with the next action.
/// 2. A multipart response branches: each part goes through the interceptors behind the branching one, in its order.
/// 3. What comes out behind the last interceptor is emitted.
/// 4. An error is offered to the error interceptor; what it does not turn into an action ends the stream, behind all
///    results that were emitted before.
public struct RequestChain: Sendable {
  /// What an interceptor wants to happen next.
  public enum NextAction<Operation: GraphQLOperation>: Sendable {
    /// On to the next interceptor.
    case proceed(request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?)
    /// Emit a result now, and on to the next interceptor.
    case proceedAndEmit(
      intermediaryResult: GraphQLResult<Operation.Data>, request: GraphQLRequest<Operation>,
      response: GraphQLResponse<Operation>?)
    /// Carry out each action of the stream from here on, one after the other.
    indirect case multiProceed(AsyncThrowingStream<NextAction<Operation>, any Error>)
    /// Emit a result and end.
    case exitEarlyAndEmit(result: GraphQLResult<Operation.Data>, request: GraphQLRequest<Operation>)
    /// Begin again at the first interceptor. A mutation is never sent a second time: for one this ends the request with
    /// `GraphQLClientError.mutationNotRepeated`.
    case retry(request: GraphQLRequest<Operation>)

    /// Nothing more comes of this branch, and that is no error: a heartbeat has no result.
    package static var endBranch: NextAction { .multiProceed(AsyncThrowingStream { nil }) }
  }

  private let interceptors: [any RequestChainInterceptor]
  private let errorInterceptor: (any RequestChainErrorInterceptor)?

  /// A chain for one request, of interceptors in the order in which it passes them.
  public init(
    interceptors: [any RequestChainInterceptor], errorInterceptor: (any RequestChainErrorInterceptor)? = nil
  ) {
    self.interceptors = interceptors
    self.errorInterceptor = errorInterceptor
  }

  /// Starts the request when its stream is read, or by itself within a few milliseconds. It is led on by the task that reads, and
  /// runs no more than one result ahead of it. When the stream is let go of, the request is cancelled on the wire: a loop
  /// that is left ends it, unless the stream is still in a variable.
  public func kickoff<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    ResultSource(RequestChainRun(request, interceptors, errorInterceptor), LateStarter()).results()
  }
}
