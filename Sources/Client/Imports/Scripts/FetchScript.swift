import ApusASCII
import ApusJSON

/// The `fetch` calls in JavaScript, as browsers copy them and documentation contains them.
///
/// It evaluates literals, constants set to literals, and `JSON.stringify`. Nothing is executed: an expression that only
/// JavaScript can evaluate becomes a variable with its name.
///
/// Source: ECMAScript 2024, section 12.9 "Literals", and the Fetch standard.
struct FetchScript {
  private(set) var requests: [ImportedHTTPRequest] = []
  /// The functions of other HTTP clients that the script calls.
  private(set) var otherCalls: [String] = []

  let bytes: [UInt8]
  var offset = 0
  /// The nesting depth of the value that is being read.
  var depth = 0
  private var constants = ScriptVariables()

  static func isOne(_ text: String) -> Bool {
    let word = text.drop { $0.isWhitespace }.prefix { $0.isLetter || $0 == "_" }
    return text.contains("fetch(") && !["curl", "env", "export"].contains(String(word)) && !text.hasPrefix("#!/bin")
      && !text.hasPrefix("$ curl")
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
    while offset < bytes.count { readStatement() }
  }

  // MARK: Bytes

  private mutating func consume(_ text: String) -> Bool {
    skipBlanks()
    guard isNext(text) else { return false }
    offset += text.utf8.count
    return true
  }

