import ApusClientAPI

/// A step of a request chain.
///
/// Interceptors are created for one request, so they may keep state about it. To do nothing, return `.proceed(request:
/// request, response: response)`.
public protocol RequestChainInterceptor: Sendable {
  /// Processes the request, once before the network fetch without a response, and once for each part after it.
  ///
  /// - Throws: Any error. It is passed to the error interceptors. If none of them turns it into an action, the stream
  ///   of results throws it after the results so far: `NetworkError` and `SubscriptionError` as a
  ///   `GraphQLClientError`, all others unchanged.
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation>
}

/// Handles the errors of all interceptors, and may turn them into actions. The provider may name one for the chain.
/// Interceptors that also conform to this protocol are called before it, the last in the chain first.
public protocol RequestChainErrorInterceptor: Sendable {
  /// Returns the next action, or throws.
  ///
  /// - Throws: The given error, or another one that replaces it.
  func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation>
}

/// Provides the interceptors of an operation, in order.
public protocol InterceptorProvider: Sendable {
  /// Returns the interceptors for one request. Those with state must be new for each call.
  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor]
  /// Returns the error interceptor that is called last; `nil`, the default, for none. If the chain reads a cache, the
  /// cache fallback of `networkFirst` is called after it.
  func errorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any RequestChainErrorInterceptor)?
}

extension InterceptorProvider {
  /// Returns `nil`.
  public func errorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any RequestChainErrorInterceptor)? { nil }
}

/// Passes one request through its interceptors.
///
/// 1. Each interceptor is called in turn and returns the next action.
/// 2. A multipart response branches: each part passes through the interceptors after the branching one, in order.
/// 3. Results that pass the last interceptor are emitted.
/// 4. An error is passed to the error interceptors. If they do not turn it into an action, it ends the stream after all
///    results emitted before.
public struct RequestChain: Sendable {
  /// The next action of the chain.
  public enum NextAction<Operation: GraphQLOperation>: Sendable {
    /// Call the next interceptor.
    case proceed(request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?)
    /// Emit a result immediately and call the next interceptor.
    case proceedAndEmit(
      intermediaryResult: GraphQLResult<Operation.Data>, request: GraphQLRequest<Operation>,
      response: GraphQLResponse<Operation>?)
    /// Perform each action of the stream from here, one after another.
    indirect case multiProceed(AsyncThrowingStream<NextAction<Operation>, any Error>)
    /// Emit a result and end.
    case exitEarlyAndEmit(result: GraphQLResult<Operation.Data>, request: GraphQLRequest<Operation>)
    /// Restart with the first interceptor. A mutation is never sent twice: its request ends with
    /// `GraphQLClientError.mutationNotRetried`.
    case retry(request: GraphQLRequest<Operation>)

    /// Ends this branch without a result and without an error, as for a heartbeat.
    package static var endBranch: NextAction { .multiProceed(AsyncThrowingStream { nil }) }
  }

  private let interceptors: [any RequestChainInterceptor]
  private let errorInterceptor: (any RequestChainErrorInterceptor)?

  /// Creates a chain for one request, with interceptors in the order of their calls.
  public init(
    interceptors: [any RequestChainInterceptor], errorInterceptor: (any RequestChainErrorInterceptor)? = nil
  ) {
    self.interceptors = interceptors
    self.errorInterceptor = errorInterceptor
  }

  /// Starts the request when its stream is read, or within a few milliseconds. The reading task runs it, at most one
  /// result ahead. Releasing the stream cancels the request: leaving a loop over it ends the request, unless a variable
  /// still holds the stream.
  public func kickoff<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    ResultStreamSource(RequestChainRun(request, interceptors, errorInterceptor), PrefetchScheduler()).results()
  }
}
