import ApusGraphQLTools
import Testing

/// The public API for documents and schemas.
struct LanguageToolsTests {
  private let sdl = "type Query {\n  bird: Bird\n}\n\ntype Bird {\n  name: String!\n}\n"

  @Test func `a document with syntax errors has diagnostics`() throws {
    let document = GraphQLDocument("query A { a }\nquery {\n  b(", name: "x.graphql")
    let problem = try #require(document.syntaxProblems.first)
    #expect(problem.rule == "SyntaxError" && problem.source == "x.graphql" && problem.line == 3)
    #expect(document.operations.map(\.name) == ["A", nil])
    #expect(document.operations.map(\.type) == [.query, .query])
    #expect(document.diagnostics().contains(problem))
  }

  @Test func `columns count UTF-16 code units`() throws {
    let document = GraphQLDocument("{ bird { name(a: \"🐦\") nmae } }")
    let problem = try #require(
      document.diagnostics(schema: try GraphQLSchema(sdl: sdl)).first { $0.rule == "FieldsOnCorrectTypeRule" })
    #expect(problem.range == DocumentPosition(line: 1, column: 24)..<DocumentPosition(line: 1, column: 28))
  }

  @Test func `diagnostics are in the order of the documents`() {
    let documents = [
      GraphQLDocument("query A { ...B a(x: $x) }", name: "a"), GraphQLDocument("type T { a: X }", name: "t"),
      GraphQLDocument("fragment B on T { c }\nfragment B on T { c }", name: "b"),
    ]
    let problems = GraphQLDocument.diagnostics(in: documents)
    let order = ["a", "t", "b"]
    let places = problems.map { order.firstIndex(of: $0.source) ?? -1 }
    #expect(places == places.sorted() && Set(places) == [0, 1, 2])
    #expect(problems.contains { $0.source == "t" && $0.rule == "KnownTypeNamesRule" })
    #expect(problems.contains { $0.source == "b" && $0.rule == "UniqueFragmentNamesRule" })
  }

  @Test func `a schema loads from SDL and from introspection`() throws {
    let schema = try GraphQLSchema(sdl: sdl)
    #expect(schema.sdl == sdl)
    #expect(schema.diagnostics.isEmpty)
    let introspected = try GraphQLSchema(introspection: schema.introspection)
    #expect(introspected.sdl == schema.sdl)
    #expect(schema.changes(to: introspected).isEmpty)
    #expect(GraphQLDocument(GraphQLSchema.introspectionQuery).diagnostics(schema: schema).isEmpty)
  }

  @Test func `an invalid schema reports locations`() throws {
    let schema = try GraphQLSchema(sdl: "type Query {\n  bird: Brid\n}", name: "birds.graphql")
    let problem = try #require(schema.diagnostics.first)
    #expect(problem.rule == "KnownTypeNamesRule" && problem.source == "birds.graphql" && problem.line == 2)
  }

  @Test func `printing omits comments`() {
    let document = GraphQLDocument("{a # here\n}")
    #expect(document.printed.contains("here") == false && document.formatted.contains("# here"))
  }

  @Test func `a completion replaces the typed word`() throws {
    let completion = try #require(
      GraphQLDocument("{ bird { na").completions(
        at: DocumentPosition(line: 1, column: 12), schema: try GraphQLSchema(sdl: sdl)
      ).first)
    #expect(completion.label == "name" && completion.kind == .field && completion.type == "String!")
    #expect(
      completion.replacementRange == DocumentPosition(line: 1, column: 10)..<DocumentPosition(line: 1, column: 12))
    #expect(
      GraphQLDocument("type A { b: In }").completions(at: DocumentPosition(line: 1, column: 15)).map(\.label).contains(
        "Int"))
  }
}
