import ApusASCII

/// The syntactic kind of a span, which determines its color.
package enum TokenStyle: Equatable, Sendable {
  case keyword, type, field, alias, argument, variable, directive, string, number, constant, punctuation, comment, name
  case invalid
}

package struct StyledSpan: Equatable, Sendable {
  /// Columns in the line, in UTF-8 bytes.
  package var columns: Range<Int>
  package var kind: TokenStyle
}

/// The syntactic state at the start of each line, so that lines can be colored separately without a parser.
///
/// After a change, lines are rescanned until the state at the start of a line is the same as before.
package struct SyntaxLines: Equatable, Sendable {
  /// The state at the end of a line.
  struct LineState: Equatable, Sendable {
    var isInBlockString = false
    /// Whether a comment between `/*` and `*/` continues on the next line.
    var isInComment = false
    var depth: Int32 = 0
    var parentheses: Int32 = 0
  }

  private let language: Editor.Language
  private var starts: [LineState]

  init(_ lines: [String], language: Editor.Language) {
    self.language = language
    starts = []
    starts.reserveCapacity(lines.count)
    var carry = LineState()
    for line in lines {
      starts.append(carry)
      carry = SyntaxScanner.carry(after: line, from: carry, language: language)
    }
  }

  mutating func replaceLines(_ first: Int, removed: Int, inserted: Int, in lines: [String]) {
    if removed != inserted {
      starts.replaceSubrange(first..<(first + removed), with: repeatElement(starts[first], count: inserted))
    }
    var carry = starts[first]
    for index in first..<lines.count {
      if index >= first + inserted && starts[index] == carry { return }
      starts[index] = carry
      carry = SyntaxScanner.carry(after: lines[index], from: carry, language: language)
    }
  }

  package func spans(of line: String, at index: Int) -> [StyledSpan] {
    guard starts.indices.contains(index) else { return [] }
    return SyntaxScanner.spans(of: line, from: starts[index], language: language)
  }
}

/// Splits a line into colored spans.
struct SyntaxScanner {
  private let bytes: [UInt8]
  private let language: Editor.Language
  private var carry: SyntaxLines.LineState
  private var index = 0
  private var spans: [StyledSpan] = []
  /// The last keyword, such as `on`, `fragment` or `query`, which determines the kind of the next name.
  private var pending: String?

  static func carry(after line: String, from carry: SyntaxLines.LineState, language: Editor.Language)
    -> SyntaxLines.LineState
  {
    switch language {
    case .graphQL:
      var line = line
      return line.withUTF8 { carryOnly(after: $0, from: carry) }
    case .json:
      guard carry.isInComment || line.utf8.contains(UInt8(ascii: "*")) else { return carry }
      var scanner = SyntaxScanner(bytes: Array(line.utf8), language: language, carry: carry)
      scanner.scan()
      return SyntaxLines.LineState(isInComment: scanner.carry.isInComment)
    case .plain: return carry
    }
  }

  static func spans(of line: String, from carry: SyntaxLines.LineState, language: Editor.Language) -> [StyledSpan] {
    guard language != .plain else { return [] }
    var scanner = SyntaxScanner(bytes: Array(line.utf8), language: language, carry: carry)
    scanner.scan()
    return scanner.spans
  }

  private init(bytes: [UInt8], language: Editor.Language, carry: SyntaxLines.LineState) {
    self.bytes = bytes
    self.language = language
    self.carry = carry
  }

