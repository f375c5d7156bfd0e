import ApusGraphQLSchema
import ApusJSON
import ApusLanguageServer
import Testing

/// The schema and the project of files.
@Suite(.timeLimit(.minutes(1))) struct WorkspaceTests {
  @Test func `each project has its own schema`() async throws {
    let session = try Session([
      ".graphqlrc.yml": """
      projects:
        one: {schema: one.graphql, documents: "one/*.graphql"}
        two: {schema: two.graphql, documents: "two/*.graphql"}
      """, "one.graphql": "type Query { one: Int }", "two.graphql": "type Query { two: Int }",
      "one/a.graphql": "query A { two }", "two/a.graphql": "query A { two }",
    ])
    try await session.start()
    #expect(session.problems("one/a.graphql")?.first?.contains("Cannot query field \"two\"") == true)
    #expect(session.problems("two/a.graphql") == nil)
    let place = await session.open("two/b.graphql", "{ | }")
    let items = try await session.ask("textDocument/completion", place)["items"] ?? .null
    #expect(items.elements.compactMap { $0["label"]?.string } == ["two", "__typename"])
  }

  @Test func `a folder without a configuration uses its definitions as schema`() async throws {
    let session = try Session([
      "schema.graphql": "type Query { a: Int }", "a.graphql": "query A { ...F }",
      "f.graphql": "fragment F on Query { a }",
    ])
    try await session.start()
    await session.open("b.graphql", "query B { ...F b }")
    #expect(session.problems("b.graphql")?.first?.contains("Cannot query field \"b\"") == true)
    #expect(session.problems("a.graphql") == nil)
  }

  @Test func `a document outside any folder is checked without a schema`() async throws {
    let session = try Session()
    try await session.start()
    let place = await session.open("untitled:7", "{ a { b } ...|")
    #expect(session.problems("untitled:7")?.count == 1)
    _ = try await session.ask("textDocument/completion", place)
  }

  @Test func `definitions in an introspection result can be opened`() async throws {
    let schema = Schema.load(sdl: Session.birdsSchema)
    let session = try Session([
      ".graphqlrc.yml": "schema: schema.json\ndocuments: '*.graphql'\n",
      "schema.json": JSONWriter.compact(schema.introspectionJSON()),
    ])
    try await session.start()
    let place = await session.open("a.graphql", "{ birds { na|me wrong } }")
    #expect(session.problems("a.graphql")?.count == 1)
    let definition = try await session.ask("textDocument/definition", place)
    let path = try #require(definition["uri"]?.string)
    #expect(path.hasPrefix("file://\(session.folder.path("cache/lsp/"))"))
    let file = String(path.dropFirst("file://\(session.folder.root)/".count))
    #expect(try session.folder.mode(of: file) == 0o400)
    let line = try session.folder.read(file).split(separator: "\n", omittingEmptySubsequences: false)[
      definition["range"]?["start"]?["line"]?.int ?? 0]
    #expect(line.contains("name: String!"))
  }

  @Test func `an endpoint's schema is loaded after the documents`() async throws {
    let schema = TimestampedSchema(schema: Schema.load(sdl: Session.birdsSchema), time: 1)
    let files = [
      ".graphqlrc.yml": "schema: http://127.0.0.1:1/graphql\ndocuments: '*.graphql'\n", "a.graphql": "{ wrong }",
    ]
    let session = try Session(files, fetch: ["http://127.0.0.1:1/graphql": .success(schema)])
    try await session.start()
    #expect(session.problems("a.graphql")?.count == 1)

    let refused = try Session(
      files, fetch: ["http://127.0.0.1:1/graphql": .failure(ServerEnvironmentError("it is not trusted"))])
    try await refused.start()
    #expect(refused.problems("a.graphql") == nil)
    let reported = refused.reported("window/showMessage").compactMap { $0["message"]?.string }
    #expect(reported == ["apus: there is no schema: it is not trusted"])
  }

  @Test func `an invalid configuration is reported and the server continues`() async throws {
    let session = try Session([".graphqlrc.yml": "schema: [", "a.graphql": "{ a"])
    try await session.start()
    #expect(session.reported("window/showMessage").count == 1)
    await session.open("a.graphql", "{ a")
    #expect(session.problems("a.graphql")?.isEmpty == false)
    let broken = try Session([".graphqlrc.yml": "schema: gone.graphql\n"])
    try await broken.start()
    #expect(
      broken.reported("window/showMessage").first?["message"]?.string?.contains("no file of the project matches")
        == true
        || broken.reported("window/showMessage").first?["message"]?.string?.contains("cannot be read") == true)
  }

  /// A project's file is untrusted.
  @Test func `files outside the project are not read`() async throws {
    let session = try Session([
      "inside/.git/HEAD": "",
      "inside/.graphqlrc.yml": "schema: ../outside.graphql\ndocuments: ['../*.graphql', '/etc/*']\n",
      "outside.graphql": "type Query { secret: Int }", "inside/a.graphql": "query A { secret }",
    ])
    try await session.start()
    let place = await session.open("inside/a.graphql", "{ | }")
    let items = try await session.ask("textDocument/completion", place)["items"] ?? .null
    #expect(!items.elements.contains { $0["label"] == "secret" })
    #expect(try await session.ask("workspace/symbol", ["query": ""]).count == 0)
  }

  /// The first line of the schema, a document, and its diagnostics. The project names the files in `src`.
  @Test(arguments: [
    ("", "{ birds { ...Parts } }", ["0:13 Unknown fragment \"Parts\"."]),
    ("", "# import Parts from '../more/parts.graphql'\n{ birds { ...Parts } }", []),
    ("", "{ birds { ...Names } }", []), ("", "# import Names from 'names.graphql'\n{ birds { ...Names } }", []),
    ("", "# import Parts from 'none.graphql'\n{ birds { ...Parts } }", ["1:13 Unknown fragment \"Parts\"."]),
    ("# import Egg from 'more/egg.graphql'\n", "{ egg { id } }", []),
    ("# import Egg from 'src/egg.graphql'\n", "{ egg { name } }", []),
    ("", "{ egg { name } }", ["0:2 Cannot query field \"egg\" on type \"Query\"."]),
  ])
  func `files that an open file imports belong to the project`(
    imported: String, document: String, expected: [String]
  ) async throws {
    let session = try Session([
      ".graphqlrc.yml": "schema: schema.graphql\ndocuments: 'src/*.graphql'\n", "schema.graphql": Session.birdsSchema,
      "more/parts.graphql": "fragment Parts on Bird { id }", "src/names.graphql": "fragment Names on Bird { name }",
      "more/egg.graphql": "extend type Query { egg: Egg }\ntype Egg { id: ID }",
      "src/egg.graphql": "extend type Query { egg: Egg }\ntype Egg { name: String }",
    ])
    try await session.start()
    await session.open("schema.graphql", imported + Session.birdsSchema)
    await session.open("src/a.graphql", document)
    #expect(session.problems("src/a.graphql") == expected)
  }

  @Test func `added folders are read`() async throws {
    let session = try Session([
      "one/x": "", "two/.graphqlrc.yml": "schema: s.graphql\ndocuments: a.graphql\n",
      "two/s.graphql": "type Query { a: Int }", "two/a.graphql": "query A { b }",
    ])
    _ = try await session.ask(
      "initialize", ["capabilities": [:], "workspaceFolders": [["uri": JSONValue(session.uri("one")), "name": "one"]]])
    await session.notify("initialized", [:])
    #expect(session.problems("two/a.graphql") == nil)
    await session.notify(
      "workspace/didChangeWorkspaceFolders",
      ["event": ["added": [["uri": JSONValue(session.uri("two")), "name": "two"]], "removed": []]])
    #expect(session.problems("two/a.graphql")?.count == 1)
  }

  @Test(arguments: [false, true])
  func `a closed folder has no diagnostics`(pulls: Bool) async throws {
    let session = try Session([
      "one/.graphqlrc.yml": "schema: s.graphql\ndocuments: '*.graphql'", "one/s.graphql": "type Query { a: Int }",
      "one/a.graphql": "query A { b }", "one/b.graphql": "query B { b }", "two/.graphqlrc.yml": "schema: s.graphql",
      "two/s.graphql": "type Query { a: Int }",
    ])
    func folder(_ name: String) -> JSONValue { ["uri": JSONValue(session.uri(name)), "name": JSONValue(name)] }
    let capabilities: JSONValue =
      pulls ? ["textDocument": ["diagnostic": [:]], "workspace": ["diagnostics": ["refreshSupport": true]]] : [:]
    _ = try await session.ask(
      "initialize", ["capabilities": capabilities, "workspaceFolders": [folder("one"), folder("two")]])
    await session.notify("initialized", [:])
    await session.open("one/a.graphql", "query A { b }")
    func found() async throws -> [String: Int] {
      guard pulls else {
        return ["a": session.problems("one/a.graphql")?.count ?? 0, "b": session.problems("one/b.graphql")?.count ?? 0]
      }
      let previous: JSONValue = ["previousResultIds": [["uri": JSONValue(session.uri("one/b.graphql")), "value": "1"]]]
      let items = try await session.ask("workspace/diagnostic", previous)["items"] ?? .null
      func count(_ name: String) -> Int {
        items.elements.first { $0["uri"]?.string == session.uri(name) }?["items"]?.count ?? -1
      }
      return ["a": count("one/a.graphql"), "b": count("one/b.graphql")]
    }
    #expect(try await found() == ["a": 1, "b": 1])
    await session.notify("workspace/didChangeWorkspaceFolders", ["event": ["added": [], "removed": [folder("one")]]])
    // A file that is open in the editor keeps its diagnostics.
    #expect(try await found() == ["a": 1, "b": 0])
    if pulls { #expect(session.messages.last { $0["method"]?.string == "workspace/diagnostic/refresh" } != nil) }
    await session.notify("workspace/didChangeWorkspaceFolders", ["event": ["added": [folder("one")], "removed": []]])
    #expect(try await found() == ["a": 1, "b": 1])
  }

  @Test(arguments: [["one", "two"], ["two", "one"]])
  func `several --schema options form one schema`(sources: [String]) async throws {
    func schema(_ sdl: String) -> Result<TimestampedSchema, ServerEnvironmentError> {
      .success(TimestampedSchema(schema: Schema.load(sdl: sdl), time: 0))
    }
    let session = try Session(
      schemaSources: sources,
      fetch: ["one": schema("type Query { a: Int }"), "two": schema("extend type Query { b: Int }")])
    try await session.start()
    await session.open("a.graphql", "{ a b c }")
    #expect(session.problems("a.graphql")?.map { $0.prefix(3) } == ["0:6"])
  }

  /// With an incomplete schema, valid documents would have errors.
  @Test(arguments: [["one", "two"], ["two", "one"]])
  func `a schema with a missing source is not used`(sources: [String]) async throws {
    let one = TimestampedSchema(schema: Schema.load(sdl: "type Query { a: Int }"), time: 0)
    let session = try Session(
      schemaSources: sources, fetch: ["one": .success(one), "two": .failure(ServerEnvironmentError("no answer"))])
    try await session.start()
    await session.open("a.graphql", "query ($v: Int) { a b }")
    #expect(session.problems("a.graphql")?.map { $0.prefix(3) } == ["0:7"])
    let texts = session.messages.compactMap { $0["params"]?["message"]?.string }
    #expect(texts.contains { $0.contains("there is no schema: no answer") }, "\(texts)")
  }

  @Test func `files are watched if the client supports it`() async throws {
    let session = try Session.birds()
    try await session.start(["workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]])
    let requested = session.messages.first { $0["method"] == "client/registerCapability" }
    #expect(requested?["params"]?["registrations"]?[0]?["method"] == "workspace/didChangeWatchedFiles")
  }
}
