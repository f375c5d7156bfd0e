/// A complete request with decoded query parameters.
struct ServerRequest: Sendable {
  var method: String
  var path: String
  var query: [String: String] = [:]
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []

  func header(_ name: String) -> String? { all(name).first }

  /// Returns all values of a header field.
  func all(_ name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}

/// A response of the handler.
struct ServerResponse: Sendable {
  enum Body: Sendable {
    case bytes([UInt8])
    /// Each element is sent immediately as a chunk. The stream is no longer read when the client disconnects.
    case stream(AsyncStream<[UInt8]>)
    /// The connection becomes a WebSocket, which this closure serves on its own thread. The bytes are those that the
    /// client has already sent.
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

  /// Creates a response without a content type.
  init(_ status: Int, _ body: Body, headers: [(name: String, value: String)]) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
