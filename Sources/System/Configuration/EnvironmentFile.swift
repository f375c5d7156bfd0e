/// A `.env` file: one `NAME=value` per line, optionally with quotes, a leading `export`, and comments after `#`. Values
/// are literal; nothing in them is expanded or executed.
///
///     export TOKEN='a $b'   # the value is a $b
package struct EnvironmentFile: Equatable, Sendable {
  package struct Variable: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  package let variables: [Variable]

  package init(parsing text: String, file: String) throws(ConfigurationError) {
    var variables: [Variable] = []
    // Some editors write a byte order mark, which would become part of the first name.
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      var rest = line.drop(while: \.isWhitespace)
      if rest.isEmpty || rest.hasPrefix("#") { continue }
      if rest.hasPrefix("export ") { rest = rest.dropFirst(7).drop(while: \.isWhitespace) }
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
      guard !name.isEmpty, name.first?.isNumber == false, rest.hasPrefix("="),
        let value = Self.value(rest.dropFirst())
      else {
        // The line may contain a secret, so the message does not quote it.
        throw ConfigurationError(file: file, at: YAMLPosition(line: index + 1, column: 1), "this is not NAME=value")
      }
      variables.append(Variable(name: String(name), value: value))
    }
    self.variables = variables
  }

  /// Returns the value without its quotes or comment; nil if a quote is not closed or is followed by other text.
  private static func value(_ text: Substring) -> String? {
    var rest = text.drop(while: \.isWhitespace)
    guard let quote = rest.popFirst(), quote == "\"" || quote == "'" else { return unquoted(text) }
    var value = ""
    while let character = rest.popFirst() {
      if character == quote {
        let remainder = rest.drop(while: \.isWhitespace)
        return remainder.isEmpty || remainder.hasPrefix("#") ? value : nil
      }
      // In double quotes a backslash escapes the next character, as in shells.
      if character == "\\", quote == "\"", let next = rest.popFirst() {
        value.append(next == "n" ? "\n" : next)
      } else {
        value.append(character)
      }
    }
    return nil
  }

  /// Returns the text without surrounding white space and a comment, which begins after white space: `b#c # d` is `b#c`.
  private static func unquoted(_ text: Substring) -> String {
    var value = text
    let comment = text.indices.dropFirst().first { text[$0] == "#" && text[text.index(before: $0)].isWhitespace }
    if let comment { value = text[..<comment] }
    while value.last?.isWhitespace == true { value.removeLast() }
    return String(value.drop(while: \.isWhitespace))
  }

  /// Reads a file; nil if it does not exist. A file found by search (`isNamed` is false) must belong to the user.
  package static func read(_ path: String, isNamed: Bool) throws(ConfigurationError) -> EnvironmentFile? {
    guard let bytes = isNamed ? try UserFile.read(path) : try UserFile.readOwn(path) else { return nil }
    return try EnvironmentFile(parsing: String(decoding: bytes, as: UTF8.self), file: path)
  }

  /// Returns the environment with the variables of this file added; existing variables win. The result is only for
  /// resolving configuration and options. This process and its children keep the original environment.
  package func completing(_ environment: [String: String]) -> [String: String] {
    environment.merging(variables.map { ($0.name, $0.value) }) { first, _ in first }
  }
}
