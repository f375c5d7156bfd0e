import ClientAPI

/// One step on the way of a request to its results.
///
/// Interceptors are made for one request, so they may keep state about it. An interceptor of your own returns
/// `.proceed(request: request, response: response)` when it has nothing to say.
public protocol RequestChainInterceptor: Sendable {
  /// Called once on the way to the network, with no response, and behind the network fetch once for each part.
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation>
}

/// Hears of every error an interceptor throws, and may turn it into an action. The provider names one for the chain; an
/// interceptor that is one as well is asked before it, the last in the chain first.
public protocol RequestChainErrorInterceptor: Sendable {
  /// Returns how to go on, or throws: the same error, or another that says more.
  func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation>
}

/// Says which interceptors an operation passes, in their order.
public protocol InterceptorProvider: Sendable {
  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor]
  func errorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any RequestChainErrorInterceptor)?
}

extension InterceptorProvider {
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
    case multiProceed(AsyncThrowingStream<NextAction<Operation>, any Error>)
    /// Emit a result and end.
    case exitEarlyAndEmit(result: GraphQLResult<Operation.Data>, request: GraphQLRequest<Operation>)
    /// Begin again at the first interceptor.
    case retry(request: GraphQLRequest<Operation>)

    /// Nothing more comes of this branch, and that is no error: a heartbeat has no result.
    package static var endBranch: NextAction { .multiProceed(AsyncThrowingStream { $0.finish() }) }
  }

  /// How a walk through the chain, or through a branch of it, came to its end.
  private enum Ending<Operation: GraphQLOperation> {
    case walked
    case exited
    case retried(GraphQLRequest<Operation>)
  }

  /// A server that is never content ends here.
  private static let mostNegotiations = 8

  private let interceptors: [any RequestChainInterceptor]
  private let errorInterceptor: (any RequestChainErrorInterceptor)?

  public init(
    interceptors: [any RequestChainInterceptor], errorInterceptor: (any RequestChainErrorInterceptor)? = nil
  ) {
    self.interceptors = interceptors
    self.errorInterceptor = errorInterceptor
  }

  /// Starts the request at once. Ending the iteration of the stream cancels the request on the wire.
  public func kickoff<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await run(request, continuation)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { reason in
        if case .cancelled = reason { task.cancel() }
      }
    }
  }

  private typealias Results<Operation: GraphQLOperation> =
    AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error>.Continuation

  private func run<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ results: Results<Operation>
  ) async throws {
    var request = request
    while case .retried(var again) = try await walk(from: 0, request, nil, results) {
      again.attempt = request.attempt + 1
      let retries = again.attempt - again.negotiations
      guard retries <= again.options.maximumRetries, again.negotiations <= Self.mostNegotiations else {
        throw GraphQLClientError.tooManyRetries(count: request.attempt - request.negotiations)
      }
      request = again
    }
  }

  private func walk<Operation: GraphQLOperation>(
    from index: Int, _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>?,
    _ results: Results<Operation>
  ) async throws -> Ending<Operation> {
    guard index < interceptors.count else {
      guard let result = response?.result else { throw GraphQLClientError.noResult }
      emit(result, request, results)
      return .walked
    }
    let action: NextAction<Operation>
    do {
      try Task.checkCancellation()
      action = try await interceptors[index].intercept(request: request, response: response)
    } catch {
      action = try await recover(error, request, response)
    }
    return try await carryOut(action, at: index, request, response, results)
  }

  private func carryOut<Operation: GraphQLOperation>(
    _ action: NextAction<Operation>, at index: Int, _ request: GraphQLRequest<Operation>,
    _ response: GraphQLResponse<Operation>?, _ results: Results<Operation>
  ) async throws -> Ending<Operation> {
    switch action {
    case .proceed(let request, let response):
      return try await walk(from: index + 1, request, response, results)
    case .proceedAndEmit(let result, let request, let response):
      emit(result, request, results)
      return try await walk(from: index + 1, request, response, results)
    case .exitEarlyAndEmit(let result, let request):
      emit(result, request, results)
      return .exited
    case .retry(let request):
      return .retried(request)
    case .multiProceed(let branches):
      var iterator = branches.makeAsyncIterator()
      while true {
        let branch: NextAction<Operation>
        do {
          guard let next = try await iterator.next() else { return .walked }
          branch = next
        } catch {
          let action = try await recover(error, request, response)
          return try await carryOut(action, at: index, request, response, results)
        }
        switch try await carryOut(branch, at: index, request, response, results) {
        case .walked: try Task.checkCancellation()
        case let ending: return ending
        }
      }
    }
  }

  private func recover<Operation: GraphQLOperation>(
    _ error: any Error, _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>?
  ) async throws -> NextAction<Operation> {
    let error = GraphQLClientError.naming(error)
    guard !(error is CancellationError) else { throw error }
    switch error {
    // The last word: another attempt is what these forbid.
    case GraphQLClientError.tooManyRetries, GraphQLClientError.mutationNotRepeated: throw error
    default: break
    }
    var last = error
    for handler in errorHandlers {
      do {
        return try await handler.handleError(error: last, request: request, response: response)
      } catch {
        last = GraphQLClientError.naming(error)
      }
    }
    throw last
  }

  /// Those to be asked about an error, each one once though it may stand in the chain twice.
  private var errorHandlers: [any RequestChainErrorInterceptor] {
    var handlers: [any RequestChainErrorInterceptor] = []
    var seen: Set<ObjectIdentifier> = []
    for interceptor in interceptors.reversed() {
      guard let handler = interceptor as? any RequestChainErrorInterceptor else { continue }
      let isNew = seen.insert(identity(interceptor)).inserted
      if isNew { handlers.append(handler) }
    }
    return handlers + (errorInterceptor.map { [$0] } ?? [])
  }

  private func identity(_ interceptor: any RequestChainInterceptor) -> ObjectIdentifier {
    // A value is known by its type, an object by itself.
    type(of: interceptor) is AnyClass
      ? ObjectIdentifier(interceptor as AnyObject) : ObjectIdentifier(type(of: interceptor))
  }

  private func emit<Operation: GraphQLOperation>(
    _ result: GraphQLResult<Operation.Data>, _ request: GraphQLRequest<Operation>, _ results: Results<Operation>
  ) {
    request.monitor.update { $0.resultCount += 1 }
    results.yield(result)
  }
}
