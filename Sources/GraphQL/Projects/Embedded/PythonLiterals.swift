/// Finds GraphQL in strings of Python: arguments of `gql(…)` and `graphql(…)`, also by the names of their parameters,
/// and strings that begin with `#graphql`.
///
///     query = gql(request_string="{ bird { name } }")
///
/// Source: The Python Language Reference, section 2.4.1 (string literals) and 2.4.2 (concatenation).
struct PythonLiterals {
  private let bytes: [UInt8]
  private var position = 0
  private var isMarked = false
  /// Whether the last tokens are the parenthesis of a marked call, so that the name of a parameter may follow.
  private var isInCall = false
  /// The number of open brackets. Inside brackets a line break does not end an expression.
  private var depth = 0
  private var found: [EmbeddedLiteral] = []

  static func find(in bytes: [UInt8]) -> [EmbeddedLiteral] {
    var reader = PythonLiterals(bytes: bytes)
    while reader.position < bytes.count { reader.readToken() }
    return reader.found
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  private mutating func readToken() {
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "#"): position = endOfLine(from: position)
    case _ where Self.isQuote(byte): readString(isFormatted: false)
    case UInt8(ascii: "("):
      depth += 1
      position += 1
      isInCall = isMarked
    case UInt8(ascii: "=") where isInCall: position += 1
    case 0x20, 0x09, 0x0A, 0x0D: position += 1
    case _ where EmbeddedGraphQL.isWord(byte): readWord()
    default:
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
        depth = max(depth - 1, 0)
      }
      isMarked = false
      isInCall = false
      position += 1
    }
  }

  private func endOfLine(from start: Int) -> Int { bytes[start...].firstIndex(of: 0x0A) ?? bytes.count }

  /// Reads a word, or a string with its prefix.
  private mutating func readWord() {
    let start = position
    position = endOfWord(from: position)
    guard position < bytes.count, Self.isQuote(bytes[position]) else {
      let word = bytes[start..<position]
      let isParameter = Self.parameters.contains { word.elementsEqual($0.utf8) }
      isMarked = EmbeddedGraphQL.isMark(word) || isInCall && isParameter
      isInCall = isInCall && isParameter
      return
    }
    // In formatted strings and template strings, braces have a special meaning.
    readString(isFormatted: bytes[start..<position].contains { [0x66, 0x74].contains($0 | 0x20) })
  }

  private func endOfWord(from start: Int) -> Int {
    bytes[start...].firstIndex { !EmbeddedGraphQL.isWord($0) } ?? bytes.count
  }

  private mutating func readString(isFormatted: Bool) {
    var literal = string(at: position)
    position = min(literal.range.upperBound + (literal.range.lowerBound - position), bytes.count)
    if isMarked || EmbeddedGraphQL.isMarked(bytes[literal.range]) {
      literal.partial = isFormatted ? .formatted : continuation()
      found.append(literal)
    }
    isMarked = false
    isInCall = false
  }

  /// The parameters of `gql` that take a document.
  private static let parameters = ["request_string", "source", "document_source"]

  /// Returns why the string that ends here is only part of a document, by the token that follows it.
  private func continuation() -> PartialText? {
    let next = startOfNextToken()
    guard next < bytes.count else { return nil }
    switch bytes[next] {
    case UInt8(ascii: "+"): return .concatenated
    case UInt8(ascii: "%"): return .formatted
    case UInt8(ascii: "."): return bytes[(next + 1)...].starts(with: "format".utf8) ? .formatted : nil
    case _ where Self.isQuote(bytes[next]): return .concatenated
    // The prefix of another string, which has at most two letters.
    case _ where EmbeddedGraphQL.isWord(bytes[next]):
      let end = bytes[next...].prefix(3).firstIndex { !EmbeddedGraphQL.isWord($0) }
      return end.map { Self.isQuote(bytes[$0]) } ?? false ? .concatenated : nil
    default: return nil
    }
  }

  /// Returns the offset of the next token of the expression, skipping spaces and, inside brackets, line breaks and
  /// comments.
  private func startOfNextToken() -> Int {
    var index = position
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09: index += 1
      case 0x0A, 0x0D: if depth > 0 { index += 1 } else { return bytes.count }
      case UInt8(ascii: "#"): index = endOfLine(from: index)
      case UInt8(ascii: "\\"): index = min(endOfLine(from: index) + 1, bytes.count)
      default: return index
      }
    }
    return index
  }

  private func string(at start: Int) -> EmbeddedLiteral {
    let quote = bytes[start]
    let isLong = start + 2 < bytes.count && bytes[start + 1] == quote && bytes[start + 2] == quote
    let content = start + (isLong ? 3 : 1)
    var escapes: [LiteralEscape] = []
    var position = content
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\\") {
        escapes.append(LiteralEscape(in: bytes, at: position))
        position += 2
        continue
      }
      if !isLong, bytes[position] == 0x0A { break }
      let isEnd =
        isLong
        ? position + 2 < bytes.count && bytes[position...position + 2].allSatisfy { $0 == quote }
        : bytes[position] == quote
      if isEnd { break }
      position += 1
    }
    let end = min(position, bytes.count)
    return EmbeddedLiteral(range: content..<end, escapes: escapes.filter { $0.range.upperBound <= end })
  }
}
