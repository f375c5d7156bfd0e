import ApusASCII
import ApusJSON

/// The web requests in a PowerShell script: `Invoke-WebRequest`, `Invoke-RestMethod` and curl.
///
/// It evaluates literals, variables set to literals, and `ConvertTo-Json`. Nothing is executed: an expression that only
/// PowerShell can evaluate is kept as written.
///
/// Source: the PowerShell documentation, about_Quoting_Rules, about_Special_Characters and about_Hash_Tables.
struct PowerShellScript: ScriptReader {
  private(set) var requests: [ImportedHTTPRequest] = []
  private(set) var curlCommands: [CurlCommand] = []
  /// The source text of expressions that were not evaluated.
  var unevaluated: [String] = []

  let bytes: [UInt8]
  var offset = 0
  var depth = 0
  var variables = ScriptVariables()

  private static let commands: Set<String> = ["invoke-webrequest", "invoke-restmethod", "iwr", "irm"]

  /// Returns whether text contains a web request, or a curl command with PowerShell's line continuations.
  static func isOne(_ text: String) -> Bool {
    let start = text.drop { $0.isWhitespace || $0 == "$" }
    let lowered = text.lowercased()
    if start.lowercased().hasPrefix("curl") { return lowered.contains("`\n") || lowered.contains("`\r\n") }
    return lowered.contains("invoke-webrequest") || lowered.contains("invoke-restmethod")
      || ["iwr ", "irm "].contains { lowered.hasPrefix($0) }
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
    while offset < bytes.count { readStatement() }
  }

  // MARK: Bytes

  mutating func consume(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    offset += text.utf8.count
    return true
  }

