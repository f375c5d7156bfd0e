import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

/// The use of a schema by operations, and the schema changes that affect them.
struct DocumentUsageTests {
  private static let old = """
    type Query { bird(id: ID!, season: Season = SPRING, filter: Filter): Bird birds: [Animal!]! node: Node any: Any }
    interface Node { id(form: Int): ID! }
    interface Animal { name: String }
    type Bird implements Node & Animal { id(form: Int): ID! name: String weight: Int sex: Sex }
    type Fish implements Node & Animal { id(form: Int): ID! name: String }
    union Any = Bird | Fish
    enum Sex { MALE FEMALE }
    enum Season { SPRING AUTUMN }
    input Filter { name: String season: Season inner: Filter }
    directive @note(text: String) on FIELD | QUERY
    """

  /// Returns the operations affected by changes of a kind when text in the schema is replaced.
  private func meeting(
    _ kind: SchemaChangeKind, _ was: String, _ becomes: String, _ operations: String...
  ) throws -> [String] {
    let old = Schema.load(sdl: Self.old)
    let new = Schema.load(sdl: Self.old.replacing(was, with: becomes))
    let usage = try DocumentUsage(of: [Document(parsing: operations.joined(separator: "\n"))], in: old)
    let changes = SchemaDiff(from: old, to: new).changes.filter { $0.kind == kind }
    try #require(!changes.isEmpty)
    return Set(changes.flatMap { usage.operations(meeting: $0) }.map(\.title)).sorted()
  }

