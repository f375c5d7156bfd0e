import ApusGraphQLTools
import Testing

// The code shown in Docs/LanguageTools.md. ArchitectureTests check that they are identical.

/// The errors in an application's documents, one per line in the format of compilers.
func validate(_ texts: [(name: String, text: String)], schema sdl: String) throws -> [String] {
  let schema = try GraphQLSchema(sdl: sdl)
  let documents = texts.map { GraphQLDocument($0.text, name: $0.name) }
  return GraphQLDocument.diagnostics(in: documents, schema: schema).map { problem in
    "\(problem.source):\(problem.line):\(problem.column): \(problem.message) [\(problem.rule)]"
  }
}

/// The formatted document; `nil` if it has syntax errors.
func format(_ text: String) -> String? {
  let document = GraphQLDocument(text)
  return document.syntaxProblems.isEmpty ? document.formatted : nil
}

/// The completions that an editor lists at the cursor, and the text that it inserts for the first one.
func list(_ text: String, at cursor: DocumentPosition, schema: GraphQLSchema) -> (labels: [String], insertion: String?)
{
  let completions = GraphQLDocument(text).completions(at: cursor, schema: schema)
  return (completions.map(\.label), completions.first?.insertText)
}

/// The Markdown that an editor shows for the word under the pointer.
func explain(_ text: String, at pointer: DocumentPosition, schema: GraphQLSchema) -> String? {
  GraphQLDocument(text).hover(at: pointer, schema: schema)?.contents
}

/// The definition of the symbol under the pointer and its references in the project, as `file:line`.
func find(_ file: GraphQLDocument, at pointer: DocumentPosition, in project: [GraphQLDocument], _ schema: GraphQLSchema)
  -> (definition: String?, references: [String])
{
  let definition = file.definition(at: pointer, schema: schema, others: project)
  let references = file.references(at: pointer, schema: schema, others: project)
  return (
    definition.map { "\($0.source):\($0.nameRange.lowerBound.line)" },
    references.map { "\($0.source):\($0.range.lowerBound.line)" }
  )
}

/// The files of a project after renaming the symbol under the pointer in the first one.
func rename(_ files: [GraphQLDocument], at pointer: DocumentPosition, to name: String) throws -> [String] {
  guard let file = files.first else { return [] }
  let edits = try file.rename(at: pointer, to: name, others: Array(files.dropFirst()))
  return files.map { $0.applying(edits).text }
}

/// The outline of a document, indented.
func outline(_ items: [GraphQLDocument.OutlineItem], _ indent: String = "") -> [String] {
  items.flatMap { item in
    ["\(indent)\(item.kind.rawValue) \(item.name)"] + outline(item.children, indent + "  ")
  }
}

/// The changes in a new version of a schema that may break clients of the old one.
func breaks(_ old: String, _ new: String) throws -> [String] {
  try GraphQLSchema(sdl: old).changes(to: GraphQLSchema(sdl: new))
    .filter { $0.criticality == .breaking }
    .map { "\($0.coordinate ?? "schema"): \($0.message)" }
}

// End of the code shown on the page. The following tests run it.

struct DocumentedToolsTests {
  private let sdl = """
    type Query {
      "One bird."
      bird(id: ID!): Bird
    }
    type Bird { name: String! }
    """

  @Test func `documents are validated together`() throws {
    let problems = try validate(
      [("a.graphql", "query A {\n  bird(id: 1) { nmae ...Card }\n}"), ("b.graphql", "fragment Card on Bird { name }")],
      schema: sdl)
    #expect(
      problems == [
        "a.graphql:2:17: Cannot query field \"nmae\" on type \"Bird\". Did you mean \"name\"? [FieldsOnCorrectTypeRule]"
      ])
  }

  @Test func `documents are formatted`() {
    #expect(format("{a # here\n}") == "{\n  a # here\n}\n")
    #expect(format("{a") == nil)
  }

  @Test func `completions are listed at the cursor`() throws {
    let (labels, insertion) = list(
      "{ bi", at: DocumentPosition(line: 1, column: 5), schema: try GraphQLSchema(sdl: sdl))
    #expect(labels.first == "bird" && insertion == "bird(id: )")
  }

  @Test func `hover shows documentation`() throws {
    let text = explain(
      "{ bird(id: 1) { name } }", at: DocumentPosition(line: 1, column: 4), schema: try GraphQLSchema(sdl: sdl))
    #expect(text?.contains("bird(id: ID!): Bird") == true && text?.contains("One bird.") == true)
  }

  @Test func `definitions and references are found`() throws {
    let project = [
      GraphQLDocument("fragment Card on Bird {\n  name\n}", name: "card.graphql"),
      GraphQLDocument("query B {\n  bird(id: 2) {\n    ...Card\n  }\n}", name: "b.graphql"),
    ]
    let file = GraphQLDocument("query A {\n  bird(id: 1) { ...Card name }\n}", name: "a.graphql")
    let schema = try GraphQLSchema(sdl: sdl, name: "schema.graphql")
    let fragment = find(file, at: DocumentPosition(line: 2, column: 21), in: project, schema)
    #expect(fragment.definition == "card.graphql:1")
    #expect(fragment.references == ["a.graphql:2", "card.graphql:1", "b.graphql:3"])
    let field = find(file, at: DocumentPosition(line: 2, column: 25), in: project, schema)
    #expect(field.definition == "schema.graphql:5")
    #expect(field.references == ["a.graphql:2", "card.graphql:2"])
    let introspected = try GraphQLSchema(introspection: schema.introspection)
    #expect(find(file, at: DocumentPosition(line: 2, column: 25), in: project, introspected).definition == nil)
  }

  @Test func `a fragment is renamed in all files`() throws {
    let files = [
      GraphQLDocument("query A { bird(id: 1) { ...Card } }", name: "a"),
      GraphQLDocument("fragment Card on Bird { name }", name: "b"),
    ]
    let spread = DocumentPosition(line: 1, column: 29)
    #expect(
      try rename(files, at: spread, to: "BirdCard") == [
        "query A { bird(id: 1) { ...BirdCard } }", "fragment BirdCard on Bird { name }",
      ])
    #expect(throws: GraphQLDocument.RenameError.notAName("1")) { try rename(files, at: spread, to: "1") }
    #expect(throws: GraphQLDocument.RenameError.nothingHere) {
      try rename(files, at: DocumentPosition(line: 1, column: 12), to: "x")
    }
    #expect(throws: GraphQLDocument.RenameError.schemaName("bird")) {
      try files[0].rename(at: DocumentPosition(line: 1, column: 12), to: "x", schema: GraphQLSchema(sdl: sdl))
    }
    let taken = [files[0], GraphQLDocument("fragment Card on Bird { a } fragment Wing on Bird { a }", name: "b")]
    #expect(throws: GraphQLDocument.RenameError.taken("Wing")) { try rename(taken, at: spread, to: "Wing") }
  }

  @Test func `the outline lists definitions`() {
    #expect(
      outline(GraphQLDocument("query A($id: ID!) { b: bird(id: $id) { ...Card } }").outline) == [
        "query A", "  variable $id", "  field b", "    fragmentSpread ...Card",
      ])
    #expect(outline(GraphQLDocument("enum E { A }").outline) == ["enum E", "  enumValue A"])
  }

  @Test func `breaking changes are reported`() throws {
    let found = try breaks(sdl, "type Query { bird(id: ID!): Bird } type Bird { title: String! }")
    #expect(found == ["Bird.name: Field Bird.name was removed."])
  }
}
