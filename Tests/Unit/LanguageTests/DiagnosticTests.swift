import ApusGraphQLLanguage
import Testing

/// Returns the first diagnostic of a text, for which parsing still produces a tree.
private func first(_ text: String, limits: ParserLimits = ParserLimits()) -> String {
  complaints(text, limits: limits).first ?? "none"
}

@Suite struct DiagnosticTests {
  @Test(arguments: [
    ("", "1:1 Unexpected <EOF>."),
    ("{", "1:2 Expected Name, found <EOF>."),
    ("{}", "1:2 Expected Name, found \"}\"."),
    ("{ ...MissingOn }\nfragment MissingOn Type", "2:20 Expected \"on\", found Name \"Type\"."),
    ("{ field: {} }", "1:10 Expected Name, found \"{\"."),
    ("notAnOperation Foo { field }", "1:1 Unexpected Name \"notAnOperation\"."),
    ("...", "1:1 Unexpected \"...\"."),
    ("{ \"\"", "1:3 Expected Name, found String \"\"."),
    ("query", "1:6 Expected \"{\", found <EOF>."),
    (
      "query Foo($x: Complex = { a: { b: [ $var ] } }) { field }",
      "1:37 Unexpected variable \"$var\" in constant value."
    ),
    ("fragment on on on { on }", "1:10 Unexpected Name \"on\"."),
    ("{ ...on }", "1:9 Expected Name, found \"}\"."),
    ("{ a(b: ) }", "1:8 Unexpected \")\"."),
    ("{ a(b) }", "1:6 Expected \":\", found \")\"."),
    ("{ a( }", "1:6 Expected Name, found \"}\"."),
    ("{ a b: }", "1:8 Expected Name, found \"}\"."),
    ("query Q($a Int) { a }", "1:12 Expected \":\", found Name \"Int\"."),
    ("query Q($a: [Int) { a }", "1:17 Expected \"]\", found \")\"."),
    ("query Q() { a }", "1:9 Expected \"$\", found \")\"."),
    ("\"d\" { a }", "1:1 Unexpected description, descriptions are not supported on shorthand queries."),
    ("\"d\" extend type A { b: C }", "1:1 Unexpected description, only GraphQL definitions support descriptions."),
    ("{ a } }", "1:7 Unexpected \"}\"."),
    ("{ a(b: \"x) }", "1:13 Unterminated string."),
    ("{ a(b: \"\"\"x) }", "1:15 Unterminated string."),
    ("{ a(b: '') }", "1:8 Unexpected single quote character ('), did you mean to use a double quote (\")?"),
    ("{ a(b: 00) }", "1:9 Invalid number, unexpected digit after 0: \"0\"."),
    ("{ a(b: 1.) }", "1:10 Invalid number, expected digit but got: \")\"."),
    ("{ a(b: 1e) }", "1:10 Invalid number, expected digit but got: \")\"."),
    ("{ a(b: -) }", "1:9 Invalid number, expected digit but got: \")\"."),
    ("{ a(b: 1a) }", "1:9 Invalid number, expected digit but got: \"a\"."),
    ("{ a(b: 1.2.3) }", "1:11 Invalid number, expected digit but got: \".\"."),
    ("{ a(b: \"\\z\") }", "1:9 Invalid character escape sequence: \"\\z\"."),
    ("{ a(b: \"\\u12\") }", "1:9 Invalid Unicode escape sequence: \"\\u12\")\"."),
    ("{ a(b: \"\\u{110000}\") }", "1:9 Invalid Unicode escape sequence: \"\\u{110000}\"."),
    ("{ a(b: \"\\uD800\") }", "1:9 Invalid Unicode escape sequence: \"\\uD800\"."),
    ("{ é }", "1:3 Unexpected character: U+00E9."),
    ("{ 😀 }", "1:3 Unexpected character: U+1F600."),
    ("type A {}", "1:9 Expected Name, found \"}\"."),
    ("extend type A", "1:14 Unexpected <EOF>."),
    ("extend scalar A", "1:16 Unexpected <EOF>."),
    ("extend schema", "1:14 Unexpected <EOF>."),
    ("extend query", "1:8 Unexpected Name \"query\"."),
    ("schema", "1:7 Expected \"{\", found <EOF>."),
    ("schema { foo: A }", "1:10 Unexpected Name \"foo\"."),
    ("enum E { true }", "1:10 Name \"true\" is reserved and cannot be used for an enum value."),
    ("directive @foo on FIELD | INCORRECT_LOCATION", "1:27 Unexpected Name \"INCORRECT_LOCATION\"."),
    ("union U = |", "1:12 Expected Name, found <EOF>."),
    ("type A implements { b: C }", "1:19 Expected Name, found \"{\"."),
    ("input I { a(b: C): D }", "1:12 Expected \":\", found \"(\"."),
  ])
  func `the first error matches the reference implementation`(text: String, expected: String) {
    #expect(first(text) == expected)
  }

  @Test func `an error does not hide the next definition`() {
    let document = Document(parsing: "query A { a( }\nquery B { b }\nfragment F on }\ntype T { x: Int }")
    #expect(document.operations.compactMap { $0.name?.value } == ["A", "B"])
    #expect(document.definitions.count == 4)
  }

  @Test func `an unclosed selection set does not swallow the next definition`() {
    let document = Document(parsing: "query A { a { b\n\nquery B { c }\n\nfragment F on T { d }\n")
    #expect(document.operations.compactMap { $0.name?.value } == ["A", "B"])
    #expect(document.fragments.map(\.name.value) == ["F"])
    #expect(complaints(document.text) == ["6:1 Expected Name, found <EOF>."])
  }

  @Test func `a field without a selection is still parsed`() {
    let document = Document(parsing: "{ bird { } }")
    #expect(document.operations.first?.selectionSet.selections.count == 1)
    #expect(Document(parsing: "{ a { id } }").nodes(containing: 6).last?.kind == .name)
  }

  @Test(arguments: ["{", "[", "{a(b:[", "query($a:[", "{a(b:{c:", "{...@a(b:[", "type A{a(b:C=[", "{a{"])
  func `excessive nesting is an error not a stack overflow`(unit: String) {
    let document = Document(parsing: String(repeating: unit, count: 1_000_000 / unit.count))
    #expect(!document.diagnostics.isEmpty)
    #expect(document.diagnostics.count <= 1001)
    #expect(document.nodes[0].next == NodeID(document.nodes.count))
  }

  @Test func `exceeding a parser limit is an error`() {
    #expect(
      first("{ a { b { c } } }", limits: ParserLimits(depth: 2))
        == "1:9 Document nests deeper than 2 levels. Parsing aborted.")
    #expect(
      first("{ a b }", limits: ParserLimits(tokens: 3)) == "1:7 Document contains more than 3 tokens. Parsing aborted.")
    #expect(first("{ a b }", limits: ParserLimits(tokens: 4)) == "none")
  }

  @Test func `fragment variables are parsed if allowed`() {
    let text = "{ ...F(a: 1) } fragment F($a: Int = 2) on T { b(c: $a) }"
    #expect(complaints(text, limits: ParserLimits()) == [])
    #expect(
      first("fragment a($v: Boolean = false) on t { f(v: $v) }", limits: ParserLimits(allowsFragmentVariables: false))
        == "1:11 Expected \"on\", found \"(\".")
  }
}
