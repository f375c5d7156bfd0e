/// Counts the attempts to reconnect a subscription, both in a row and within the policy's period, and computes the
/// delay before the next one.
package struct ReconnectionBackoff: Sendable {
  private let policy: ReconnectionPolicy
  /// The number of the next attempt, from 1; 0 while no connection was lost.
  package private(set) var attempt = 0
  private var liveSince: ContinuousClock.Instant?
  /// The times of lost connections within the policy's period.
  private var recentLosses: [ContinuousClock.Instant] = []

  package init(policy: ReconnectionPolicy) {
    self.policy = policy
  }

  /// Whether any connection was live. Otherwise the client does not reconnect.
  package private(set) var hasBeenLive = false

  package mutating func becameLive(at instant: ContinuousClock.Instant) {
    hasBeenLive = true
    liveSince = instant
  }

  /// The number of attempts that counts against the policy's limit.
  package var attemptCount: Int { max(attempt, recentLosses.count) }

  /// Records a lost connection. Returns the delay before the next attempt, or nil if there is none.
  package mutating func lost(at instant: ContinuousClock.Instant) -> Duration? {
    if let liveSince, instant - liveSince >= policy.stableAfter { attempt = 0 }
    liveSince = nil
    let period = policy.period
    recentLosses.removeAll { instant - $0 >= period }
    guard attemptCount < policy.maximumAttempts else { return nil }
    attempt += 1
    recentLosses.append(instant)
    return policy.delay(before: attempt)
  }
}
