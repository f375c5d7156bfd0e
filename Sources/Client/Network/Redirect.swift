extension HTTPRequest {
  /// Whether this request, already as the redirect asks for it, may go from one place to the other: what it carries must
  /// not become readable on the way, and what it changes it changes where the person meant it to.
  func mayFollow(from: TargetURL, to: TargetURL) -> Bool {
    guard body != nil || upload != nil, !mayLeaveWithBody else { return true }
    if from.scheme == "https", to.scheme == "http" { return false }
    return isRepeatable || from.sharesCredentials(with: to)
  }

  /// Header fields that say nothing about who asks. All others stay behind when a redirect leaves the host: an API
  /// key may be in a header of any name.
  private static let impersonalHeaders: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "content-type", "user-agent",
  ]

  /// Turns this request into the one that a redirect asks for: after 303 it becomes a GET without a body, all others keep
  /// method and body. RFC 9110, section 15.4.2, allows a GET after 301 and 302 too, but an operation without its document
  /// is none. On another host nothing that identifies the user is sent.
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
