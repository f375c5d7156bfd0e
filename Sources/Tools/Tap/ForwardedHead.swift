/// The heads that a relay sends on: without the fields that belong to one connection (RFC 9110, section 7.6.1), and with all
/// others unchanged.
///
/// | field | to the server | to the application |
/// |---|---|---|
/// | `Connection`, `Keep-Alive`, `Proxy-Connection`, and fields that `Connection` names | removed | removed |
/// | `Connection: close` | sent if the application closes its connection after the response | sent if the server closes its one, or the body ends with it |
/// | `Upgrade` | kept for WebSockets, else removed | kept in a response with status 101, else removed |
/// | `Transfer-Encoding` | kept, since chunks are sent on | kept; removed for HTTP/1.0, which gets the content of the chunks |
/// | `TE` | `trailers` is kept | – |
/// | `Host` | replaced by that of the server | – |
/// | `Content-Length` | kept | removed beside a `Transfer-Encoding`, which overrides it |
enum ForwardedHead {
  private static let hopByHop: Set<String> = ["connection", "keep-alive", "proxy-connection", "te", "upgrade"]
  /// The fields that describe the message itself, which `Connection` cannot remove.
  private static let framing: Set<String> = ["content-length", "host", "transfer-encoding"]

  /// Returns the head of a request to the server.
  static func request(_ head: MessageHead, _ line: RequestLine, host: String) -> MessageHead {
    var forwarded = endToEnd(head)
    forwarded.startLine = "\(line.method) \(line.target) HTTP/1.1"
    if let index = forwarded.fields.firstIndex(where: { $0.isNamed("host") }) {
      forwarded.fields[index].value = Array(host.utf8)
    }
    var connection: [String] = line.keepsConnection ? [] : ["close"]
    if line.isWebSocket {
      forwarded.fields.append(contentsOf: head.fields.filter { $0.isNamed("upgrade") })
      connection.append("Upgrade")
    }
    if head.elements("te").contains("trailers") {
      forwarded.fields.append(.init("TE", "trailers"))
      connection.append("TE")
    }
    if !connection.isEmpty { forwarded.fields.append(.init("Connection", connection.joined(separator: ", "))) }
    return forwarded
  }

  /// Returns the head of a response to the application.
  ///
  /// - Parameters:
  ///   - isChunked: Whether the body is sent in chunks.
  ///   - keepsConnection: Whether another request may follow on the connection.
  static func response(_ head: MessageHead, isChunked: Bool, keepsConnection: Bool) -> MessageHead {
    var forwarded = endToEnd(head)
    let line = StatusLine(head.startLine)
    // Each message has the version of its sender (RFC 9112, section 2.3).
    forwarded.startLine = "HTTP/1.1" + head.startLine.dropFirst(8)
    if head.fields.contains(where: { $0.isNamed("transfer-encoding") }) {
      forwarded.fields.removeAll { $0.isNamed("content-length") || !isChunked && $0.isNamed("transfer-encoding") }
    }
    if line?.status == 101 {
      forwarded.fields.append(contentsOf: head.fields.filter { $0.isNamed("upgrade") })
      forwarded.fields.append(.init("Connection", "Upgrade"))
    } else if !keepsConnection {
      forwarded.fields.append(.init("Connection", "close"))
    }
    return forwarded
  }

  private static func endToEnd(_ head: MessageHead) -> MessageHead {
    let removed = hopByHop.union(head.elements("connection")).subtracting(framing)
    var forwarded = head
    forwarded.fields.removeAll { removed.contains($0.name.lowercased()) }
    return forwarded
  }
}

/// The first line of a request, and the properties of the request that follow from its head.
struct RequestLine: Equatable {
  let method: String
  /// The target for the server: path and query, or `*`.
  let target: String
  /// The scheme, host and port in front of the path, as a client sends them to a proxy; `nil` if there are none.
  let authority: String?
  /// Whether the version is 1.1, not 1.0.
  let isCurrent: Bool
  /// Whether another request may follow on the connection.
  let keepsConnection: Bool
  let isWebSocket: Bool

  init(_ head: MessageHead) throws(MessageHead.Malformed) {
    let words = head.startLine.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].utf8.allSatisfy(MessageHead.isTokenByte), !words[1].isEmpty
    else {
      throw .init(reason: "its first line is not 'METHOD TARGET HTTP/1.1'")
    }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      throw .init(reason: "its version is not HTTP/1.1; use HTTP/1.1 to the URL of 'apus tap'")
    }
    method = String(words[0])
    if let start = words[1].firstRange(of: "://"), !words[1].hasPrefix("/") {
      let path = words[1][start.upperBound...].firstIndex { "/?".contains($0) } ?? words[1].endIndex
      authority = String(words[1][start.upperBound..<path])
      let rest = words[1][path...]
      target = rest.hasPrefix("/") ? String(rest) : "/" + rest
    } else {
      authority = nil
      target = String(words[1])
    }
    isCurrent = words[2] == "HTTP/1.1"
    let connection = head.elements("connection")
    keepsConnection = isCurrent && !connection.contains("close")
    isWebSocket =
      isCurrent && connection.contains("upgrade") && head.elements("upgrade") == ["websocket"] && method == "GET"
  }
}

/// The first line of a response.
struct StatusLine: Equatable {
  let status: Int
  /// Whether the version is 1.1, not 1.0.
  let isCurrent: Bool

  /// Creates the line; `nil` if it is not that of an HTTP/1 response.
  init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", words[1].utf8.count == 3,
      let status = Int(words[1]), (100..<1000).contains(status)
    else { return nil }
    self.status = status
    isCurrent = words[0] == "HTTP/1.1"
  }
}
