// Former names of public declarations, which the next version removes.

import ApusClientNetwork

/// The former name of `SubscriptionError`.
@available(*, deprecated, renamed: "SubscriptionError")
public typealias SubscriptionFailure = SubscriptionError

extension SubscriptionError {
  /// The former name of `retriesExhausted(attempts:last:)`.
  @available(*, deprecated, renamed: "retriesExhausted(attempts:last:)")
  public static func givenUp(attempts: Int, last: any Error) -> Self {
    .retriesExhausted(attempts: attempts, last: last)
  }

  /// The former name of `rejected(_:body:)`.
  @available(*, deprecated, renamed: "rejected(_:body:)")
  public static func refused(_ head: HTTPHead, body: [UInt8]) -> Self { .rejected(head, body: body) }

  /// The former name of `protocolViolation(url:reason:)`.
  @available(*, deprecated, renamed: "protocolViolation(url:reason:)")
  public static func brokenProtocol(url: String, reason: String) -> Self {
    .protocolViolation(url: url, reason: reason)
  }
}

extension ReconnectionPolicy {
  /// The former name of `stableAfter`.
  @available(*, deprecated, renamed: "stableAfter")
  public var steadyAfter: Duration {
    get { stableAfter }
    set { stableAfter = newValue }
  }
}
