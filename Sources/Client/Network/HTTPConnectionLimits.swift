/// The most connections that a transport makes for requests. A request beyond a limit waits until another one has ended.
///
/// Up to 100 requests share a connection that speaks HTTP/2 or HTTP/3. Long-lived responses do not count: subscriptions,
/// responses in parts, and those that their reader holds back. WebSockets do not count either.
public struct HTTPConnectionLimits: Sendable, Hashable {
  /// The most connections to one host and port: 6 unless set otherwise, as in browsers.
  public var perHost: Int
  /// The most connections to all hosts together: 64 unless set otherwise.
  public var total: Int

  /// Limits of at least one connection each; a smaller number counts as one.
  public init(perHost: Int = 6, total: Int = 64) {
    self.perHost = max(1, perHost)
    self.total = max(1, total)
  }
}
