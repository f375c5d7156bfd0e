import Synchronization

/// Those who listen to the events of a client. While there is nobody, a request asks once whether there is, and that is all.
final class EventListeners: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<ClientEvent>.Continuation] = [:]
    var count = 0
  }

  private let state = Mutex(State())
  /// Held while an event is given out, so that each listener has the events in the same order. Who stops listening takes the
  /// other lock alone: giving out waits for a task that is being cancelled, and that one must not wait for it.
  private let telling = Mutex(())
  /// What a request looks at when it begins: whether there are listeners.
  private let isHeard = Atomic(false)

  deinit {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }

  var isEmpty: Bool { !isHeard.load(ordering: .relaxed) }

  func stream(_ policy: AsyncStream<ClientEvent>.Continuation.BufferingPolicy) -> AsyncStream<ClientEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ClientEvent.self, bufferingPolicy: policy)
    let id = state.withLock { state in
      state.count += 1
      state.listeners[state.count] = continuation
      isHeard.store(true, ordering: .relaxed)
      return state.count
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  func tell(_ event: ClientEvent) {
    telling.withLock { _ in
      for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
    }
  }

  private func remove(_ id: Int) {
    state.withLock { state in
      state.listeners[id] = nil
      isHeard.store(!state.listeners.isEmpty, ordering: .relaxed)
    }
  }
}
