import GraphQLLanguage
import GraphQLLanguageService
import Testing

struct LanguageServiceTests {
  @Test func hoverTellsTypeDescriptionAndDeprecation() throws {
    func hover(_ marked: String) -> String? {
      let offset = marked.utf8.prefix { $0 != UInt8(ascii: "|") }.count
      let document = Document(parsing: String(marked.filter { $0 != "|" }))
      return LanguageService(document: document, schema: CompletionTests.schema).hover(at: offset)?.contents
    }
    #expect(hover("{ birds { wing|Span } }") == "```graphql\nwingSpan: Float\n```\n\nWing span in centimetres.")
    #expect(hover("{ birds { |oldName } }") == "```graphql\noldName: String\n```\n\nDeprecated: Use name.")
    #expect(hover("{ birds(fi|rst: 1) { id } }") == "```graphql\nfirst: Int\n```")
    #expect(hover("{ birds { ... on Bi|rd { id } } }") == "```graphql\nBird\n```\n\nA bird.")
    #expect(hover("{ nothi|ng }") == nil)
  }

  @Test func theOperationUnderTheCursor() {
    let text = "query A { a } query B { b } fragment F on T { c }"
    let service = LanguageService(document: Document(parsing: text), schema: nil)
    #expect(service.operation(at: 0)?.name?.value == "A")
    #expect(service.operation(at: 14)?.name?.value == "B")
    #expect(service.operation(at: 40)?.name?.value == "B")
    #expect(LanguageService(document: Document(parsing: ""), schema: nil).operation(at: 0) == nil)
  }

  /// The text with each token's colour behind it.
  private func colours(_ text: String) -> String {
    let document = Document(parsing: text)
    return LanguageService(document: document, schema: nil).highlights(in: 0..<text.utf8.count)
      .filter { $0.kind != .punctuation }
      .map { "\(document.source.text($0.range)):\($0.kind)" }.joined(separator: " ")
  }

  @Test func tokensHaveTheirColours() {
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
