/// Writes Swift source line by line, with its indentation.
struct SwiftWriter {
  private(set) var text = ""
  private var indent = 0
  /// Whether an empty line would be one too many here.
  private var isOpen = true

  static let lineLength = 120

  mutating func line(_ line: String = "") {
    if !line.isEmpty {
      for _ in 0..<indent { text += "  " }
      text += line
    }
    text += "\n"
    isOpen = line.isEmpty || line.utf8.last == UInt8(ascii: "{")
  }

  /// An empty line, but never two, and none behind an opening brace.
  mutating func gap() {
    if !isOpen { line() }
  }

  mutating func block(_ head: String, _ body: (inout SwiftWriter) -> Void) {
    line(head + " {")
    indented(body)
    line("}")
  }

  /// A block with nothing in it stays on one line.
  mutating func emptyBlock(_ head: String) { line(head + " {}") }

  mutating func indented(_ body: (inout SwiftWriter) -> Void) {
    indent += 1
    body(&self)
    indent -= 1
  }

  /// `head(item, item)tail` on one line if it fits, else each item on a line of its own.
  mutating func list(_ head: String, _ items: [String], _ tail: String) {
    let width = indent * 2 + head.utf8.count + tail.utf8.count + items.reduce(0) { $0 + $1.utf8.count + 2 }
    if width <= Self.lineLength || items.isEmpty {
      line(head + items.joined(separator: ", ") + tail)
      return
    }
    line(head)
    indented { writer in
      for (index, item) in items.enumerated() { writer.line(item + (index + 1 < items.count ? "," : "")) }
    }
    line(tail)
  }

  /// A description as documentation, and `@available` for what is deprecated.
  mutating func documentation(_ description: String?, deprecation: String? = nil) {
    if let description {
      for part in Self.lines(description) { line(part.isEmpty ? "///" : "/// \(part)") }
    }
    if let deprecation {
      line("@available(*, deprecated, message: \(SwiftLiteral.string(deprecation)))")
    }
  }

  /// A description of what generated code uses itself, so that `@available` would warn there: the reason is told.
  mutating func documentation(_ description: String?, note deprecation: String?) {
    documentation(description)
    guard let deprecation else { return }
    if description?.isEmpty == false { line("///") }
    documentation("**Deprecated**: \(deprecation)")
  }

  /// The lines of a description without blank ones at either end, long ones broken at spaces.
  private static func lines(_ description: String) -> [String] {
    let newLine = UInt8(ascii: "\n")
    // Most are one short line.
    if description.utf8.count <= 100, !description.utf8.contains(newLine), description.utf8.last != 0x20 {
      return description.isEmpty ? [] : [description]
    }
    var lines: [String] = []
    for paragraph in description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var current = ""
      for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
        if !current.isEmpty, current.utf8.count + word.utf8.count > 100 {
          lines.append(current)
          current = ""
        }
        current += current.isEmpty ? String(word) : " " + word
      }
      while current.last?.isWhitespace == true { current.removeLast() }
      lines.append(current)
    }
    while lines.first?.isEmpty == true { lines.removeFirst() }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

/// Values as Swift literals.
enum SwiftLiteral {
  static func string(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return "\"\(text)\"" }
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
          literal += "\\u{\(String(scalar.value, radix: 16))}"
        default: literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }

  static func strings(_ texts: some Sequence<String>) -> String {
    "[" + texts.map(string).joined(separator: ", ") + "]"
  }
}
