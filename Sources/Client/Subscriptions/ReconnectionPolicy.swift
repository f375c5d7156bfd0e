import ApusAlgorithms

/// How a lost connection is made again: waits grow by a factor of two and are scattered, so that many clients do not come
/// back in one moment.
public struct ReconnectionPolicy: Sendable, Hashable {
  /// The number of attempts in a row, and in total within `period`, before the subscription fails; 0 never reconnects.
  public var maximumAttempts = 8
  /// The time in which there are at most `maximumAttempts` attempts, however long each connection lasted. Two minutes stop a
  /// server that ends each response after ten seconds, and outlast proxies that cut a connection every thirty.
  public var period: Duration = .seconds(120)
  /// How long a connection must have been live for the count, and with it the waits, to start anew. Events do not: a server
  /// that ends each connection behind its first event would be asked again twice a second for ever. Ten seconds are
  /// more than such a server takes, and less than the idle limits of proxies (30 seconds and more), whose cuts are the
  /// usual reason for connecting again.
  public var steadyAfter: Duration = .seconds(10)
  /// The wait before the first attempt; each one after it waits twice as long.
  public var firstDelay: Duration = .milliseconds(500)
  /// No wait is longer.
  public var longestDelay: Duration = .seconds(30)
  /// What part of each delay is left to chance, from 0 to 1.
  public var jitter = 0.5

  /// Up to eight attempts within two minutes or in a row, after half a second, a second, and so on up to 30.
  public init() {}

  /// How long to wait before an attempt, counted from 1.
  public func delay(before attempt: Int) -> Duration {
    var random = SystemRandomNumberGenerator()
    return delay(before: attempt, using: &random)
  }

  package func delay(before attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
    let backoff = Backoff(first: firstDelay, longest: longestDelay, jitter: jitter)
    return backoff.delay(before: attempt, chance: Double.random(in: 0..<1, using: &random))
  }
}
