import ApusAlgorithms
import ApusClientNetwork

/// The conditions and delays of retries.
public struct RetryPolicy: Sendable {
  /// The delay before the first retry. Each further one is twice as long.
  public var firstDelay: Duration = .milliseconds(300)
  /// The longest delay. If the server requests a longer one, the request is not retried.
  public var longestDelay: Duration = .seconds(30)
  /// The random fraction of a delay, from 0 to 1, so that clients that failed together do not retry together.
  public var jitter = 0.5
  /// The status codes that allow a retry.
  public var statusCodes: Set<Int> = Self.usualStatusCodes
  /// Returns a random number from 0 to 1.
  public var randomSource: @Sendable () -> Double = { Double.random(in: 0...1) }
  /// Waits for a duration. Throws `CancellationError` if the task is canceled.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  private static let usualStatusCodes: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// Creates a policy with delays of 0.3, 0.6, 1.2 seconds and so on, up to half of each random.
  public init() {}

  /// Returns the delay before a retry, numbered from 1, or nil if it would be too long. `requested` is the server's
  /// request.
  public func delay(before retry: Int, requested: Duration? = nil) -> Duration? {
    let backoff = Backoff(first: firstDelay, longest: longestDelay, jitter: jitter)
    let computed = backoff.delay(before: retry, chance: randomSource())
    guard let requested else { return computed }
    return requested <= longestDelay ? max(requested, computed) : nil
  }

  /// Whether a retry may help after this error.
  package func mayHelp(_ error: any Error) -> Bool {
    switch error {
    case GraphQLClientError.network(let failure): failure.isTransient
    case GraphQLClientError.status(let failure): statusCodes.contains(failure.code)
    default: false
    }
  }
}
