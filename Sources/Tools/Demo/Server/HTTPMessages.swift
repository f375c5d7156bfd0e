/// A request as the server's handler sees it: whole, its query decoded.
struct HTTPRequest: Sendable {
  var method: String
  var path: String
  var query: [String: String] = [:]
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []

  func header(_ name: String) -> String? { all(name).first }

  /// The values of a header, as often as it was sent.
  func all(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}

/// What the handler answers.
struct HTTPAnswer: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Each element leaves at once, as a chunk. When the client is gone, nobody reads on.
    case stream(AsyncStream<[UInt8]>)
    /// The connection becomes a WebSocket, served by this closure on a thread of its own; the bytes are what the client
    /// has sent already.
    case upgrade(@Sendable (UpgradedSocket, [UInt8]) -> Void)
  }

  var status: Int
  var headers: [(name: String, value: String)]
  var body: Body

  init(_ status: Int, _ contentType: String, _ body: Body, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.headers = [("Content-Type", contentType)] + headers
    self.body = body
  }

  /// An answer that has nothing to describe.
  init(_ status: Int, _ body: Body, headers: [(name: String, value: String)]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
