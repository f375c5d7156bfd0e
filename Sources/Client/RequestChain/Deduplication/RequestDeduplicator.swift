import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import Synchronization

/// Lets identical concurrent queries share one request. A later query immediately gets the newest result, and then
/// those that follow. The request is canceled when its last reader has left.
final class RequestDeduplicator: Sendable {
  /// Everything that may affect the responses of a request or their processing.
  struct Key: Hashable {
    let operation: ObjectIdentifier
    /// Two operations with the same text may create different values from one response.
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

    /// Returns `nil` if the request must not be shared: it is not a query, or its caller observes it.
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

  /// An object compared by identity. It is retained, so that no other object gets its address.
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

/// The results of one request, for all its readers.
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
  /// Held while a result is sent, so that a reader that joins gets it exactly once. A reader that leaves needs only the
  /// other lock: sending waits for a task that is being canceled, which must not wait for the send in turn.
  private let giving = Mutex(())
  private let onEnd: @Sendable (SharedResults) -> Void

  init(onEnd: @escaping @Sendable (SharedResults) -> Void) {
    self.onEnd = onEnd
  }

  /// Adds a reader. Returns false if the request has ended or is about to.
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
          publish(result)
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

  private func publish(_ result: GraphQLResult<Data>) {
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
