/// A line of the headers pane: `Name: value`, with `$NAME` and `$(command)` in the value; `#` begins a comment.
package struct HeaderLine: Hashable, Sendable {
  package var name: String
  package var value: String
  /// Where the value begins in the line, in UTF-8 bytes.
  package var valueColumn: Int

  /// nil for an empty line, a comment, or what is no header.
  package init?(_ line: String) {
    let text = line.drop { $0.isWhitespace }
    guard let first = text.first, first != "#", let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
      return nil
    }
    name = String(text[..<colon])
    guard name.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else { return nil }
    let rest = text[text.index(after: colon)...]
    let trimmed = rest.drop { $0 == " " || $0 == "\t" }
    value = String(trimmed)
    while value.last == " " || value.last == "\t" { value.removeLast() }
    valueColumn = line.utf8.distance(from: line.startIndex, to: trimmed.startIndex)
  }

  /// Whether a line is neither empty, nor a comment, nor a header.
  package static func isWrong(_ line: String) -> Bool {
    guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { return false }
    return HeaderLine(line) == nil
  }

  package static func all(in text: TextBuffer) -> [HeaderLine] { text.lines.compactMap { HeaderLine($0) } }

  /// Whether the value as it is written may be a secret: it says so by the header's name, and is no mere reference to
  /// the environment or a command.
  package var isSecret: Bool {
    guard SecretNames.contains(name), !value.isEmpty else { return false }
    // `Bearer $TOKEN` says nothing that is secret.
    return value.split(separator: " ").contains { word in
      !word.hasPrefix("$") && !SecretNames.schemes.contains(word.lowercased())
    } && !value.contains("$(")
  }
}

/// Names of headers, variables and parameters whose values are not to be shown, stored or exported.
package enum SecretNames {
  static let schemes: Set<String> = ["bearer", "basic", "digest", "token", "apikey"]

  package static func contains(_ name: String) -> Bool {
    let name = name.lowercased()
    return [
      "authorization", "cookie", "token", "secret", "password", "passwd", "api-key", "apikey", "api_key", "credential",
    ]
    .contains { name.contains($0) } || name.hasSuffix("-key")
  }
}
