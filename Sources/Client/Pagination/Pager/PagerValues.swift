import Synchronization

/// The newest value of something that changes, for as many as want to hear of it.
final class Multicast<Value: Sendable>: Sendable {
  private struct State {
    var latest: Value
    var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    var nextListener = 0
  }

  private let state: Mutex<State>
  /// Held while values are given out, so that all listeners see them in one order. Who ends a stream takes the other lock
  /// alone: a value that is given out waits for a task that is being cancelled, and that one must not wait for the value.
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

  /// The value now and after every change. Who is slow is given the newest and not those missed: it keeps one value.
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

/// What a pager publishes: the latest value first, then the newest after each change, to each who iterates.
///
/// It can be iterated many times and by many at once. Each keeps one value at most: a slow one is given the newest and
/// not those that it missed. It ends when its pager is gone.
public struct PagerValues<Element: Sendable>: AsyncSequence, Sendable {
  private let start: @Sendable () -> AsyncIterator

  /// Each value through the transform, made when it is asked for; `nil` leaves it out.
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

  /// Gives the value now, then the newest after each change.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let step: () async -> Element?

    init(_ step: @escaping () async -> Element?) { self.step = step }

    /// The next value; `nil` once the pager is gone, or the task is cancelled.
    public mutating func next() async -> Element? { await step() }
  }
}

extension PagerValues where Element: Equatable {
  /// Without those that are as the one before.
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

/// Tells a callback every value until it is cancelled or let go.
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

  /// Ends it; the callback is not called again.
  public func cancel() { task.cancel() }
}
