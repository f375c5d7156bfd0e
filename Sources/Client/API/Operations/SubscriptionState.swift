/// Where a subscription's connection stands.
public enum SubscriptionState: Sendable, Hashable {
  /// The connection is being made for the first time.
  case connecting
  /// The server listens and may send events.
  case live
  /// The connection was lost; `attempt` is the coming one, from 1.
  case reconnecting(attempt: Int, reason: String)
  /// The subscription is over: the server completed it, it was given up, or the reader left.
  case finished

  /// The state's name as the command line and the explorer print it.
  public var name: String {
    switch self {
    case .connecting: "connecting"
    case .live: "live"
    case .reconnecting: "reconnecting"
    case .finished: "finished"
    }
  }
}
