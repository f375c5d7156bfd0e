import ApusJSON

/// Whole HTTP files, as editors run them: requests between lines that begin with `###`, and variables (`@name = value`).
///
/// Source: the HTTP Request in Editor specification, and what its users in editors add: `# @name`, `http-client.env.json`.
extension ImportedCollection {
  mutating func readHTTP(_ text: String, named file: String) {
    var lines: [String] = []
    var name = ""
    var count = 0
    func finished() {
      guard lines.contains(where: { Self.isContent($0) }) else { return }
      count += 1
      read(lines, named: name.isEmpty ? "request \(count)" : name)
    }
    // The two characters of a line end of the web are one to Swift.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
      if line.hasPrefix("###") {
        finished()
        lines = []
        name = String(line.drop { $0 == "#" }.drop { $0 == " " })
      } else if let given = Self.directive("name", line) {
        name = given
      } else if line.hasPrefix("@"), let equals = line.unicodeScalars.firstIndex(of: "=") {
        let name = line.unicodeScalars[..<equals].dropFirst().filter { $0 != " " }
        let value = line.unicodeScalars[equals...].dropFirst().drop { $0 == " " }
        values.append(Value(name: String(String.UnicodeScalarView(name)), text: String(value)))
      } else {
        lines.append(String(line))
      }
    }
    finished()
  }

  private static func isContent(_ line: String) -> Bool {
    !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") && !line.hasPrefix("//")
  }

  /// `# @name value`, `// @name value`.
  private static func directive(_ name: String, _ line: Substring) -> String? {
    guard line.hasPrefix("#") || line.hasPrefix("//") else { return nil }
    let text = line.drop { $0 == "#" || $0 == "/" || $0 == " " }
    guard text.hasPrefix("@\(name) ") else { return nil }
    return String(text.dropFirst(name.count + 2).drop { $0 == " " })
  }

  private mutating func read(_ lines: [String], named name: String) {
    var kept: [String] = []
    var isScript = false
    var isHead = true
    for line in lines {
      if isScript {
        isScript = !line.contains("%}")
      } else if line.hasPrefix("> ") || line.hasPrefix("< ") || line.hasPrefix("<@") || line.hasPrefix(">>")
        || line.hasPrefix("<> ")
      {
        isScript = line.contains("{%") && !line.contains("%}")
        leftOut.append("\(name): \(line.contains("{%") ? "a script" : "the file in '\(line)'")")
      } else if line.hasPrefix("# @") || line.hasPrefix("// @") {
        leftOut.append("\(name): '\(line)'")
      } else if isHead, let last = kept.last, line.hasPrefix(" ") || line.hasPrefix("\t"), Self.isContent(line) {
        // A long URL goes on in the next lines.
        kept[kept.count - 1] = last + line.drop { $0 == " " || $0 == "\t" }
      } else {
        if isHead, line.isEmpty, kept.contains(where: Self.isContent) { isHead = false }
        // A blank in a variable parts no words of the request line.
        kept.append(isHead ? ImportTemplate(line).renamed { $0 } : line)
      }
    }
    guard let request = SharedRequest(http: kept.joined(separator: "\n")) else {
      if kept.contains(where: Self.isContent) { leftOut.append("\(name): it is no GraphQL request") }
      return
    }
    requests.append(
      Request(
        name: name, url: request.url, headers: request.headers.map { Header(name: $0.name, value: $0.text) },
        query: request.query, variables: request.variables, operationName: request.operationName))
  }

  /// `http-client.env.json`: for each environment what its variables stand for.
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

/// Files of curl commands, one behind the other.
enum CurlCommands {
  static func isOne(_ text: String) -> Bool {
    text.drop { $0.isWhitespace || $0 == "$" }.hasPrefix("curl ")
  }

  /// A command begins at the beginning of a line that nothing before it goes on to.
  static func split(_ text: String) -> [String] {
    var commands: [String] = []
    var goesOn = false
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if !goesOn, isOne(String(line)) { commands.append("") }
      if !commands.isEmpty { commands[commands.count - 1] += line + "\n" }
      goesOn = line.last == "\\"
    }
    return commands
  }
}

extension ImportedCollection {
  mutating func readCurl(_ text: String) {
    for (index, command) in CurlCommands.split(text).enumerated() {
      let name = "request \(index + 1)"
      guard let request = SharedRequest(curl: String(command.drop { $0.isWhitespace || $0 == "$" })) else {
        leftOut.append("\(name): it is no GraphQL request")
        continue
      }
      leftOut += request.leftOut.map { "\(name): \($0)" }
      requests.append(
        Request(
          name: request.operationName ?? name, url: request.url,
          headers: request.headers.map { Header(name: $0.name, value: $0.text) }, query: request.query,
          variables: request.variables, operationName: request.operationName))
    }
  }
}
