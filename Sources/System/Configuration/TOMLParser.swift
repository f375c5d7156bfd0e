import ApusASCII

/// Parses a TOML document into the same tree as a YAML file: tables become mappings, arrays become lists, and values
/// other than strings become plain scalars with their source text.
///
///     schema = "schema.graphql"
///     [extensions.endpoints.staging]
///     url = "https://staging.example/graphql"
///
/// Source: TOML 1.0.0. The limits on size and depth are those of `YAMLParser`.
package enum TOMLParser {
  package static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> YAMLNode {
    guard bytes.count <= YAMLParser.maximumSize else {
      throw ConfigurationError(file: file, "the file is larger than \(YAMLParser.maximumSize / 1024) KiB")
    }
    var reader = TOMLReader(bytes, file: file)
    return try reader.document()
  }
}

/// A table under construction.
private final class TOMLTable {
  enum Item {
    case value(YAMLNode)
    case table(TOMLTable)
    case tables(TOMLTableList)
  }

  let position: YAMLPosition
  var members: [(key: String, position: YAMLPosition, item: Item)] = []
  private var places: [String: Int] = [:]
  /// Whether a header named the table, which no second header may do. `[a.b]` names only `b`, so that `[a]` may follow.
  var isDefined = false

  init(at position: YAMLPosition) { self.position = position }

  subscript(key: String) -> Item? { places[key].map { members[$0].item } }

  func add(_ item: Item, for key: String, at position: YAMLPosition) {
    places[key] = members.count
    members.append((key, position, item))
  }

  func node(file: String) -> YAMLNode {
    let all = members.map { key, keyPosition, item -> YAMLNode.Member in
      let value: YAMLNode
      switch item {
      case .value(let node): value = node
      case .table(let table): value = table.node(file: file)
      case .tables(let tables):
        value = YAMLNode(
          value: .sequence(tables.all.map { $0.node(file: file) }), position: keyPosition, file: file)
      }
      return YAMLNode.Member(key: key, keyPosition: keyPosition, value: value)
    }
    return YAMLNode(value: .mapping(all), position: position, file: file)
  }
}

/// An array of tables under construction. A class, because copying the array for each table would take quadratic time.
private final class TOMLTableList {
  var all: [TOMLTable]

  init(_ first: TOMLTable) { all = [first] }
}

