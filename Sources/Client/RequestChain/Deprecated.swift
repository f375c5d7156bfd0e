// Former names of public declarations, which the next version removes.

import ApusClientNetwork

/// The former name of `HTTPStatusError`.
@available(*, deprecated, renamed: "HTTPStatusError")
public typealias StatusFailure = HTTPStatusError

extension RequestMonitor {
  /// The former name of `Snapshot`.
  @available(*, deprecated, renamed: "Snapshot")
  public typealias Facts = Snapshot
}

extension ClientEvent {
  /// The former name of `SentRequest`.
  @available(*, deprecated, renamed: "SentRequest")
  public typealias Sent = SentRequest
}

extension ClientEvent {
  /// The former name of `ResponseHead`.
  @available(*, deprecated, renamed: "ResponseHead")
  public typealias Responded = ResponseHead
}

extension ClientEvent {
  /// The former name of `EmittedResult`.
  @available(*, deprecated, renamed: "EmittedResult")
  public typealias Emitted = EmittedResult
}

extension ClientEvent {
  /// The former name of `CacheWrite`.
  @available(*, deprecated, renamed: "CacheWrite")
  public typealias CacheWritten = CacheWrite
}

extension GraphQLClientError {
  /// The former name of `mutationNotRetried(last:)`.
  @available(*, deprecated, renamed: "mutationNotRetried(last:)")
  public static func mutationNotRepeated(last: (any Error)?) -> Self { .mutationNotRetried(last: last) }

  /// The former name of `invalidJSON(url:reason:)`.
  @available(*, deprecated, renamed: "invalidJSON(url:reason:)")
  public static func brokenJSON(url: String, reason: String) -> Self { .invalidJSON(url: url, reason: reason) }

  /// The former name of `protocolViolation(url:reason:)`.
  @available(*, deprecated, renamed: "protocolViolation(url:reason:)")
  public static func brokenProtocol(url: String, reason: String) -> Self {
    .protocolViolation(url: url, reason: reason)
  }
}

extension RequestFeatures {
  /// The former name of `deduplicatesQueries`.
  @available(*, deprecated, renamed: "deduplicatesQueries")
  public var sharesIdenticalQueries: Bool {
    get { deduplicatesQueries }
    set { deduplicatesQueries = newValue }
  }
}

extension RetryPolicy {
  /// The former name of `randomSource`.
  @available(*, deprecated, renamed: "randomSource")
  public var chance: @Sendable () -> Double {
    get { randomSource }
    set { randomSource = newValue }
  }
}

extension RequestChainNetworkTransport {
  /// The initializer with the former label of `deduplicatesQueries`.
  @available(*, deprecated, message: "Use 'deduplicatesQueries'")
  public init(endpoint: HTTPRequest, interceptorProvider: any InterceptorProvider, sharesIdenticalQueries: Bool) {
    self.init(
      endpoint: endpoint, interceptorProvider: interceptorProvider, deduplicatesQueries: sharesIdenticalQueries)
  }
}

extension RetryPolicy {
  /// The former name of `delay(before:requested:)`.
  @available(*, deprecated, renamed: "delay(before:requested:)")
  public func delay(before retry: Int, asked: Duration?) -> Duration? { delay(before: retry, requested: asked) }
}
