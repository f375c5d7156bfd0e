import Synchronization

/// Something that begins when it is read, or by itself if nobody reads soon enough.
protocol Startable: Sendable {
  /// Begins, unless that was done; whether it was this call that did it.
  func start() -> Bool
}

/// Starts what nobody has begun to read a moment after it was made.
///
/// One task looks after all that was made meanwhile, so that a request whose results are read at once pays for no task
/// of its own. Where all were read at once, it looks more and more seldom: a timer a millisecond costs small requests
/// more than their headers do.
final class LateStarter: Sendable {
  private static let shortestPatience = Duration.milliseconds(1)
  private static let longestPatience = Duration.milliseconds(16)

  private struct State {
    var waiting: [any Startable] = []
    var isLooking = false
    var patience = LateStarter.shortestPatience
  }

  private let state = Mutex(State())

  func add(_ startable: any Startable) {
    let mustLook = state.withLock { state in
      state.waiting.append(startable)
      defer { state.isLooking = true }
      return !state.isLooking
    }
    if mustLook { Task { await look() } }
  }

  private func look() async {
    while true {
      // Not waiting for anything: the time that a reader is given to begin by itself.
      try? await Task.sleep(for: state.withLock(\.patience))
      let due = state.withLock { state in
        defer { state.waiting = [] }
        state.isLooking = !state.waiting.isEmpty
        return state.waiting
      }
      if due.isEmpty { return }
      let lateCount = due.count { $0.start() }
      state.withLock { state in
        state.patience = lateCount > 0 ? Self.shortestPatience : min(state.patience * 2, Self.longestPatience)
      }
    }
  }
}