  /// Skips whitespace, line ends and comments.
  mutating func skipBlanks() {
    while let next = byte() {
      switch next {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): offset += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        while let other = byte(), other != UInt8(ascii: "\n") { offset += 1 }
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
        while offset < bytes.count, !isNext("*/") { offset += 1 }
        offset = min(bytes.count, offset + 2)
      default: return
      }
    }
  }

  private mutating func takeName() -> String {
    let start = offset
    while let next = byte(), next.isNameByte || next == UInt8(ascii: "$") || next >= 0x80 { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  // MARK: Statements

  /// Reads a call, a constant or an appended header, and skips anything else.
  private mutating func readStatement() {
    skipBlanks()
    guard let next = byte() else { return }
    guard next.isNameStart || next == UInt8(ascii: "$") else {
      if "\"'`".utf8.contains(next) { _ = value() } else { offset += 1 }
      return
    }
    let name = takeName()
    if ["const", "let", "var"].contains(name) {
      skipBlanks()
      let constant = takeName()
      if !constant.isEmpty, consume("=") {
        skipBlanks()
        if !isCall { constants.set(constant, value()) }
      }
    } else if name == "fetch", consume("(") {
      readCall()
    } else if consume(".") {
      readMember(of: name)
    }
  }

  /// Reads `window.fetch(…)`, `headers.append(…)`, or a call of another client.
  private mutating func readMember(of name: String) {
    let member = takeName()
    guard ["fetch", "append", "set", "post", "get", "request"].contains(member), consume("(") else { return }
    if member == "fetch", ["window", "self", "globalThis"].contains(name) { return readCall() }
    let arguments = list(until: UInt8(ascii: ")"))
    switch member {
    case "append" where arguments.count == 2, "set" where arguments.count == 2:
      constants.set(Self.text(arguments[0]), arguments[1], of: name)
    case _ where Self.otherClients.contains(name): otherCalls.append("\(name).\(member)")
    default: break
    }
  }

  private static let otherClients: Set<String> = ["axios", "got", "superagent", "ky", "$"]

  /// Whether a call of `fetch` follows, possibly with `await`.
  private var isCall: Bool {
    let rest = bytes[offset...].drop { "await (\t\n".utf8.contains($0) }
    return rest.starts(with: "fetch(".utf8)
  }

  private mutating func readCall() {
    let arguments = list(until: UInt8(ascii: ")"))
    guard let url = arguments.first else { return }
    // A `Request` has the URL and the options.
    let isRequest = url.kind == .object
    let options = isRequest ? url : arguments.dropFirst().first ?? .object([])
    var request = ImportedHTTPRequest(url: isRequest ? url["url"].map(Self.text) ?? "" : Self.text(url))
    for (name, value) in (options["headers"]?.members.map { ($0.key, $0.value) } ?? []).prefix(ImportedHeaders.limit) {
      request.headers.append(.init(name: name, value: Self.text(value)))
    }
    // Headers can also be pairs.
    for pair in options["headers"]?.elements.prefix(ImportedHeaders.limit).map({ $0 }) ?? [] where pair.count == 2 {
      let texts = pair.elements.map(Self.text)
      request.headers.append(.init(name: texts[0], value: texts[1]))
    }
    request.body = options["body"].map(Self.text) ?? ""
    request.method = options["method"]?.string?.uppercased() ?? "GET"
    requests.append(request)
  }

  // MARK: Values

  private mutating func value() -> JSONValue {
    skipBlanks()
    return operand()
  }

  mutating func primary() -> JSONValue {
    guard let next = byte() else { return .null }
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
      offset += 1
      return JSONValue(string(end: next))
    case UInt8(ascii: "{"):
      offset += 1
      return object()
    case UInt8(ascii: "["):
      offset += 1
      return .array(list(until: UInt8(ascii: "]")))
    case UInt8(ascii: "("):
      offset += 1
      let value = value()
      _ = consume(")")
      return value
    default:
      return next.isDigit || next == UInt8(ascii: "-") || next == UInt8(ascii: ".") ? number() : named()
    }
  }

  private mutating func number() -> JSONValue {
    let start = offset
    offset += 1
    while let next = byte(), next.isNameByte || next == UInt8(ascii: ".") { offset += 1 }
    let source = String(decoding: bytes[start..<offset], as: UTF8.self).replacing("_", with: "")
    return (try? JSONDocument(parsing: source).root) ?? Double(source).map { JSONValue($0) } ?? .null
  }

  /// Reads a constant, a literal keyword, or a call whose argument is the value: `JSON.stringify(…)`, `new Headers(…)`.
  private mutating func named() -> JSONValue {
    let start = offset
    var name = takeName()
    if name == "new" || name == "await" {
      skipBlanks()
      name = takeName()
    }
    while byte() == UInt8(ascii: ".") || byte() == UInt8(ascii: "?") && byte(1) == UInt8(ascii: ".") {
      offset += byte() == UInt8(ascii: ".") ? 1 : 2
      name += ".\(takeName())"
    }
    // Tags such as `gql` return the text of the template.
    if byte() == UInt8(ascii: "`") {
      offset += 1
      return JSONValue(string(end: UInt8(ascii: "`")))
    }
    if byte() == UInt8(ascii: "(") {
      offset += 1
      return call(name, list(until: UInt8(ascii: ")")), from: start)
    }
    switch name {
    case "true": return true
    case "false": return false
    case "null", "undefined", "": return .null
    default: return constants.value(name) ?? JSONValue("{{\(name)}}")
    }
  }

  private func call(_ name: String, _ arguments: [JSONValue], from start: Int) -> JSONValue {
    let argument = arguments.first ?? .object([])
    switch name {
    case "JSON.stringify": return JSONValue(JSONWriter.compact(argument))
    case "URLSearchParams":
      let fields = argument.members.map { "\(URLQuery.encode($0.key))=\(URLQuery.encode(Self.text($0.value)))" }
      return argument.string.map { JSONValue($0) } ?? JSONValue(fields.joined(separator: "&"))
    case "Request":
      let options = arguments.dropFirst().first.map { $0.members.map { ($0.key, $0.value) } } ?? []
      return .object([("url", argument)] + options)
    case "URL" where arguments.count > 1 && Self.text(argument).hasPrefix("/"):
      let base = Self.text(arguments[1])
      let host =
        base.firstRange(of: "://").map { base[$0.upperBound...].prefix { $0 != "/" }.endIndex } ?? base.endIndex
      return JSONValue(base[..<host] + Self.text(argument))
    case "Headers", "URL", "String", "gql", "encodeURIComponent": return argument
    default: return JSONValue("{{\(name)}}")
    }
  }

  private mutating func object() -> JSONValue {
    var members: [(String, JSONValue)] = []
    while offset < bytes.count {
      skipBlanks()
      if consume("}") { break }
      if consume(",") { continue }
      let before = offset
      if consume("...") {
        members += value().members.map { ($0.key, $0.value) }
        continue
      }
      let isQuoted = byte().map { "\"'`[".utf8.contains($0) } == true
      let key = isQuoted ? keyText() : takeName()
      // A property without a value is the constant with its name.
      let member = consume(":") ? value() : constants.value(key) ?? JSONValue("{{\(key)}}")
      if !key.isEmpty { members.append((key, member)) }
      if offset == before { offset += 1 }
    }
    return .object(members)
  }

  private mutating func keyText() -> String {
    let key = value()
    return Self.text(key.kind == .array && key.count > 0 ? key.elements.prefix(1).map { $0 }[0] : key)
  }

  private mutating func list(until end: UInt8) -> [JSONValue] {
    var values: [JSONValue] = []
    while offset < bytes.count {
      skipBlanks()
      if byte() == end {
        offset += 1
        break
      }
      if consume(",") { continue }
      let before = offset
      values.append(value())
      if offset == before { offset += 1 }
    }
    return values
  }

  // MARK: Strings

  private mutating func string(end: UInt8) -> String {
    var text: [UInt8] = []
    var followsBrace = false
    while let next = byte(), next != end {
      offset += 1
      // Braces of the script are text, unlike those of a variable whose value is unknown.
      if next == UInt8(ascii: "{"), followsBrace { text += LiteralBraces.bytes }
      followsBrace = next == UInt8(ascii: "{")
      if next == UInt8(ascii: "\\") {
        text += escape()
      } else if next == UInt8(ascii: "$"), end == UInt8(ascii: "`"), byte() == UInt8(ascii: "{") {
        offset += 1
        let part = value()
        _ = consume("}")
        text += Self.text(part).utf8
      } else {
        text.append(next)
      }
    }
    offset = min(bytes.count, offset + 1)
    return String(decoding: text, as: UTF8.self)
  }

  private static let letters: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
    UInt8(ascii: "v"): 11, UInt8(ascii: "0"): 0,
  ]

  /// Returns the bytes of an escape sequence after the backslash.
  private mutating func escape() -> [UInt8] {
    guard let next = byte() else { return [] }
    offset += 1
    if let byte = Self.letters[next] { return [byte] }
    switch next {
    case UInt8(ascii: "\n"): return []
    case UInt8(ascii: "\r"):
      if byte() == UInt8(ascii: "\n") { offset += 1 }
      return []
    case UInt8(ascii: "x"): return Self.encoded(hexadecimal(2).map { [UInt16($0)] } ?? [])
    case UInt8(ascii: "u"):
      if byte() == UInt8(ascii: "{") {
        offset += 1
        let code = hexadecimal(6)
        _ = consume("}")
        return Array(String(Character(code.flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")).utf8)
      }
      var units = hexadecimal(4).map { [UInt16($0)] } ?? []
      while let high = units.last, UTF16.isLeadSurrogate(high), isNext("\\u") {
        offset += 2
        guard let low = hexadecimal(4) else { break }
        units.append(UInt16(low))
      }
      return Self.encoded(units)
    default: return [next]
    }
  }

  private static func encoded(_ units: [UInt16]) -> [UInt8] { Array(String(decoding: units, as: UTF16.self).utf8) }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    let digits = bytes[offset...].prefix(count).prefix { Character(Unicode.Scalar($0)).isHexDigit }
    offset = digits.endIndex
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

extension ImportedCollection {
  mutating func readFetch(_ text: String) {
    let script = FetchScript(text)
    for request in script.requests { add(request) }
    for name in script.otherCalls {
      skip("request \(nextRequestNumber())", "'\(name)' is not supported; write it as a call of fetch")
    }
  }
}
