import ApusClientRequests

/// Import of Hurl files: entries of a request line, headers, sections such as `[Options]`, a body, and the expected response.
///
///     POST https://birds.example/graphql
///     Authorization: Bearer {{token}}
///     ```graphql
///     query Bird($id: ID!) { bird(id: $id) { name } }
///     variables { "id": "b1" }
///     ```
///     HTTP 200
///
/// Source: Hurl's documentation of its file format, version 6.
extension ImportedCollection {
  static func isHurl(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline)
    return lines.contains { HurlEntry.isResponse($0) } && lines.contains { HTTPRequestLine(String($0)) != nil }
  }

  mutating func readHurl(_ text: String, _ files: AdjacentFiles) {
    var entry: HurlEntry?
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init) {
      if entry?.takes(line) == true { continue }
      if let start = HTTPRequestLine(line), line.first?.isUppercase == true {
        if let entry { add(entry, files) }
        entry = HurlEntry(start)
      }
    }
    if let entry { add(entry, files) }
  }

  private mutating func add(_ entry: HurlEntry, _ files: AdjacentFiles) {
    fileValues.add(entry.options[...])
    var request = ImportedHTTPRequest(url: entry.url)
    (request.method, request.headers, request.leftOut) = (entry.method, entry.headers, entry.leftOut)
    if let (query, variables) = entry.graphQL {
      return add(RequestDraft(query: query, variables: variables), of: request)
    }
    request.body = entry.body
    if let name = entry.bodyFile {
      switch files.read(name) {
      case .text(let text): request.body = text
      case .refused(let reason): request.leftOut.append("the file \(name) (\(reason))")
      }
    }
    add(request)
  }
}

/// An entry of a Hurl file, which takes its lines one by one.
private struct HurlEntry {
  private enum Part { case head, section(String), body, fence(String), response }

  private(set) var url: String
  let method: String
  private(set) var headers: [ImportedCollection.Header] = []
  private(set) var options: [ImportedCollection.Value] = []
  private(set) var leftOut: [String] = []
  private var part = Part.head
  private var lines: [String] = []
  private var language = ""

  init(_ line: HTTPRequestLine) {
    url = line.target
    method = line.method
  }

  var body: String { lines.joined(separator: "\n") }

  /// The path of a body `file,query.json;`.
  var bodyFile: String? {
    let text = body.filter { !$0.isNewline }
    guard text.hasPrefix("file,"), text.hasSuffix(";") else { return nil }
    return String(text.dropFirst(5).dropLast())
  }

  /// The document and the variables of a GraphQL body.
  var graphQL: (query: String, variables: String)? {
    guard language.hasPrefix("graphql") else { return nil }
    guard let index = lines.lastIndex(where: { $0.hasPrefix("variables ") || $0.hasPrefix("variables{") }) else {
      return (body, "")
    }
    let variables = ([String(lines[index].dropFirst("variables".count))] + lines[(index + 1)...]).joined(
      separator: "\n")
    return (lines[..<index].joined(separator: "\n"), variables)
  }

  static func isResponse(_ line: some StringProtocol) -> Bool {
    line == "HTTP" || line.hasPrefix("HTTP ") || line.hasPrefix("HTTP/")
  }

  /// Whether the line is part of the entry; false for the first line of the next one.
  mutating func takes(_ line: String) -> Bool {
    if case .fence = part {
      if line.hasPrefix("```") { part = .body } else { lines.append(line) }
      return true
    }
    if Self.isResponse(line) { part = .response }
    if HTTPRequestLine(line) != nil, line.first?.isUppercase == true, !Self.isResponse(line) {
      return false
    }
    if case .response = part { return true }
    if line.hasPrefix("```") {
      language = String(line.dropFirst(3))
      part = .fence(language)
      return true
    }
    if case .body = part {
      lines.append(line)
      return true
    }
    if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { return true }
    if line.hasPrefix("["), line.hasSuffix("]") {
      part = .section(String(line.dropFirst().dropLast()))
      return true
    }
    if line.hasPrefix("{") || line.hasPrefix("file,") || line.hasPrefix("<") {
      part = .body
      lines.append(line)
      return true
    }
    read(line)
    return true
  }

  private mutating func read(_ line: String) {
    guard let field = HeaderText(line) else { return }
    guard case .section(let section) = part else {
      headers.append(ImportedCollection.Header(name: field.name, value: field.value))
      return
    }
    switch section {
    case "Options":
      guard field.name == "variable", let equals = field.value.firstIndex(of: "=") else { break }
      options.append(
        .init(name: String(field.value[..<equals]), text: String(field.value[equals...].dropFirst())))
    case "BasicAuth": headers.append(.basic("\(field.name):\(field.value)"))
    case "QueryStringParams", "Query":
      url += (url.contains("?") ? "&" : "?") + "\(field.name)=\(URLQuery.encode(field.value))"
    default: leftOut.append("the section [\(section)]")
    }
  }
}
