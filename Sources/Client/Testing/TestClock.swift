import Synchronization

/// A clock that advances only when a test moves it, so that delays take no time and tests are deterministic.
public final class TestClock: Clock, Sendable {
  /// An instant of a test clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// Creates an instant from its offset.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// Returns the instant advanced by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration until another instant.
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
    /// The tasks that wait for a sleeper.
    var expecting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// Creates a clock at zero.
  public init() {}

  /// The current instant.
  public var now: Instant { state.withLock { $0.now } }
  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the clock reaches `deadline`. Throws `CancellationError` if the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = newNumber()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(deadline: deadline, continuation: continuation)
        let (isOver, expecting) = state.withLock { state in
          let isOver = deadline <= state.now || Task.isCancelled
          if !isOver { state.sleepers[number] = sleeper }
          defer { if !isOver { state.expecting = [:] } }
          return (isOver, isOver ? [] : Array(state.expecting.values))
        }
        for waiter in expecting { waiter.resume() }
        if isOver { continuation.resume() }
      }
      try Task.checkCancellation()
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until a task sleeps on this clock or this task is canceled, as a test's time limit does.
  public func waitForSleeper() async {
    let number = newNumber()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          let waits = state.sleepers.isEmpty && !Task.isCancelled
          if waits { state.expecting[number] = continuation }
          return waits
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.expecting.removeValue(forKey: number) }?.resume()
    }
  }

  private func newNumber() -> Int {
    state.withLock { state in
      state.number += 1
      return state.number
    }
  }

  /// Waits until a task sleeps on this clock, advances it, and wakes the sleepers that are due, in order.
  public func advance(by duration: Duration) async {
    await waitForSleeper()
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers.removeValue(forKey: number) }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    }
    for (_, sleeper) in woken { sleeper.continuation.resume() }
  }
}
