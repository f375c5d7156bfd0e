import ApusClientRequests
import ApusGraphQLLanguage
import Testing

/// The places of references in JSON and GraphQL, and the values that are written there.
struct TemplatePlaceTests {
  @Test(
    arguments: [
      ("", .code), ("a", .code), ("\"", .string), ("\"a", .string), ("\"a\"", .code), (#""a\""#, .string),
      (#""a\\""#, .code),
      ("\"\"", .code), ("\"\"\"", .blockString), ("\"\"\"a\"b", .blockString), ("\"\"\"a\"\"b", .blockString),
      (#""""a\"""b"#, .blockString), (#""""a\n""""#, .code), ("\"\"\"a\"\"\"", .code), ("\"\"\"#", .blockString),
      ("#", .comment), ("# \"a", .comment), ("# \"a\n", .code), ("# \"a\r", .code), ("# a\n\"", .string),
      ("\"#", .string),
      ("#\"\"\"\n\"a\"", .code),
    ] as [(String, TemplatePlace)])
  func `the place after some text`(text: String, expected: TemplatePlace) {
    var place = TemplatePlace.code
    place.advance(over: text)
    #expect(place == expected)
  }

  /// All values of up to five characters.
  private static func values(_ alphabet: [Character]) -> [String] {
    var (all, longest) = ([""], [""])
    for _ in 0..<5 {
      longest = longest.flatMap { value in alphabet.map { value + String($0) } }
      all += longest
    }
    return all
  }

  private func argument(_ document: String, value: String) -> String? {
    let document = Document(parsing: TemplateText.filled(document, .json, values: ["x": value]))
    guard document.diagnostics.isEmpty else { return nil }
    let strings = document.nodes.indices.filter { document.nodes[$0].kind == .stringValue }
    return strings.count == 1 ? ValueNode(document, NodeID(strings[0])).stringValue : nil
  }

  @Test func `a value in a string is the value of the argument`() {
    for value in Self.values(["\"", "\\", "\n", "#", "a"]) {
      #expect(argument("{ f(a: \"{{x}}\") }", value: value) == value)
      #expect(argument("# \"\n{ f(a: \"-{{x}}-\") }", value: value) == "-\(value)-")
    }
  }

  @Test func `a value in a block string is the value of the argument`() {
    for value in Self.values(["\"", "\\", "#", "a"]) {
      #expect(argument("{ f(a: \"\"\"{{x}}\"\"\") }", value: value) == value)
      #expect(argument("{ f(a: \"\"\"b {{x}}\n\"\"\") }", value: value) == "b \(value)")
      // Quotes in the text and in the value do not end the string together.
      let divided = argument("{ f(a: \"\"\"b\"{{x}}\"c\"\"\") }", value: value)
      #expect(divided?.filter { $0 != "\n" } == "b\"\(value)\"c")
    }
  }

  @Test func `a value in a comment ends with the line`() {
    for value in Self.values(["\"", "\n", "\r", "}", "a"]) {
      #expect(argument("{ # \" {{x}}\n f(a: \"b\") }", value: value) == "b")
    }
  }
}
