import Synchronization

/// The listeners to a client's events. Without listeners, a request checks once whether there are any and does no more.
final class EventListeners: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<ClientEvent>.Continuation] = [:]
    var count = 0
  }

  private let state = Mutex(State())
  /// Held while an event is sent, so that each listener gets the events in the same order. A listener that stops needs
  /// only the other lock: sending waits for a task that is being canceled, which must not wait for the send in turn.
  private let telling = Mutex(())
  /// Whether there are listeners, as read when a request starts.
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

  func notify(_ event: ClientEvent) {
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
