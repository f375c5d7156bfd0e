extension HTTPRequest {
  /// Whether the request stays on this machine: a loopback address or a Unix socket.
  package var isToLoopback: Bool {
    if connection.unixSocket != nil { return true }
    guard let host = try? TargetURL(parsing: url).host.lowercased() else { return false }
    return ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
  }
}
