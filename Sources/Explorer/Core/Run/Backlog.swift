import Synchronization

/// How much has been told that nobody is done with: who has more to tell waits for room, so that a server that sends more
/// than the screen can show is held back, and what waits takes bounded memory.
package final class Backlog: Sendable {
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

  /// A receipt for something to be told, once there is room for it: at once where the task is cancelled, and for something
  /// by itself whatever its size. Asked for by one task.
  package func receipt(for byteCount: Int) async -> DeliveryReceipt {
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
    return DeliveryReceipt(byteCount, of: self)
  }

  private func isFull(_ state: State, _ byteCount: Int) -> Bool {
    state.count > 0 && (state.count >= countLimit || state.byteCount + byteCount > byteLimit)
  }

  /// Half of it free is room: a waiter is not woken for each piece.
  private func hasRoom(_ state: State) -> Bool {
    state.count <= countLimit / 2 && state.byteCount <= byteLimit / 2
  }

  fileprivate func give(back byteCount: Int) {
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

/// Goes with something that was told for as long as somebody has still to deal with it; dropping it says that all have.
package final class DeliveryReceipt: Sendable, Equatable {
  private let byteCount: Int
  private let backlog: Backlog

  fileprivate init(_ byteCount: Int, of backlog: Backlog) {
    self.byteCount = byteCount
    self.backlog = backlog
  }

  deinit { backlog.give(back: byteCount) }

  package static func == (left: DeliveryReceipt, right: DeliveryReceipt) -> Bool { left === right }
}
