import Synchronization

/// The latest value of something that changes, for any number of listeners.
final class Multicast<Value: Sendable>: Sendable {
  private struct State {
    var latest: Value
    var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    var nextListener = 0
  }

  private let state: Mutex<State>
  /// Held while a value is sent, so that all listeners receive values in the same order. `remove` takes only the other lock:
  /// sending can wait for a task that is being canceled, and the cancellation must not wait for the sender.
  private let sending = Mutex(())

  init(_ first: Value) { state = Mutex(State(latest: first)) }

  deinit {
    for listener in state.withLock({ $0.listeners }).values { listener.finish() }
  }

  var latest: Value { state.withLock { $0.latest } }

  func send(_ value: Value) {
    sending.withLock { _ in
      let listeners = state.withLock { state in
        state.latest = value
        return Array(state.listeners.values)
      }
      for listener in listeners { listener.yield(value) }
    }
  }

  /// Returns a stream of the current value and later values. A slow consumer misses values: only the latest is buffered.
  func values() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let id = sending.withLock { _ in
      state.withLock { state in
        state.nextListener += 1
        state.listeners[state.nextListener] = continuation
        continuation.yield(state.latest)
        return state.nextListener
      }
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  private func remove(_ id: Int) { state.withLock { $0.listeners[id] = nil } }
}

/// The values that a pager publishes: the current value, and the latest value after each change.
///
/// It can be iterated any number of times, also concurrently. Each iterator buffers only the latest value, so a slow
/// consumer misses values. The sequence ends when the pager is released.
public struct PagerValues<Element: Sendable>: AsyncSequence, Sendable {
  private let start: @Sendable () -> AsyncIterator

  /// Creates a sequence of transformed values. They are computed on demand; those with the result `nil` are omitted.
  init<Value>(_ source: Multicast<Value>, _ transform: @escaping @Sendable (Value) -> Element?) {
    start = { [weak source] in
      guard let source else { return AsyncIterator { nil } }
      var values = source.values().makeAsyncIterator()
      return AsyncIterator {
        while let value = await values.next() {
          if let element = transform(value) { return element }
        }
        return nil
      }
    }
  }

  private init(start: @escaping @Sendable () -> AsyncIterator) { self.start = start }

  public func makeAsyncIterator() -> AsyncIterator { start() }

  /// An iterator over the current value and the latest value after each change.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let step: () async -> Element?

    init(_ step: @escaping () async -> Element?) { self.step = step }

    /// Returns the next value, or `nil` if the pager was released or the task was canceled.
    public mutating func next() async -> Element? { await step() }
  }
}

extension PagerValues where Element: Equatable {
  /// Returns the sequence without values that equal their predecessor.
  func distinct() -> PagerValues {
    PagerValues { [start] in
      var values = start()
      var last: Element?
      return AsyncIterator {
        while let value = await values.next() {
          guard value != last else { continue }
          last = value
          return value
        }
        return nil
      }
    }
  }
}

/// A subscription with a callback. It ends when it is canceled or released.
public final class PagerSubscription: Sendable {
  private let task: Task<Void, Never>

  init<Element>(_ values: PagerValues<Element>, _ onValue: @escaping @Sendable (Element) -> Void) {
    task = Task {
      for await value in values {
        guard !Task.isCancelled else { return }
        onValue(value)
      }
    }
  }

  deinit { task.cancel() }

  /// Ends the subscription. The callback is not called again.
  public func cancel() { task.cancel() }
}
