/// Finds GraphQL in template literals and strings of JavaScript and TypeScript: after `gql` or `graphql`, as a tag or a
/// call, with or without type arguments, after `/* GraphQL */`, or starting with `#graphql`.
struct JavaScriptLiterals {
  private let bytes: [UInt8]
  private let end: Int
  private var position: Int
  private var found: [EmbeddedLiteral] = []
  /// Whether the last token marks the following literal.
  private var isMarked = false
  /// Whether a slash begins a regular expression, because no value precedes it.
  private var expectsValue = true
  /// The offset before which no regular expression ends, so that a long line is searched only once.
  private var endlessUntil = 0

  static func find(in bytes: [UInt8], _ range: Range<Int>) -> [EmbeddedLiteral] {
    var reader = JavaScriptLiterals(bytes: bytes, end: range.upperBound, position: range.lowerBound)
    reader.readCode(untilBrace: false)
    return reader.found
  }

  private init(bytes: [UInt8], end: Int, position: Int) {
    self.bytes = bytes
    self.end = end
    self.position = position
  }

  private func byte(_ offset: Int = 0) -> UInt8 { position + offset < end ? bytes[position + offset] : 0 }

  /// Reads code to its end, or to the closing brace of an interpolated value.
  private mutating func readCode(untilBrace: Bool, depth nesting: Int = 0) {
    var depth = 0
    while position < end {
      let current = byte()
      switch current {
      case UInt8(ascii: "{"):
        depth += 1
        endToken(expectsValue: true)
      case UInt8(ascii: "}"):
        if untilBrace, depth == 0 {
          position += 1
          return
        }
        depth -= 1
        endToken(expectsValue: true)
      case UInt8(ascii: "`"): readTemplate(nesting)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): readString(current)
      case UInt8(ascii: "/"): readSlash()
      case UInt8(ascii: "("), 0x20, 0x09, 0x0A, 0x0D:
        // White space and the parenthesis of a call may separate a mark from its literal.
        position += 1
        if current == UInt8(ascii: "(") { expectsValue = true }
      case UInt8(ascii: "<") where isMarked: readTypeArguments()
      case _ where EmbeddedGraphQL.isWord(current): readWord()
      default: endToken(expectsValue: current != UInt8(ascii: ")") && current != UInt8(ascii: "]"))
      }
    }
  }

  private mutating func endToken(expectsValue: Bool) {
    position += 1
    isMarked = false
    self.expectsValue = expectsValue
  }

  private mutating func readWord() {
    let start = position
    while EmbeddedGraphQL.isWord(byte()) { position += 1 }
    let word = bytes[start..<position]
    isMarked = EmbeddedGraphQL.isMark(word)
    expectsValue = ["return", "typeof", "case", "in", "of", "await", "yield"].contains {
      word.elementsEqual($0.utf8)
    }
  }

  /// The maximum size of type arguments in bytes, which limits the time of the search.
  private static let longestTypeArguments = 4096

  /// Skips `<Data, Variables>` between a mark and its literal. Any other `<` is an operator.
  private mutating func readTypeArguments() {
    var depth = 0
    var index = position
    let limit = min(end, position + Self.longestTypeArguments)
    while index < limit {
      switch bytes[index] {
      case UInt8(ascii: "<"): depth += 1
      // The `>` of a function type's arrow is not a bracket.
      case UInt8(ascii: ">") where bytes[index - 1] != UInt8(ascii: "="): depth -= 1
      // A literal type may contain brackets.
      case UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let quote = bytes[(index + 1)..<limit].firstIndex(of: bytes[index]) else {
          return endToken(expectsValue: true)
        }
        index = quote
      default: break
      }
      index += 1
      if depth == 0 { break }
    }
    let next = bytes[index..<end].first { $0 > 0x20 }
    guard depth == 0, next == UInt8(ascii: "`") || next == UInt8(ascii: "(") else {
      return endToken(expectsValue: true)
    }
    position = index
  }

  private mutating func readSlash() {
    let start = position
    if byte(1) == UInt8(ascii: "/") {
      while position < end, byte() != 0x0A { position += 1 }
    } else if byte(1) == UInt8(ascii: "*") {
      position += 2
      while position < end, !(byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/")) { position += 1 }
      position = min(position + 2, end)
      if EmbeddedGraphQL.isMark(comment: bytes[start..<position]) { isMarked = true }
    } else if expectsValue, start >= endlessUntil {
      readRegularExpression()
    } else {
      endToken(expectsValue: true)
    }
  }

  /// Reads to the closing slash. If the line has none, the first slash was a division.
  private mutating func readRegularExpression() {
    let start = position
    var isInClass = false
    position += 1
    while position < end, byte() != 0x0A {
      switch byte() {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "/") where !isInClass: return endToken(expectsValue: false)
      default: break
      }
      position += 1
    }
    endlessUntil = position
    position = start
    endToken(expectsValue: true)
  }

  private mutating func readString(_ quote: UInt8) {
    let start = position + 1
    var escapes: [LiteralEscape] = []
    position += 1
    while position < end, byte() != quote, byte() != 0x0A {
      if byte() == UInt8(ascii: "\\") {
        escapes.append(LiteralEscape(in: bytes, at: position))
        position += 1
      }
      position += 1
    }
    position = min(position, end)
    var literal = EmbeddedLiteral(range: start..<position, escapes: escapes.filter { $0.range.upperBound <= position })
    if byte() == quote { position += 1 }
    if EmbeddedGraphQL.isJoined(bytes, at: position) { literal.partial = .concatenated }
    if isGraphQL(literal) { found.append(literal) }
    isMarked = false
    expectsValue = false
  }

  private mutating func readTemplate(_ nesting: Int) {
    let isMarked = self.isMarked
    let start = position + 1
    let foundBefore = found.count
    var gaps: [Range<Int>] = []
    var escapes: [LiteralEscape] = []
    position += 1
    while position < end, byte() != UInt8(ascii: "`") {
      if byte() == UInt8(ascii: "\\") {
        escapes.append(LiteralEscape(in: bytes, at: position))
        position += 2
      } else if byte() == UInt8(ascii: "$"), byte(1) == UInt8(ascii: "{"), nesting < 32 {
        let gap = position
        position += 2
        self.isMarked = false
        expectsValue = true
        readCode(untilBrace: true, depth: nesting + 1)
        gaps.append(gap..<position)
      } else {
        position += 1
      }
    }
    position = min(position, end)
    self.isMarked = isMarked
    var literal = EmbeddedLiteral(
      range: start..<position, gaps: gaps, escapes: escapes.filter { $0.range.upperBound <= position })
    if EmbeddedGraphQL.isJoined(bytes, at: position + 1) { literal.partial = .concatenated }
    // Literals do not overlap: those in interpolated values count only if this one is not GraphQL.
    if isGraphQL(literal) { found.replaceSubrange(foundBefore..., with: [literal]) }
    position = min(position + 1, end)
    self.isMarked = false
    expectsValue = false
  }

  private func isGraphQL(_ literal: EmbeddedLiteral) -> Bool {
    isMarked || EmbeddedGraphQL.isMarked(bytes[literal.range])
  }
}