  /// Returns only the state after a line, without its spans.
  private static func carryOnly(
    after bytes: UnsafeBufferPointer<UInt8>, from start: SyntaxLines.LineState
  ) -> SyntaxLines.LineState {
    var carry = start
    var index = 0
    let isQuotes = { (at: Int) in at + 2 < bytes.count && bytes[at] == 34 && bytes[at + 1] == 34 && bytes[at + 2] == 34
    }
    while index < bytes.count {
      if carry.isInBlockString {
        if bytes[index] == 92, isQuotes(index + 1) {
          index += 3
        } else if isQuotes(index) {
          carry.isInBlockString = false
          index += 2
        }
        index += 1
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "#"): return carry
      case UInt8(ascii: "{"): carry.depth += 1
      case UInt8(ascii: "}"): carry.depth = max(0, carry.depth - 1)
      case UInt8(ascii: "("): carry.parentheses += 1
      case UInt8(ascii: ")"): carry.parentheses = max(0, carry.parentheses - 1)
      case UInt8(ascii: "\""):
        if isQuotes(index) {
          carry.isInBlockString = true
          index += 2
        } else {
          index += 1
          while index < bytes.count, bytes[index] != 34 { index += bytes[index] == 92 ? 2 : 1 }
        }
      default: break
      }
      index += 1
    }
    return carry
  }

  private mutating func scan() {
    while index < bytes.count {
      if carry.isInBlockString {
        blockString(from: index, at: index)
        continue
      }
      if carry.isInComment {
        comment(from: index, at: index)
        continue
      }
      let start = index
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","):
        index += 1
      case UInt8(ascii: "#"),
        UInt8(ascii: "/") where language == .json && bytes[start...].starts(with: Array("//".utf8)):
        index = bytes.count
        add(start, .comment)
      case UInt8(ascii: "/") where language == .json && bytes[start...].starts(with: Array("/*".utf8)):
        comment(from: start, at: start + 2)
      case UInt8(ascii: "\""):
        string()
      case UInt8(ascii: "$"), UInt8(ascii: "@"):
        index += 1
        while index < bytes.count, bytes[index].isNameByte { index += 1 }
        add(start, byte == UInt8(ascii: "$") ? .variable : .directive)
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        index += 1
        while index < bytes.count, isNumberPart(bytes[index]) { index += 1 }
        add(start, .number)
      case _ where byte.isNameStart:
        while index < bytes.count, bytes[index].isNameByte { index += 1 }
        name(start)
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["),
        UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "!"), UInt8(ascii: "="), UInt8(ascii: "|"),
        UInt8(ascii: "&"), UInt8(ascii: "."):
        index += 1
        punctuation(byte)
        add(start, .punctuation)
      default:
        index += 1
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
        add(start, .invalid)
      }
    }
  }

  private mutating func punctuation(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"): carry.depth += 1
    case UInt8(ascii: "}"): carry.depth = max(0, carry.depth - 1)
    case UInt8(ascii: "("): carry.parentheses += 1
    case UInt8(ascii: ")"): carry.parentheses = max(0, carry.parentheses - 1)
    case UInt8(ascii: "."): return
    case UInt8(ascii: ":"):
      pending = spans.last?.kind == .variable && carry.parentheses > 0 ? "on" : nil
      return
    case UInt8(ascii: "["):
      return
    default: break
    }
    pending = nil
  }

  private mutating func name(_ start: Int) {
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    if language == .json {
      return add(start, ["true", "false", "null"].contains(word) ? .constant : .invalid)
    }
    let kind: TokenStyle
    switch (word, pending) {
    case ("on", "fragment"), ("on", "..."):
      (kind, pending) = (.keyword, "on")
    case ("on", nil) where spans.last?.kind == .punctuation && endsInDots:
      (kind, pending) = (.keyword, "on")
    case (_, "on"?):
      (kind, pending) = (.type, nil)
    case (_, "fragment"?):
      kind = .name
    case (_, "operation"?):
      (kind, pending) = (.name, nil)
    case ("query", _), ("mutation", _), ("subscription", _):
      guard carry.depth == 0, carry.parentheses == 0 else { fallthrough }
      (kind, pending) = (.keyword, "operation")
    case ("fragment", _):
      guard carry.depth == 0, carry.parentheses == 0, word == "fragment" else { fallthrough }
      (kind, pending) = (.keyword, "fragment")
    default:
      if followedByColon {
        kind = carry.parentheses > 0 ? .argument : .alias
      } else if carry.parentheses > 0 {
        kind = .constant
      } else if endsInDots {
        kind = .name
      } else {
        kind = carry.depth > 0 ? .field : .name
      }
    }
    add(start, kind)
  }

  private var endsInDots: Bool {
    guard let last = spans.last, last.kind == .punctuation, last.columns.count == 3 else { return false }
    return bytes[last.columns.lowerBound] == UInt8(ascii: ".")
  }

  private var followedByColon: Bool {
    bytes[index...].first { $0 != 32 && $0 != 9 } == UInt8(ascii: ":")
  }

  private mutating func string() {
    let start = index
    if language == .graphQL, index + 2 < bytes.count, bytes[index + 1] == 34, bytes[index + 2] == 34 {
      carry.isInBlockString = true
      return blockString(from: start, at: index + 3)
    }
    index += 1
    while index < bytes.count, bytes[index] != 34 { index += bytes[index] == 92 ? 2 : 1 }
    index = min(bytes.count, index + 1)
    add(start, language == .json && followedByColon ? .argument : .string)
  }

  private mutating func blockString(from start: Int, at inside: Int) {
    index = inside
    while index < bytes.count {
      if bytes[index] == 92, index + 3 < bytes.count, bytes[index + 1] == 34 {
        index += 4
      } else if index + 2 < bytes.count, bytes[index] == 34, bytes[index + 1] == 34, bytes[index + 2] == 34 {
        index += 3
        carry.isInBlockString = false
        return add(start, .string)
      } else {
        index += 1
      }
    }
    index = bytes.count
    add(start, .string)
  }

  private mutating func comment(from start: Int, at inside: Int) {
    index = inside
    carry.isInComment = true
    while index < bytes.count, carry.isInComment {
      if bytes[index...].starts(with: Array("*/".utf8)) {
        carry.isInComment = false
        index += 1
      }
      index += 1
    }
    add(start, .comment)
  }

  /// Adds a span. The three dots of a spread are one span.
  private mutating func add(_ start: Int, _ kind: TokenStyle) {
    if kind == .punctuation, let last = spans.last, last.kind == kind, last.columns.upperBound == start,
      bytes[start] == UInt8(ascii: "."), bytes[last.columns.lowerBound] == UInt8(ascii: ".")
    {
      spans[spans.count - 1].columns = last.columns.lowerBound..<index
    } else {
      spans.append(StyledSpan(columns: start..<index, kind: kind))
    }
  }

  private func isNumberPart(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == 46 || byte == 43 || byte == 45 || byte == 69 || byte == 101
  }
}
