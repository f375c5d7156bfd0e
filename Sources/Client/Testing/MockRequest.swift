/// A request received by a `MockServer`.
public struct MockRequest: Sendable {
  /// The HTTP request.
  public let http: HTTPRequest
  /// The operation's name; nil if it has none.
  public let operationName: String?
  /// The document's text; nil for a persisted query that is sent only as a hash.
  public let query: String?
  /// Variables, as a JSON object; empty if there are none.
  public let variables: JSONValue
  /// The request's extensions, such as a persisted query's digest; `nil` if there are none.
  public let extensions: JSONValue?

  init(_ http: HTTPRequest) {
    self.http = http
    let members = Self.members(of: http)
    operationName = members["operationName"]?.string
    query = members["query"]?.string
    variables = members["variables"].flatMap { $0.isNull ? nil : $0 } ?? .object([])
    extensions = members["extensions"]
  }

  /// Returns the members of the request: from a JSON body, from the `operations` of a multipart form, or from the URL.
  private static func members(of http: HTTPRequest) -> JSONValue {
    if let body = http.body { return parsed(body) }
    if let upload = http.upload {
      guard case .bytes(let form)? = upload.pieces.first else { return .object([]) }
      let text = String(decoding: form, as: UTF8.self)
      guard let start = text.firstRange(of: "\r\n\r\n"), let end = text[start.upperBound...].firstRange(of: "\r\n--")
      else { return .object([]) }
      return parsed(Array(text[start.upperBound..<end.lowerBound].utf8))
    }
    guard let start = http.url.firstIndex(of: "?") else { return .object([]) }
    var members: [(String, JSONValue)] = []
    for pair in http.url[http.url.index(after: start)...].split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { continue }
      let name = decoded(halves[0])
      let value = decoded(halves[1])
      let isJSON = name == "variables" || name == "extensions"
      members.append((name, isJSON ? parsed(Array(value.utf8)) : JSONValue(value)))
    }
    return .object(members)
  }

  private static func parsed(_ bytes: [UInt8]) -> JSONValue { (try? JSONDocument(parsing: bytes).root) ?? .object([]) }

  /// Decodes percent-encoding (RFC 3986, section 2.1).
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
