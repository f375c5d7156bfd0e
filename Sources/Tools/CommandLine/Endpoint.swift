import ClientNetwork

/// The endpoint that a command line names, with the options for reaching it.
enum Endpoint {
  static func request(for name: String, _ arguments: ParsedArguments) throws(CommandFailure) -> HTTPRequest {
    var request = HTTPRequest(url: name)
    for value in arguments.values("header") {
      for (name, value) in try header(value, arguments) { request.headers.add(name: name, value: value) }
    }
    if let seconds = try arguments.number("timeout") { request.timeouts.total = .milliseconds(Int(seconds * 1000)) }
    request.connection.isInsecure = arguments.has("insecure")
    request.connection.certificateAuthorityFile = arguments.value("cacert")
    request.connection.certificateFile = arguments.value("cert")
    request.connection.keyFile = arguments.value("key")
    request.connection.proxy = arguments.value("proxy")
    return request
  }

  /// `Name: value`, or a file with one such line for each header.
  private static func header(
    _ text: String, _ arguments: ParsedArguments
  ) throws(CommandFailure) -> [(String, String)] {
    guard !text.hasPrefix("@") else {
      let file = String(text.dropFirst())
      let lines = String(decoding: try LocalFile.read(file), as: UTF8.self).split(whereSeparator: \.isNewline)
      var fields: [(String, String)] = []
      for line in lines where !line.allSatisfy(\.isWhitespace) {
        guard let field = field(line) else {
          throw .usage("a line of \(file) is not 'Name: value'", command: arguments.command.name)
        }
        fields.append(field)
      }
      return fields
    }
    // The value may be a secret: it is not repeated in the message.
    guard let field = field(text[...]) else {
      throw .usage("--header takes 'Name: value' or @FILE", command: arguments.command.name)
    }
    return [field]
  }

  private static func field(_ line: Substring) -> (String, String)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let name = line[..<colon].trimmingSpaces
    return name.isEmpty ? nil : (name, line[line.index(after: colon)...].trimmingSpaces)
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    let head = drop { $0.isWhitespace }
    return String(head[..<(head.lastIndex { !$0.isWhitespace }.map { head.index(after: $0) } ?? head.startIndex)])
  }
}
