/// Counts how often in a row a subscription's connection was lost, and says how long to wait before the next one.
package struct Reconnection: Sendable {
  private let policy: ReconnectionPolicy
  /// The coming attempt, from 1; 0 while no connection was lost.
  package private(set) var attempt = 0
  private var liveSince: ContinuousClock.Instant?

  package init(policy: ReconnectionPolicy) {
    self.policy = policy
  }

  /// Whether the server has ever listened: a connection that never stood is not made again.
  package private(set) var hasBeenLive = false

  package mutating func becameLive(at instant: ContinuousClock.Instant) {
    hasBeenLive = true
    liveSince = instant
  }

  /// Takes the end of a connection; returns how long to wait before the next one, nil when it was the last.
  package mutating func lost(at instant: ContinuousClock.Instant) -> Duration? {
    if let liveSince, instant - liveSince >= policy.steadyAfter { attempt = 0 }
    liveSince = nil
    guard attempt < policy.maximumAttempts else { return nil }
    attempt += 1
    return policy.delay(before: attempt)
  }
}
