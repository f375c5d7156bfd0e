import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusTestSupport
import Testing

/// Analysis of schemas and documents with syntax errors.
struct BrokenTextTests {
  private static let sdl = """
    directive @cost(weight: String!) on FIELD_DEFINITION
    schema { query: Query }
    # The root.
    type Query { node(id: ID!): Node birds(first: Int! = 3, by: BirdBy): BirdConnection! @listSize(slicingArguments: ["first"], sizedFields: ["edges"]) }
    interface Node { id: ID! }
    "A bird." type Bird implements Node { id: ID! name(form: Form = SHORT): String @deprecated mates: [Bird] @cost(weight: "2") }
    type BirdConnection { edges: [BirdEdge] pageInfo: PageInfo! }
    type BirdEdge { node: Bird cursor: String }
    type PageInfo { hasNextPage: Boolean! }
    union Any = Bird | BirdEdge
    input BirdBy @oneOf { id: ID inner: BirdBy ring: [String!] = ["x"] }
    enum Form { SHORT long }
    extend type Bird { any: Any }
    """
  private static let document = """
    query Q($by: BirdBy = { id: 1 }, $n: Int = 4) { birds(first: $n, by: $by) { ...F edges { node { ...G } } } }
    fragment F on BirdConnection { edges { cursor ...E @include(if: true) } }
    fragment E on BirdEdge { node { name(form: long) } ...E }
    fragment G on Bird { mates { any { ... on Bird { id } } } x: __typename }
    """

  private func mutated(_ text: String, _ random: inout SplitMix) -> String {
    let document = Document(parsing: text)
    var words = document.tokens.map { document.source.text($0.range) + ($0.kind == .comment ? "\n" : "") }
    for _ in 0..<Int.random(in: 1...6, using: &random) where words.count > 2 {
      let place = Int.random(in: words.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: words.remove(at: place)
      case 1: words.insert(words[place], at: place)
      case 2: words.swapAt(place, Int.random(in: words.indices, using: &random))
      default: words[place] = words.randomElement(using: &random) ?? "x"
      }
    }
    return words.joined(separator: " ")
  }

  @Test func `every report handles broken documents`() throws {
    var random = SplitMix(seed: 20_251_122)
    var findings = 0
    var changes = 0
    for _ in 0..<400 {
      let old = Document(parsing: mutated(Self.sdl, &random), name: "old")
      let schema = Schema.load(sdl: [old])
      let new = Schema.load(sdl: mutated(Self.sdl, &random))
      let documents = [Document(parsing: mutated(Self.document, &random), name: "d")]
      let difference = SchemaDiff(from: schema, to: new, comparesAppliedDirectives: true)
      let usage = try DocumentUsage(of: documents, in: schema)
      for change in difference.changes { _ = usage.operations(meeting: change) }
      _ = try SchemaCoverage(of: documents, in: schema).unused
      var limits = OperationLimits()
      (limits.maxDepth, limits.maxAliases, limits.maxComplexity) = (1, 0, 0)
      _ = limits.check(documents, schema: schema)
      let found = SchemaLinter.lint(schema)
      // Fixes must not introduce errors.
      if let fixed = SchemaLinter.fixed(old, found), !old.hasErrors {
        #expect(Document(parsing: fixed).diagnostics == [], "\(old.text)")
      }
      findings += found.count
      changes += difference.changes.count
    }
    #expect(findings > 400)
    #expect(changes > 400)
  }
}
