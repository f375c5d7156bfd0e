import ApusJSON

extension SharedRequest {
  /// The first request of an HTTP file, as editors run them: a request line, headers, an empty line, the body.
  init?(http text: String) {
    // The two characters of a line end of the web are one to Swift.
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)[...]
    lines = lines.drop { $0.isEmpty || $0.hasPrefix("#") || $0.hasPrefix("//") || $0.hasPrefix("@") }
    guard let request = lines.popFirst() else { return nil }
    // By scalars: a blank before a combining mark is a blank.
    let words = request.unicodeScalars.split(separator: " ").map { String($0) }
    let isBare = words.first?.contains("://") == true
    guard isBare || words.count >= 2, let target = isBare ? words.first : words[1] else { return nil }
    var headers: [Header] = []
    while let line = lines.popFirst(), !line.isEmpty {
      guard let field = HeaderText(line) else { continue }
      headers.append(Header(name: field.name, foreign: field.value))
    }
    // A request line that has the path alone (RFC 9112, section 3.2.1): the field says the host.
    let host = headers.first { $0.name.lowercased() == "host" }?.text ?? "localhost"
    let url = target.hasPrefix("/") ? "http://\(host)\(target)" : target
    var body = Array(lines.prefix { !$0.hasPrefix("###") })
    while body.last?.isEmpty == true { body.removeLast() }
    let isGraphQL = headers.contains { $0.name.lowercased() == "x-request-type" && $0.text.lowercased() == "graphql" }
    headers.removeAll { $0.name.lowercased() == "x-request-type" }
    // `X-REQUEST-TYPE: GraphQL`: the document, an empty line, and the variables.
    if isGraphQL || words.first == "GRAPHQL" {
      var variables = ""
      if let start = body.lastIndex(where: { $0.isEmpty }), let first = body[(start + 1)...].first,
        first.hasPrefix("{"),
        (try? JSONDocument(parsing: body[(start + 1)...].joined(separator: "\n"))) != nil
      {
        variables = body[(start + 1)...].joined(separator: "\n")
        body = Array(body[..<start])
      }
      self.init(url: url, headers: Self.kept(headers), query: body.joined(separator: "\n"), variables: variables)
      return
    }
    self.init(url: url, headers: headers, body: body.joined(separator: "\n"))
  }

  package var httpFile: String {
    var lines = ["POST \(url)", "Content-Type: application/json"]
    // An HTTP file fills nothing in: what is live stands there as it was written.
    for header in headers { lines.append("\(header.name): \(header.value.isLive ? header.value.source : header.text)") }
    return lines.joined(separator: "\n") + "\n\n" + JSONWriter.pretty(body) + "\n"
  }
}
