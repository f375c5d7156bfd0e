import ApusJSON
import ApusTestSupport
import Testing

/// `apus coverage` and `apus bundle` on a project's documents.
@Suite(.timeLimit(.minutes(3))) struct CoverageAndBundleTests {
  private static let schema = """
    type Query { bird(id: ID!): Bird birds(first: Int, after: String): [Bird!]! }
    type Bird { id: ID! name: String nick: String @deprecated(reason: "Use name.") }

    """
  private static let documents = [
    "src/a.graphql": "query A($n: Int) { birds(first: $n) { ...Name } } # all",
    "src/b.graphql": "query B {\n  bird(id: \"1\") { id nick }\n}\n",
    "src/name.graphql": "fragment Name on Bird { name ...More }\nfragment More on Bird { id }",
  ]

  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", Self.schema)
    try folder.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: src/*.graphql\n")
    for (name, text) in Self.documents { try folder.write(name, text) }
    return folder
  }

  private func apus(_ folder: TemporaryFolder, _ words: String...) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus] + words, environment: folder.asHome)
  }

  @Test func `coverage lists used fields with their operations, and unused fields`() async throws {
    let folder = try project()
    let outcome = try await apus(folder, "coverage", "--schema", "schema.graphql", "src")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output == """
        5 of 5 fields are used
        2 of 3 arguments are used

        Used:
          Query.bird: B
          Query.birds: A
          Bird.id: A, B
          Bird.name: A
          Bird.nick: B
          Query.bird(id:): B
          Query.birds(first:): A

        Deprecated and used:
          Bird.nick: B (Use name.)

        Not used:
          Query.birds(after:)

        """)
    #expect(try await apus(folder, "coverage").output == outcome.output)
  }

  @Test func `coverage prints JSON and Markdown`() async throws {
    let folder = try project()
    let json = try JSONDocument(parsing: try await apus(folder, "coverage", "--output", "json").output).root
    #expect(json["fields"] == ["used": 5, "total": 5])
    #expect(json["unused"] == ["Query.birds(after:)"])
    #expect(json["deprecatedInUse"] == ["Bird.nick"])
    #expect(
      json["types"]?[1]?["fields"]?[2] == [
        "coordinate": "Bird.nick", "operations": ["B"], "deprecationReason": "Use name.",
      ])
    let markdown = try await apus(folder, "coverage", "--output", "markdown").output
    #expect(markdown.contains("| fields | 5 | 5 |\n| arguments | 2 | 3 |\n"))
    #expect(markdown.contains("| `Bird.nick` | B | Use name. |\n"))
    #expect(markdown.contains("- `Query.birds(after:)`\n"))
  }

  @Test func `coverage fails without a schema or readable documents`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.graphql", "{ a }")
    try folder.write("broken.graphql", "{ a ")
    try folder.write("s.graphql", "type Query { a: Int }")
    let without = try await apus(folder, "coverage", "a.graphql")
    #expect(without.exitCode == 2)
    #expect(without.errors.hasPrefix("apus: --schema is missing"))
    let broken = try await apus(folder, "coverage", "--schema", "s.graphql", "broken.graphql")
    #expect(broken.exitCode == 1)
    #expect(broken.errors == "apus: broken.graphql:1:5: Expected Name, found <EOF>.\n")
  }

  private static let a =
    "query A($n:Int){birds(first:$n){...Name}}fragment Name on Bird{name ...More}fragment More on Bird{id}"
  private static let b = "query B{bird(id:\"1\"){id nick}}"

  @Test func `a bundle contains each operation with its fragments by digest`() async throws {
    let folder = try project()
    let manifest = try JSONDocument(parsing: try await apus(folder, "bundle", "src").output).root
    #expect(manifest["format"] == "apollo-persisted-query-manifest")
    #expect(manifest["version"] == 1)
    let digest = try ChildProcess("/usr/bin/env", ["sha256sum"])
    digest.write(Self.a)
    let id = String(await digest.outcome().output.prefix(64))
    #expect(
      manifest["operations"]?[0]
        == ["id": JSONValue(id), "name": "A", "type": "query", "body": JSONValue(Self.a)])
    #expect(manifest["operations"]?[1]?["body"] == JSONValue(Self.b))
    let relay = try JSONDocument(parsing: try await apus(folder, "bundle", "--format", "relay").output).root
    #expect(Array(relay.members).count == 2)
    #expect(relay[id] == JSONValue(Self.a))
    let typed = try JSONDocument(parsing: try await apus(folder, "bundle", "--typename").output).root
    #expect(
      typed["operations"]?[0]?["body"]
        == "query A($n:Int){birds(first:$n){...Name __typename}}fragment Name on Bird{name ...More __typename}fragment More on Bird{id __typename}"
    )
  }

  @Test(arguments: [
    ("{ bird(id: 1) { id } }", "src/c.graphql:1: an operation needs a name"),
    ("query A { birds { id } }", "src/a.graphql:1 and src/c.graphql:1: there can be only one definition named 'A'"),
    (
      "query C { birds { ...Gone } }", "src/c.graphql:1: 'C' needs the fragment 'Gone', which no document defines"
    ),
  ])
  func `documents that cannot be bundled are reported`(text: String, message: String) async throws {
    let folder = try project()
    try folder.write("src/c.graphql", text)
    let outcome = try await apus(folder, "bundle", "src")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output == "")
    #expect(outcome.errors == "apus: \(message)\n")
  }
}
