/// The state of a subscription's connection.
public enum SubscriptionState: Sendable, Hashable {
  /// The first connection is being established.
  case connecting
  /// The server accepted the subscription and may send events.
  case active
  /// The connection was lost. `attempt` is the number of the next attempt, from 1.
  case reconnecting(attempt: Int, reason: String)
  /// The subscription ended: the server completed it, reconnecting failed, or the reader stopped.
  case finished

  /// The name of the state in the command line and the explorer.
  public var name: String {
    switch self {
    case .connecting: "connecting"
    case .active: "live"
    case .reconnecting: "reconnecting"
    case .finished: "finished"
    }
  }
}
