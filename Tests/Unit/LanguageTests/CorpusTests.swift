import ApusGraphQLLanguage
import ApusTestSupport
import Testing

@Suite(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.absence)))
struct CorpusTests {
  @Test(arguments: Corpus.files(".graphql"))
  func `a printed document parses to the same tree`(file: String) throws {
    let document = try Document(parsing: Corpus.bytes(file), name: file)
    #expect(document.diagnostics == [])
    let printed = Printer.print(document)
    let again = Document(parsing: printed)
    #expect(again.diagnostics == [])
    #expect(meaning(again) == meaning(document))
    #expect(Printer.print(again) == printed)
  }

  @Test(arguments: Corpus.files(".graphql"))
  func `formatting keeps meaning and comments and is idempotent`(file: String) throws {
    let document = try Document(parsing: Corpus.bytes(file), name: file)
    let formatted = Document(parsing: Formatter.format(document))
    #expect(meaning(formatted) == meaning(document))
    #expect(comments(formatted) == comments(document))
    #expect(Formatter.format(formatted) == formatted.text)
  }

  private func comments(_ document: Document) -> [String] {
    document.tokens.filter { $0.kind == .comment }.map { document.source.text($0.range) }
  }

  /// Small files are tested at every prefix, large ones at prefixes that together touch every part.
  @Test(arguments: Corpus.files(".graphql"))
  func `every prefix of a document parses to a tree`(file: String) throws {
    let bytes = try Corpus.bytes(file)
    let step = bytes.count <= 4096 ? 1 : 1 + bytes.count / 24
    for count in stride(from: 0, to: min(bytes.count, 65536), by: step) {
      let document = Document(parsing: Array(bytes.prefix(count)))
      #expect(document.nodes[0].next == NodeID(document.nodes.count))
    }
  }
}
