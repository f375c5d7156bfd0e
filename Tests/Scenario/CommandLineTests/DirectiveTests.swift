import ApusJSON
import ApusTestSupport
import Testing

/// The locations of the directives of incremental delivery, as `apus validate` reports them.
@Suite(.timeLimit(.minutes(3))) struct DirectiveTests {
  private static let schema = """
    type Query { person: Person tags: [String!] } type Mutation { rename: Person }
    type Subscription { person: Person } type Person { id: ID! name: String tags: [String!] }
    """

  @Test(
    arguments: [
      ("{ person { ... @defer(if: true, label: \"a\") { name } } tags @stream(initialCount: 1, label: \"b\") }", nil),
      ("query($l: Boolean!) { person { ... @defer(if: $l) { name } tags @stream(if: $l) } }", nil),
      ("{ person { ... @defer { name } } } ", nil), ("{ person { ...F @defer } } fragment F on Person { name }", nil),
      ("mutation { rename { ... @defer { name } } }", nil),
      ("subscription { person { ... @defer(if: false) { name } } }", nil),
      ("subscription($l: Boolean!) { person { ... @defer(if: $l) { name } } }", nil),
      ("{ person @defer { name } }", "KnownDirectivesRule"),
      ("{ person { ... @stream { name } } }", "KnownDirectivesRule"),
      ("{ person @stream { name } }", "StreamDirectiveOnListFieldRule"),
      ("query($l: String) { person { ... @defer(label: $l) { name } } }", "DeferStreamDirectiveLabelRule"),
      (
        "{ person { ... @defer(label: \"a\") { name } ... @defer(label: \"a\") { id } } }",
        "DeferStreamDirectiveLabelRule"
      ),
      ("mutation { ... @defer { rename { name } } }", "DeferStreamDirectiveOnRootFieldRule"),
      ("subscription { ... @defer { person { name } } }", "DeferStreamDirectiveOnRootFieldRule"),
      ("subscription { person { ... @defer { name } } }", "DeferStreamDirectiveOnValidOperationsRule"),
      ("subscription { person { tags @stream } }", "DeferStreamDirectiveOnValidOperationsRule"),
      ("{ tags @stream(initialCount: null) }", "ValuesOfCorrectTypeRule"),
      ("{ person { ... @defer(if: null) { name } } }", "ValuesOfCorrectTypeRule"),
    ] as [(String, String?)])
  func `defer and stream are validated by location`(document: String, rule: String?) async throws {
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", Self.schema)
    let process = try ChildProcess(
      Checkout.apus, ["validate", "--schema", folder.path("schema.graphql"), "--output", "json", "-"])
    process.write(document)
    let outcome = await process.outcome()
    let report = try JSONDocument(parsing: outcome.output).root
    let rules = report["errors"]?.elements.compactMap { $0["rule"]?.string } ?? []
    #expect(rule.map(rules.contains) ?? rules.isEmpty, "\(rules)")
    #expect(outcome.exitCode == (rule == nil ? 0 : 1))
    #expect(report["errors"]?.elements.allSatisfy { $0["file"] == "-" } == true)
  }

  @Test func `columns are UTF-16 code units from 1`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", Self.schema)
    try folder.write("q.graphql", "# 🐦\n{ person { name(a: \"🐦\") nam } }")
    let words = ["--schema", folder.path("schema.graphql"), folder.path("q.graphql")]
    let validation = try await ChildProcess.run(Checkout.apus, ["validate", "--output", "json"] + words)
    let errors = try JSONDocument(parsing: validation.output).root["errors"]?.elements.map { $0 } ?? []
    #expect(
      errors.first { $0["rule"] == "FieldsOnCorrectTypeRule" }?["locations"]?[0] == ["line": 2, "column": 26])
    let completed = try await ChildProcess.run(Checkout.apus, ["complete", "--at", "2:29"] + words)
    #expect(completed.output.contains("\"label\":\"name\""))
  }

  @Test func `completion and hover work partially without a schema`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("q.graphql", "query Q($size: Int) { a(size: $) ...F } fragment F on T { b }")
    let file = folder.path("q.graphql")
    func items(_ place: String) async throws -> [JSONValue] {
      let outcome = try await ChildProcess.run(Checkout.apus, ["complete", "--at", place, file, "--output", "json"])
      #expect(outcome.exitCode == 0)
      return try JSONDocument(parsing: outcome.output).root["items"]?.elements.map { $0 } ?? []
    }
    let variables = try await items("1:32")
    #expect(variables.contains { $0["kind"] == "variable" && $0["label"]?.string?.hasSuffix("size") == true })
    #expect(try await items("1:37").contains { $0["kind"] == "fragment" && $0["label"] == "F" })
    #expect(
      try await items("1:1").allSatisfy { item in
        ["label", "kind", "type", "documentation", "insertText", "deprecated"].allSatisfy { item[$0] != nil }
      })
    let hover = try await ChildProcess.run(Checkout.apus, ["hover", "--at", "1:24", file])
    #expect(hover.exitCode == 0)
  }
}
