/// A request line, such as `POST https://api.example/graphql HTTP/1.1`, `GRAPHQL {{host}}`, or a URL alone.
struct HTTPRequestLine {
  let method: String
  let target: String

  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "GRAPHQL", "WEBSOCKET", "GRPC",
  ]

  /// Returns `nil` if the line is not a request line.
  init?(_ line: String) {
    // Split by scalars, because a space before a combining mark is a separator too. Spaces inside variables are not
    // separators.
    let plain = ImportTemplate(line).renamed { $0 }
    var words = plain.unicodeScalars.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map { String($0) }
    if words.count > 1, let last = words.last, last.uppercased().hasPrefix("HTTP/") { words.removeLast() }
    guard let first = words.first else { return nil }
    if words.count == 1, Self.isURL(first) {
      method = "GET"
      target = first
      return
    }
    guard words.count > 1, Self.methods.contains(first.uppercased()) else { return nil }
    let target = words.dropFirst().joined(separator: " ")
    let isAddress = first == first.uppercased() && words.count == 2 && target.contains { ".:".contains($0) }
    guard Self.isURL(target) || target.hasPrefix("/") || isAddress else { return nil }
    method = first.uppercased()
    self.target = target
  }

  private static func isURL(_ word: String) -> Bool {
    let scheme = word.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    return !scheme.isEmpty && word[scheme.endIndex...].hasPrefix("://") || word.hasPrefix("{{")
      || word.hasPrefix("localhost:")
  }

  /// Returns the request line of text that starts with one, after comments and variables.
  static func first(in text: String) -> HTTPRequestLine? {
    for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) where isContent(line) {
      return HTTPRequestLine(String(line))
    }
    return nil
  }

  private static func isContent(_ line: Substring) -> Bool {
    !line.allSatisfy(\.isWhitespace) && !["#", "//", "@"].contains { line.hasPrefix($0) }
  }
}