/// A single-pass parser over the bytes.
private struct TOMLReader {
  private let bytes: [UInt8]
  private let file: String
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var depth = 0

  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    self.file = file
  }

  private var position: YAMLPosition { YAMLPosition(line: line, column: index - lineStart + 1) }
  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private func error(_ message: String) -> ConfigurationError { ConfigurationError(file: file, at: position, message) }

  private func isNext(_ text: StaticString) -> Bool {
    index + text.utf8CodeUnitCount <= bytes.count
      && text.withUTF8Buffer { $0.elementsEqual(bytes[index..<(index + $0.count)]) }
  }

  // MARK: Lines

  mutating func document() throws(ConfigurationError) -> YAMLNode {
    let root = TOMLTable(at: position)
    var current = root
    while true {
      try skipToContent()
      guard let byte else { return root.node(file: file) }
      if byte == UInt8(ascii: "[") {
        current = try header(in: root)
      } else {
        try pair(in: current)
      }
      try endOfLine()
    }
  }

  /// Parses `[a.b]`, which opens a table, or `[[a.b]]`, which appends a table to an array.
  private mutating func header(in root: TOMLTable) throws(ConfigurationError) -> TOMLTable {
    let start = position
    let isList = isNext("[[")
    index += isList ? 2 : 1
    let keys = try keys()
    try expect(isList ? "]]" : "]")
    let table = try descend(keys.dropLast(), from: root)
    guard let last = keys.last else { throw error("a table needs a name") }
    let made = TOMLTable(at: start)
    made.isDefined = true
    switch (table[last.name], isList) {
    case (nil, true): table.add(.tables(TOMLTableList(made)), for: last.name, at: last.position)
    case (nil, false): table.add(.table(made), for: last.name, at: last.position)
    case (.tables(let tables)?, true): tables.all.append(made)
    case (.table(let there)?, false) where !there.isDefined:
      there.isDefined = true
      return there
    default: throw ConfigurationError(file: file, at: last.position, "'\(last.name)' is already defined")
    }
    return made
  }

  /// Parses `a.b = value`.
  private mutating func pair(in table: TOMLTable) throws(ConfigurationError) {
    let keys = try keys()
    try expect("=")
    skipBlanks()
    let inner = try descend(keys.dropLast(), from: table)
    guard let last = keys.last, inner[last.name] == nil else {
      throw ConfigurationError(file: file, at: keys.last?.position, "'\(keys.last?.name ?? "")' is already defined")
    }
    inner.add(.value(try value()), for: last.name, at: last.position)
  }

  private func descend(
    _ keys: some Collection<(name: String, position: YAMLPosition)>, from table: TOMLTable
  ) throws(ConfigurationError) -> TOMLTable {
    var table = table
    guard keys.count <= YAMLParser.maximumDepth else { throw error("it is nested too deeply") }
    for key in keys {
      switch table[key.name] {
      case nil:
        let inner = TOMLTable(at: key.position)
        table.add(.table(inner), for: key.name, at: key.position)
        table = inner
      case .table(let inner)?: table = inner
      case .tables(let tables)?:
        guard let inner = tables.all.last else { throw error("'\(key.name)' has no table") }
        table = inner
      case .value?: throw ConfigurationError(file: file, at: key.position, "'\(key.name)' cannot be extended")
      }
    }
    return table
  }

  private mutating func keys() throws(ConfigurationError) -> [(name: String, position: YAMLPosition)] {
    var keys: [(name: String, position: YAMLPosition)] = []
    while true {
      skipBlanks()
      let start = position
      switch byte {
      case UInt8(ascii: "\""): keys.append((try basicText(), start))
      case UInt8(ascii: "'"): keys.append((try literalText(), start))
      default:
        let name = consume { Self.isBare($0) }
        guard !name.isEmpty else { throw error("a key is missing") }
        keys.append((name, start))
      }
      skipBlanks()
      guard byte == UInt8(ascii: ".") else { return keys }
      index += 1
    }
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    byte.isNameByte || byte == UInt8(ascii: "-")
  }

  // MARK: Values

  private mutating func value() throws(ConfigurationError) -> YAMLNode {
    let start = position
    func node(_ value: YAMLNode.Value) -> YAMLNode { YAMLNode(value: value, position: start, file: file) }
    guard depth < YAMLParser.maximumDepth else { throw error("it is nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    switch byte {
    case UInt8(ascii: "\""):
      let text = isNext("\"\"\"") ? try longText(isLiteral: false) : try basicText()
      return node(.scalar(text, isPlain: false))
    case UInt8(ascii: "'"):
      let text = isNext("'''") ? try longText(isLiteral: true) : try literalText()
      return node(.scalar(text, isPlain: false))
    case UInt8(ascii: "["): return node(.sequence(try array()))
    case UInt8(ascii: "{"): return try inlineTable()
    default: return node(.scalar(try word(), isPlain: true))
    }
  }

  /// Parses a number, a date, `true` or `false`, all of which stay text: `0x1F`, `2026-11-28 10:00:00`.
  private mutating func word() throws(ConfigurationError) -> String {
    var text = consume { Self.isBare($0) || "+.:".utf8.contains($0) }
    // A space may separate a date and its time.
    if text.utf8.count == 10, text.utf8.filter({ $0 == UInt8(ascii: "-") }).count == 2, byte == UInt8(ascii: " "),
      index + 1 < bytes.count, bytes[index + 1].isDigit
    {
      index += 1
      text += " " + consume { Self.isBare($0) || "+.:".utf8.contains($0) }
    }
    if ["true", "false", "inf", "+inf", "-inf", "nan", "+nan", "-nan"].contains(text) { return text }
    let digits = text.utf8.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    guard digits.first?.isDigit == true else {
      throw error(text.isEmpty ? "a value is missing" : "'\(text)' is not a value; strings need quotes")
    }
    return text.filter { $0 != "_" }
  }

  private mutating func array() throws(ConfigurationError) -> [YAMLNode] {
    index += 1
    var elements: [YAMLNode] = []
    while true {
      try skipToContent()
      if byte == UInt8(ascii: "]") { break }
      elements.append(try value())
      try skipToContent()
      guard byte == UInt8(ascii: ",") else { break }
      index += 1
    }
    try expect("]")
    return elements
  }

  /// Parses an inline table. It fits on one line and cannot be extended later.
  private mutating func inlineTable() throws(ConfigurationError) -> YAMLNode {
    let table = TOMLTable(at: position)
    index += 1
    skipBlanks()
    while byte != UInt8(ascii: "}") {
      try pair(in: table)
      skipBlanks()
      guard byte == UInt8(ascii: ",") else { break }
      index += 1
      skipBlanks()
    }
    try expect("}")
    return table.node(file: file)
  }

  // MARK: Strings

  private mutating func literalText() throws(ConfigurationError) -> String {
    index += 1
    let text = consume { $0 != UInt8(ascii: "'") && !Self.isControl($0) }
    guard byte == UInt8(ascii: "'") else { throw error("a string is not closed on its line") }
    index += 1
    return text
  }

  private mutating func basicText() throws(ConfigurationError) -> String {
    index += 1
    var text: [UInt8] = []
    while let byte, byte != UInt8(ascii: "\"") {
      guard !Self.isControl(byte) else { break }
      if byte == UInt8(ascii: "\\") { text += try escape() } else { text.append(byte); index += 1 }
    }
    guard byte == UInt8(ascii: "\"") else { throw error("a string is not closed on its line") }
    index += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses a string in triple quotes. A newline directly after the opening quotes is dropped.
  private mutating func longText(isLiteral: Bool) throws(ConfigurationError) -> String {
    let quote = UInt8(ascii: isLiteral ? "'" : "\"")
    index += 3
    if isNext("\r\n") || isNext("\n") { newLine() }
    var text: [UInt8] = []
    while let byte {
      if byte == quote {
        let quotes = bytes[index...].prefix { $0 == quote }.count
        index += min(quotes, 5)
        // Up to two quotes may precede the closing three.
        text += Array(repeating: quote, count: quotes < 3 ? quotes : min(quotes, 5) - 3)
        if quotes >= 3 { return String(decoding: text, as: UTF8.self) }
      } else if isNext("\n") || isNext("\r\n") {
        text.append(UInt8(ascii: "\n"))
        newLine()
      } else if Self.isControl(byte) {
        throw error("a string contains a control character")
      } else if byte == UInt8(ascii: "\\"), !isLiteral {
        let rest = bytes[(index + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if rest.first == UInt8(ascii: "\n") || rest.starts(with: [0x0D, 0x0A]) {
          index += 1
          skipWhiteSpace()
        } else {
          text += try escape()
        }
      } else {
        text.append(byte)
        index += 1
      }
    }
    throw error("a string is not closed")
  }

  private mutating func escape() throws(ConfigurationError) -> [UInt8] {
    guard index + 1 < bytes.count else { throw error("a string ends inside a character") }
    let letter = bytes[index + 1]
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10, UInt8(ascii: "f"): 12, UInt8(ascii: "r"): 13,
      UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    ]
    if let byte = plain[letter] {
      index += 2
      return [byte]
    }
    let count = letter == UInt8(ascii: "u") ? 4 : letter == UInt8(ascii: "U") ? 8 : 0
    let digits = bytes[(index + 2)...].prefix(count)
    guard count > 0, digits.count == count, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(code)
    else { throw error("invalid escape sequence") }
    index += 2 + count
    return Array(String(Character(scalar)).utf8)
  }

  // MARK: White space

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

  private mutating func consume(while isWanted: (UInt8) -> Bool) -> String {
    let start = index
    while let byte, isWanted(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
  }

  private mutating func skipWhiteSpace() {
    while true {
      skipBlanks()
      guard isNext("\n") || isNext("\r\n") else { return }
      newLine()
    }
  }

  private mutating func newLine() {
    index += isNext("\r\n") ? 2 : 1
    line += 1
    lineStart = index
  }

  /// Skips white space, newlines and comments.
  private mutating func skipToContent() throws(ConfigurationError) {
    while true {
      skipWhiteSpace()
      guard byte == UInt8(ascii: "#") else { return }
      _ = consume { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    }
  }

  private mutating func endOfLine() throws(ConfigurationError) {
    skipBlanks()
    if byte == UInt8(ascii: "#") { _ = consume { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") } }
    guard byte == nil || isNext("\n") || isNext("\r\n") else { throw error("unexpected text after the value") }
  }

  private mutating func expect(_ text: StaticString) throws(ConfigurationError) {
    skipBlanks()
    guard isNext(text) else { throw error("'\(text)' is missing") }
    index += text.utf8CodeUnitCount
  }
}
