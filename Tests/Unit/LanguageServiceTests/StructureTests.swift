import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import Testing

/// Outline, folding ranges, brackets, selection ranges, and the fragments of operations.
struct StructureTests {
  private func outline(_ items: [OutlineItem], depth: Int = 0) -> String {
    items.map { item in
      let margin = String(repeating: "  ", count: depth)
      let detail = item.detail.map { " (\($0))" } ?? ""
      return "\(margin)\(item.kind) \(item.name)\(detail)\n" + outline(item.children, depth: depth + 1)
    }.joined()
  }

  @Test func `the outline contains the definitions of a document`() {
    let text = """
      query Birds($n: Int!) { all: birds(first: $n) { id ...Names ... on Bird { name } } }
      fragment Names on Bird { name }
      extend type Bird { weight: Float }
      enum Size { SMALL }
      """
    let expected = """
      query Birds
        variable $n (Int!)
        field all (birds)
          field id
          fragmentSpread ...Names
          inlineFragment ... on Bird
            field name
      fragment Names (Bird)
        field name
      type Bird (extend)
        field weight (Float)
      enum Size
        enumValue SMALL

      """
    #expect(outline(Marked(text).service(nil).outline()) == expected)
  }

  @Test func `brackets, block strings and comments over several lines fold`() {
    let text = """
      # Two lines
      # of comment
      query A(
        $n: Int
      ) {
        a(text: \"\"\"
          block
        \"\"\") { b }
      }
      """
    let folds = Marked(text).service(nil).foldingRanges().map { "\($0.kind) \($0.lines)" }
    #expect(folds == ["comment 1...2", "block 3...5", "block 5...9", "block 6...8", "text 6...8"])
  }

  @Test func `brackets match in invalid documents`() {
    func match(_ marked: String) -> String {
      let marked = Marked(marked)
      guard let pair = marked.service(nil).brackets(around: marked.offset) else { return "" }
      return Marked.bracketed(marked.text, [pair.opening..<pair.opening + 1, pair.closing..<pair.closing + 1])
    }
    #expect(match("{| a(b: [1]) { c } }") == "[{] a(b: [1]) { c } [}]")
    #expect(match("{ a(b: [1]|) { c } }") == "{ a[(]b: [1][)] { c } }")
    #expect(match("{ a(b: [1 |) { c } }") == "{ a[(]b: [1 [)] { c } }")
    #expect(match("{ a \"|{\" }") == "[{] a \"{\" [}]")
    #expect(match("{ a|") == "")
  }

  @Test func `selection ranges grow by syntax`() {
    let marked = Marked("query { birds(first: |10) { id name } } fragment F on T { x }")
    let ranges = marked.service(nil).selectionRanges(at: marked.offset)
    #expect(
      ranges.map { String(decoding: Array(marked.text.utf8)[$0], as: UTF8.self) } == [
        "10", "first: 10", "(first: 10)", "birds(first: 10) { id name }", "{ birds(first: 10) { id name } }",
        "query { birds(first: 10) { id name } }", marked.text,
      ])
  }

  @Test(arguments: [
    (
      "type B implements N { \"D.\" f(a: [In^t!] = 1): F! @d id: ID } scalar S",
      [
        "Int", "Int!", "[Int!]", "a: [Int!] = 1", "(a: [Int!] = 1)", "\"D.\" f(a: [Int!] = 1): F! @d",
        "\"D.\" f(a: [Int!] = 1): F! @d id: ID", "{ \"D.\" f(a: [Int!] = 1): F! @d id: ID }",
        "type B implements N { \"D.\" f(a: [Int!] = 1): F! @d id: ID }",
      ]
    ),
    ("enum E { A B^ @d }", ["B", "B @d", "A B @d", "{ A B @d }"]), ("union U = A | ^B", ["B"]),
    ("extend type A imple^ments N @d", ["implements"]), ("type A implements ^N & M", ["N"]),
    ("schema { query: Q^uery }", ["Query", "query: Query", "{ query: Query }"]),
    ("directive @d(a: Int = ^1) on FIELD", ["1", "a: Int = 1", "(a: Int = 1)"]),
    ("directive @d on FI^ELD | QUERY", ["FIELD"]),
    (
      "input I { a: J = { b: [^1] } }",
      ["1", "[1]", "b: [1]", "{ b: [1] }", "a: J = { b: [1] }", "{ a: J = { b: [1] } }"]
    ),
    (
      "type A { f: Int @d(x: \"^a\") }",
      ["\"a\"", "x: \"a\"", "(x: \"a\")", "@d(x: \"a\")", "f: Int @d(x: \"a\")", "{ f: Int @d(x: \"a\") }"]
    ),
  ])
  func `selection ranges grow by syntax in schemas`(text: String, expected: [String]) {
    let parts = text.split(separator: "^", omittingEmptySubsequences: false)
    let plain = parts.joined()
    let service = LanguageService(document: Document(parsing: plain), schema: nil)
    let ranges = service.selectionRanges(at: parts[0].utf8.count)
    let found = ranges.map { String(decoding: Array(plain.utf8)[$0], as: UTF8.self) }
    #expect(Array(found.prefix(expected.count)) == expected)
    #expect(found.last == plain)
  }

  @Test func `the fragments of an operation are found`() throws {
    let text = """
      fragment C on T { x } query A { ...A1 } fragment A1 on T { ...C ...Gone } fragment B1 on T { x } query B { ...B1 }
      """
    let service = Marked(text).service(nil)
    let first = try #require(service.document.operation(named: "A"))
    #expect(service.fragments(neededBy: first).map(\.name.value) == ["C", "A1"])
    #expect(service.missingFragments(neededBy: first) == ["Gone"])
    let second = try #require(service.document.operation(named: "B"))
    #expect(service.fragments(neededBy: second).map(\.name.value) == ["B1"])
  }
}