  @Test func `a field change affects operations that select it`() throws {
    #expect(
      try meeting(
        .fieldRemoved, "weight: Int ", "", "query A { bird(id: 1) { weight } }", "query B { bird(id: 1) { name } }",
        "query C { bird(id: 1) { ...F } } fragment F on Bird { ...G } fragment G on Bird { weight }") == ["A", "C"])
  }

  @Test func `selecting an interface field uses its implementations`() throws {
    #expect(
      try meeting(
        .fieldChangedKind, "Bird implements Node & Animal { id(form: Int): ID! name: String",
        "Bird implements Node & Animal { id(form: Int): ID! name: Int", "query A { birds { name } }",
        "query B { birds { __typename } }") == ["A"])
  }

  @Test func `argument changes affect operations that pass them or select the field`() throws {
    let (with, without) = ("query A { bird(id: 1, season: AUTUMN) { name } }", "query B { bird(id: 1) { name } }")
    #expect(try meeting(.argumentRemoved, "season: Season = SPRING, ", "", with, without) == ["A"])
    #expect(
      try meeting(
        .requiredArgumentAdded, "bird(id: ID!,", "bird(id: ID!, day: Int!,", with, "query C { any { __typename } }")
        == ["A"])
    #expect(try meeting(.argumentDefaultValueChange, "= SPRING", "= AUTUMN", with, without) == ["B"])
    // A new required argument breaks operations that do not pass it.
    #expect(try meeting(.argumentChangedKind, "filter: Filter)", "filter: Filter!)", without) == ["B"])
    #expect(try meeting(.argumentChangedKind, "filter: Filter)", "filter: [Filter])", without) == [])
  }

  @Test func `enum value changes affect literals and variables`() throws {
    #expect(
      try meeting(
        .valueRemovedFromEnum, "{ SPRING AUTUMN }", "{ SPRING }", "query A { bird(id: 1, season: AUTUMN) { name } }",
        "query B { bird(id: 1, season: SPRING) { name } }", "query C($s: Season) { bird(id: 1, season: $s) { name } }",
        "query D($f: Filter) { bird(id: 1, filter: $f) { name } }",
        "query E { bird(id: 1, filter: { inner: { season: AUTUMN } }) { name } }") == ["A", "C", "D", "E"])
    #expect(
      try meeting(
        .valueAddedToEnum, "{ MALE FEMALE }", "{ MALE FEMALE UNKNOWN }", "query A { bird(id: 1) { sex } }",
        "query B { bird(id: 1) { name } }") == ["A"])
  }

  @Test func `a default value change affects only operations without the argument`() throws {
    let operations = [
      "query A($s: Season) { bird(id: 1, season: $s) { name } }",
      "query B($s: Season!) { bird(id: 1, season: $s) { name } }",
      "query C($s: Season = AUTUMN) { bird(id: 1, season: $s) { name } }",
      "query D($s: Season) { ...F } fragment F on Query { bird(id: 1, season: $s) { name } }",
      "query E { bird(id: 1, season: null) { name } }",
      "query F { a: bird(id: 1, season: AUTUMN) { name } b: bird(id: 1) { name } }",
    ]
    for (kind, becomes) in [
      (SchemaChangeKind.argumentDefaultValueChange, "season: Season = AUTUMN"),
      (.argumentDefaultValueChange, "season: Season"),
    ] {
      let met = try meeting(kind, "season: Season = SPRING", becomes, operations.joined(separator: "\n"))
      #expect(met == ["A", "D", "F"])
    }
    #expect(
      try meeting(
        .argumentChangedKind, "season: Season = SPRING", "season: Season!", operations.joined(separator: "\n"))
        == ["A", "D", "E", "F"])
    #expect(
      try meeting(
        .inputFieldDefaultValueAdded, "input Filter { name: String", "input Filter { name: String = \"x\"",
        "query A { bird(id: 1, filter: { name: \"y\" }) { name } }", "query B { bird(id: 1, filter: {}) { name } }",
        "query C($f: Filter) { bird(id: 1, filter: $f) { name } }", "query D { bird(id: 1) { name } }") == ["B", "C"])
  }

  @Test func `input object changes affect operations that use them`() throws {
    #expect(
      try meeting(
        .requiredInputFieldAdded, "input Filter {", "input Filter { day: Int!",
        "query A { bird(id: 1, filter: {}) { name } }", "query B($f: [Filter]) { any { __typename } }",
        "query C { bird(id: 1) { name } }") == ["A", "B"])
    #expect(
      try meeting(
        .fieldRemoved, "input Filter { name: String ", "input Filter { ",
        "query A { bird(id: 1, filter: { name: \"x\" }) { name } }", "query B { bird(id: 1, filter: {}) { name } }")
        == ["A"])
  }

  @Test func `union member changes affect operations with a type condition`() throws {
    #expect(
      try meeting(
        .typeRemovedFromUnion, "Bird | Fish", "Bird", "query A { any { ... on Fish { name } } }",
        "query B { any { ... on Bird { name } } }", "query C { birds { ... on Fish { name } } }") == ["A"])
    #expect(
      try meeting(
        .implementedInterfaceRemoved, "Fish implements Node & Animal", "Fish implements Animal",
        "query A { node { ... on Fish { name } } }", "query B { node { id } }",
        "query C { birds { ... on Fish { name } } }") == ["A"])
  }

  @Test func `directive changes affect operations that use them`() throws {
    let operations = "query A { any @note(text: \"x\") { __typename } } query B @note { any { __typename } }"
    #expect(try meeting(.directiveLocationRemoved, "FIELD | QUERY", "QUERY", operations) == ["A"])
    #expect(try meeting(.directiveArgumentRemoved, "@note(text: String)", "@note", operations) == ["A"])
    #expect(
      try meeting(.directiveRemoved, "directive @note(text: String) on FIELD | QUERY", "", operations) == ["A", "B"])
  }

  @Test func `coverage lists uses and unused fields`() throws {
    let schema = Schema.load(
      sdl: "type Query { bird(id: ID!, old: Int @deprecated(reason: \"No.\")): Bird } "
        + "type Bird { id: ID! name: String @deprecated weight: Int }")
    let document = Document(
      parsing: "query A { bird(id: 1, old: 2) { ...F } } { bird(id: 2) { id } } fragment F on Bird { name }",
      name: "q.graphql")
    let coverage = try SchemaCoverage(of: [document], in: schema)
    func line(_ member: SchemaCoverage.Member) -> String {
      "\(member.coordinate): \(member.operations.map(\.title).joined(separator: ", "))"
    }
    #expect(
      coverage.fields.map(line) == [
        "Query.bird: A, q.graphql:1", "Bird.id: q.graphql:1", "Bird.name: A", "Bird.weight: ",
      ])
    #expect(coverage.arguments.map(line) == ["Query.bird(id:): A, q.graphql:1", "Query.bird(old:): A"])
    #expect(coverage.unused.map(line) == ["Bird.weight: "])
    #expect(coverage.deprecatedInUse.map(line) == ["Bird.name: A", "Query.bird(old:): A"])
  }

  @Test func `deeply nested input objects are analyzed`() throws {
    let inputs = (0..<20_000).map { "input I\($0) { i: I\($0 + 1) }" }
    let schema = Schema.load(sdl: "type Query { a(i: I0): Int } \(inputs.joined()) input I20000 { e: E } enum E { A }")
    let usage = try DocumentUsage(of: [Document(parsing: "query Q($i: I0) { a(i: $i) }")], in: schema)
    #expect(usage.operations(using: .type("E")).map(\.title) == ["Q"])
  }

  /// A fragment that is not spread uses no fields.
  @Test func `fields of unused fragments are unused`() throws {
    let schema = Schema.load(sdl: "type Query { a: Int b: Int }")
    let coverage = try SchemaCoverage(
      of: [Document(parsing: "{ a } fragment F on Query { b ...F }")], in: schema)
    #expect(coverage.unused.map { "\($0.coordinate)" } == ["Query.b"])
  }

  @Test func `too many uses are an error`() throws {
    let fields = (0..<100).map { "f\($0)" }
    let schema = Schema.load(sdl: "type Query { \(fields.map { "\($0): Int" }.joined(separator: " ")) }")
    let operations = (0..<100).map { "query A\($0) { ...F }" }.joined(separator: " ")
    let document = Document(parsing: "\(operations) fragment F on Query { \(fields.joined(separator: " ")) }")
    #expect(throws: TooManyUses.self) { try DocumentUsage(of: [document], in: schema, limit: 5_000) }
    #expect(try DocumentUsage(of: [document], in: schema).operations.count == 100)
  }
}
