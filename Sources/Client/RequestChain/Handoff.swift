import Synchronization

/// Hands values from the task that has them to the one that reads, one at a time: who sends waits until its value was
/// taken, so that nothing piles up where nobody reads.
final class Handoff<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var isFinished = false
    var failure: (any Error)?
    /// Waits until its value was taken.
    var sender: CheckedContinuation<Void, Never>?
    /// Waits for a value.
    var reader: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Returns when the value was taken; throws when this task was cancelled before.
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

  /// The next value; nil behind the last.
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
  /// A stream of what a task of its own sends, no faster than it is read. Letting go of the stream cancels the task.
  static func handed(
    _ body: @escaping @Sendable (Handoff<Element>) async throws -> Void
  ) -> AsyncThrowingStream where Element: Sendable {
    let handed = HandedStream(body)
    return AsyncThrowingStream { try await handed.handoff.next() }
  }
}

/// The task behind a stream, cancelled when nobody can read any more.
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
