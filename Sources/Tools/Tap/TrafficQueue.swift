import ApusClientTraffic
import Dispatch
import Synchronization

/// Passes the events of a relay from its threads to one task, in the order of their arrival.
///
/// While more than `limit` bytes of bodies are not processed, a thread that adds an event waits, and so does its connection.
/// So memory is bounded, and no event is lost.
package final class TrafficQueue: Sendable {
  private struct State {
    var size = 0
    var waiting: [DispatchSemaphore] = []
    var isOver = false
  }

  /// The memory of an event beside its bytes, in bytes.
  private static let eventSize = 256

  private let limit: Int
  private let state = Mutex(State())
  private let stream: AsyncStream<TrafficEvent>
  private let continuation: AsyncStream<TrafficEvent>.Continuation

  package init(limit: Int = 32 << 20) {
    self.limit = limit
    (stream, continuation) = AsyncStream.makeStream(of: TrafficEvent.self)
  }

  /// Adds an event. Waits while the queue is full.
  package func add(_ event: TrafficEvent) {
    let size = event.byteCount + Self.eventSize
    while let turn = reserve(size) { turn.wait() }
    continuation.yield(event)
  }

  /// Reserves memory for an event; returns what to wait for if there is none.
  private func reserve(_ size: Int) -> DispatchSemaphore? {
    state.withLock { state in
      guard !state.isOver, state.size > limit else {
        state.size += size
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.waiting.append(turn)
      return turn
    }
  }

  /// Ends the stream after the events that were added.
  package func finish() {
    continuation.finish()
    wakeAll { $0.isOver = true }
  }

  /// Processes each event, one after another, until the queue is finished or `body` returns false.
  package func process(_ body: (TrafficEvent) async -> Bool) async {
    for await event in stream {
      guard await body(event) else { break }
      wakeAll { $0.size -= event.byteCount + Self.eventSize }
    }
    finish()
  }

  private func wakeAll(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      guard state.isOver || state.size <= limit else { return [DispatchSemaphore]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for turn in waiting { turn.signal() }
  }
}
