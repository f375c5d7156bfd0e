/// Exponential delays between attempts. Each delay is twice the previous one, up to a maximum, and is shortened by a
/// random amount so that clients that failed together do not retry together.
package struct Backoff: Sendable {
  private let first: Duration
  private let longest: Duration
  private let jitter: Double

  /// `jitter` is the fraction of a delay that is random, from 0 to 1.
  package init(first: Duration, longest: Duration, jitter: Double) {
    self.first = first
    self.longest = longest
    self.jitter = min(max(jitter, 0), 1)
  }

  /// Returns the delay before an attempt, counted from 1: with a first delay of 1 s and no jitter 1 s, 2 s, 4 s.
  /// `chance` is a random number from 0 to 1.
  package func delay(before attempt: Int, chance: Double) -> Duration {
    let doublings = min(max(attempt - 1, 0), 20)
    return min(first * (1 << doublings), longest) * (1 - jitter * chance)
  }
}
