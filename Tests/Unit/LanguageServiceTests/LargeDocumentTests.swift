import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusTestSupport
import Testing

/// Real schemas and documents: every request at every prefix of a page, and at many positions of a large document.
struct LargeDocumentTests {
  private static func linear() throws -> (schema: Schema, operations: [UInt8]) {
    let schema = Schema.load(sdl: [Document(parsing: try Corpus.bytes("linear/schema.graphql"))])
    return (schema, try Corpus.bytes("linear/operations.graphql"))
  }

  private func askEverything(_ service: LanguageService, at offset: Int) {
    for item in service.complete(at: offset) {
      #expect(
        !item.label.isEmpty && item.replacementRange.lowerBound <= offset && offset <= item.replacementRange.upperBound)
    }
    _ = service.hover(at: offset)
    _ = service.definition(at: offset)
    _ = service.selectionRanges(at: offset)
    _ = service.codeActions(in: offset..<offset)
  }

  @Test(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.absence)))
  func `every request is answered at every prefix of a page`() throws {
    let (schema, operations) = try Self.linear()
    let page = Array(operations.prefix(3000))
    for end in 0...page.count {
      let document = Document(parsing: Array(page.prefix(end)))
      let service = LanguageService(document: document, schema: schema)
      askEverything(service, at: end)
      if end % 50 == 0 {
        _ = service.outline()
        _ = service.foldingRanges()
        _ = service.references(at: end / 2)
      }
    }
  }

  @Test(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.absence)))
  func `requests are answered at positions and cuts of a large document`() throws {
    let (schema, operations) = try Self.linear()
    let lines = Array(operations.prefix(60_000))
    let complete = LanguageService(document: Document(parsing: lines), schema: schema)
    for offset in stride(from: 0, through: lines.count, by: 997) { askEverything(complete, at: offset) }
    for end in stride(from: 0, through: lines.count, by: 1009) {
      askEverything(LanguageService(document: Document(parsing: Array(lines.prefix(end))), schema: schema), at: end)
    }
  }

  /// If a word is removed from a real document, completion offers it, near the top after its first letters.
  @Test(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.absence)))
  func `completion offers the removed word near the top`() throws {
    let (schema, operations) = try Self.linear()
    let document = Document(parsing: Array(operations.prefix(40_000)))
    var requested = 0
    var topThree = 0
    for (index, node) in document.nodes.enumerated() where node.kind == .field && index % 2 == 0 {
      let name = FieldNode(document, NodeID(index)).name
      guard name.range.count > 3, name.range.upperBound < 30_000 else { continue }
      var bytes = document.source.bytes
      bytes.removeSubrange(name.range.lowerBound + 3..<name.range.upperBound)
      let service = LanguageService(document: Document(parsing: bytes), schema: schema)
      let labels = service.complete(at: name.range.lowerBound + 3).map(\.label)
      #expect(labels.contains(name.value), "\(name.value) at \(name.range)")
      requested += 1
      if labels.prefix(3).contains(name.value) { topThree += 1 }
    }
    #expect(requested > 50 && topThree * 10 >= requested * 8, "\(topThree) of \(requested)")
  }
}
