import Synchronization

/// The load that a pager began for a caller that does not wait: it ends when the pager is let go.
final class PagerLaunches: Sendable {
  private struct State {
    var isOver = false
    var task: Task<Void, any Error>?
  }

  private let state = Mutex(State())

  var isOver: Bool { state.withLock { $0.isOver } }

  /// There is one load at a time: this one takes the place of the last.
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
