import ApusJSON

/// Import of HTTP files of editors: requests separated by lines that start with `###`, and variables (`@name = value`).
///
/// Source: the HTTP Request in Editor specification, and extensions of editors: `# @name`, `http-client.env.json`.
extension ImportedCollection {
  mutating func readHTTP(_ text: String, _ files: AdjacentFiles) {
    var lines: [String] = []
    var name = ""
    var count = 0
    func finished(_ collection: inout ImportedCollection) {
      guard lines.contains(where: { HTTPBlock.isContent($0) }) else { return }
      count += 1
      collection.read(HTTPBlock(lines, named: name.isEmpty ? "request \(count)" : name), files)
    }
    // Swift treats CRLF as a single character.
    let all = LiteralBraces.hidden(inHTTPFile: text).split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    // Variables apply in the whole file.
    fileValues.add(all.compactMap(Self.variable)[...])
    for line in all {
      if line.hasPrefix("###") {
        finished(&self)
        lines = []
        name = String(line.drop { $0 == "#" }.drop { $0 == " " })
      } else if let given = Self.directive("name", line) {
        name = given
      } else if Self.variable(line) == nil {
        lines.append(String(line))
      }
    }
    finished(&self)
  }

  /// Returns the variable that a line sets: `@name = value`.
  private static func variable(_ line: Substring) -> Value? {
    guard line.hasPrefix("@"), let equals = line.unicodeScalars.firstIndex(of: "=") else { return nil }
    let name = line.unicodeScalars[..<equals].dropFirst().filter { $0 != " " }
    let value = line.unicodeScalars[equals...].dropFirst().drop { $0 == " " }
    return Value(name: String(String.UnicodeScalarView(name)), text: String(value))
  }

  /// Returns the value of a directive: `# @name value` or `// @name value`.
  private static func directive(_ name: String, _ line: Substring) -> String? {
    guard line.hasPrefix("#") || line.hasPrefix("//") else { return nil }
    let text = line.drop { $0 == "#" || $0 == "/" || $0 == " " }
    guard text.hasPrefix("@\(name) ") else { return nil }
    return String(text.dropFirst(name.count + 2).drop { $0 == " " })
  }

  private mutating func read(_ block: HTTPBlock, _ files: AdjacentFiles) {
    if block.isCurl {
      readShell(ShellScript(block.text.utf8), files)
    } else if let request = block.request(files) {
      add(request)
    } else {
      skip(block.name, GraphQLContents.notGraphQL)
    }
  }

  /// Reads `http-client.env.json`, which has the values of variables for each environment.
  mutating func readHTTPEnvironments(_ root: JSONValue, isSecret: Bool) {
    for (name, members) in root.members where members.kind == .object {
      let found = members.members.map { key, value in
        Value(name: key, text: value.string ?? JSONWriter.compact(value), isSecret: isSecret)
      }
      if name == "$shared" {
        values += found
      } else if let index = environments.firstIndex(where: { $0.name == name }) {
        environments[index].values += found
      } else {
        environments.append(Environment(name: name, values: found))
      }
    }
  }
}

/// A request of an HTTP file: a request line, headers, an empty line, the body, and scripts.
struct HTTPBlock {
  let name: String
  private let lines: [String]

  init(_ lines: [String], named name: String) {
    self.lines = lines
    self.name = name
  }

  var text: String { lines.joined(separator: "\n") }

  /// Whether the block is a curl command, which some editors support in such files.
  var isCurl: Bool { lines.first(where: Self.isContent)?.hasPrefix("curl ") == true }

  static func isContent(_ line: String) -> Bool { !line.allSatisfy(\.isWhitespace) && !isComment(line) }

  private static func isComment(_ line: String) -> Bool { line.hasPrefix("#") || line.hasPrefix("//") }

