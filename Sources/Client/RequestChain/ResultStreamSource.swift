import ApusClientAPI
import Synchronization

/// The source of a stream of results. The task that reads the stream runs the request, so that results do not change
/// threads or pile up. Only the first result is fetched ahead, in a separate task, if no task reads soon enough.
///
/// The reader holds the source. When the reader is gone, the request is canceled. A mutation is sent even if its
/// results are never read, because the caller wants its effect.
final class ResultStreamSource<Operation: GraphQLOperation>: Sendable {
  private let beginning: FirstResult<Operation>
  private let run: RequestChainRun<Operation>
  private let starter: PrefetchScheduler

  init(_ run: RequestChainRun<Operation>, _ starter: PrefetchScheduler) {
    self.run = run
    self.starter = starter
    beginning = FirstResult(run)
    starter.add(beginning)
  }

  deinit { beginning.release(run) }

  func results() -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    AsyncThrowingStream {
      do {
        return try await self.next()
      } catch is CancellationError where Task.isCancelled {
        return nil
      }
    }
  }

  /// Returns the next result, or nil after the last. Must be called by one task at a time.
  private func next() async throws -> GraphQLResult<Operation.Data>? {
    if beginning.isTaken { return run.isOver.load(ordering: .acquiring) ? nil : try await run.next() }
    starter.remove(beginning)
    if let first = await beginning.fetched() { return try first.get() }
    return try await run.next()
  }
}

/// The first result of a run, fetched by the reader or by the starter, whichever is first.
final class FirstResult<Operation: GraphQLOperation>: Startable {
  typealias First = Result<GraphQLResult<Operation.Data>?, any Error>

  private enum State {
    case open(RequestChainRun<Operation>)
    case fetching(Task<First, Never>)
    /// The reader has the result, or is gone.
    case over
  }

  private let state: Mutex<State>

  init(_ run: RequestChainRun<Operation>) {
    state = Mutex(.open(run))
  }

  func start() -> Bool {
    state.withLock { state in
      guard case .open(let run) = state else { return false }
      state = .fetching(
        Task {
          do {
            return .success(try await run.next())
          } catch {
            return .failure(error)
          }
        })
      return true
    }
  }

  /// Whether the reader has the result.
  var isTaken: Bool {
    state.withLock { state in
      if case .over = state { true } else { false }
    }
  }

  /// Returns the result that was fetched ahead, once; nil if the reader has to fetch it.
  func fetched() async -> First? {
    guard let task = dequeue() else { return nil }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Ends reading. A request that was not read is canceled. A mutation runs to its end, unless the releasing task was
  /// canceled.
  func release(_ run: RequestChainRun<Operation>) {
    let last = state.withLock { state in
      defer { state = .over }
      return state
    }
    let isSent = run.isMutation && !Task.isCancelled
    switch last {
    case .over: break
    case .open: if isSent { Task { try await run.toEnd() } }
    case .fetching(let task):
      guard isSent else { return task.cancel() }
      Task {
        _ = await task.value
        try await run.toEnd()
      }
    }
  }

  private func dequeue() -> Task<First, Never>? {
    state.withLock { state in
      defer { state = .over }
      guard case .fetching(let task) = state else { return nil }
      return task
    }
  }
}
