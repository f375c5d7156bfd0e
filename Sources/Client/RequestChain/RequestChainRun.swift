import ApusClientAPI
import Synchronization

/// One request on its way through a chain. Each call of `next` continues it up to the next result.
///
/// Its position is a step; the branches that it is in are a stack, the innermost last.
actor RequestChainRun<Operation: GraphQLOperation> {
  typealias Action = RequestChain.NextAction<Operation>
  typealias Request = GraphQLRequest<Operation>
  typealias Response = GraphQLResponse<Operation>
  typealias Result = GraphQLResult<Operation.Data>

  private enum Step {
    /// Call the interceptor at this index.
    case ask(Int, Request, Response?)
    /// Carry out the action of the interceptor at this index.
    case carryOut(Action, at: Int, Request, Response?)
    /// Go on with the next action of the innermost branch.
    case branch
    case over
  }

  /// A stream of actions, and where in the chain it began.
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

  /// A server that is never content ends here.
  private static var mostNegotiations: Int { 8 }

  private let interceptors: [any RequestChainInterceptor]
  private let errorInterceptor: (any RequestChainErrorInterceptor)?
  /// The request as the attempt under way began.
  private var attempted: Request
  private var step: Step
  private var branches: [Branch] = []
  private var hasServerResult = false
  /// How often the server was not content before it sent the newest result.
  private var negotiationsBefore = 0
  /// What went wrong, where an interceptor made an action of it.
  private var recovered: (any Error)?
  /// Why the last attempt failed, where it did.
  private var lastFailure: (any Error)?
  nonisolated let isMutation: Bool
  /// Whether the last result is out, so that there is nothing to wait for any more.
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

  /// The next result; nil behind the last. To be called again only when it has returned. The end is told when all that
  /// is written late is written.
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

  /// A subscription that failed before it had a connection has a last state too.
  private func endSubscription() {
    guard attempted.compiled.operationType == .subscription, attempted.monitor.facts.subscription != .finished else {
      return
    }
    attempted.report.enter(.finished)
  }

  /// Tells the end with the last result, where nothing can come behind it: most requests have one.
  private func endEarly() {
    guard branches.isEmpty, attempted.lateWrites.begun == nil else { return }
    switch step {
    case .branch, .over: break
    case .ask, .carryOut: return
    }
    attempted.report.events?.end(.finished)
    isOver.store(true, ordering: .releasing)
  }

  private func nextStep() async throws -> Result? {
    while true {
      switch step {
      case .ask(let index, let request, let response):
        if let result = try await pass(from: index, request, response) { return result }
      case .carryOut(let action, let index, let request, let response):
        if let result = try carryOut(action, at: index, request, response) { return result }
      case .branch:
        guard let branch = branches.last else {
          step = .over
          return nil
        }
        try await goOn(in: branch)
      case .over:
        return nil
      }
    }
  }

  /// Asks the interceptors from a place on, as long as each lets the request pass; the result, if it came through all.
  private func pass(from index: Int, _ request: Request, _ response: Response?) async throws -> Result? {
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
        return try carryOut(action, at: index, request, response)
      }
      (request, response) = (changed, answered)
      index += 1
    }
    guard let result = response?.result else { throw GraphQLClientError.noResult }
    step = .branch
    return emitted(result, request)
  }

  /// Goes on to the last result without giving any out.
  func toEnd() async throws { while try await next() != nil {} }

  private func goOn(in branch: Branch) async throws {
    do {
      var iterator = branch.actions.makeAsyncIterator()
      if let action = try await iterator.next() {
        step = .carryOut(action, at: branch.index, branch.request, branch.response)
        return
      }
      branches.removeLast()
    } catch {
      branches.removeLast()
      let action = try await recover(error, branch.request, branch.response)
      step = .carryOut(action, at: branch.index, branch.request, branch.response)
      return
    }
    try Task.checkCancellation()
  }

  /// What is to be emitted by the action, if anything is.
  private func carryOut(
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
      // It may have taken effect already, whatever became of its answer.
      if isMutation, retries > 0 { throw GraphQLClientError.mutationNotRepeated(last: lastFailure) }
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

  /// Lets go of all that is under way.
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
    // An interceptor of the caller's may have made one.
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
    // The last word: another attempt is what these forbid.
    case GraphQLClientError.tooManyRetries(let count, nil):
      throw GraphQLClientError.tooManyRetries(count: count, last: lastFailure)
    case GraphQLClientError.tooManyRetries, GraphQLClientError.mutationNotRepeated: throw error
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

  /// The interceptors that handle errors, each once although the chain may have it twice.
  private var errorHandlers: [any RequestChainErrorInterceptor] {
    var handlers: [any RequestChainErrorInterceptor] = []
    var seen: Set<ObjectIdentifier> = []
    for interceptor in interceptors.reversed() {
      guard let handler = interceptor as? any RequestChainErrorInterceptor else { continue }
      let isNew = identity(interceptor).map { seen.insert($0).inserted } ?? true
      if isNew { handlers.append(handler) }
    }
    if let errorInterceptor { handlers.append(errorInterceptor) }
    // The cache answers last, whichever error interceptor the provider has.
    if !(errorInterceptor is CacheFallbackInterceptor), let fallback = cacheFallback { handlers.append(fallback) }
    return handlers
  }

  /// The fallback of `networkFirst`, where the chain reads a cache.
  private var cacheFallback: CacheFallbackInterceptor? {
    for interceptor in interceptors {
      if let reading = interceptor as? CacheReadInterceptor {
        return CacheFallbackInterceptor(store: reading.store)
      }
    }
    return nil
  }

  /// An object is identified by itself, and one of the library's values by its type. Two values of an application's type
  /// may differ: they have no identity.
  private func identity(_ interceptor: any RequestChainInterceptor) -> ObjectIdentifier? {
    if type(of: interceptor) is AnyClass { return ObjectIdentifier(interceptor as AnyObject) }
    let isOfLibrary = interceptor is LoggingInterceptor || interceptor is RetryInterceptor
    return isOfLibrary ? ObjectIdentifier(type(of: interceptor)) : nil
  }
}
