import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import Testing

struct LanguageServiceTests {
  @Test func `the operation at the cursor is found`() {
    let text = "query A { a } query B { b } fragment F on T { c }"
    let service = LanguageService(document: Document(parsing: text), schema: nil)
    #expect(service.operation(at: 0)?.name?.value == "A")
    #expect(service.operation(at: 14)?.name?.value == "B")
    #expect(service.operation(at: 40)?.name?.value == "B")
    #expect(LanguageService(document: Document(parsing: ""), schema: nil).operation(at: 0) == nil)
  }

  /// Returns the document with the kind of each token after it.
  private func colours(_ text: String) -> String {
    let document = Document(parsing: text)
    return LanguageService(document: document, schema: nil).highlights(in: 0..<text.utf8.count)
      .filter { $0.kind != .punctuation }
      .map { "\(document.source.text($0.range)):\($0.kind)" }.joined(separator: " ")
  }

  @Test func `tokens have highlight kinds`() {
    #expect(
      colours(
        "query Q($n: Int = 3) { a: birds(first: $n, order: NEW) @skip(if: true) { ...F ... on Bird { id } } } # x")
          == """
          query:keyword Q:type $:variable n:variable Int:type 3:number a:field birds:field first:argument $:variable \
          n:variable order:argument NEW:type @:directive skip:directive if:argument true:literal F:type on:keyword \
          Bird:type id:field # x:comment
          """)
  }
}
