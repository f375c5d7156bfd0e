import ApusJSON
import ApusTestSupport
import Testing

/// In a project with a graphql-config file, the document commands take schema and documents from it.
@Suite(.timeLimit(.minutes(3))) struct ProjectSourcesTests {
  private func project(_ config: String, _ files: [String: String] = [:]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", "type Query { bird(id: ID!): Bird } type Bird { id: ID! name: String! }\n")
    try folder.write(".graphqlrc.yml", config)
    for (name, text) in files { try folder.write(name, text) }
    return folder
  }

  private static let plain = "schema: schema.graphql\ndocuments: queries/**/*.graphql\n"

  /// Runs `apus` in a folder, with its configuration folder next to it.
  private func apus(_ words: String..., in folder: TemporaryFolder, at place: String = "") async throws
    -> ChildProcess.Outcome
  {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.path(place), Checkout.apus] + words, environment: folder.asHome)
  }

  @Test func `document patterns without any match are an error`() async throws {
    let folder = try project("schema: schema.graphql\ndocuments: nothing/*.graphql\n")
    let outcome = try await apus("validate", in: folder)
    #expect(outcome.exitCode == 5 && !outcome.errors.contains("FILE is missing"), "\(outcome.errors)")
    #expect(outcome.errors.contains("no file matches the documents pattern 'nothing/*.graphql'"), "\(outcome.errors)")
  }

  @Test func `a configuration in a programming language is reported`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("graphql.config.ts", "export default { schema: 'schema.graphql' }\n")
    for name in ["a", "b"] { try folder.write("\(name).graphql", "{ \(name) }\n") }
    let outcome = try await apus("validate", "a.graphql", "b.graphql", in: folder)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errors.hasSuffix(
        "/graphql.config.ts: Apus does not run configuration files in programming languages; "
          + "use graphql.config.yml\n"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `a configuration in TOML or package.json sets the schema`() async throws {
    for (name, text) in [
      ("graphql.config.toml", "schema = 'schema.graphql'\n"),
      ("package.json", "{\"graphql\": {\"schema\": \"schema.graphql\"}}"),
    ] {
      let folder = try TemporaryFolder()
      try folder.write("schema.graphql", "type Query { a: Int }\n")
      try folder.write(name, text)
      try folder.write("a.graphql", "{ b }\n")
      let outcome = try await apus("validate", "a.graphql", in: folder)
      #expect(outcome.exitCode == 1 && outcome.output.contains("Cannot query field \"b\""), "\(name): \(outcome)")
    }
  }

  @Test func `a document is validated against the schema of its project`() async throws {
    let folder = try project(Self.plain, ["queries/a.graphql": "{ bird(id: 1) { nam } }\n"])
    let outcome = try await apus("validate", "queries/a.graphql", in: folder)
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.hasPrefix("queries/a.graphql:1:17: error: Cannot query field \"nam\" on type \"Bird\"."))
    // The file determines the project, not the current directory.
    let elsewhere = try await ChildProcess.apus("validate", folder.path("queries/a.graphql"))
    #expect(elsewhere.output.contains("Cannot query field \"nam\""))
    let process = try ChildProcess("/usr/bin/env", ["-C", folder.path("queries"), Checkout.apus, "validate", "-"])
    process.write("{ nothing }")
    #expect(await process.outcome().output.contains("Cannot query field \"nothing\""))
  }

  @Test func `fragments of the project are available, and its other documents are not validated`() async throws {
    let folder = try project(
      Self.plain,
      [
        "queries/a.graphql": "query A { bird(id: 1) { ...Name } }\n",
        "queries/name.graphql": "fragment Name on Bird { name }\n", "queries/wrong.graphql": "query W { wrong }\n",
        "queries/again.graphql": "query A { bird(id: 1) { id } }\n",
      ])
    let report = try await apus("validate", "--output", "json", "queries/a.graphql", in: folder)
    #expect(
      try JSONDocument(parsing: report.output).root["errors"] == [
        [
          "severity": "error", "file": "queries/a.graphql", "rule": "UniqueOperationNamesRule",
          "message": "There can be only one operation named \"A\".",
          "locations": [["line": 1, "column": 7], ["line": 1, "column": 7, "file": "queries/again.graphql"]],
        ]
      ])
    let all = try await apus("validate", in: folder)
    #expect(all.exitCode == 1)
    #expect(all.output.contains("queries/wrong.graphql:1:11: error: Cannot query field \"wrong\" on type \"Query\"."))
  }

  @Test(arguments: ["/etc/hostname", "../**/*.graphql", "{..,x}/**/*.graphql"])
  func `a schema outside of the project is not read`(pattern: String) async throws {
    let folder = try project("schema: '\(pattern)'\n", ["a.graphql": "{ bird(id: 1) { id } }\n", ".git/HEAD": ""])
    let outcome = try await apus("validate", "a.graphql", in: folder)
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("no file of the project matches its schema"))
  }

  @Test func `each file is validated in its own project`() async throws {
    let folder = try project(
      "projects:\n  one: { schema: schema.graphql, documents: one/*.graphql }\n"
        + "  two: { schema: two.graphql, documents: two/*.graphql }\n",
      [
        "two.graphql": "type Query { fish: Int }\n", "one/q.graphql": "query Q { bird(id: 1) { id } }\n",
        "two/q.graphql": "query Q { fish }\n", "two/bad.graphql": "query B { bird }\n",
      ])
    let outcome = try await apus("validate", "one", "two", in: folder)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output
        == "two/bad.graphql:1:11: error: Cannot query field \"bird\" on type \"Query\". [FieldsOnCorrectTypeRule]\n")
  }

  @Test func `a schema URL is requested only if the file is trusted`() async throws {
    let server = try ChildProcess(Checkout.apus, ["serve"])
    let url = try #require(await server.nextLine())
    let folder = try project("schema: \(url)\ndocuments: '*.graphql'\n", ["q.graphql": "{ nothing }\n"])
    let refused = try await apus("validate", "q.graphql", in: folder)
    #expect(refused.exitCode == 5)
    #expect(refused.errors.contains("run 'apus trust' to review and allow its requests"))
    #expect(try await apus("trust", "--yes", in: folder).exitCode == 0)
    let validation = try await apus("validate", "q.graphql", in: folder)
    #expect(validation.exitCode == 1)
    #expect(validation.output.contains("Cannot query field \"nothing\" on type \"Query\"."))
  }

  @Test func `a missing schema file is an error`() async throws {
    let folder = try project("schema: none/*.graphql\n", ["q.graphql": "{ a }\n"])
    let outcome = try await apus("validate", "q.graphql", in: folder)
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("no file of the project matches its schema"))
    // An editor still gets results that do not need the schema.
    let hover = try await apus("complete", "--at", "1:3", "q.graphql", in: folder)
    #expect(hover.exitCode == 0 && hover.errors.contains("the project's schema is not used"))
  }

  @Test func `complete and hover use the project`() async throws {
    let folder = try project(
      Self.plain,
      ["queries/a.graphql": "{ bird(id: 1) { n ...N } }\n", "queries/n.graphql": "fragment Named on Bird { name }\n"])
    let items = try await apus("complete", "--at", "1:18", "queries/a.graphql", in: folder)
    #expect(try JSONDocument(parsing: items.output).root["items"]?[0]?["label"] == "name")
    let fragments = try await apus("complete", "--at", "1:23", "queries/a.graphql", in: folder)
    #expect(try JSONDocument(parsing: fragments.output).root["items"]?[0]?["label"] == "Named")
    let hover = try await apus("hover", "--at", "1:4", "queries/a.graphql", in: folder)
    #expect(hover.output.contains("Bird"))
  }

  @Test func `format accepts folders and patterns`() async throws {
    let folder = try project(Self.plain, ["queries/deep/a.graphql": "{a}", "more/b.gql": "{b}", "more/c.txt": "{c}"])
    #expect(try await apus("format", "--check", "more", in: folder).output == "more/b.gql\n")
    #expect(try await apus("format", "--check", "**/*.{graphql,gql}", in: folder).output.contains("more/b.gql\n"))
    // Without arguments, only the files that the project's file names are formatted.
    #expect(try await apus("format", in: folder).exitCode == 0)
    #expect(try folder.read("queries/deep/a.graphql") == "{\n  a\n}\n")
    #expect(try folder.read("more/b.gql") == "{b}")
    let nothing = try await apus("format", "more/*.sdl", in: folder)
    #expect(nothing.exitCode == 5 && nothing.errors.contains("no file matches 'more/*.sdl'"))
    let none = try await apus("validate", in: try TemporaryFolder())
    #expect(none.exitCode == 2 && none.errors.contains("FILE is missing"))
  }

  @Test func `files that the documents rule out are not formatted or validated with their folder`() async throws {
    let text = "{wrong}"
    let folder = try project(
      "schema: schema.graphql\ndocuments: ['**/*.graphql', '!gen/**', '!schema.graphql']\n",
      ["gen/a.graphql": text, "queries/b.graphql": "{ bird(id: 1) { id } }"])
    #expect(try await apus("format", ".", in: folder).exitCode == 0)
    #expect(try await apus("format", "**/*.graphql", in: folder).exitCode == 0)
    #expect(try folder.read("gen/a.graphql") == text)
    #expect(try folder.read("schema.graphql").hasPrefix("type Query {\n"), "the schema is part of the project")
    #expect(try await apus("validate", ".", in: folder).exitCode == 0)
  }

  @Test func `without a configuration, GraphQL in other languages is read`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", "type Query { a: Int }\n")
    for name in ["src/a.ts", "src/b.vue", "src/c.py"] {
      try folder.write(
        name, name.hasSuffix("py") ? "q = gql(\"{ wrong }\")\n" : "<script>\ngql`{ wrong }`\n</script>\n")
    }
    try folder.write("src/plain.ts", "export const a = 1\n")
    try folder.write("src/q.graphql", "{ a }\n")
    let complete = try await apus("validate", ".", in: folder)
    #expect(complete.exitCode == 1)
    for name in ["src/a.ts:2", "src/b.vue:2", "src/c.py:1"] { #expect(complete.output.contains(name), "\(complete)") }
    let named = try await apus("validate", "src/*.{ts,vue}", "src/*.py", in: folder)
    #expect(named.exitCode == 1)
    for name in ["src/a.ts:2", "src/b.vue:2", "src/c.py:1"] { #expect(named.output.contains(name), "\(named)") }
  }

  @Test func `an unknown dialect is reported once`() async throws {
    let folder = try project(
      Self.plain + "extensions: { apus: { dialect: relai } }\n",
      ["queries/a.graphql": "{ bird(id: 1) { id } }\n", "queries/b.graphql": "query B { bird(id: 1) { id } }\n"])
    for command in ["validate", "coverage", "bundle"] {
      let outcome = try await apus(command, in: folder)
      let notes = outcome.errors.split(separator: "\n").filter { $0.contains("the dialect 'relai'") }
      #expect(notes.count == 1, "\(command): \(outcome)")
      #expect(
        notes.first?.hasSuffix(
          "is unknown; the dialects are federation, relay, apollo, houdini, composite, appsync, none") == true)
    }
  }

  @Test func `a project's file cannot format files outside of the project`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("own.graphql", "{a}")
    try folder.write("project/.graphqlrc.yml", "documents: [\"../*.graphql\", \"\(folder.path("own.graphql"))\"]\n")
    _ = try await apus("format", in: folder, at: "project")
    #expect(try folder.read("own.graphql") == "{a}")
  }

  @Test func `generate takes missing settings from the project`() async throws {
    let folder = try project(
      Self.plain, ["apus-generate.yml": "output: Out\n", "queries/b.graphql": "query B { bird(id: 1) { name } }\n"])
    let outcome = try await apus("generate", in: folder)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Out/Operations/BQuery.swift\n"))
  }
}
