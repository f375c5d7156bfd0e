import ApusClientNetwork
import Synchronization

/// The listeners to a client's events. Without listeners, a request checks once whether there are any and does no more.
final class EventListeners: Sendable {
  private struct State {
    var listeners: [(id: Int, continuation: AsyncStream<ClientEvent>.Continuation)] = []
    var count = 0
    /// The last URL with its form for display. Most requests have the same.
    var shownURL = (url: "", shown: "")
  }

  private let state = Mutex(State())
  /// Held while an event is sent, so that each listener gets the events in the same order. A listener that stops needs
  /// only the other lock: sending waits for a task that is being canceled, which must not wait for the send in turn.
  private let notifying = Mutex(())
  /// Whether there are listeners, as read when a request starts.
  private let isHeard = Atomic(false)

  deinit {
    for listener in state.withLock({ $0.listeners }) { listener.continuation.finish() }
  }

  var isEmpty: Bool { !isHeard.load(ordering: .relaxed) }

  func stream(_ policy: AsyncStream<ClientEvent>.Continuation.BufferingPolicy) -> AsyncStream<ClientEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ClientEvent.self, bufferingPolicy: policy)
    let id = state.withLock { state in
      state.count += 1
      state.listeners.append((state.count, continuation))
      isHeard.store(true, ordering: .relaxed)
      return state.count
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  func notify(_ event: ClientEvent) {
    notifying.withLock { _ in
      for listener in state.withLock({ $0.listeners }) { listener.continuation.yield(event) }
    }
  }

  /// Returns the URL of a request for display.
  func shownURL(of http: HTTPRequest) -> String {
    let url = http.url
    return state.withLock { state in
      if state.shownURL.url != url { state.shownURL = (url, http.redactedURL) }
      return state.shownURL.shown
    }
  }

  private func remove(_ id: Int) {
    state.withLock { state in
      state.listeners.removeAll { $0.id == id }
      isHeard.store(!state.listeners.isEmpty, ordering: .relaxed)
    }
  }
}
