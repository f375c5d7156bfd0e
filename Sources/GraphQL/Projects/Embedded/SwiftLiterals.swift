/// Finds GraphQL in string literals of Swift, including raw strings: after `/* GraphQL */`, or starting with
/// `#graphql`.
///
///     let query = /* GraphQL */ "{ bird { name } }"
enum SwiftLiterals {
  static func find(in bytes: [UInt8]) -> [EmbeddedLiteral] {
    var found: [EmbeddedLiteral] = []
    var position = 0
    var isMarked = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "/") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "/"):
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      case UInt8(ascii: "/") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "*"):
        let start = position
        position = endOfComment(in: bytes, from: position)
        isMarked = EmbeddedGraphQL.isMark(comment: bytes[start..<position])
      case UInt8(ascii: "\""), UInt8(ascii: "#"):
        let signs = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
        guard position + signs < bytes.count, bytes[position + signs] == UInt8(ascii: "\"") else {
          isMarked = false
          position += signs
          continue
        }
        var literal = string(in: bytes, at: position, signs: signs)
        let end = min(literal.range.upperBound + (literal.range.lowerBound - position), bytes.count)
        if isMarked || EmbeddedGraphQL.isMarked(bytes[literal.range]) {
          if EmbeddedGraphQL.isJoined(bytes, at: end) { literal.partial = .concatenated }
          found.append(literal)
        }
        isMarked = false
        position = end
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default:
        isMarked = false
        position += 1
      }
    }
    return found
  }

  private static func endOfComment(in bytes: [UInt8], from start: Int) -> Int {
    var depth = 0
    var position = start
    while position + 1 < bytes.count {
      if bytes[position] == UInt8(ascii: "/"), bytes[position + 1] == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { return position }
      } else {
        position += 1
      }
    }
    return bytes.count
  }

  /// Returns the literal that begins at an offset with a quote or a number sign. Its delimiters have equal lengths.
  private static func string(in bytes: [UInt8], at start: Int, signs: Int) -> EmbeddedLiteral {
    let quote = UInt8(ascii: "\"")
    let opening = start + signs
    let isLong = opening + 2 < bytes.count && bytes[opening + 1] == quote && bytes[opening + 2] == quote
    let content = opening + (isLong ? 3 : 1)
    let quotes = isLong ? 3 : 1
    /// Whether `count` bytes of a kind follow an offset.
    func has(_ count: Int, _ byte: UInt8, at offset: Int) -> Bool {
      offset + count <= bytes.count && bytes[offset..<offset + count].allSatisfy { $0 == byte }
    }
    var gaps: [Range<Int>] = []
    var escapes: [LiteralEscape] = []
    var position = content
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\\"), has(signs, UInt8(ascii: "#"), at: position + 1) {
        let escape = position + signs
        let end = endOfEscape(in: bytes, from: escape)
        if escape + 1 < bytes.count, bytes[escape + 1] == UInt8(ascii: "(") {
          gaps.append(position..<end)
        } else {
          escapes.append(LiteralEscape(in: bytes, at: position, signs: signs))
        }
        position = end
        continue
      }
      if !isLong, bytes[position] == 0x0A { break }
      if bytes[position] == quote, has(quotes, quote, at: position),
        has(signs, UInt8(ascii: "#"), at: position + quotes)
      {
        break
      }
      position += 1
    }
    let end = min(position, bytes.count)
    return EmbeddedLiteral(
      range: content..<end, gaps: gaps.map { $0.clamped(to: content..<end) },
      escapes: escapes.filter { $0.range.upperBound <= end })
  }

  /// Returns the end of `\(…)`, or of the character after a backslash. `start` is the offset before the parenthesis or
  /// character.
  private static func endOfEscape(in bytes: [UInt8], from start: Int) -> Int {
    guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "(") else { return min(start + 2, bytes.count) }
    var depth = 0
    var position = start + 1
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "(") { depth += 1 }
      if bytes[position] == UInt8(ascii: ")") { depth -= 1 }
      position += 1
      if depth == 0 { break }
    }
    return position
  }
}
