import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import Synchronization

/// Reports the events of one request to the client's listeners. It exists only if there were listeners when the request
/// started.
///
/// Every task that runs the request holds it. If it is released before an end was reported, the request was canceled.
final class RequestEventEmitter: Sendable {
  private struct State {
    var attempt = 0
    /// The number of parts in this attempt.
    var partCount = 0
    var isOver = false
  }

  let listeners: EventListeners
  private let request: RequestID
  private let operation: CompiledOperation
  private let start: ClockInstant
  private let state = Mutex(State())

  init(_ listeners: EventListeners, _ request: RequestID, _ operation: CompiledOperation, _ start: ClockInstant) {
    self.listeners = listeners
    self.request = request
    self.operation = operation
    self.start = start
  }

  deinit { end(.cancelled) }

  func emit(_ kind: ClientEvent.Kind, at time: ClockInstant = .now) {
    state.withLock { state in
      if !state.isOver { emit(kind, time, attempt: state.attempt) }
    }
  }

  func received(byteCount: Int, at time: ClockInstant) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.partCount += 1
      emit(.received(part: state.partCount - 1, byteCount: byteCount), time, attempt: state.attempt)
    }
  }

  func retried(attempt: Int, after error: (any Error)?) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.attempt = attempt
      state.partCount = 0
      emit(.retried(error.map { ClientEvent.Failure($0) }), .now, attempt: attempt)
    }
  }

  /// Reports the end, once.
  func end(_ kind: ClientEvent.Kind) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.isOver = true
      emit(kind, .now, attempt: state.attempt)
    }
  }

  func end(throwing error: any Error) {
    end(error is CancellationError ? .cancelled : .failed(ClientEvent.Failure(error)))
  }

  private func emit(_ kind: ClientEvent.Kind, _ time: ClockInstant, attempt: Int) {
    listeners.notify(
      ClientEvent(
        request: request, operationName: operation.name, operationType: operation.operationType, attempt: attempt,
        time: time.instant, elapsed: start.duration(to: time), kind: kind, operation: operation))
  }
}
