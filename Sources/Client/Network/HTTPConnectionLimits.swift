/// Limits on the connections that a transport opens for requests. A request beyond a limit waits until another one
/// ends.
///
/// Up to 100 requests share an HTTP/2 or HTTP/3 connection. Long-lived responses do not count: subscriptions, multipart
/// responses, and responses that are paused because of a slow reader. WebSockets do not count either.
public struct HTTPConnectionLimits: Sendable, Hashable {
  /// The maximum number of connections per host and port; by default 6, as in browsers.
  public var perHost: Int
  /// The maximum number of connections in total; by default 64.
  public var total: Int

  /// Creates limits. Values below 1 count as 1.
  public init(perHost: Int = 6, total: Int = 64) {
    self.perHost = max(1, perHost)
    self.total = max(1, total)
  }
}
