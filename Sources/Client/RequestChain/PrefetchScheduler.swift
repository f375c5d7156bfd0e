import Synchronization

/// Work that starts when it is read, or by itself if it is not read soon enough.
protocol Startable: AnyObject, Sendable {
  /// Starts, unless it has already started. Returns whether this call started it.
  func start() -> Bool
}

/// Starts requests that are not read within a few milliseconds after they were created.
///
/// One task handles all requests created in the meantime, so that a request that is read immediately does not need a
/// task. While all requests are read immediately, the interval grows, because a timer every millisecond costs more than
/// small requests do.
final class PrefetchScheduler: Sendable {
  private static let shortestPatience = Duration.milliseconds(1)
  private static let longestPatience = Duration.milliseconds(16)

  private struct State {
    var waiting: [any Startable] = []
    var isLooking = false
    /// Whether a request was added since the last check.
    var isInUse = false
    var patience = PrefetchScheduler.shortestPatience
  }

  private let state = Mutex(State())

  func add(_ startable: any Startable) {
    let mustLook = state.withLock { state in
      state.waiting.append(startable)
      state.isInUse = true
      defer { state.isLooking = true }
      return !state.isLooking
    }
    if mustLook { Task { await poll() } }
  }

  /// Removes a request that is being read. Usually it is the newest; others are found to be started at the next check.
  func remove(_ startable: any Startable) {
    state.withLock { state in
      if state.waiting.last === startable { state.waiting.removeLast() }
    }
  }

  private func poll() async {
    while true {
      // Gives readers time to start the request themselves.
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
