import Synchronization

/// The current load of a pager with callbacks, which is canceled when the pager is released.
final class PagerTask: Sendable {
  private struct State {
    var isOver = false
    var task: Task<Void, any Error>?
  }

  private let state = Mutex(State())

  var isOver: Bool { state.withLock { $0.isOver } }

  /// Stores the current load in place of the previous one. There is only one load at a time.
  func hold(_ task: Task<Void, any Error>) {
    let isOver = state.withLock { state in
      state.task = task
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  func end() {
    let task = state.withLock { state in
      state.isOver = true
      defer { state.task = nil }
      return state.task
    }
    task?.cancel()
  }
}
