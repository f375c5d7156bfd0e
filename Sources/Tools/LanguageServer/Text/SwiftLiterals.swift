/// The string literals of Swift that hold GraphQL: behind `/* GraphQL */`, or with `#graphql` at their beginning.
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
      case UInt8(ascii: "\""):
        let literal = string(in: bytes, at: position)
        if isMarked || EmbeddedGraphQL.isMarked(bytes[literal.range]) { found.append(literal) }
        isMarked = false
        position = min(literal.range.upperBound + (literal.range.lowerBound - position), bytes.count)
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

  private static func string(in bytes: [UInt8], at start: Int) -> EmbeddedLiteral {
    let quote = UInt8(ascii: "\"")
    let isLong = start + 2 < bytes.count && bytes[start + 1] == quote && bytes[start + 2] == quote
    let content = start + (isLong ? 3 : 1)
    var gaps: [Range<Int>] = []
    var position = content
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\\") {
        let end = endOfEscape(in: bytes, from: position)
        gaps.append(position..<(end > position + 2 ? end : position + 1))
        position = end
        continue
      }
      if !isLong, bytes[position] == 0x0A || bytes[position] == quote { break }
      if isLong, position + 2 < bytes.count, bytes[position...position + 2].allSatisfy({ $0 == quote }) { break }
      position += 1
    }
    return EmbeddedLiteral(range: content..<min(position, bytes.count), gaps: gaps)
  }

  /// Behind `\(…)`, or behind the character that a backslash stands before.
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
