extension HTTPRequest {
  /// Whether this request, already changed for the redirect, may follow it: its content must not become readable on the
  /// way, and its changes must reach the intended server.
  func mayFollow(from: TargetURL, to: TargetURL) -> Bool {
    guard body != nil || upload != nil, !allowsCrossOriginBody else { return true }
    if from.scheme == "https", to.scheme == "http" { return false }
    return isRepeatable || from.sharesCredentials(with: to)
  }

  /// Header fields that do not identify the user. All others are dropped when a redirect leads to another host, because
  /// any of them may contain an API key.
  private static let impersonalHeaders: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "content-type", "user-agent",
  ]

  /// Changes the request for a redirect. Status 303 makes it a GET without a body; others keep method and body. RFC
  /// 9110, section 15.4.2, also allows a GET for 301 and 302, but that would drop the operation. On another host
  /// nothing that identifies the user is sent.
  mutating func follow(status: Int, sharesCredentials: Bool) {
    if status == 303 && method != "HEAD" {
      method = "GET"
      body = nil
      upload = nil
      headers["Content-Type"] = nil
    }
    if !sharesCredentials {
      headers = HTTPHeaders(headers.fields.filter { Self.impersonalHeaders.contains($0.name.lowercased()) })
      connection.certificateFile = nil
      connection.keyFile = nil
      connection.netrcFile = nil
    }
  }
}
