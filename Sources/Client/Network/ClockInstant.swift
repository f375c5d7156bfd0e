import ApusPlatform

/// An instant of the continuous clock in eight bytes.
///
/// The size of `ContinuousClock.Instant` is known only at run time, which makes every value that contains one slower to
/// use.
package struct ClockInstant: Sendable, Hashable, Comparable {
  private var nanoseconds: Int64

  package static var now: ClockInstant {
    var time = timespec()
    clock_gettime(SystemClock.continuous, &time)
    return ClockInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  package init(_ instant: ContinuousClock.Instant) {
    let (other, own) = Self.together
    self = own + other.duration(to: instant)
  }

  private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func + (instant: ClockInstant, duration: Duration) -> ClockInstant {
    let (seconds, attoseconds) = duration.components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooLate) = instant.nanoseconds.addingReportingOverflow(product)
    if isTooLong || isTooLate { return ClockInstant(nanoseconds: seconds < 0 ? .min : .max) }
    return ClockInstant(nanoseconds: sum &+ attoseconds / 1_000_000_000)
  }

  package static func < (left: ClockInstant, right: ClockInstant) -> Bool { left.nanoseconds < right.nanoseconds }

  package func duration(to other: ClockInstant) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }

  /// Returns the milliseconds until a later instant, rounded up.
  package func milliseconds(to other: ClockInstant) -> Int32 {
    let (difference, isTooLong) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    return isTooLong ? .max : Int32(clamping: difference / 1_000_000 + 1)
  }

  /// The instant as a `ContinuousClock.Instant`.
  package var instant: ContinuousClock.Instant {
    let (instant, own) = Self.together
    return instant + own.duration(to: self)
  }

  /// One instant in both representations. Of several readings of the clocks, the one with the least delay is used.
  private static let together: (ContinuousClock.Instant, ClockInstant) = {
    func read() -> (before: ClockInstant, instant: ContinuousClock.Instant, after: ClockInstant) {
      (now, ContinuousClock.now, now)
    }
    var best = read()
    for _ in 0..<8 {
      let other = read()
      if other.before.duration(to: other.after) < best.before.duration(to: best.after) { best = other }
    }
    return (best.instant, best.before)
  }()
}
