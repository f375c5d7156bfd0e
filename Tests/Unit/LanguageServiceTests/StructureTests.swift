import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import Testing

/// Outline, folds, brackets, selections, and which operation needs what.
struct StructureTests {
  private func outline(_ items: [OutlineItem], depth: Int = 0) -> String {
    items.map { item in
      let margin = String(repeating: "  ", count: depth)
      let detail = item.detail.map { " (\($0))" } ?? ""
      return "\(margin)\(item.kind) \(item.name)\(detail)\n" + outline(item.children, depth: depth + 1)
    }.joined()
  }

  @Test func theOutlineOfADocument() {
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

  @Test func foldsAreTheBracketsBlockStringsAndCommentsOverSeveralLines() {
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

  @Test func bracketsMatchEvenInBrokenText() {
    func match(_ marked: String) -> String {
      let marked = Marked(marked)
      guard let pair = marked.service(nil).brackets(at: marked.offset) else { return "" }
      return Marked.bracketed(marked.text, [pair.opening..<pair.opening + 1, pair.closing..<pair.closing + 1])
    }
    #expect(match("|{ a(b: [1]) { c } }") == "[{] a(b: [1]) { c } [}]")
    #expect(match("{ a(b: [1])| { c } }") == "{ a[(]b: [1][)] { c } }")
    #expect(match("{ a(b: [1 |) { c } }") == "{ a[(]b: [1 [)] { c } }")
    #expect(match("{ a \"|{\" }") == "")
    #expect(match("{ a|") == "")
  }

  @Test func selectionsGrowBySyntax() {
    let marked = Marked("query { birds(first: |10) { id name } } fragment F on T { x }")
    let ranges = marked.service(nil).selectionRanges(at: marked.offset)
    #expect(
      ranges.map { String(decoding: Array(marked.text.utf8)[$0], as: UTF8.self) } == [
        "10", "first: 10", "(first: 10)", "birds(first: 10) { id name }", "{ birds(first: 10) { id name } }",
        "query { birds(first: 10) { id name } }", marked.text,
      ])
  }

  @Test func theFragmentsThatAnOperationNeeds() throws {
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
