import ApusSecrets

extension HTTPHead {
  /// The target of a redirect that a request with content may follow; `nil` for other responses.
  var redirectLocation: String? {
    guard [301, 302, 303, 307, 308].contains(status), let location = headers["Location"], !location.isEmpty else {
      return nil
    }
    return location
  }

  /// The `Location` of a response with a status of redirection, for display.
  package var shownLocation: String? {
    (300..<400).contains(status) ? headers["Location"].map { RedactedURL.withoutSecrets($0) } : nil
  }
}

extension HTTPRequest {
  /// Whether this request, already changed for the redirect, may follow it: its content must not become readable on the
  /// way, and its changes must reach the intended server. The messages of a WebSocket are content as well.
  func mayFollow(from: TargetURL, to: TargetURL, isWebSocket: Bool = false) -> Bool {
    guard isWebSocket || body != nil || upload != nil, !allowsCrossOriginBody else { return true }
    if from.scheme == "https", to.scheme == "http" { return false }
    return isRepeatable || from.sharesCredentials(with: to)
  }

  /// Changes the request for a redirect. Status 303 makes it a GET without a body; others keep method and body. RFC
  /// 9110, section 15.4.2, also allows a GET for 301 and 302, but that would drop the operation. Another origin gets
  /// the client's own header fields instead of the request's: any field that the user typed may contain an API key, even
  /// `User-Agent` or `Accept-Language`.
  mutating func follow(status: Int, sharesCredentials: Bool) {
    if status == 303 && method != "HEAD" {
      method = "GET"
      body = nil
      upload = nil
      headers["Content-Type"] = nil
      ownHeaders["Content-Type"] = nil
    }
    if !sharesCredentials { leaveOrigin() }
  }

  /// Directs the request to another URL of its service, whose scheme may be `ws` or `wss`. Another origin gets only the
  /// client's own header fields.
  package mutating func address(to url: String) {
    let isSame = hasOrigin(of: url)
    self.url = WebURL.overHTTP(url)
    if !isSame { leaveOrigin() }
  }

  /// Whether a URL, whose scheme may be `ws` or `wss`, has the origin of the request.
  package func hasOrigin(of url: String) -> Bool {
    let origin = Origin(url: self.url)
    return origin != nil && origin == Origin(url: WebURL.overHTTP(url))
  }

  /// Removes everything that was given for the origin of the request.
  private mutating func leaveOrigin() {
    headers = ownHeaders
    connection.certificateFile = nil
    connection.keyFile = nil
    connection.netrcFile = nil
  }
}
