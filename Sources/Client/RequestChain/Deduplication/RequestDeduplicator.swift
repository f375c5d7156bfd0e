import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import Synchronization

/// Lets queries that are identical and run at the same time share one request: whoever comes later gets the newest
/// result at once and those that follow. The request is cancelled when the last of them has left.
final class RequestDeduplicator: Sendable {
  /// What makes two requests one: all that may make their answers, or what becomes of them, different.
  struct Key: Hashable {
    let operation: ObjectIdentifier
    /// Two operations of one text may make different values of the same answer.
    let compiled: Identity<CompiledOperation>
    let resultChecking: ResultChecking
    let http: HTTPRequest
    let cachePolicy: CachePolicy
    let cacheWrites: CacheWritePolicy
    let cacheWriteTiming: CacheWriteTiming
    let allowsPartialReads: Bool
    let allowsStaleReads: Bool
    let incremental: IncrementalDelivery
    let maximumRetries: Int
    let refetchDepth: Int

    /// `nil` for a request that is never shared: anything but a query, and a request that its caller observes by itself.
    init?<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) {
      let options = request.options
      guard request.compiled.operationType == .query, options.monitor == nil, options.context == nil,
        options.requestID == nil, request.variables.nonFinitePath == nil
      else { return nil }
      operation = ObjectIdentifier(Operation.self)
      compiled = Identity(object: request.compiled)
      resultChecking = request.operation.resultChecking
      http = request.http
      cachePolicy = options.cachePolicy
      cacheWrites = options.cacheWrites
      cacheWriteTiming = options.cacheWriteTiming
      allowsPartialReads = options.allowsPartialReads
      allowsStaleReads = options.allowsStaleReads
      incremental = options.incremental
      maximumRetries = options.maximumRetries
      refetchDepth = options.refetchDepth
    }
  }

  /// An object that is equal to itself alone; held, so that no other takes its place.
  struct Identity<Object: AnyObject & Sendable>: Hashable, Sendable {
    let object: Object

    static func == (left: Identity, right: Identity) -> Bool { left.object === right.object }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
  }

  private let running = Mutex<[Key: any Sendable]>([:])

  func results<Data: Sendable>(
    _ key: Key, _ start: @escaping @Sendable () -> AsyncThrowingStream<GraphQLResult<Data>, any Error>
  ) -> AsyncThrowingStream<GraphQLResult<Data>, any Error> {
    AsyncThrowingStream { continuation in
      let isJoined = running.withLock { running in
        (running[key] as? SharedResults<Data>)?.join(continuation) ?? false
      }
      if isJoined { return }
      let shared = SharedResults<Data> { [weak self] shared in self?.end(key, shared) }
      _ = shared.join(continuation)
      running.withLock { $0[key] = shared }
      shared.run(start)
    }
  }

  private func end<Data: Sendable>(_ key: Key, _ shared: SharedResults<Data>) {
    running.withLock { running in
      if (running[key] as? SharedResults<Data>) === shared { running[key] = nil }
    }
  }
}

/// The results of one request, for all who wait for them.
private final class SharedResults<Data: Sendable>: Sendable {
  typealias Continuation = AsyncThrowingStream<GraphQLResult<Data>, any Error>.Continuation

  private struct State {
    var consumers: [Int: Continuation] = [:]
    var nextConsumer = 0
    var newest: GraphQLResult<Data>?
    var isEnded = false
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())
  /// Held while a result is given out, so that who joins has it once. Who leaves takes the other lock alone: giving out
  /// waits for a task that is being cancelled, and that one must not wait for it.
  private let giving = Mutex(())
  private let onEnd: @Sendable (SharedResults) -> Void

  init(onEnd: @escaping @Sendable (SharedResults) -> Void) {
    self.onEnd = onEnd
  }

  /// False when the request has ended, or is about to.
  func join(_ continuation: Continuation) -> Bool {
    let id = giving.withLock { _ in
      state.withLock { state -> Int? in
        guard !state.isEnded else { return nil }
        if let newest = state.newest { continuation.yield(newest) }
        state.nextConsumer += 1
        state.consumers[state.nextConsumer] = continuation
        return state.nextConsumer
      }
    }
    guard let id else { return false }
    continuation.onTermination = { [weak self] reason in
      if case .cancelled = reason { self?.leave(id) }
    }
    return true
  }

  func run(_ start: @escaping @Sendable () -> AsyncThrowingStream<GraphQLResult<Data>, any Error>) {
    let task = Task {
      do {
        for try await result in start() {
          give(result)
        }
        end(throwing: nil)
      } catch {
        end(throwing: error)
      }
    }
    let isEnded = state.withLock { state in
      state.task = task
      return state.isEnded
    }
    if isEnded { task.cancel() }
  }

  private func give(_ result: GraphQLResult<Data>) {
    giving.withLock { _ in
      let consumers = state.withLock { state in
        state.newest = result
        return Array(state.consumers.values)
      }
      for consumer in consumers { consumer.yield(result) }
    }
  }

  private func leave(_ id: Int) {
    let task = state.withLock { state -> Task<Void, Never>? in
      state.consumers[id] = nil
      guard state.consumers.isEmpty else { return nil }
      state.isEnded = true
      return state.task
    }
    guard let task else { return }
    onEnd(self)
    task.cancel()
  }

  private func end(throwing error: (any Error)?) {
    let consumers = state.withLock { state in
      state.isEnded = true
      defer { state.consumers = [:] }
      return Array(state.consumers.values)
    }
    onEnd(self)
    for consumer in consumers { consumer.finish(throwing: error) }
  }
}
