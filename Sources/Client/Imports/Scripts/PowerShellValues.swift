import ApusASCII
import ApusDigest
import ApusJSON

/// Parsing of PowerShell values: literals, hash tables, arrays, variables and simple expressions.
extension PowerShellScript {
  /// Reads a value and a following `| ConvertTo-Json`.
  mutating func pipeline() -> JSONValue {
    var value = operand()
    while true {
      skipBlanks()
      guard byte() == UInt8(ascii: "|") else { return value }
      let start = offset
      offset += 1
      skipBlanks(andLines: true)
      guard takeWord().lowercased() == "convertto-json" else {
        offset = start
        return value
      }
      value = JSONValue(JSONWriter.compact(value))
      while let next = startOfArgument(), next != UInt8(ascii: "}") { _ = argument() }
    }
  }

  mutating func primary() -> JSONValue {
    guard let next = byte() else { return .null }
    switch next {
    case UInt8(ascii: "\""):
      offset += 1
      return JSONValue(quoted(end: "\""))
    case UInt8(ascii: "'"):
      offset += 1
      return JSONValue(literal())
    case UInt8(ascii: "@"): return collection()
    case UInt8(ascii: "("):
      offset += 1
      skipBlanks(andLines: true)
      let value = readCommand() ? .null : pipeline()
      skipBlanks(andLines: true)
      _ = consume(")")
      skipMembers()
      return value
    case UInt8(ascii: "["): return typed()
    case UInt8(ascii: "$"): return variable()
    default: return bare()
    }
  }

  mutating func bare() -> JSONValue {
    let start = offset
    let word = takeWord()
    if word.lowercased() == "new-object" { return newObject() }
    if word.lowercased() == "convertto-json" { return convertedToJSON() }
    if let number = try? JSONDocument(parsing: word).root, number.kind == .number { return number }
    guard byte() == UInt8(ascii: "("), offset > start else { return JSONValue(word) }
    offset += 1
    return list(until: UInt8(ascii: ")")).first ?? .null
  }

  /// Reads the arguments of `ConvertTo-Json`: the value, and parameters such as `-Depth 5`.
  mutating func convertedToJSON() -> JSONValue {
    var value = JSONValue.null
    while let next = startOfArgument(), next != UInt8(ascii: "}") {
      guard next == UInt8(ascii: "-"), byte(1)?.isNameStart == true else {
        value = argument()
        continue
      }
      let name = takeWord().lowercased()
      if name == "-depth" {
        skipBlanks()
        _ = argument()
      }
    }
    return JSONValue(JSONWriter.compact(value))
  }

  /// Reads `$env:NAME)` after `$(`. Returns `nil` for other expressions.
  mutating func variableInParentheses() -> JSONValue? {
    let start = offset
    skipBlanks()
    if consume("$") {
      let name = takeName()
      skipBlanks()
      if !name.isEmpty, consume(")") {
        return variables.value(name.lowercased()) ?? JSONValue("{{\(Self.environmentName(name))}}")
      }
    }
    offset = start
    return nil
  }

  /// Reads `New-Object`. `System.Net.Cookie("name", "value")` becomes `name=value`, and any other object an empty one.
  mutating func newObject() -> JSONValue {
    skipBlanks()
    let type = byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'") ? Self.text(primary()) : takeWord()
    skipBlanks()
    guard consume("(") else { return .object([]) }
    let arguments = list(until: UInt8(ascii: ")")).map(Self.text)
    guard type.lowercased().hasSuffix("cookie"), arguments.count >= 2 else { return .object([]) }
    return JSONValue("\(arguments[0])=\(arguments[1])")
  }

  /// Reads `[Type]value` or `[Type]::Member.Method(value)`. Of the methods, only Base64 encoding is evaluated.
  mutating func typed() -> JSONValue {
    skipTypes()
    guard byte() == UInt8(ascii: "[") else { return byte() == nil ? .null : primary() }
    guard let close = bytes[offset...].prefix(200).firstIndex(of: UInt8(ascii: "]")) else {
      offset += 1
      return .null
    }
    offset = close + 1
    let isBase64 = isNext("::ToBase64String")
    while let next = byte(), next == UInt8(ascii: ":") || next == UInt8(ascii: ".") || next.isNameByte { offset += 1 }
    guard consume("(") else { return .null }
    let value = list(until: UInt8(ascii: ")")).first ?? .null
    return isBase64 ? JSONValue(Base64.encode(Array(Self.text(value).utf8))) : value
  }

