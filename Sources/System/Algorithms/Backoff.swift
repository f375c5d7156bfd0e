/// Delays between attempts: each is twice as long as the one before, up to a longest one, with a part of each left to chance so
/// that clients that failed together do not return together.
package struct Backoff: Sendable {
  private let first: Duration
  private let longest: Duration
  private let jitter: Double

  /// `jitter` is the part of a delay that is left to chance, from 0 to 1.
  package init(first: Duration, longest: Duration, jitter: Double) {
    self.first = first
    self.longest = longest
    self.jitter = min(max(jitter, 0), 1)
  }

  /// The delay before an attempt, counted from 1; `chance` is from 0 to 1.
  package func delay(before attempt: Int, chance: Double) -> Duration {
    let doublings = min(max(attempt - 1, 0), 20)
    return min(first * (1 << doublings), longest) * (1 - jitter * chance)
  }
}
