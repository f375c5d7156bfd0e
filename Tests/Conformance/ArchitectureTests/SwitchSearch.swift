/// Finds enums and switches in formatted Swift source.
enum SwitchSearch {
  /// Returns the enums with their cases.
  static func enums(in text: String) -> [(name: String, cases: Set<String>)] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var found: [(name: String, cases: Set<String>)] = []
    for (index, line) in lines.enumerated() {
      guard let match = line.firstMatch(of: /^( *)(?:[\w()]+ )*enum (\w+)/), !line.contains("//") else { continue }
      var cases: Set<String> = []
      if let inline = line.firstMatch(of: /{ case (.*) }/) { cases = names(in: inline.1) }
      if !line.hasSuffix("}") {
        let indentation = match.1 + "  "
        for member in lines[(index + 1)...].prefix(while: { !$0.hasPrefix(match.1 + "}") }) {
          guard let declaration = member.firstMatch(of: /^( *)(?:indirect )?case (.*)/) else { continue }
          if declaration.1 == indentation { cases.formUnion(names(in: declaration.2)) }
        }
      }
      if !cases.isEmpty { found.append((String(match.2), cases)) }
    }
    return found
  }

  /// Returns the names in a declaration: "`ended(code: Int), began`".
  private static func names(in declaration: Substring) -> Set<String> {
    Set(
      withoutParentheses(declaration).split(separator: ",").map {
        String($0.split(separator: "=")[0].trimmed { $0 == " " || $0 == "`" })
      })
  }

  /// Returns the line of the default of each switch over a single value, and the cases that the switch names.
  static func switchesWithDefault(in text: String) -> [(line: Int, cases: Set<String>)] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      guard let label = lines[index].firstMatch(of: /^( *)default:/) else { return nil }
      var cases: Set<String> = []
      for start in lines[..<index].indices.reversed() where lines[start].prefix(while: { $0 == " " }) == label.1 {
        if lines[start].contains("switch ") { break }
        guard lines[start].dropFirst(label.1.count).hasPrefix("case ") else { continue }
        cases.formUnion(patterns(in: lines[start..<index]))
      }
      return cases.isEmpty ? nil : (index + 1, cases)
    }
  }

  /// Returns the cases in the patterns of a label, which may continue on further lines.
  private static func patterns(in lines: ArraySlice<Substring>) -> Set<String> {
    var label = ""
    for line in lines {
      label += line.trimmed { $0 == " " } + " "
      if withoutParentheses(Substring(label)).contains(": ") { break }
    }
    let patterns = withoutParentheses(Substring(label).dropFirst("case ".count)).prefix { $0 != ":" }
    return Set(
      patterns.split(separator: ",").compactMap { $0.firstMatch(of: /^ *(?:let )?\.(\w+)/).map { String($0.1) } })
  }

  private static func withoutParentheses(_ text: Substring) -> Substring {
    var depth = 0
    return text.filter { character in
      if character == "(" { depth += 1 }
      defer { if character == ")" { depth -= 1 } }
      return depth == 0
    }
  }
}

extension Substring {
  fileprivate func trimmed(_ isDropped: (Character) -> Bool) -> Substring {
    var text = drop(while: isDropped)
    while let last = text.last, isDropped(last) { text.removeLast() }
    return text
  }
}
