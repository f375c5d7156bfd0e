import ApusGraphQLLanguage
import Testing

/// Returns the value of the only string in a document; nil if the document has errors.
private func string(in text: String) -> String? {
  let document = Document(parsing: text)
  guard document.diagnostics.isEmpty else { return nil }
  let strings = document.nodes.indices.filter { document.nodes[$0].kind == .stringValue }
  return strings.count == 1 ? ValueNode(document, NodeID(strings[0])).stringValue : nil
}

/// String values (GraphQL specification, section 2.9.4).
@Suite struct StringTests {
  @Test(arguments: [
    (#""a\"\\\/\b\f\n\r\tb""#, "a\"\\/\u{8}\u{C}\n\r\tb"), (#""\u0041\u00e9""#, "Aé"), (#""\u{1F426}\u{41}""#, "🐦A"),
    (#""\uD83D\uDC26""#, "🐦"), (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
    (#""\uD7FF\uE000""#, "\u{D7FF}\u{E000}"),
    (#""\u{10FFFF}\u{0}""#, "\u{10FFFF}\u{0}"), ("\"# in a string, {\"", "# in a string, {"),
  ])
  func `escapes are decoded`(literal: String, expected: String) {
    #expect(string(in: "{ a(b: \(literal)) }") == expected)
  }

  @Test(arguments: [
    #""\x""#, #""\u12g4""#, #""\u""#, #""\u{}""#, #""\u{110000}""#, #""\u{12""#, #""\u{D800}""#, #""\uD800""#,
    #""\uDC00""#,
    #""\uD800\uDBFF""#, #""\uD800\uE000""#, #""\uDC00\uDC00""#, #""\uD800\n""#, "\"a", "\"a\nb\"",
  ])
  func `invalid strings are errors`(literal: String) {
    #expect(!Document(parsing: "{ a(b: \(literal)) }").diagnostics.isEmpty)
  }

  /// The steps of `BlockStringValue`.
  @Test(arguments: [
    ("", ""), ("a", "a"), (" a ", " a "), ("\n  a\n    b\n  ", "a\n  b"), ("a\n  b\n   c", "a\nb\n c"),
    ("\n\n  a\n\n  b\n\n", "a\n\nb"), ("\r  a\r  b\r", "a\nb"), ("\r\n  a\r\n  b\r\n", "a\nb"),
    ("\n\ta\n\t\tb", "a\n\tb"),
    ("\n  \n", ""), (#"a \""" b"#, #"a """ b"#), (#"\n\u0041"#, #"\n\u0041"#), ("\n   a\n \n   b", "a\n\nb"),
    ("a\n", "a"),
  ])
  func `a block string loses its indentation and blank ends`(content: String, expected: String) {
    #expect(string(in: "{ a(b: \"\"\"\(content)\"\"\") }") == expected)
  }

  /// All block strings of up to five of these characters, printed and formatted.
  @Test func `a written block string keeps its value`() {
    let alphabet: [Character] = ["a", " ", "\n", "\"", "\\"]
    var contents = [""]
    for length in 1...5 {
      contents += contents.filter { $0.count == length - 1 }.flatMap { text in alphabet.map { text + String($0) } }
    }
    var wrong: [String] = []
    for content in contents + ["\ta", "\ta\"", "a\n\tb", "\n\ta\n\tb\"", String(repeating: " a", count: 40)] {
      let text = "\"\"\"\(content)\"\"\"\nscalar A"
      // A quote or backslash at the end of the content is part of the delimiter.
      guard let value = string(in: text) else { continue }
      let document = Document(parsing: text)
      let written = [Printer.print(document), Formatter.format(document)]
      if !written.allSatisfy({ string(in: $0) == value && $0.hasPrefix("\"\"\"") }) { wrong.append(text) }
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    ("\"a\"", false), ("\"\"\"a\"\"\"", true), ("\"\"", false), ("\"\"\"\"\"\"", true), ("1", false), ("a", false),
    ("true", false), ("[\"\"\"a\"\"\"]", false), ("{b: \"\"\"a\"\"\"}", false), ("null", false), ("$a", false),
  ])
  func `only strings in three quotes are block strings`(literal: String, isBlock: Bool) throws {
    let document = Document(parsing: "query ($a: Int) { a(b: \(literal)) }")
    guard case .field(let field) = try #require(document.operations.first?.selectionSet.selections.first) else {
      return
    }
    #expect(field.arguments.first?.value.isBlockString == isBlock)
  }

  /// Every text of up to four of these characters, as a string, a description and a formatted description.
  @Test func `a written string has the value that it was written for`() {
    let alphabet: [Character] = ["a", " ", "\n", "\"", "\\", "\t", "\r", "\u{7F}"]
    var texts = [""]
    for length in 1...4 {
      texts += texts.filter { $0.count == length - 1 }.flatMap { text in alphabet.map { text + String($0) } }
    }
    var wrong: [String] = []
    for text in texts {
      let quoted = StringEncoder.quoted(text) + "\nscalar A"
      let described = StringEncoder.description(text, indent: 0) + "\nscalar A"
      let written = [
        quoted, described, Printer.print(Document(parsing: quoted)), Formatter.format(Document(parsing: quoted)),
        Formatter.format(Document(parsing: described)),
      ]
      if !written.allSatisfy({ string(in: $0) == text }) { wrong.append(quoted) }
    }
    #expect(wrong == [])
  }
}
