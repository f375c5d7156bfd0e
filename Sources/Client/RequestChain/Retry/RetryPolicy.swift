import ApusAlgorithms
import ApusClientNetwork

/// When a request that failed is tried again, and how long that waits.
public struct RetryPolicy: Sendable {
  /// The wait before the first retry; each one after it waits twice as long.
  public var firstDelay: Duration = .milliseconds(300)
  /// No wait is longer; a server that asks for more is not asked again.
  public var longestDelay: Duration = .seconds(30)
  /// How much of a wait is left to chance, from 0 to 1, so that clients that failed together do not come back together.
  public var jitter = 0.5
  /// The status codes that say that trying again may help.
  public var statusCodes: Set<Int> = Self.usualStatusCodes
  /// A number from 0 to 1, different each time.
  public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }
  /// Waits so long. Throws `CancellationError` when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  private static let usualStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// Waits of 0.3, 0.6, 1.2 seconds and so on, up to half of each left to chance.
  public init() {}

  /// The wait before the retry of this number, from 1; `asked` is what the server asked for. nil when that is too long.
  public func delay(before retry: Int, asked: Duration? = nil) -> Duration? {
    let backoff = Backoff(first: firstDelay, longest: longestDelay, jitter: jitter)
    let own = backoff.delay(before: retry, chance: chance())
    guard let asked else { return own }
    return asked <= longestDelay ? max(asked, own) : nil
  }

  /// Whether trying again may help after this error.
  package func mayHelp(_ error: any Error) -> Bool {
    switch error {
    case GraphQLClientError.network(let failure): failure.isTransient
    case GraphQLClientError.status(let failure): statusCodes.contains(failure.code)
    default: false
    }
  }
}
