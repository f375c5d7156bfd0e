/// Writes Swift source line by line, with indentation.
struct SwiftWriter {
  /// The output as bytes, because generation mostly concatenates small pieces.
  private(set) var bytes: [UInt8] = []
  private(set) var indent: Int
  /// Whether an empty line is not allowed here.
  private var isOpen = true

  static let lineLength = 120
  private static let space = UInt8(ascii: " ")
  private static let newLine = UInt8(ascii: "\n")

  init(indent: Int = 0) { self.indent = indent }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func line(_ line: String = "") {
    guard !line.isEmpty else { return endLine(isOpen: true) }
    startLine()
    put(line)
    endLine()
  }

  /// Writes a line of several pieces.
  mutating func line(_ first: String, _ second: String, _ third: String = "", _ fourth: String = "") {
    startLine()
    put(first)
    put(second)
    put(third)
    put(fourth)
    endLine()
  }

  /// Writes the lines of a text, with the current indentation.
  mutating func lines(of text: String) {
    var text = text
    text.withUTF8 { text in
      var start = 0
      for end in 0...text.count where end == text.count || text[end] == Self.newLine {
        if end > start {
          startLine()
          bytes.append(contentsOf: text[start..<end])
        }
        bytes.append(Self.newLine)
        start = end + 1
      }
      isOpen = text.last == Self.newLine
    }
  }

  /// Writes lines of another writer, including their indentation.
  mutating func lines(_ lines: [UInt8]) {
    bytes.append(contentsOf: lines)
    isOpen = false
  }

  private mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  private mutating func startLine() {
    for _ in 0..<indent * 2 { bytes.append(Self.space) }
  }

  private mutating func endLine() { endLine(isOpen: bytes.last == UInt8(ascii: "{")) }

  private mutating func endLine(isOpen: Bool) {
    bytes.append(Self.newLine)
    self.isOpen = isOpen
  }

  /// Writes an empty line, except after another one or after an opening brace.
  mutating func gap() {
    if !isOpen { line() }
  }

  /// The isolation of top-level declarations. They are nonisolated even in a module with default isolation to the main
  /// actor (SE-0466), because any task may read a model. Nested declarations inherit it (SE-0449, Swift 6.1).
  private var isolation: String { indent == 0 ? "nonisolated " : "" }

  mutating func block(_ head: String, _ body: (inout SwiftWriter) -> Void) {
    line(isolation, head, " {")
    indented(body)
    line("}")
  }

  /// Writes an empty block on one line.
  mutating func emptyBlock(_ head: String) { line(isolation, head, " {}") }

  mutating func indented(_ body: (inout SwiftWriter) -> Void) {
    indent += 1
    body(&self)
    indent -= 1
  }

  /// Writes `head(item, item)tail` on one line if it fits, otherwise as many items per line as fit.
  mutating func list(_ head: String, _ items: [String], _ tail: String) {
    var width = indent * 2 + head.utf8.count + tail.utf8.count
    for item in items { width += item.utf8.count + 2 }
    if width <= Self.lineLength || items.isEmpty {
      startLine()
      put(head)
      for (index, item) in items.enumerated() {
        if index > 0 { put(", ") }
        put(item)
      }
      put(tail)
      return endLine()
    }
    line(head)
    indent += 1
    fill(items)
    indent -= 1
    line(tail)
  }

  private mutating func fill(_ items: [String]) {
    var column = 0
    for (index, item) in items.enumerated() {
      let width = item.utf8.count + 1
      if column == 0 {
        startLine()
        column = indent * 2 + width
      } else if column + 1 + width > Self.lineLength {
        endLine(isOpen: false)
        startLine()
        column = indent * 2 + width
      } else {
        put(" ")
        column += 1 + width
      }
      put(item)
      if index + 1 < items.count { put(",") }
    }
    endLine(isOpen: false)
  }

  /// Writes a description as a documentation comment, and `@available` for deprecated declarations.
  mutating func documentation(_ description: String?, deprecation: String? = nil) {
    if let description { comment(SwiftComment(description)) }
    if let deprecation {
      line("@available(*, deprecated, message: \(SwiftLiteral.string(deprecation)))")
    }
  }

  mutating func comment(_ comment: SwiftComment) {
    for part in comment.lines { if part.isEmpty { line("///") } else { line("/// ", part) } }
  }

  /// Writes a description with the deprecation reason in the comment, because `@available` would cause warnings in
  /// generated code.
  mutating func documentation(_ description: String?, note deprecation: String?) {
    documentation(description)
    guard let deprecation else { return }
    if description?.isEmpty == false { line("///") }
    documentation("**Deprecated**: \(deprecation)")
  }
}
