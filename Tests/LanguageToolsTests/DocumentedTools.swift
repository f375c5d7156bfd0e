import ApusGraphQLTools
import Testing

// What Docs/LanguageTools.md shows, to the letter; HouseTests hold that they are the same.

/// What is wrong with the documents of an application, a line each, as compilers tell it.
func judge(_ texts: [(name: String, text: String)], schema sdl: String) throws -> [String] {
  let schema = try GraphQLSchema(sdl: sdl)
  let documents = texts.map { GraphQLDocument($0.text, name: $0.name) }
  return GraphQLDocument.problems(in: documents, schema: schema).map { problem in
    "\(problem.source):\(problem.line):\(problem.column): \(problem.message) [\(problem.rule)]"
  }
}

/// The document laid out anew; `nil` where it is no GraphQL.
func format(_ text: String) -> String? {
  let document = GraphQLDocument(text)
  return document.syntaxProblems.isEmpty ? document.formatted : nil
}

/// What an editor lists for the cursor, and what it writes for the first of them.
func list(_ text: String, at cursor: DocumentPosition, schema: GraphQLSchema) -> (labels: [String], insertion: String?)
{
  let completions = GraphQLDocument(text).completions(at: cursor, schema: schema)
  return (completions.map(\.label), completions.first?.insertText)
}

/// What an editor shows of the word under the pointer, as Markdown.
func explain(_ text: String, at pointer: DocumentPosition, schema: GraphQLSchema) -> String? {
  GraphQLDocument(text).hover(at: pointer, schema: schema)?.contents
}

/// Whether a new version of a schema may break those who use the old one, and why.
func breaks(_ old: String, _ new: String) throws -> [String] {
  try GraphQLSchema(sdl: old).changes(to: GraphQLSchema(sdl: new))
    .filter { $0.criticality == .breaking }
    .map { "\($0.coordinate ?? "schema"): \($0.message)" }
}

// The page ends here; what follows runs it.

struct DocumentedToolsTests {
  private let sdl = """
    type Query {
      "One bird."
      bird(id: ID!): Bird
    }
    type Bird { name: String! }
    """

  @Test func documentsAreJudgedTogether() throws {
    let problems = try judge(
      [("a.graphql", "query A {\n  bird(id: 1) { nmae ...Card }\n}"), ("b.graphql", "fragment Card on Bird { name }")],
      schema: sdl)
    #expect(
      problems == [
        "a.graphql:2:17: Cannot query field \"nmae\" on type \"Bird\". Did you mean \"name\"? [FieldsOnCorrectTypeRule]"
      ])
  }

  @Test func documentsAreLaidOut() {
    #expect(format("{a # here\n}") == "{\n  a # here\n}\n")
    #expect(format("{a") == nil)
  }

  @Test func theCursorHasCompletions() throws {
    let (labels, insertion) = list(
      "{ bi", at: DocumentPosition(line: 1, column: 5), schema: try GraphQLSchema(sdl: sdl))
    #expect(labels.first == "bird" && insertion == "bird(id: )")
  }

  @Test func thePointerHasAnExplanation() throws {
    let text = explain(
      "{ bird(id: 1) { name } }", at: DocumentPosition(line: 1, column: 4), schema: try GraphQLSchema(sdl: sdl))
    #expect(text?.contains("bird(id: ID!): Bird") == true && text?.contains("One bird.") == true)
  }

  @Test func whatBreaksIsTold() throws {
    let found = try breaks(sdl, "type Query { bird(id: ID!): Bird } type Bird { title: String! }")
    #expect(found == ["Bird.name: Field Bird.name was removed."])
  }
}
