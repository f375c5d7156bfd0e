import Synchronization

/// Flow control for events that were sent but not yet handled. A producer waits until there is capacity, so a server
/// that sends faster than the screen can draw is slowed down, and the pending events use bounded memory.
package final class FlowControl: Sendable {
  private struct State {
    var count = 0
    var byteCount = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let countLimit: Int
  private let byteLimit: Int
  private let state = Mutex(State())

  package init(countLimit: Int = 64, byteLimit: Int = 8 << 20) {
    self.countLimit = countLimit
    self.byteLimit = byteLimit
  }

  /// Waits until there is capacity for an event of `byteCount` bytes and returns a receipt for it. Returns immediately
  /// if the task is canceled or no other event is pending, whatever the size. Only one task may call this.
  package func receipt(for byteCount: Int) async -> FlowControlReceipt {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard isFull(state, byteCount), !Task.isCancelled else { return false }
          state.waiter = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    } onCancel: {
      wake { _ in true }
    }
    state.withLock { state in
      state.count += 1
      state.byteCount += byteCount
    }
    return FlowControlReceipt(byteCount, of: self)
  }

  private func isFull(_ state: State, _ byteCount: Int) -> Bool {
    state.count > 0 && (state.count >= countLimit || state.byteCount + byteCount > byteLimit)
  }

  /// Requires half of the capacity, so that the waiting producer is not resumed for every event.
  private func hasRoom(_ state: State) -> Bool {
    state.count <= countLimit / 2 && state.byteCount <= byteLimit / 2
  }

  fileprivate func release(back byteCount: Int) {
    wake { state in
      state.count -= 1
      state.byteCount -= byteCount
      return hasRoom(state)
    }
  }

  private func wake(_ change: (inout State) -> Bool) {
    state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard change(&state) else { return nil }
      defer { state.waiter = nil }
      return state.waiter
    }?.resume()
  }
}

/// A receipt that accompanies an event until every consumer has handled it. Its capacity is released when
/// the last reference is dropped.
package final class FlowControlReceipt: Sendable, Equatable {
  private let byteCount: Int
  private let backlog: FlowControl

  fileprivate init(_ byteCount: Int, of backlog: FlowControl) {
    self.byteCount = byteCount
    self.backlog = backlog
  }

  deinit { backlog.release(back: byteCount) }

  package static func == (left: FlowControlReceipt, right: FlowControlReceipt) -> Bool { left === right }
}
