import ApusJSON
import ApusTestSupport
import Testing

/// A check of a folder reads every file that can contain GraphQL, or fails.
@Suite(.timeLimit(.minutes(3))) struct PassedOverFilesTests {
  private static let schema = "type Query { a: Int b: Int }\n"

  private func folder(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files.merging(["schema.graphql": Self.schema], uniquingKeysWith: { first, _ in first }) {
      try folder.write(name, text)
    }
    return folder
  }

  private func apus(_ folder: TemporaryFolder, _ words: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus] + words, environment: folder.asHome)
  }

  private static let checks: [[String]] = [
    ["validate", "--schema", "schema.graphql", "src"], ["coverage", "--schema", "schema.graphql", "src"],
    ["bundle", "src"],
    ["schema", "diff", "old.graphql", "schema.graphql", "--fail-on", "breaking", "--documents", "src"],
  ]

  @Test(.timeLimit(.minutes(2)), arguments: checks)
  func `a file in an unknown language with GraphQL ends a check`(words: [String]) async throws {
    let folder = try folder([
      "old.graphql": Self.schema, "src/q.graphql": "query Q { a }\n", "src/App.kt": "val q = gql(\"{ b }\")",
    ])
    let outcome = try await apus(folder, words)
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("src/App.kt has GraphQL in a language that Apus does not read"))
    // Without a mark, excluded, or ignored by git, it does not.
    try folder.write("src/App.kt", "val q = 1")
    #expect(try await apus(folder, words).exitCode == 0)
    try folder.write("src/App.kt", "val q = gql(\"{ b }\")")
    try folder.write(".git/HEAD", "")
    try folder.write(".gitignore", "*.kt\n")
    #expect(try await apus(folder, words).exitCode == 0)
    try folder.write(".gitignore", "")
    try folder.write(".graphqlrc.yml", "schema: schema.graphql\nexclude: '**/*.kt'\n")
    #expect(try await apus(folder, words).exitCode == 0)
  }

  @Test func `a field that only code uses is a breaking change`() async throws {
    let folder = try folder([
      "new.graphql": "type Query { a: Int }\n", "src/q.graphql": "query Q { a }\n",
      "src/q.ts": "const q = gql`query B { b }`\n", "node_modules/x/q.ts": "gql`query N { gone }`\n",
    ])
    let words = ["schema", "diff", "schema.graphql", "new.graphql", "--fail-on", "breaking", "--documents", "src"]
    let outcome = try await apus(folder, words)
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("used by B"))
    let coverage = try await apus(folder, ["coverage", "--schema", "schema.graphql", "."])
    #expect(coverage.output.contains("Query.b: B"))
    #expect(!coverage.output.contains("N"))
  }

  @Test func `formatting passes over unknown languages`() async throws {
    let folder = try folder(["src/App.kt": "val q = gql(\"{ b }\")", "src/q.graphql": "{a}"])
    #expect(try await apus(folder, ["format", "src"]).exitCode == 0)
    #expect(try folder.read("src/q.graphql") == "{\n  a\n}\n")
  }

  // MARK: Severities

  private func report(_ folder: TemporaryFolder, _ words: String...) async throws -> (JSONValue, Int32) {
    let outcome = try await apus(folder, ["validate", "--output", "json"] + words)
    return (try #require(try? JSONDocument(parsing: outcome.output).root, "\(outcome)"), outcome.exitCode)
  }

  @Test func `an unused fragment is a warning in a project and an error in a document alone`() async throws {
    let fragment = "query Q { a }\nfragment F on Query { a }\n"
    let project = try folder([".graphqlrc.yml": "schema: schema.graphql\ndocuments: src\n", "src/q.graphql": fragment])
    let (warned, code) = try await report(project)
    #expect(code == 0)
    #expect(warned["valid"]?.bool == true)
    #expect(warned["errors"]?.count == 0)
    #expect(warned["warnings"]?[0]?["severity"]?.string == "warning")
    #expect(warned["warnings"]?[0]?["locations"]?[0]?["line"]?.int == 2)
    #expect(try await apus(project, ["validate", "--fail-on", "warning"]).exitCode == 1)
    #expect(try await apus(project, ["validate", "--fail-on", "error"]).exitCode == 0)
    let alone = try folder(["q.graphql": fragment])
    let (failed, failure) = try await report(alone, "--schema", "schema.graphql", "q.graphql")
    #expect(failure == 1)
    #expect(failed["errors"]?[0]?["severity"]?.string == "error")
    #expect(failed["warnings"]?.count == 0)
    try alone.write("r.graphql", "query R { a }\n")
    #expect(try await report(alone, "--schema", "schema.graphql", "q.graphql", "r.graphql").1 == 0)
  }

  @Test func `defer in a subscription is reported at the directive with the operation`() async throws {
    let folder = try folder([
      "schema.graphql": "type Query { a: Int } type Subscription { b: B } type B { c: Int }\n",
      "src/a.graphql": "subscription S { b { ...F } }\n", "src/f.graphql": "fragment F on B { ... @defer { c } }\n",
      ".graphqlrc.yml": "schema: schema.graphql\ndocuments: src\n",
    ])
    let (report, _) = try await report(folder)
    #expect(report["errors"]?[0]?["file"]?.string == "src/f.graphql")
    #expect(report["errors"]?[0]?["locations"]?[0]?["column"]?.int == 23)
    #expect(report["errors"]?[0]?["message"]?.string?.hasSuffix("It is part of the subscription \"S\".") == true)
  }

  @Test func `errors in schema files are errors of the project`() async throws {
    let folder = try folder([
      "schema.graphql": "type Query { a: Gone }\n", ".graphqlrc.yml": "schema: schema.graphql\n",
    ])
    let (report, code) = try await report(folder)
    #expect(code == 1)
    #expect(report["errors"]?[0]?["rule"]?.string == "KnownTypeNamesRule")
    #expect(try await apus(folder, ["schema", "lint"]).errors.contains("Unknown type"))
  }

  // MARK: Bundles

  @Test func `a bundle has no descriptions and says so`() async throws {
    let folder = try folder([
      "q.graphql": "\"all\" query Q(\"n\" $n: Int) { a(n: $n) { ...F } } \"\"\"f\"\"\" fragment F on A { b }\n"
    ])
    let outcome = try await apus(folder, ["bundle", "q.graphql"])
    #expect(outcome.output.contains(#""body": "query Q($n:Int){a(n:$n){...F}}fragment F on A{b}""#))
    #expect(outcome.errors.contains("3 descriptions are not part of the documents for the server"))
  }

  @Test(arguments: [
    ("query Q { a @client }", "relay.txt", "@client"), ("query Q { __id a }", "relay.config.json", "__id"),
    ("query Q { a @required(action: LOG) }", "relay.config.json", "@required"),
  ])
  func `a bundle fails for names of a client`(text: String, file: String, name: String) async throws {
    let folder = try folder([
      ".graphqlrc.yml": "schema: schema.graphql\ndocuments: q.graphql\n", "q.graphql": text, file: "{}",
    ])
    let outcome = try await apus(folder, ["bundle"])
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains("'Q' has \(name)"))
  }

  /// The files of a project beside `q.graphql`, and the client's fields that a bundle names.
  @Test(arguments: [
    (
      [
        "schema.graphql": "type Query { a: A }\ntype A { b: Int }\n", "ext/a.graphql": "extend type A { local: Int }\n",
        "relay.config.json": #"{"schemaExtensions": ["./ext"]}"#,
      ], "A.local"
    ),
    (
      [
        "schema.graphql": "type Query { a: A }\ntype A { b: Int }\n", "ext/a.graphql": "extend type A { local: Int }\n",
        "package.json": #"{"relay": {"projects": {"x": {"schemaExtensions": ["ext/a.graphql"]}}}}"#,
      ], "A.local"
    ),
    // Without the name of a folder, an extension may belong to the server.
    (
      [
        "schema.graphql": "type Query { a: A }\ntype A { b: Int }\n", "ext/a.graphql": "extend type A { local: Int }\n",
        "relay.config.json": "{}",
      ], ""
    ),
    (
      [
        "schema.graphql": "type Query { a: A }\ntype A { b: Int local: Int @relay_resolver }\n",
        "relay.config.json": "{}",
      ], "A.local"
    ),
    // An introspection result has all fields of the server.
    (
      [
        "schema.json":
          #"{"__schema": {"queryType": {"name": "Query"}, "directives": [], "types": [{"kind": "SCALAR", "name": "Int"}, {"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [{"name": "a", "args": [], "type": {"kind": "OBJECT", "name": "A"}}]}, {"kind": "OBJECT", "name": "A", "interfaces": [], "fields": [{"name": "b", "args": [], "type": {"kind": "SCALAR", "name": "Int"}}]}]}}"#,
        "ext/a.graphql": "extend type A { local: Int }\n", "apollo.config.js": "",
      ], "A.local"
    ),
    (
      ["schema.graphql": "type Query { a: A }\ntype A { b: Int local: Int }\n", "relay.config.json": "{}"], ""
    ),
  ])
  func `a bundle fails for fields of a client`(files: [String: String], field: String) async throws {
    var files = files
    let schema = files["schema.json"] == nil ? "schema.graphql" : "schema.json"
    files[".graphqlrc.yml"] = "schema: [\(schema), 'ext/*.graphql']\ndocuments: q.graphql\n"
    files["q.graphql"] = "query Q { a { b ...F } }\nfragment F on A { local }\n"
    let outcome = try await apus(try folder(files), ["bundle"])
    #expect(outcome.exitCode == (field.isEmpty ? 0 : 1), "\(outcome.errors)")
    if !field.isEmpty { #expect(outcome.errors.contains("'Q' has \(field)")) }
  }

  @Test func `a bundle leaves out operations with fragments of a program`() async throws {
    let folder = try folder([
      "src/a.ts":
        "gql`query A { ...F }\n${F}`; gql`query B { a }`; gql`query C { ...G }`; gql`fragment G on Query { ${x} }`\n"
    ])
    let outcome = try await apus(folder, ["bundle", "src"])
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("\"name\": \"B\"") && !outcome.output.contains("\"name\": \"A\""))
    #expect(outcome.errors.contains("2 operations are not in the manifest"))
  }
}