  /// Returns the request of the block, or `nil` if its first line is not a request line.
  func request(_ files: AdjacentFiles) -> ImportedHTTPRequest? {
    var leftOut: [String] = []
    var head: [String] = []
    var body: [String] = []
    var isScript = false
    var isHead = true
    for line in lines {
      if isScript {
        isScript = !line.contains("%}")
      } else if Self.isScriptOrFile(line) {
        isScript = line.contains("{%") && !line.contains("%}")
        if !isHead, Self.isUpload(body) {
          body.append(line)
        } else if !isHead, !line.contains("{%"), line.hasPrefix("<"), !line.hasPrefix("<>") {
          read(line, files, into: &body, &leftOut)
        } else {
          leftOut.append(line.contains("{%") ? "a script" : "the file in '\(line)'")
        }
      } else if line.hasPrefix("# @") || line.hasPrefix("// @") {
        leftOut.append("'\(line)'")
      } else if !isHead {
        body.append(line)
      } else if line.allSatisfy(\.isWhitespace) {
        isHead = head.isEmpty
      } else if !Self.isComment(line) {
        if let last = head.last, line.hasPrefix(" ") || line.hasPrefix("\t") {
          // A long URL can continue on the next lines.
          head[head.count - 1] = last + line.drop { $0 == " " || $0 == "\t" }
        } else {
          head.append(line)
        }
      }
    }
    guard let first = head.first, let line = HTTPRequestLine(first) else { return nil }
    var request = ImportedHTTPRequest(url: line.target)
    request.name = name
    request.method = line.method == "GRAPHQL" ? "POST" : line.method
    request.leftOut = leftOut
    addHeaders(head.dropFirst(), to: &request)
    // Some editors treat lines after the body as comments.
    while let last = body.last, !Self.isContent(last) { body.removeLast() }
    request.body = body.joined(separator: "\n")
    return request
  }

  /// Returns whether the next line of a body is the contents of an uploaded file in a form.
  private static func isUpload(_ body: [String]) -> Bool {
    guard body.first?.hasPrefix("--") == true, body.last?.isEmpty == true else { return false }
    return body.reversed().prefix { !$0.hasPrefix("--") }.contains { $0.contains("filename=") }
  }

  private static func isScriptOrFile(_ line: String) -> Bool {
    ["> ", "< ", "<@", ">>", "<> "].contains { line.hasPrefix($0) }
  }

  /// Reads a body or part of it from a file: `< ./query.graphql`, `<@ ./body.json`.
  private func read(_ line: String, _ files: AdjacentFiles, into body: inout [String], _ leftOut: inout [String]) {
    let path = line.drop { $0 == "<" || $0 == "@" || $0 == " " }
    switch files.read(String(path)) {
    case .text(let text): body.append(text)
    case .refused(let reason): leftOut.append("the file in '\(line)' (\(reason))")
    }
  }

  private func addHeaders(_ lines: ArraySlice<String>, to request: inout ImportedHTTPRequest) {
    for line in lines.prefix(ImportedHeaders.limit) {
      guard let field = HeaderText(ImportTemplate(line).renamed { $0 }) else { continue }
      request.headers.append(Self.header(field))
    }
    // If the request line has only a path (RFC 9112, section 3.2.1), the `Host` field has the host.
    if request.url.hasPrefix("/") {
      let host = request.headers.first { $0.name.lowercased() == "host" }?.value ?? "localhost"
      request.url = "http://\(host)\(request.url)"
    }
    request.headers.removeAll { $0.name.lowercased() == "x-request-type" }
  }

  /// Returns a header. `Basic user password` and `Basic user:password`, which editors encode, are recognized because Base64
  /// contains no spaces or colons.
  private static func header(_ field: HeaderText) -> ImportedCollection.Header {
    let words = field.value.split(separator: " ")
    if field.name.lowercased() == "authorization", words.first?.lowercased() == "basic" {
      if words.count == 3 { return .basic("\(words[1]):\(words[2])") }
      if words.count == 2, words[1].contains(":") { return .basic(String(words[1])) }
    }
    return ImportedCollection.Header(name: field.name, value: field.value)
  }
}
