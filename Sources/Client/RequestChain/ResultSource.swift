import ApusClientAPI
import Synchronization

/// Where a stream of results has them from: the run is led on by whoever reads, so that no result changes threads on its
/// way and nothing piles up. Only the first result is fetched ahead, by a task of its own, if nobody reads soon enough.
///
/// Whoever reads holds this; when nobody can read any more, the request is cancelled. A mutation that nobody began to
/// read is sent nevertheless: whoever performed it wanted what it does.
@usableFromInline
final class ResultSource: Sendable {
  fileprivate let beginning: Beginning
  private let run: RequestChainRun

  private let starter: LateStarter

  init(_ run: RequestChainRun, _ starter: LateStarter) {
    self.run = run
    self.starter = starter
    beginning = Beginning(run)
    starter.add(beginning)
  }

  deinit { beginning.letGo(run) }

  /// The results in their own type.
  @inlinable
  func results<Data: Sendable>() -> AsyncThrowingStream<GraphQLResult<Data>, any Error> {
    AsyncThrowingStream {
      do {
        return try await self.next()?.known()
      } catch is CancellationError where Task.isCancelled {
        return nil
      }
    }
  }

  /// The next result; nil behind the last. For one task at a time, as with any stream.
  @usableFromInline
  func next() async throws -> GraphQLResult<any Sendable>? {
    if beginning.isTaken { return run.isOver.load(ordering: .acquiring) ? nil : try await run.next() }
    starter.remove(beginning)
    if let first = await beginning.fetched() { return try first.get() }
    return try await run.next()
  }
}

/// The first result of a run: whoever asks first begins, the reader or the starter.
final class Beginning: Startable {
  typealias First = Result<PlainResult?, any Error>

  private enum State {
    case open(RequestChainRun)
    case fetching(Task<First, Never>)
    /// The reader has it, or nobody wants it any more.
    case over
  }

  private let state: Mutex<State>

  init(_ run: RequestChainRun) {
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

  /// Whether the reader has it.
  var isTaken: Bool {
    state.withLock { state in
      if case .over = state { true } else { false }
    }
  }

  /// What was fetched ahead, once; nil when the reader has to fetch by itself.
  func fetched() async -> First? {
    guard let task = take() else { return nil }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Nobody will read any more: what nobody began to read is cancelled; a mutation is led on to its end, unless it is let
  /// go by a task that was cancelled, which reads nothing.
  func letGo(_ run: RequestChainRun) {
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

  private func take() -> Task<First, Never>? {
    state.withLock { state in
      defer { state = .over }
      guard case .fetching(let task) = state else { return nil }
      return task
    }
  }
}