  /// Skips whitespace, comments and line continuations; with `andLines`, also line ends.
  mutating func skipBlanks(andLines: Bool = false) {
    while let next = byte() {
      switch next {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "\n") where andLines: offset += 1
      case UInt8(ascii: "`") where byte(1) == UInt8(ascii: "\n"): offset += 2
      case UInt8(ascii: "`") where byte(1) == UInt8(ascii: "\r") && byte(2) == UInt8(ascii: "\n"): offset += 3
      case UInt8(ascii: "#"): while let other = byte(), other != UInt8(ascii: "\n") { offset += 1 }
      case UInt8(ascii: "<") where byte(1) == UInt8(ascii: "#"):
        while offset < bytes.count, !isNext("#>") { offset += 1 }
        offset = min(bytes.count, offset + 2)
      default: return
      }
    }
  }

  static let wordEnds = Set(" \t\r\n,;|(){}=\"'".utf8)

  mutating func takeWord() -> String {
    let start = offset
    while let next = byte(), !Self.wordEnds.contains(next) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  mutating func takeName() -> String {
    let start = offset
    if consume("{") {
      while let next = byte(), next != UInt8(ascii: "}") { offset += 1 }
      let name = String(decoding: bytes[(start + 1)..<offset], as: UTF8.self)
      offset = min(bytes.count, offset + 1)
      return name
    }
    while let next = byte(), next.isNameByte || next == UInt8(ascii: ":") && byte(1)?.isNameByte == true { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  // MARK: Statements

  mutating func readStatement() {
    skipBlanks(andLines: true)
    let start = offset
    skipTypes()
    if byte() == UInt8(ascii: "$"), readAssignment() { return endStatement(from: start) }
    if !readCommand() { _ = pipeline() }
    endStatement(from: start)
  }

  /// Skips to the end of a statement, and at least one byte.
  mutating func endStatement(from start: Int) {
    while let next = byte(), next != UInt8(ascii: "\n"), next != UInt8(ascii: ";") {
      skipBlanks()
      if byte() == UInt8(ascii: "|") {
        offset += 1
        skipBlanks(andLines: true)
        continue
      }
      let before = offset
      if byte() != UInt8(ascii: "\n"), byte() != UInt8(ascii: ";") { _ = operand() }
      if offset == before { break }
    }
    if offset == start || byte() == UInt8(ascii: "\n") || byte() == UInt8(ascii: ";") { offset += 1 }
    offset = min(offset, bytes.count)
  }

  /// Skips `[Type]` before a variable or value.
  mutating func skipTypes() {
    while byte() == UInt8(ascii: "["), let close = bytes[offset...].prefix(200).firstIndex(of: UInt8(ascii: "]")) {
      let end = bytes[close...].prefix { $0 == UInt8(ascii: "]") }.endIndex
      guard !bytes[end...].starts(with: "::".utf8) else { return }
      offset = end
      skipBlanks()
    }
  }

  /// Reads `$name = value`, `$name.Member = value`, `$name["key"] = value` or `$name.Add("key", "value")`.
  mutating func readAssignment() -> Bool {
    let start = offset
    offset += 1
    let name = takeName().lowercased()
    guard !name.isEmpty else {
      offset = start
      return false
    }
    var keys: [String] = []
    while keys.count < 4 {
      if consume(".") {
        keys.append(takeName())
      } else if consume("[") {
        keys.append(Self.text(operand()))
        _ = consume("]")
      } else {
        break
      }
    }
    if byte() == UInt8(ascii: "("), keys.last?.lowercased() == "add" {
      offset += 1
      let arguments = list(until: UInt8(ascii: ")"))
      add(arguments, to: name, keys.dropLast())
      return true
    }
    skipBlanks()
    guard consume("=") else {
      offset = start
      return false
    }
    skipBlanks()
    skipTypes()
    if readCommand() { return true }
    let value = pipeline()
    if let key = keys.first {
      variables.set(key, value, of: name)
    } else {
      variables.set(name, value)
    }
    return true
  }

  mutating func add(_ arguments: [JSONValue], to name: String, _ keys: ArraySlice<String>) {
    if keys.first?.lowercased() == "cookies", let cookie = arguments.first {
      let others = variables.value(name)?["Cookies"]?.string
      guard (others?.utf8.count ?? 0) < 1 << 16 else { return }
      variables.set("Cookies", JSONValue((others.map { "\($0); " } ?? "") + Self.text(cookie)), of: name)
    } else if arguments.count == 2 {
      variables.set(Self.text(arguments[0]), arguments[1], of: name)
    }
  }

  // MARK: Commands

  /// Reads a web request or a curl command. Returns false if there is none.
  mutating func readCommand() -> Bool {
    let start = offset
    _ = consume("&")
    skipBlanks()
    let word = takeWord()
    if CurlCommand.isCurl(word) {
      readCurl()
      return true
    }
    guard Self.commands.contains(word.lowercased()) else {
      offset = start
      return false
    }
    var parameters: [(name: String, value: JSONValue)] = []
    var leftOut: [String] = []
    while let next = startOfArgument() {
      if next == UInt8(ascii: "@"), byte(1)?.isNameStart == true {
        offset += 1
        let members = variables.value(takeName().lowercased())?.members.map { (name: $0.key, value: $0.value) } ?? []
        parameters += members
      } else if next == UInt8(ascii: "-"), byte(1)?.isNameStart == true {
        offset += 1
        var name = takeWord()
        if name.hasSuffix(":") { name.removeLast() }
        skipBlanks()
        if let value = startOfArgument(), !Self.isSwitch(name),
          value != UInt8(ascii: "-") || byte(1)?.isNameStart != true
        {
          parameters.append((name, argument()))
        } else if name.lowercased() == "skipcertificatecheck" {
          leftOut.append("-\(name) was not imported: pass --insecure to Apus")
        }
      } else {
        parameters.append(("Uri", argument()))
      }
    }
    var request = request(parameters)
    request.leftOut += leftOut
    requests.append(request)
    return true
  }

  /// Returns the first byte of the next argument, or `nil` at the end of the command.
  mutating func startOfArgument() -> UInt8? {
    skipBlanks()
    guard let next = byte(), !"\n;|)}".utf8.contains(next)
    else { return nil }
    return next
  }

  private static let unsupported = [
    ("Credential", "add an Authorization header"), ("Form", "only a body as text is supported"),
    ("InFile", "write the body in the script"), ("Certificate", "pass --cert and --key to Apus"),
    ("Proxy", "pass --proxy to Apus"), ("TimeoutSec", "pass --timeout to Apus"),
  ]

  static func isSwitch(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["usebasicparsing", "usedefaultcredentials", "disablekeepalive", "passthru", "skipcertificatecheck"].contains
    {
      $0 == name
    }
  }

  mutating func argument() -> JSONValue {
    let before = offset
    let value = operand()
    if offset == before { offset += 1 }
    return value
  }

  /// Reads a curl command. Double quotes in arguments of programs are escaped again, with backslashes: `'{\"query\": …}'`.
  mutating func readCurl() {
    var words: [String] = []
    while startOfArgument() != nil {
      let isText = byte() == UInt8(ascii: "'") || byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "@")
      let word = Self.text(argument())
      words.append(isText ? word.replacing("\\\"", with: "\"") : word)
    }
    curlCommands.append(CurlCommand(words: words))
  }

  mutating func request(_ parameters: [(name: String, value: JSONValue)]) -> ImportedHTTPRequest {
    func value(_ name: String) -> JSONValue? {
      parameters.first { !$0.name.isEmpty && name.lowercased().hasPrefix($0.name.lowercased()) }?.value
    }
    var request = ImportedHTTPRequest(url: value("Uri").map(Self.text) ?? "")
    func add(_ name: String, _ value: JSONValue?) {
      if let value { request.headers.append(.init(name: name, value: Self.text(value))) }
    }
    let session = value("WebSession")
    for (name, value) in value("Headers")?.members.map({ ($0.key, $0.value) }) ?? [] { add(name, value) }
    add("Content-Type", value("ContentType"))
    add("User-Agent", value("UserAgent") ?? session?["UserAgent"])
    add("Cookie", session?["Cookies"])
    if let token = value("Token") { add("Authorization", JSONValue("Bearer \(Self.text(token))")) }
    request.headers.removeAll { $0.name.lowercased() == "content-type" && $0.value.isEmpty }
    // Browsers write the fields of an HTTP/2 request line as headers.
    let fields = ["authority", "method", "path", "scheme"]
    if Set(request.headers.map(\.name)).isSuperset(of: fields) {
      request.headers.removeAll { fields.contains($0.name) }
    }
    let body = value("Body")
    if let body, body.kind == .object {
      // The members of a hash table are sent as form fields.
      request.body = body.members.map { "\(URLQuery.encode($0.key))=\(URLQuery.encode(Self.text($0.value)))" }
        .joined(separator: "&")
    } else {
      request.body = body.map(Self.text) ?? ""
    }
    request.method = value("Method").map { Self.text($0).uppercased() } ?? (body == nil ? "GET" : "POST")
    for (name, advice) in Self.unsupported where value(name) != nil {
      request.leftOut.append("-\(name) was not imported: \(advice)")
    }
    return request
  }
}

extension ImportedCollection {
  mutating func readPowerShell(_ text: String, _ files: AdjacentFiles) {
    let script = PowerShellScript(text)
    for request in script.requests { add(request) }
    for curl in script.curlCommands { add(curl, files) }
    for source in script.unevaluated {
      leftOut.append("\(source.prefix { $0 != " " && $0 != "'" && $0 != "\"" }) … is not evaluated")
    }
  }
}
