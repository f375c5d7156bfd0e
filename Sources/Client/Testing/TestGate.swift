import Synchronization

/// A gate that holds back a mock server's response until a test opens it.
public final class TestGate: Sendable {
  private struct State {
    var isOpen = false
    var isReached = false
    var number = 0
    /// The responses that wait for `open()`.
    var held: [Int: CheckedContinuation<Void, Never>] = [:]
    /// The tests that wait for a response to reach the gate.
    var expecting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// Creates a closed gate.
  public init() {}

  /// Opens the gate for all current and future waiters.
  public func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [:] }
      return Array(state.held.values)
    }
    for continuation in held { continuation.resume() }
  }

  /// Waits until a response has reached the gate or the task is canceled, as a test's time limit does.
  public func waitUntilReached() async {
    await wait(in: \.expecting) { $0.isReached }
  }

  /// Waits until the gate is open or the task is canceled.
  func pass() async {
    let expecting = state.withLock { state in
      state.isReached = true
      defer { state.expecting = [:] }
      return Array(state.expecting.values)
    }
    for continuation in expecting { continuation.resume() }
    await wait(in: \.held) { $0.isOpen }
  }

  private func wait(
    in waiters: any WritableKeyPath<State, [Int: CheckedContinuation<Void, Never>]> & Sendable,
    unless isOver: @Sendable (State) -> Bool
  ) async {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          let waits = !isOver(state) && !Task.isCancelled
          if waits { state[keyPath: waiters][number] = continuation }
          return waits
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0[keyPath: waiters].removeValue(forKey: number) }?.resume()
    }
  }
}
