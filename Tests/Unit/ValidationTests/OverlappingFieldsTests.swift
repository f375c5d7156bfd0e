import Testing

@Suite struct OverlappingFieldsTests {
  private func conflicts(_ text: String) -> [String] {
    errors(text).filter { $0.contains("conflict because") }
  }

  @Test(arguments: [
    "{ animal { id id name: name } }",
    "{ animal { ... on Bird { x: name } ... on Fish { x: name } } }",
    "{ animal { ... on Bird { x: name } ... on Fish { x: __typename } } }",
    "{ a: birds(first: 1, tags: [\"a\"]) { id } a: birds(tags: [\"a\"], first: 1) { name } }",
    "{ ...A ...B } fragment A on Query { animal { id } } fragment B on Query { animal { name } }",
    "{ ...A } fragment A on Query { animal { id } ...A }",
  ])
  func `mergeable fields are valid`(text: String) {
    #expect(conflicts(text) == [])
  }

  @Test(arguments: [
    (
      "{ animal { x: name x: id } }",
      ["1:12, 1:20 Fields \"x\" conflict because \"name\" and \"id\" are different fields."]
    ),
    (
      "{ birds(first: 1) { id } birds(first: 2) { id } }",
      ["1:3, 1:26 Fields \"birds\" conflict because they have differing arguments."]
    ),
    (
      "{ search(text: \"\") { ... on Bird { x: id } ... on Stone { x: weight } } }",
      ["1:36, 1:59 Fields \"x\" conflict because they return conflicting types \"ID!\" and \"Float\"."]
    ),
    (
      "{ animal { x: name } ...F } fragment F on Query { animal { x: id } }",
      [
        "1:3, 1:12, 1:51, 1:60 Fields \"animal\" conflict because subfields \"x\" conflict because \"name\" and \"id\" are different fields."
      ]
    ),
    (
      "{ birds @stream { id } birds { name } }",
      ["1:3, 1:24 Fields \"birds\" conflict because they have overlapping stream directives."]
    ),
  ])
  func `conflicting fields are reported with both locations`(text: String, expected: [String]) {
    let advice = " Use different aliases on the fields to fetch both if this was intentional."
    #expect(conflicts(text) == expected.map { $0 + advice })
  }

  @Test func `malicious documents are checked in limited time`() {
    let fields = String(repeating: "x: __typename ", count: 20_000)
    #expect(conflicts("{ \(fields) }") == [])
    let deep = (0..<200).map {
      "fragment F\($0) on Query { ...F\(($0 + 1) % 200) ...F\(($0 + 7) % 200) x: __typename }"
    }
    #expect(conflicts("{ ...F0 ...F1 }" + deep.joined()) == [])
    let spreads = (0..<1_000).map { "...F\($0)" }.joined(separator: " ")
    let fragments = (0..<1_000).map { "fragment F\($0) on Query { f\($0): __typename x: __typename }" }
    #expect(conflicts("{ \(spreads) }" + fragments.joined(separator: " ")) == [])
    let chain = (0..<5_000).map { "fragment F\($0) on Bird { mate { ...F\($0 + 1) } }" }
    #expect(conflicts("{ animal { ...F0 } } fragment F5000 on Bird { id }" + chain.joined(separator: " ")) == [])
  }

  @Test func `a conflict among many fields is found`() {
    let spreads = (0..<1_000).map { "...F\($0)" }.joined(separator: " ")
    let fragments = (0..<1_000).map { "fragment F\($0) on Query { f\($0): __typename }" }
    let hidden =
      "{ \(spreads) ...A ...B } fragment A on Query { x: __typename } fragment B on Query { x: birds { id } }"
    #expect(conflicts(hidden + fragments.joined(separator: " ")).count == 1)
  }
}