  /// Skips members and methods of a value, which are not evaluated: `.Trim()`.
  mutating func skipMembers() {
    while byte() == UInt8(ascii: "."), byte(1)?.isNameStart == true {
      offset += 1
      _ = takeName()
      if consume("(") { _ = list(until: UInt8(ascii: ")")) }
    }
  }

  mutating func variable() -> JSONValue {
    let start = offset
    offset += 1
    if byte() == UInt8(ascii: "(") {
      offset += 1
      if let character = characterCode() { return JSONValue(String(decoding: [character], as: UTF16.self)) }
      if let value = variableInParentheses() { return value }
      skipParentheses()
      return unevaluatedValue(from: start)
    }
    let name = takeName()
    switch name.lowercased() {
    case "true": return true
    case "false": return false
    case "null", "": return .null
    default:
      skipMembers()
      return variables.value(name.lowercased()) ?? JSONValue("{{\(Self.environmentName(name))}}")
    }
  }

  static func environmentName(_ name: String) -> String {
    name.lowercased().hasPrefix("env:") ? String(name.dropFirst(4)) : name
  }

  mutating func unevaluatedValue(from start: Int) -> JSONValue {
    let source = String(decoding: bytes[start..<offset], as: UTF8.self)
    if unevaluated.count < 20 { unevaluated.append(String(source.prefix(60))) }
    return JSONValue(source)
  }

  /// Skips to the byte after the closing parenthesis.
  mutating func skipParentheses() {
    var open = 1
    while let next = byte(), open > 0 {
      offset += 1
      if next == UInt8(ascii: "(") { open += 1 }
      if next == UInt8(ascii: ")") { open -= 1 }
    }
  }

  /// Reads the rest of `$([char]8364)`, which browsers write for a UTF-16 code unit. Returns `nil` for other expressions.
  mutating func characterCode() -> UInt16? {
    guard bytes[offset...].prefix(6).map(\.lowercased).elementsEqual("[char]".utf8) else { return nil }
    let digits = bytes[(offset + 6)...].prefix { $0.isDigit }
    let code = UInt16(String(decoding: digits.prefix(6), as: UTF8.self))
    guard let code, digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: ")") else { return nil }
    offset = digits.endIndex + 1
    return code
  }

  /// Reads `@{…}`, `@(…)` or a here-string.
  mutating func collection() -> JSONValue {
    offset += 1
    if consume("{") { return hashTable() }
    if consume("(") { return .array(list(until: UInt8(ascii: ")"))) }
    let isLiteral = byte() == UInt8(ascii: "'")
    guard isLiteral || byte() == UInt8(ascii: "\"") else { return JSONValue("@" + takeWord()) }
    offset += 1
    while let next = byte(), next != UInt8(ascii: "\n") { offset += 1 }
    offset = min(bytes.count, offset + 1)
    guard isLiteral else { return JSONValue(quoted(end: "\n\"@")) }
    let start = offset
    while offset < bytes.count, !isNext("\n'@") { offset += 1 }
    let text = String(decoding: bytes[min(start, offset)..<offset], as: UTF8.self)
    _ = consume("\n'@")
    return JSONValue(text.last == "\r" ? String(text.dropLast()) : text)
  }

  mutating func hashTable() -> JSONValue {
    var members: [(String, JSONValue)] = []
    while offset < bytes.count {
      skipBlanks(andLines: true)
      if consume("}") { break }
      if consume(";") || consume(",") { continue }
      let before = offset
      let isQuoted = byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'")
      let key = isQuoted ? Self.text(primary()) : takeWord()
      skipBlanks()
      if consume("=") {
        skipBlanks(andLines: true)
        members.append((key, elements()))
      }
      if offset == before { offset += 1 }
    }
    return .object(members)
  }

  /// Reads a value, or several values separated by commas as an array.
  mutating func elements() -> JSONValue {
    let first = pipeline()
    var all = [first]
    skipBlanks()
    while consume(",") {
      skipBlanks(andLines: true)
      all.append(operand())
      skipBlanks()
    }
    return all.count == 1 ? first : .array(all)
  }

  mutating func list(until end: UInt8) -> [JSONValue] {
    var values: [JSONValue] = []
    while offset < bytes.count {
      skipBlanks(andLines: true)
      if byte() == end {
        offset += 1
        break
      }
      if consume(",") || consume(";") { continue }
      let before = offset
      values.append(pipeline())
      if offset == before { offset += 1 }
    }
    return values
  }
}
