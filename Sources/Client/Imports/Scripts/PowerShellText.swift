/// Recognition of web requests for PowerShell, which are refused: browsers copy the same request as cURL.
///
/// Names count at the start of a command only, in any case: `Invoke-WebRequest`, `Invoke-RestMethod`, their aliases
/// `iwr` and `irm` before something that is a URL or a parameter, a `WebRequestSession`, and curl with PowerShell's line
/// continuations or as the alias of `Invoke-WebRequest` (`curl -Uri`). In strings and comments they are plain text.
///
/// Source: the PowerShell documentation, about_Quoting_Rules and about_Aliases.
struct PowerShellText {
  private let bytes: [UInt8]
  private var offset = 0
  /// Whether a hash table occurs, whose members can be the parameters of a command: `iwr @parameters`.
  private let hasHashTable: Bool

  /// Returns whether text has a web request for PowerShell.
  static func hasRequest(_ text: String) -> Bool {
    var reader = PowerShellText(text)
    return reader.findRequest()
  }

  private init(_ text: String) {
    bytes = Array(text.utf8)
    hasHashTable = text.contains("@{")
  }

  private mutating func findRequest() -> Bool {
    var isCommandNext = true
    while let next = byte() {
      switch next {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: "<") where byte(1) == UInt8(ascii: "#"): skip(past: "#>")
      case UInt8(ascii: "@") where Self.isQuote(byte(1)) && Self.isLineEnd(byte(2)):
        skip(past: byte(1) == UInt8(ascii: "'") ? "\n'@" : "\n\"@")
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        skipString(next)
        isCommandNext = false
      case _ where Self.startsCommand(next):
        offset += 1
        isCommandNext = true
      default:
        let word = takeWord()
        if isCommandNext, isRequest(word) { return true }
        isCommandNext = false
      }
    }
    return false
  }

  private func byte(_ distance: Int = 0) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  private static func isQuote(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

  private static func isLineEnd(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  /// Whether a command can follow a byte: a line end, an operator, or the end of the prompt `PS C:\>`.
  private static func startsCommand(_ byte: UInt8) -> Bool { "\n|;=(){}&>".utf8.contains(byte) }

  private mutating func skipLine() {
    while let next = byte(), next != UInt8(ascii: "\n") { offset += 1 }
  }

  private mutating func skip(past end: String) {
    offset += 2
    while offset < bytes.count, !bytes[offset...].starts(with: end.utf8) { offset += 1 }
    offset = min(bytes.count, offset + end.utf8.count)
  }

  /// Skips a string. In double quotes, PowerShell escapes with a backtick and other shells with a backslash.
  private mutating func skipString(_ quote: UInt8) {
    offset += 1
    while let next = byte(), next != quote {
      let isEscape = next == UInt8(ascii: "`") || next == UInt8(ascii: "\\")
      offset += quote == UInt8(ascii: "\"") && isEscape ? 2 : 1
    }
    offset += 1
  }

  /// Reads a word in lower case. An escaped character is part of it, also a line end.
  private mutating func takeWord() -> String {
    let start = offset
    while let next = byte(), !Self.isQuote(next), !Self.startsCommand(next), !" \t\r".utf8.contains(next) {
      offset += next == UInt8(ascii: "`") || next == UInt8(ascii: "\\") && Self.isQuote(byte(1)) ? 2 : 1
    }
    offset = min(bytes.count, offset)
    return String(decoding: bytes[start..<offset], as: UTF8.self).lowercased()
  }

  /// Whether a command with this name, whose arguments come next, is a web request.
  private func isRequest(_ word: String) -> Bool {
    let name = word.split(separator: "\\").last.map(String.init) ?? word
    switch name {
    case "invoke-webrequest", "invoke-restmethod": return true
    case "iwr", "irm": return hasArgumentOfRequest
    case "new-object": return restOfLine.contains("webrequestsession")
    case "curl", "curl.exe", "wget":
      return restOfLine.hasSuffix(" `") || restOfLine.split(separator: " ").contains("-uri")
    default: return word.hasPrefix("[") && word.contains("webrequestsession]")
    }
  }

  /// Whether a URL, a parameter, a variable, a string or splatted parameters follow. `{ irm id }` is a document.
  private var hasArgumentOfRequest: Bool {
    let rest = restOfLine
    guard rest.first == " " || rest.first == "\t" else { return false }
    let argument = rest.drop { $0 == " " || $0 == "\t" }
    if argument.hasPrefix("@") { return hasHashTable }
    return ["-", "$", "'", "\"", "http://", "https://"].contains(where: argument.hasPrefix)
  }

  /// The rest of the line in lower case, up to a limit, so that a line of many commands is not read once for each.
  private var restOfLine: String {
    var line = String(decoding: bytes[offset...].prefix(4096).prefix { !Self.isLineEnd($0) }, as: UTF8.self)
    while line.last == " " || line.last == "\t" { line.removeLast() }
    return line.lowercased()
  }
}
