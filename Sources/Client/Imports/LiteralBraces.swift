/// Double braces of formats in which they are text: curl, browsers, and `\{{` of HTTP files. A private character between them
/// keeps the readers of templates from seeing a variable.
enum LiteralBraces {
  private static let mark: Character = "\u{F8FD}"
  /// The character between two literal braces, in UTF-8.
  static let bytes = Array(String(mark).utf8)

  /// Returns text whose double braces are literal.
  static func hidden(_ text: String) -> String {
    guard text.contains("{{") else { return text }
    var result = ""
    for character in text {
      if character == "{", result.last == "{" { result.append(mark) }
      result.append(character)
    }
    return result
  }

  /// Returns the text of an HTTP file in which `\{{` is literal.
  static func hidden(inHTTPFile text: String) -> String {
    guard text.contains("\\{{") else { return text }
    var result = ""
    var rest = text[...]
    while let open = rest.firstRange(of: "\\{{") {
      result += rest[..<open.lowerBound]
      let count = result.utf8.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      result += count % 2 == 0 ? "{\(mark){" : "\\{{"
      rest = rest[open.upperBound...]
    }
    return result + rest
  }

  /// Returns text with its literal braces. With `references`, those that would be one of them are escaped: `\{{token}}`.
  static func shown(_ text: String, besides references: Set<String> = []) -> String {
    guard text.contains(mark) else { return text }
    var result = ""
    var rest = text[...]
    while let place = rest.firstIndex(of: mark) {
      result += rest[..<place]
      rest = rest[rest.index(after: place)...]
      let name = rest.dropFirst().prefix { $0 != "}" }
      if references.contains(String(name)), rest[name.endIndex...].hasPrefix("}}"), result.last == "{" {
        result.removeLast()
        result += "\\{"
      }
    }
    return result + rest
  }
}
