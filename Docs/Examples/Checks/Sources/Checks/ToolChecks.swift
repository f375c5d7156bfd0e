import ApusGraphQLTools

/// Checks documents and schemas without a client.
func checkTools(_ report: Report) throws {
  let schema = try GraphQLSchema(sdl: "type Query { bird: Bird } type Bird { name: String! }")
  let document = GraphQLDocument("query A { bird { nmae } }", name: "a.graphql")
  report.check("a document has operations", document.operations.map(\.name), is: ["A"])
  let types: [OperationType] = document.operations.map { (each: GraphQLDocument.Operation) in each.type }
  report.check("of a type", types, is: [.query])
  let problems: [GraphQLDiagnostic] = document.diagnostics(schema: schema)
  report.check("an error has its rule", problems.map(\.rule), is: ["FieldsOnCorrectTypeRule"])
  let place: DocumentPosition? = problems.first?.range.lowerBound
  report.check("and a location", place, is: DocumentPosition(line: 1, column: 18))
  report.check("its syntax is valid", document.syntaxProblems.isEmpty)
  report.check("it is formatted", document.formatted, is: "query A {\n  bird {\n    nmae\n  }\n}\n")

  let typed = GraphQLDocument("{ bird { na")
  let completion: GraphQLDocument.Completion? =
    typed.completions(at: DocumentPosition(line: 1, column: 12), schema: schema).first
  let kind: CompletionKind? = completion?.kind
  report.check("typed text is completed", completion?.insertText, is: "name")
  report.check("by a field", kind, is: .field)
  let hover: GraphQLDocument.Hover? = typed.hover(at: DocumentPosition(line: 1, column: 4), schema: schema)
  report.check("the symbol is explained", hover?.contents.contains("bird: Bird"), is: true)

  let spreads = GraphQLDocument("query A { bird { ...Card } }", name: "a.graphql")
  let card = GraphQLDocument("fragment Card on Bird { name }", name: "card.graphql")
  let spread = DocumentPosition(line: 1, column: 21)
  let definition: GraphQLDocument.Definition? = spreads.definition(at: spread, schema: schema, others: [card])
  report.check("a name is defined somewhere", definition?.source, is: "card.graphql")
  let references: [GraphQLDocument.Reference] = spreads.references(at: spread, schema: schema, others: [card])
  report.check("and used elsewhere", references.map(\.isDefinition), is: [false, true])
  let edits: [GraphQLDocument.Edit] = try spreads.rename(at: spread, to: "BirdCard", others: [card])
  report.check("it can be renamed", card.applying(edits).text, is: "fragment BirdCard on Bird { name }")
  do throws(GraphQLDocument.RenameError) {
    _ = try spreads.rename(at: spread, to: "1")
  } catch {
    report.check("the new name must be valid", error, is: .notAName("1"))
  }
  let outline: [GraphQLDocument.OutlineItem] = spreads.outline
  let part: OutlineKind? = outline.first?.children.first?.kind
  report.check("a document has an outline", part, is: .field)

  let newer = try GraphQLSchema(introspection: GraphQLSchema(sdl: "type Query { bird: String }").introspection)
  let changes: [GraphQLSchema.Change] = schema.changes(to: newer)
  let worst: Criticality? = changes.first?.criticality
  report.check("two schemas are compared", worst, is: .breaking)
  report.check("by coordinates", changes.contains { $0.coordinate == "Query.bird" })
  report.check("a schema is validated", newer.diagnostics.isEmpty)
}
