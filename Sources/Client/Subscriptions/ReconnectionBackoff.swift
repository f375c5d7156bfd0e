/// Counts the attempts to reconnect a subscription, in a row and within the policy's period, and returns how long to wait
/// before the next one.
package struct ReconnectionBackoff: Sendable {
  private let policy: ReconnectionPolicy
  /// The coming attempt, from 1; 0 while no connection was lost.
  package private(set) var attempt = 0
  private var liveSince: ContinuousClock.Instant?
  /// When the connections were lost that were made again within the policy's period.
  private var recentLosses: [ContinuousClock.Instant] = []

  package init(policy: ReconnectionPolicy) {
    self.policy = policy
  }

  /// Whether the server has ever listened: a connection that never stood is not made again.
  package private(set) var hasBeenLive = false

  package mutating func becameLive(at instant: ContinuousClock.Instant) {
    hasBeenLive = true
    liveSince = instant
  }

  /// The number of attempts that counts against the policy's limit.
  package var attemptCount: Int { max(attempt, recentLosses.count) }

  /// Takes the end of a connection; returns how long to wait before the next one, nil when it was the last.
  package mutating func lost(at instant: ContinuousClock.Instant) -> Duration? {
    if let liveSince, instant - liveSince >= policy.steadyAfter { attempt = 0 }
    liveSince = nil
    let period = policy.period
    recentLosses.removeAll { instant - $0 >= period }
    guard attemptCount < policy.maximumAttempts else { return nil }
    attempt += 1
    recentLosses.append(instant)
    return policy.delay(before: attempt)
  }
}
