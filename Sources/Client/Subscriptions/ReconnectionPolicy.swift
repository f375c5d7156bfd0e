import ApusAlgorithms

/// The policy for reconnecting after a lost connection. Delays double and have a random part, so that many clients do
/// not reconnect at the same time.
public struct ReconnectionPolicy: Sendable, Hashable {
  /// The number of attempts in a row, and in total within `period`, before the subscription fails; 0 never reconnects.
  public var maximumAttempts = 8
  /// The period in which there are at most `maximumAttempts` attempts, however long each connection lasted. Two minutes
  /// stop reconnecting to a server that ends each response after ten seconds, but not to one whose proxy closes
  /// connections every thirty seconds.
  public var period: Duration = .seconds(120)
  /// The time after which a live connection resets the count and the delays. An event does not reset them, because a
  /// server that ends each connection after its first event would cause two attempts per second forever. Ten seconds
  /// are longer than such a connection lasts, and shorter than the idle limits of proxies (at least 30 seconds), which
  /// are the usual reason to reconnect.
  public var stableAfter: Duration = .seconds(10)
  /// The delay before the first attempt; each later one is twice as long.
  public var firstDelay: Duration = .milliseconds(500)
  /// The upper limit of a delay.
  public var longestDelay: Duration = .seconds(30)
  /// The random part of each delay, from 0 to 1.
  public var jitter = 0.5

  /// Creates the default policy: up to eight attempts in a row or within two minutes, with delays from half a second to
  /// 30 seconds.
  public init() {}

  /// Returns the delay before an attempt; the first one has the number 1.
  public func delay(before attempt: Int) -> Duration {
    var random = SystemRandomNumberGenerator()
    return delay(before: attempt, using: &random)
  }

  package func delay(before attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
    let backoff = Backoff(first: firstDelay, longest: longestDelay, jitter: jitter)
    return backoff.delay(before: attempt, chance: Double.random(in: 0..<1, using: &random))
  }
}
