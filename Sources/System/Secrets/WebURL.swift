/// URLs whose scheme may name WebSockets.
package enum WebURL {
  /// Replaces `ws` by `http` and `wss` by `https`, because a client opens a WebSocket by upgrading an HTTP connection.
  package static func overHTTP(_ url: String) -> String {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return scheme == "ws" || scheme == "wss" ? "http" + url.dropFirst(2) : url
  }

  /// Whether a text is a URL that a request can be sent to: without white space, and with one of the four schemes.
  package static func isServer(_ url: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }
    return ["http", "https", "ws", "wss"].contains(scheme.lowercased()) && url.dropFirst(scheme.count).hasPrefix("://")
      && !url.contains(where: \.isWhitespace)
  }
}
