/// The strings of Python that hold GraphQL: what `gql(…)` or `graphql(…)` is called with, or what begins with `#graphql`.
enum PythonLiterals {
  static func find(in bytes: [UInt8]) -> [EmbeddedLiteral] {
    var found: [EmbeddedLiteral] = []
    var position = 0
    var isMarked = false
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "#"):
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let literal = string(in: bytes, at: position)
        if isMarked || EmbeddedGraphQL.isMarked(bytes[literal.range]) { found.append(literal) }
        isMarked = false
        let quotes = literal.range.lowerBound - position
        position = min(literal.range.upperBound + quotes, bytes.count)
      case UInt8(ascii: "("), 0x20, 0x09, 0x0A, 0x0D: position += 1
      case _ where EmbeddedGraphQL.isWord(byte):
        let start = position
        while position < bytes.count, EmbeddedGraphQL.isWord(bytes[position]) { position += 1 }
        let isPrefix = position < bytes.count && [0x22, 0x27].contains(bytes[position])
        // In a formatted string braces mean something else.
        if isPrefix, bytes[start..<position].contains(where: { $0 | 0x20 == UInt8(ascii: "f") }) {
          isMarked = false
          position = min(string(in: bytes, at: position).range.upperBound + 1, bytes.count)
        } else if !isPrefix {
          isMarked = EmbeddedGraphQL.isMark(bytes[start..<position])
        }
      default:
        isMarked = false
        position += 1
      }
    }
    return found
  }

  private static func string(in bytes: [UInt8], at start: Int) -> EmbeddedLiteral {
    let quote = bytes[start]
    let isLong = start + 2 < bytes.count && bytes[start + 1] == quote && bytes[start + 2] == quote
    let content = start + (isLong ? 3 : 1)
    var gaps: [Range<Int>] = []
    var position = content
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\\") {
        gaps.append(position..<position + 1)
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
    return EmbeddedLiteral(range: content..<min(position, bytes.count), gaps: gaps)
  }
}
