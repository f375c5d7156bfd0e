import Synchronization

/// A gate that holds back a mock server's response until a test opens it.
public final class TestGate: Sendable {
  private struct State {
    var isOpen = false
    var isReached = false
    var number = 0
    var held: [Int: CheckedContinuation<Void, Never>] = [:]
    var expecting: [CheckedContinuation<Void, Never>] = []
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

  /// Waits until a response has reached the gate.
  public func waitUntilReached() async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if !state.isReached { state.expecting.append(continuation) }
        return state.isReached
      }
      if isReached { continuation.resume() }
    }
  }

  /// Waits until the gate is open or the task is canceled.
  func pass() async {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (mayPass, expecting) = state.withLock { state in
          let mayPass = state.isOpen || Task.isCancelled
          if !mayPass { state.held[number] = continuation }
          state.isReached = true
          defer { state.expecting = [] }
          return (mayPass, state.expecting)
        }
        for waiter in expecting { waiter.resume() }
        if mayPass { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.held.removeValue(forKey: number) }?.resume()
    }
  }
}
