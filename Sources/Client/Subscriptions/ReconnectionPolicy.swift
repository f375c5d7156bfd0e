import ApusAlgorithms

/// The attempts to reconnect after a lost connection. Delays double and have a random part, so that many clients do not
/// reconnect at one moment.
public struct ReconnectionPolicy: Sendable, Hashable {
  /// The number of attempts in a row, and in total within `period`, before the subscription fails; 0 never reconnects.
  public var maximumAttempts = 8
  /// The time in which there are at most `maximumAttempts` attempts, however long each connection lasted. Two minutes stop a
  /// server that ends each response after ten seconds, and outlast proxies that cut a connection every thirty.
  public var period: Duration = .seconds(120)
  /// The time after which a live connection resets the count and the delays. An event does not reset them: a server that ends
  /// each connection after its first event would be asked twice a second for ever. Ten seconds are more than such a server
  /// takes, and less than the idle limits of proxies (30 seconds and more), the usual reason to reconnect.
  public var steadyAfter: Duration = .seconds(10)
  /// The delay before the first attempt; each later one is twice as long.
  public var firstDelay: Duration = .milliseconds(500)
  /// The upper limit of a delay.
  public var longestDelay: Duration = .seconds(30)
  /// The random part of each delay, from 0 to 1.
  public var jitter = 0.5

  /// Up to eight attempts within two minutes or in a row, after half a second, a second, and so on up to 30.
  public init() {}

  /// Returns the delay before an attempt; the first has the number 1.
  public func delay(before attempt: Int) -> Duration {
    var random = SystemRandomNumberGenerator()
    return delay(before: attempt, using: &random)
  }

  package func delay(before attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
    let backoff = Backoff(first: firstDelay, longest: longestDelay, jitter: jitter)
    return backoff.delay(before: attempt, chance: Double.random(in: 0..<1, using: &random))
  }
}
