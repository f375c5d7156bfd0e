import Synchronization

/// A clock that stands still until a test moves it: what waits by it takes no time, and always the same course.
public final class TestClock: Clock, Sendable {
  /// A moment of a test's clock: how far it was moved by then.
  public struct Instant: InstantProtocol {
    /// How far the clock was moved since it was made.
    public var offset: Duration

    /// The moment at which the clock was moved so far.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The moment so much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How much later the other moment is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant()
    var number = 0
    var sleepers: [Int: Sleeper] = [:]
    /// Who waits for somebody to wait.
    var expecting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// A clock that stands at zero.
  public init() {}

  /// How far the clock was moved by now.
  public var now: Instant { state.withLock { $0.now } }
  /// A nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the clock was moved to `deadline`. Throws `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(deadline: deadline, continuation: continuation)
        let (isOver, expecting) = state.withLock { state in
          let isOver = deadline <= state.now || Task.isCancelled
          if !isOver { state.sleepers[number] = sleeper }
          defer { if !isOver { state.expecting = [] } }
          return (isOver, isOver ? [] : state.expecting)
        }
        for waiter in expecting { waiter.resume() }
        if isOver { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Returns when somebody waits by this clock.
  public func untilSomebodySleeps() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.isEmpty { state.expecting.append(continuation) }
        return !state.sleepers.isEmpty
      }
      if isThere { continuation.resume() }
    }
  }

  /// Moves the clock on once somebody waits by it, and wakes, the earliest first, everyone whose time has come.
  public func advance(by duration: Duration) async {
    await untilSomebodySleeps()
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers.removeValue(forKey: number) }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    }
    for (_, sleeper) in woken { sleeper.continuation.resume() }
  }
}
