import Synchronization

/// Passes values from one task to another, one at a time. The sender waits until its value was received, so that values
/// do not pile up.
final class Handoff<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var isFinished = false
    var failure: (any Error)?
    /// The sender that waits until its value is received.
    var sender: CheckedContinuation<Void, Never>?
    /// The reader that waits for a value.
    var reader: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Sends a value. Returns when it was received; throws if this task is canceled before.
  func send(_ value: sending Value) async throws(CancellationError) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.value = value
      defer { state.reader = nil }
      return state.reader
    }?.resume()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard state.value != nil, !Task.isCancelled else { return false }
          state.sender = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      wakeSender()
    }
    if Task.isCancelled { throw CancellationError() }
  }

  func finish(throwing failure: (any Error)? = nil) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.isFinished = true
      state.failure = failure
      defer { state.reader = nil }
      return state.reader
    }?.resume()
  }

  /// Returns the next value, or nil after the last.
  func next() async throws -> Value? {
    while true {
      try Task.checkCancellation()
      let taken = state.withLock { state -> Value? in
        defer { state.value = nil }
        return state.value
      }
      if let taken {
        wakeSender()
        return taken
      }
      let (isFinished, failure) = state.withLock { ($0.isFinished, $0.failure) }
      if let failure { throw failure }
      if isFinished { return nil }
      await waitForValue()
    }
  }

  private func waitForValue() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard state.value == nil, !state.isFinished, !Task.isCancelled else { return false }
          state.reader = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      state.withLock { state -> CheckedContinuation<Void, Never>? in
        defer { state.reader = nil }
        return state.reader
      }?.resume()
    }
  }

  private func wakeSender() {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state.sender = nil }
      return state.sender
    }?.resume()
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// Returns a stream of the values that `body` sends from its own task, no faster than they are read. Releasing the
  /// stream cancels the task.
  static func handed(
    _ body: @escaping @Sendable (Handoff<Element>) async throws -> Void
  ) -> AsyncThrowingStream where Element: Sendable {
    let handed = HandedStream(body)
    return AsyncThrowingStream { try await handed.handoff.next() }
  }
}

/// The task that produces a stream. It is canceled when the stream is released.
private final class HandedStream<Value: Sendable>: Sendable {
  let handoff: Handoff<Value>
  private let task: Task<Void, Never>

  init(_ body: @escaping @Sendable (Handoff<Value>) async throws -> Void) {
    let handoff = Handoff<Value>()
    self.handoff = handoff
    task = Task {
      do {
        try await body(handoff)
        handoff.finish()
      } catch {
        handoff.finish(throwing: error)
      }
    }
  }

  deinit { task.cancel() }
}
