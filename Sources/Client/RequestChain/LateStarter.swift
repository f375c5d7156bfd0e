import Synchronization

/// Something that begins when it is read, or by itself if nobody reads soon enough.
protocol Startable: AnyObject, Sendable {
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
    /// Whether anything came since the last look.
    var isInUse = false
    var patience = LateStarter.shortestPatience
  }

  private let state = Mutex(State())

  func add(_ startable: any Startable) {
    let mustLook = state.withLock { state in
      state.waiting.append(startable)
      state.isInUse = true
      defer { state.isLooking = true }
      return !state.isLooking
    }
    if mustLook { Task { await look() } }
  }

  /// Somebody reads it. What was made last is most often read first; anything else is found to be begun at the next look.
  func remove(_ startable: any Startable) {
    state.withLock { state in
      if state.waiting.last === startable { state.waiting.removeLast() }
    }
  }

  private func look() async {
    while true {
      // Not waiting for anything: the time that a reader is given to begin by itself.
      try? await Task.sleep(for: state.withLock(\.patience))
      let due = state.withLock { state -> [any Startable]? in
        defer { (state.waiting, state.isInUse) = ([], false) }
        state.isLooking = state.isInUse
        return state.isInUse ? state.waiting : nil
      }
      guard let due else { return }
      let lateCount = due.count { $0.start() }
      state.withLock { state in
        state.patience = lateCount > 0 ? Self.shortestPatience : min(state.patience * 2, Self.longestPatience)
      }
    }
  }
}
