import ApusClientAPI
import Synchronization

/// The execution of one request by its chain. Each call of `next` continues it to the next result.
///
/// The position is a step. The current branches are a stack, the innermost last.
actor RequestChainRun<Operation: GraphQLOperation> {
  typealias Action = RequestChain.NextAction<Operation>
  typealias Request = GraphQLRequest<Operation>
  typealias Response = GraphQLResponse<Operation>
  typealias Result = GraphQLResult<Operation.Data>

  private enum Step {
    /// Call the interceptor at this index.
    case ask(Int, Request, Response?)
    /// Perform the action of the interceptor at this index.
    case execute(Action, at: Int, Request, Response?)
    /// Continue with the next action of the innermost branch.
    case branch
    case over
  }

  /// A stream of actions, and the index in the chain where it started.
  private final class Branch {
    let actions: AsyncThrowingStream<Action, any Error>
    let index: Int
    let request: Request
    let response: Response?

    init(_ actions: AsyncThrowingStream<Action, any Error>, at index: Int, _ request: Request, _ response: Response?) {
      self.actions = actions
      self.index = index
      self.request = request
      self.response = response
    }
  }

  /// The limit for rejections of tokens and digests.
  private static var mostNegotiations: Int { 8 }

  private let interceptors: [any RequestChainInterceptor]
  private let errorInterceptor: (any RequestChainErrorInterceptor)?
  /// The request at the start of the current attempt.
  private var attempted: Request
  private var step: Step
  private var branches: [Branch] = []
  private var hasServerResult = false
  /// The number of negotiations before the newest result of the server.
  private var negotiationsBefore = 0
  /// The error that an interceptor turned into an action.
  private var recovered: (any Error)?
  /// The error of the last attempt, if any.
  private var lastFailure: (any Error)?
  nonisolated let isMutation: Bool
  /// Whether the last result was emitted.
  nonisolated let isOver = Atomic(false)

  init(
    _ request: Request, _ interceptors: [any RequestChainInterceptor],
    _ errorInterceptor: (any RequestChainErrorInterceptor)?
  ) {
    attempted = request
    isMutation = request.compiled.operationType == .mutation
    self.interceptors = interceptors
    self.errorInterceptor = errorInterceptor
    step = .ask(0, request, nil)
  }

  /// The reader may have stopped before the end.
  deinit { Self.endSubscription(attempted) }

  /// Returns the next result, or nil after the last. Must not be called again before it returns. The end is reported
  /// after all late writes are done.
  func next() async throws -> Result? {
    attempted.lateWrites.begun?.start()
    do {
      if case .ask(0, _, nil) = step, attempted.attempt == 0 { try attempted.checkNumbers() }
      if let result = try await nextStep() {
        endEarly()
        return result
      }
    } catch {
      end()
      endSubscription()
      await attempted.lateWrites.begun?.finish()
      attempted.report.events?.end(throwing: error)
      throw error
    }
    if let lateWrites = attempted.lateWrites.begun {
      await lateWrites.finish()
      if let failure = lateWrites.takeFailure() {
        attempted.report.events?.end(throwing: failure)
        throw failure
      }
    }
    endSubscription()
    attempted.report.events?.end(.finished)
    return nil
  }

  /// Reports that a subscription is over. After the end of an attempt, another one may follow, as with a renewed token.
  private func endSubscription() { Self.endSubscription(attempted) }

  private static func endSubscription(_ request: Request) {
    if request.compiled.operationType == .subscription { request.report.enter(.finished) }
  }

  /// Reports the end together with the last result if nothing can follow, as for most requests.
  private func endEarly() {
    guard branches.isEmpty, attempted.lateWrites.begun == nil else { return }
    switch step {
    case .branch, .over: break
    case .ask, .execute: return
    }
    attempted.report.events?.end(.finished)
    isOver.store(true, ordering: .releasing)
  }

  private func nextStep() async throws -> Result? {
    while true {
      switch step {
      case .ask(let index, let request, let response):
        if let result = try await runInterceptors(from: index, request, response) { return result }
      case .execute(let action, let index, let request, let response):
        if let result = try execute(action, at: index, request, response) { return result }
      case .branch:
        guard let branch = branches.last else {
          step = .over
          return nil
        }
        try await advance(branch)
      case .over:
        return nil
      }
    }
  }

  /// Calls the interceptors from an index on while they proceed. Returns the result if all of them did.
  private func runInterceptors(from index: Int, _ request: Request, _ response: Response?) async throws -> Result? {
    var (index, request, response) = (index, request, response)
    while index < interceptors.count {
      let action: Action
      do {
        try Task.checkCancellation()
        action = try await interceptors[index].intercept(request: request, response: response)
      } catch {
        action = try await recover(error, request, response)
      }
      guard case .proceed(let changed, let answered) = action else {
        return try execute(action, at: index, request, response)
      }
      (request, response) = (changed, answered)
      index += 1
    }
    guard let result = response?.result else { throw GraphQLClientError.noResult }
    step = .branch
    return emitted(result, request)
  }

  /// Runs to the end and discards the results.
  func toEnd() async throws { while try await next() != nil {} }

  /// Makes the next action of a branch the next step. A branch ends after its last action, or with its error.
  private func advance(_ branch: Branch) async throws {
    do {
      var iterator = branch.actions.makeAsyncIterator()
      if let action = try await iterator.next() {
        step = .execute(action, at: branch.index, branch.request, branch.response)
        return
      }
      branches.removeLast()
    } catch {
      branches.removeLast()
      let action = try await recover(error, branch.request, branch.response)
      step = .execute(action, at: branch.index, branch.request, branch.response)
      return
    }
    try Task.checkCancellation()
  }

  /// Performs an action. Returns a result to emit, if any.
  private func execute(
    _ action: Action, at index: Int, _ request: Request, _ response: Response?
  ) throws -> Result? {
    switch action {
    case .proceed(let request, let response):
      step = .ask(index + 1, request, response)
      return nil
    case .proceedAndEmit(let result, let request, let response):
      step = .ask(index + 1, request, response)
      return emitted(result, request)
    case .multiProceed(let actions):
      branches.append(Branch(actions, at: index, request, response))
      step = .branch
      return nil
    case .exitEarlyAndEmit(let result, let request):
      end()
      return emitted(result, request)
    case .retry(var again):
      again.attempt = attempted.attempt + 1
      let retries = again.attempt - again.negotiations
      lastFailure = recovered ?? lastFailure
      // The mutation may have taken effect, even if its response was lost.
      if isMutation, retries > 0 { throw GraphQLClientError.mutationNotRetried(last: lastFailure) }
      guard retries <= again.options.maximumRetries,
        again.negotiations - negotiationsBefore <= Self.mostNegotiations
      else {
        throw GraphQLClientError.tooManyRetries(count: attempted.attempt - attempted.negotiations, last: lastFailure)
      }
      attempted = again
      again.report.events?.retried(attempt: again.attempt, after: retries > 0 ? recovered : nil)
      recovered = nil
      branches = []
      step = .ask(0, again, nil)
      return nil
    }
  }

  /// Releases all branches.
  private func end() {
    branches = []
    step = .over
  }

  private func emitted(
    _ result: Result, _ request: Request
  ) -> Result {
    request.report.emitted(result)
    if result.source == .server {
      hasServerResult = true
      negotiationsBefore = request.negotiations
    }
    // A custom interceptor may have created the result.
    if result.request == request.id { return result }
    var result = result
    result.request = request.id
    return result
  }

  // MARK: Errors

  private func recover(_ error: any Error, _ request: Request, _ response: Response?) async throws -> Action {
    let error = GraphQLClientError.naming(error)
    guard !(error is CancellationError) else { throw error }
    switch error {
    // These errors are final: they forbid another attempt.
    case GraphQLClientError.tooManyRetries(let count, nil):
      throw GraphQLClientError.tooManyRetries(count: count, last: lastFailure)
    case GraphQLClientError.tooManyRetries, GraphQLClientError.mutationNotRetried: throw error
    default: break
    }
    var request = request
    if hasServerResult { request.hasServerResult = true }
    var last = error
    for handler in errorHandlers {
      do {
        let action = try await handler.handleError(error: last, request: request, response: response)
        recovered = last
        return action
      } catch {
        last = GraphQLClientError.naming(error)
      }
    }
    throw last
  }

  /// The error-handling interceptors, each once even if it is in the chain twice.
  private var errorHandlers: [any RequestChainErrorInterceptor] {
    var handlers: [any RequestChainErrorInterceptor] = []
    var seen: Set<ObjectIdentifier> = []
    for interceptor in interceptors.reversed() {
      guard let handler = interceptor as? any RequestChainErrorInterceptor else { continue }
      let isNew = identity(interceptor).map { seen.insert($0).inserted } ?? true
      if isNew { handlers.append(handler) }
    }
    if let errorInterceptor { handlers.append(errorInterceptor) }
    // The cache fallback is called last, whatever error interceptor the provider has.
    if !(errorInterceptor is CacheFallbackInterceptor), let fallback = cacheFallback { handlers.append(fallback) }
    return handlers
  }

  /// The fallback of `networkFirst`, if the chain reads a cache.
  private var cacheFallback: CacheFallbackInterceptor? {
    for interceptor in interceptors {
      if let reading = interceptor as? CacheReadInterceptor {
        return CacheFallbackInterceptor(store: reading.store)
      }
    }
    return nil
  }

  /// Returns the identity of an interceptor: the object itself, or the type for the value types of this library. An
  /// application's value type has none, since two of its values may differ.
  private func identity(_ interceptor: any RequestChainInterceptor) -> ObjectIdentifier? {
    if type(of: interceptor) is AnyClass { return ObjectIdentifier(interceptor as AnyObject) }
    let isOfLibrary = interceptor is LoggingInterceptor || interceptor is RetryInterceptor
    return isOfLibrary ? ObjectIdentifier(type(of: interceptor)) : nil
  }
}
