import ApusASCII
import ApusJSON

/// The JSON of the variables pane as a tree with locations, also if it has errors. It may have comments and trailing
/// commas (`RelaxedJSON`).
///
/// The JSON module reads valid documents and is fast; this one accepts incomplete documents and is never used for
/// responses.
package struct VariablesSyntaxTree: Sendable {
  package struct Problem: Sendable, Equatable {
    package let message: String
    /// The byte range.
    package let range: Range<Int>
  }

  package let bytes: [UInt8]
  /// The root value; `nil` if the text is empty.
  package let root: VariablesNode?
  package let problems: [Problem]

  package init(_ text: String) {
    bytes = Array(text.utf8)
    var reader = VariablesReader(bytes)
    root = reader.readRoot()
    problems = reader.problems
  }

  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// A JSON value with its byte range.
package struct VariablesNode: Sendable, Equatable {
  package struct Member: Sendable, Equatable {
    package let name: String
    /// The range of the name, including its quotes.
    package let nameRange: Range<Int>
    package let colon: Int?
    /// `nil` if the value is missing, as in `{"id": }`.
    package let value: VariablesNode?

    package var range: Range<Int> {
      nameRange.lowerBound..<max(nameRange.upperBound, value?.range.upperBound ?? 0, colon.map { $0 + 1 } ?? 0)
    }
  }

  package indirect enum Content: Sendable, Equatable {
    case object([Member])
    case array([VariablesNode])
    case string(String)
    /// A number as written.
    case number(String)
    case bool(Bool)
    case null
    /// An unquoted word that is not valid JSON: `WEIGHT` in `{"order": WEIGHT}`.
    case word(String)
  }

  package let content: Content
  package let range: Range<Int>
  /// Whether the closing bracket or quote is present.
  package let isClosed: Bool
}

/// Parses JSON and continues after errors.
private struct VariablesReader {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var problems: [VariablesSyntaxTree.Problem] = []
  private static let deepest = 200

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func readRoot() -> VariablesNode? {
    skipSpace()
    guard position < bytes.count else { return nil }
    let root = readValue(depth: 0)
    skipSpace()
    if position < bytes.count { report("Unexpected text after the closing brace", position..<bytes.count) }
    return root
  }

  private mutating func report(_ message: String, _ range: Range<Int>) {
    guard problems.count < 100, problems.last?.range.lowerBound != range.lowerBound else { return }
    problems.append(VariablesSyntaxTree.Problem(message: message, range: range))
  }

  /// Skips white space and comments.
  private mutating func skipSpace() {
    while position < bytes.count {
      let byte = bytes[position]
      if let end = RelaxedJSON.endOfComment(in: bytes, at: position) {
        position = end
      } else if bytes[position...].starts(with: Array("/*".utf8)) {
        report("The comment is not closed: \"*/\" is missing", position..<position + 2)
        position = bytes.count
      } else if byte <= 0x20 {
        position += 1
      } else {
        return
      }
    }
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Reads a value. Returns `nil` and reads nothing if no value begins here.
  private mutating func readValue(depth: Int) -> VariablesNode? {
    guard let byte = peek() else { return nil }
    guard depth < Self.deepest else {
      report("Nested deeper than \(Self.deepest) levels", position..<bytes.count)
      position = bytes.count
      return nil
    }
    switch byte {
    case UInt8(ascii: "{"): return readObject(depth: depth)
    case UInt8(ascii: "["): return readArray(depth: depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return readString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return readNumber()
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"): return nil
    default: return readWord()
    }
  }

  private mutating func readObject(depth: Int) -> VariablesNode {
    let start = position
    position += 1
    var members: [VariablesNode.Member] = []
    var needsComma = false
    while true {
      skipSpace()
      guard let byte = peek() else {
        report("The object is not closed: \"}\" is missing", start..<start + 1)
        return VariablesNode(content: .object(members), range: start..<position, isClosed: false)
      }
      switch byte {
      case UInt8(ascii: "}"):
        position += 1
        return VariablesNode(content: .object(members), range: start..<position, isClosed: true)
      case UInt8(ascii: "]"):
        report("The object is not closed: \"}\" is missing", start..<start + 1)
        return VariablesNode(content: .object(members), range: start..<position, isClosed: false)
      case UInt8(ascii: ","):
        if !needsComma { report("A name is missing before the comma", position..<position + 1) }
        position += 1
        needsComma = false
      default:
        if needsComma { report("A comma is missing", position..<position + 1) }
        if let member = readMember(depth: depth) { members.append(member) }
        needsComma = true
      }
    }
  }

  private mutating func readMember(depth: Int) -> VariablesNode.Member? {
    let start = position
    guard let key = readValue(depth: depth + 1) else {
      report("A name in quotes is expected", position..<position + 1)
      position += 1
      return nil
    }
    let name: String
    switch key.content {
    case .string(let text): name = text
    case .word(let text), .number(let text): name = text
    case .bool(let value): name = value ? "true" : "false"
    case .null: name = "null"
    case .object, .array:
      report("A name in quotes is expected", start..<start + 1)
      return nil
    }
    if case .string = key.content {} else { report("Names must be in quotes", key.range) }
    skipSpace()
    guard peek() == UInt8(ascii: ":") else {
      report("\":\" and a value are missing", key.range)
      return VariablesNode.Member(name: name, nameRange: key.range, colon: nil, value: nil)
    }
    let colon = position
    position += 1
    skipSpace()
    let value = readValue(depth: depth + 1)
    if value == nil { report("A value is missing", colon..<colon + 1) }
    return VariablesNode.Member(name: name, nameRange: key.range, colon: colon, value: value)
  }

  private mutating func readArray(depth: Int) -> VariablesNode {
    let start = position
    position += 1
    var elements: [VariablesNode] = []
    var needsComma = false
    while true {
      skipSpace()
      guard let byte = peek(), byte != UInt8(ascii: "}") else {
        report("The list is not closed: \"]\" is missing", start..<start + 1)
        return VariablesNode(content: .array(elements), range: start..<position, isClosed: false)
      }
      switch byte {
      case UInt8(ascii: "]"):
        position += 1
        return VariablesNode(content: .array(elements), range: start..<position, isClosed: true)
      case UInt8(ascii: ","):
        if !needsComma { report("A value is missing before the comma", position..<position + 1) }
        position += 1
        needsComma = false
      default:
        if needsComma { report("A comma is missing", position..<position + 1) }
        if let value = readValue(depth: depth + 1) {
          elements.append(value)
        } else {
          report("A value is expected", position..<position + 1)
          position += 1
        }
        needsComma = true
      }
    }
  }

  /// Reads a string, which cannot extend beyond the end of the line.
  private mutating func readString() -> VariablesNode {
    let start = position
    let quote = bytes[position]
    if quote != UInt8(ascii: "\"") { report("Strings must be in double quotes", start..<start + 1) }
    position += 1
    var text: [UInt8] = []
    while let byte = peek(), byte != 0x0A {
      position += 1
      if byte == quote {
        return VariablesNode(
          content: .string(String(decoding: text, as: UTF8.self)), range: start..<position, isClosed: true)
      }
      if byte == UInt8(ascii: "\\") { readEscape(into: &text) } else { text.append(byte) }
    }
    report("The string is not closed", start..<position)
    return VariablesNode(
      content: .string(String(decoding: text, as: UTF8.self)), range: start..<position, isClosed: false)
  }

  private mutating func readEscape(into text: inout [UInt8]) {
    guard let byte = peek(), byte != 0x0A else { return }
    let start = position - 1
    position += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"):
      let digits = bytes[position...].prefix(4)
      guard digits.count == 4, let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
        return report("\\u takes four hexadecimal digits", start..<position)
      }
      position += 4
      // A lone surrogate is not a valid character and is replaced. A pair is read together.
      if UTF16.isLeadSurrogate(value), let low = trailSurrogate() {
        text += String(decoding: [value, low], as: UTF16.self).utf8
      } else {
        text += String(decoding: [value], as: UTF16.self).utf8
      }
    default: report("\"\\\(Character(UnicodeScalar(byte)))\" is not an escape sequence", start..<position)
    }
  }

  private mutating func trailSurrogate() -> UInt16? {
    let next = bytes[position...].prefix(6)
    guard next.count == 6, next.starts(with: Array("\\u".utf8)),
      let low = UInt16(String(decoding: next.dropFirst(2), as: UTF8.self), radix: 16), UTF16.isTrailSurrogate(low)
    else { return nil }
    position += 6
    return low
  }

  private mutating func readNumber() -> VariablesNode {
    let start = position
    while let byte = peek(), Self.isWordByte(byte) || [0x2B, 0x2D, 0x2E].contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if JSONNumber(text: text) == nil { report("\"\(text)\" is not a number", start..<position) }
    return VariablesNode(content: .number(text), range: start..<position, isClosed: true)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte.isNameByte || byte == UInt8(ascii: "$")
      || byte >= 0x80
  }

  private mutating func readWord() -> VariablesNode {
    let start = position
    while let byte = peek(), Self.isWordByte(byte) { position += 1 }
    if position == start { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let content: VariablesNode.Content =
      switch text {
      case "true": .bool(true)
      case "false": .bool(false)
      case "null": .null
      default: .word(text)
      }
    return VariablesNode(content: content, range: start..<position, isClosed: true)
  }
}
