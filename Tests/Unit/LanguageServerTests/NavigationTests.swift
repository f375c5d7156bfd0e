import ApusJSON
import ApusLanguageServer
import Testing

/// Navigation between the names in all files of a project.
@Suite(.timeLimit(.minutes(1))) struct NavigationTests {
  private static let files = [
    "a.graphql": "query A($n: Int) {\n  birds(first: $n) { ...Parts }\n}\n",
    "parts.graphql":
      "fragment Parts on Bird { id nest { ...Eggs } }\nfragment Eggs on Nest { eggs @include(if: $all) }\n",
    "b.graphql": "query B($all: Boolean!) { birds { ...Parts } }\n",
    "c.graphql": "query C { flock: birds { id } }\n",
  ]

  private func session() async throws -> Session {
    let session = try Session.birds(Self.files)
    try await session.start()
    return session
  }

  /// Returns the parameters for the position after some text in a file on disk.
  private func place(_ session: Session, _ name: String, after text: String) throws -> JSONValue {
    let complete = try session.folder.read(name)
    let range = try #require(complete.firstRange(of: text))
    return session.place(name, after: String(complete[..<range.upperBound]))
  }

  @Test func `hover shows definitions in other files`() async throws {
    let session = try await session()
    let fragment = try await session.ask("textDocument/hover", place(session, "a.graphql", after: "...Par"))
    #expect(fragment["contents"] == ["kind": "markdown", "value": "```graphql\nfragment Parts on Bird\n```"])
    #expect(Session.range(fragment["range"]) == "1:24-1:29")
    let field = try await session.ask("textDocument/hover", place(session, "a.graphql", after: "bir"))
    #expect(field["contents"]?["value"]?.string?.contains("Defined in `Query` at") == true)
    let variable = try await session.ask("textDocument/hover", place(session, "parts.graphql", after: "$al"))
    #expect(variable["contents"]?["value"]?.string?.contains("$all: Boolean!") == true)
    #expect(try await session.ask("textDocument/hover", place(session, "a.graphql", after: "query")) == .null)
  }

  @Test func `a name leads to its definition`() async throws {
    let session = try await session()
    func definition(_ name: String, after text: String) async throws -> String {
      session.shown(try await session.ask("textDocument/definition", place(session, name, after: text)))
    }
    #expect(try await definition("a.graphql", after: "...Par") == "parts.graphql 0:9-0:14")
    #expect(try await definition("a.graphql", after: "  bir") == "schema.graphql 2:2-2:7")
    #expect(try await definition("a.graphql", after: "birds(fir") == "schema.graphql 2:8-2:13")
    #expect(try await definition("parts.graphql", after: "on Bir") == "schema.graphql 5:5-5:9")
    #expect(try await definition("a.graphql", after: "first: $n") == "a.graphql 0:9-0:10")
    #expect(try await definition("parts.graphql", after: "$al") == "b.graphql 0:9-0:12")
    #expect(try await definition("schema.graphql", after: "nest: Nes") == "schema.graphql 12:5-12:9")
  }

  @Test func `references are found in the whole project`() async throws {
    let session = try await session()
    func references(_ name: String, after text: String, definition: Bool = true) async throws -> [String] {
      var members = try place(session, name, after: text).members.map { ($0.key, $0.value) }
      members.append(("context", ["includeDeclaration": JSONValue(definition)]))
      return try await session.ask("textDocument/references", .object(members)).elements.map(session.shown)
    }
    #expect(
      try await references("parts.graphql", after: "fragment Par") == [
        "a.graphql 1:24-1:29", "b.graphql 0:37-0:42", "parts.graphql 0:9-0:14",
      ])
    #expect(
      try await references("schema.graphql", after: "  birds", definition: false) == [
        "a.graphql 1:2-1:7", "b.graphql 0:26-0:31", "c.graphql 0:17-0:22",
      ])
    #expect(
      try await references("schema.graphql", after: "type Nest") == [
        "parts.graphql 1:17-1:21", "schema.graphql 10:8-10:12", "schema.graphql 12:5-12:9",
      ])
    #expect(Set(try await references("b.graphql", after: "$al")) == ["b.graphql 0:9-0:12", "parts.graphql 1:43-1:46"])
    #expect(try await references("b.graphql", after: "$al", definition: false) == ["parts.graphql 1:43-1:46"])
  }

  @Test func `an alias is its own definition`() async throws {
    let session = try await session()
    func references(definition: Bool) async throws -> [String] {
      var members = try place(session, "c.graphql", after: "flo").members.map { ($0.key, $0.value) }
      members.append(("context", ["includeDeclaration": JSONValue(definition)]))
      return try await session.ask("textDocument/references", .object(members)).elements.map(session.shown)
    }
    #expect(try await references(definition: true) == ["c.graphql 0:10-0:15"])
    #expect(try await references(definition: false) == [])
    let found = try await session.ask("textDocument/documentHighlight", place(session, "c.graphql", after: "flo"))
    #expect(found.elements.map { $0["kind"] } == [3])
  }

  @Test func `references in the same document are highlighted`() async throws {
    let session = try await session()
    let found = try await session.ask("textDocument/documentHighlight", place(session, "a.graphql", after: "($n"))
    #expect(found.elements.map { Session.range($0["range"]) } == ["0:9-0:10", "1:16-1:17"])
    #expect(found[0]?["kind"] == 3)
  }

  // MARK: Renaming

  private func renamed(_ session: Session, _ name: String, after text: String, to new: String) async throws -> [String]
  {
    var members = try place(session, name, after: text).members.map { ($0.key, $0.value) }
    members.append(("newName", JSONValue(new)))
    let edit = try await session.ask("textDocument/rename", .object(members))
    return (edit["changes"] ?? .null).members.flatMap { member in
      member.value.elements.map { "\(member.key.split(separator: "/").last ?? "") \(Session.range($0["range"]))" }
    }
  }

  @Test func `a fragment is renamed in all files`() async throws {
    let session = try await session()
    #expect(
      try await renamed(session, "a.graphql", after: "...Par", to: "Wings") == [
        "a.graphql 1:24-1:29", "b.graphql 0:37-0:42", "parts.graphql 0:9-0:14",
      ])
    let prepared = try await session.ask("textDocument/prepareRename", place(session, "a.graphql", after: "...Par"))
    #expect(prepared["placeholder"] == "Parts")
    #expect(Session.range(prepared["range"]) == "1:24-1:29")
  }

  @Test func `a variable is renamed in the operations and fragments that share it`() async throws {
    let session = try await session()
    #expect(
      Set(try await renamed(session, "b.graphql", after: "$al", to: "every")) == [
        "b.graphql 0:9-0:12", "parts.graphql 1:43-1:46",
      ])
  }

  @Test func `a type of the project's schema is renamed in documents`() async throws {
    let session = try await session()
    #expect(
      try await renamed(session, "schema.graphql", after: "type Nes", to: "Home") == [
        "parts.graphql 1:17-1:21", "schema.graphql 10:8-10:12", "schema.graphql 12:5-12:9",
      ])
  }

  @Test func `a field is renamed in all files of the project`() async throws {
    let session = try Session([
      ".graphqlrc.yml": "schema: schema/*.graphql\ndocuments: 'src/**/*'\n",
      "schema/node.graphql": "interface Node { id: ID! }\n", "schema/query.graphql": "type Query { bird: Bird }\n",
      "schema/bird.graphql": "type Bird implements Node {\n  id: ID!\n}\n", "src/a.graphql": "{ bird { id } }",
      "src/b.ts": "const q = gql`fragment F on Bird { id }`",
    ])
    try await session.start()
    await session.open("schema/node.graphql", "interface Node { id: ID! }\n")
    #expect(
      try await renamed(session, "schema/node.graphql", after: "Node { i", to: "key") == [
        "bird.graphql 1:2-1:4", "node.graphql 0:17-0:19", "a.graphql 0:9-0:11", "b.ts 0:35-0:37",
      ])
    #expect(
      try await renamed(session, "schema/node.graphql", after: "interface No", to: "Thing") == [
        "bird.graphql 0:21-0:25", "node.graphql 0:10-0:14",
      ])
    await session.open("schema/query.graphql", "type Query { bird: Bird }\n")
    #expect(
      try await renamed(session, "schema/query.graphql", after: "type Que", to: "Root") == [
        "query.graphql 0:5-0:10", "query.graphql 1:0-1:0",
      ])
  }

  @Test func `type definitions and implementations are found in the project's schema`() async throws {
    let session = try Session([
      ".graphqlrc.yml": "schema: '*.graphql'\n", "node.graphql": "interface Node { id: ID! }\n",
      "bird.graphql": "type Bird implements Node { id: ID! nest: Nest }\ntype Nest implements Node { id: ID! }\n",
    ])
    let result = try await session.start()
    #expect(result["capabilities"]?["implementationProvider"] == true)
    #expect(result["capabilities"]?["typeDefinitionProvider"] == true)
    let node = await session.open("node.graphql", "interface No|de { id: ID! }\n")
    let found = try await session.ask("textDocument/implementation", node)
    #expect(found.elements.map(session.shown) == ["bird.graphql 0:5-0:9", "bird.graphql 1:5-1:9"])
    let field = session.place("node.graphql", after: "interface Node { i")
    let fields = try await session.ask("textDocument/implementation", field)
    #expect(fields.elements.map(session.shown) == ["bird.graphql 0:28-0:30", "bird.graphql 1:28-1:30"])
    let nest = await session.open(
      "bird.graphql", "type Bird implements Node { id: ID! ne|st: Nest }\ntype Nest implements Node { id: ID! }\n")
    #expect(session.shown(try await session.ask("textDocument/typeDefinition", nest)) == "bird.graphql 1:5-1:9")
  }

  @Test func `a rejected rename has a reason`() async throws {
    let session = try await session()
    func refusal(_ name: String, after text: String, to new: String) async -> String {
      do {
        return "\(try await renamed(session, name, after: text, to: new))"
      } catch let failure as Session.Failure {
        return failure.message
      } catch {
        return "\(error)"
      }
    }
    #expect(await refusal("a.graphql", after: "bir", to: "x").contains("is defined by the schema"))
    #expect(await refusal("a.graphql", after: "...Par", to: "Eggs") == "\"Eggs\" is already used in this document.")
    #expect(await refusal("a.graphql", after: "query A", to: "B") == "\"B\" is already used in this document.")
    #expect(await refusal("a.graphql", after: "...Par", to: "1x").contains("is not a valid name"))
    #expect(await refusal("a.graphql", after: "query", to: "x") == "There is no symbol to rename here.")
  }

  @Test func `edits contain document versions`() async throws {
    let session = try Session.birds(Self.files)
    try await session.start(["workspace": ["workspaceEdit": ["documentChanges": true]]])
    let place = await session.open("parts.graphql", "fragment Pa|rts on Bird { id }", version: 4)
    let edit = try await session.ask(
      "textDocument/rename", .object(place.members.map { ($0.key, $0.value) } + [("newName", "Wings")]))
    let versions = (edit["documentChanges"] ?? .null).elements.map { $0["textDocument"]?["version"]?.int }
    #expect(versions == [nil, nil, 4])
  }

  // MARK: Uses

  @Test func `code lenses count the uses of fragments and run operations`() async throws {
    let session = try await session()
    await session.open("parts.graphql", Self.files["parts.graphql"] ?? "")
    let lenses = try await session.ask("textDocument/codeLens", session.document("parts.graphql"))
    #expect(lenses.elements.compactMap { $0["command"]?["title"]?.string } == ["2 uses", "1 use"])
    let command = try #require(lenses[0]?["command"])
    let uses = try await session.ask("workspace/executeCommand", command)
    #expect(
      uses.elements.map(session.shown) == ["a.graphql 1:24-1:29", "b.graphql 0:37-0:42", "parts.graphql 0:9-0:14"])
  }

  @Test func `without an endpoint no operation can be run`() async throws {
    let session = try await session()
    await session.open("a.graphql", Self.files["a.graphql"] ?? "")
    #expect(try await session.ask("textDocument/codeLens", session.document("a.graphql")) == [])
  }

  @Test func `code lenses count the operations that use a schema field`() async throws {
    let schema = "type Query { a: T b: T }\ntype T { id: ID never: Int }\n"
    let session = try Session([
      ".graphqlrc.yml": "schema: s.graphql\ndocuments: 'q/*.graphql'\n", "s.graphql": schema,
      "q/a.graphql": "query A { a { ...F } } query B { a { id } b { id } }",
      "q/f.graphql": "fragment F on T { id ...G } fragment G on T { ...F id }",
    ])
    try await session.start()
    await session.open("s.graphql", schema)
    let lenses = try await session.ask("textDocument/codeLens", session.document("s.graphql"))
    #expect(
      lenses.elements.map { "\(Session.range($0["range"])) \($0["command"]?["title"]?.string ?? "")" } == [
        "0:13-0:14 2 operations", "0:18-0:19 1 operation", "1:9-1:11 2 operations", "1:16-1:21 0 operations",
      ])
    let uses = try await session.ask("workspace/executeCommand", try #require(lenses[1]?["command"]))
    #expect(uses.elements.map(session.shown) == ["a.graphql 0:42-0:43", "s.graphql 0:18-0:19"])
  }

  @Test func `an operation is run with fragments of other files`() async throws {
    let session = try Session(
      [
        ".graphqlrc.yml":
          "schema: s.graphql\ndocuments: '*.graphql'\nextensions: {endpoints: {default: 'http://127.0.0.1:1/x'}}\n",
        "s.graphql": "type Query { a: Int }", "f.graphql": "fragment F on Query { a }",
      ], run: { request in .success("\(request.operationName ?? "") \(request.document)") })
    try await session.start()
    await session.open("a.graphql", "query A { ...F } query B { a }")
    let lenses = try await session.ask("textDocument/codeLens", session.document("a.graphql"))
    #expect(lenses.elements.compactMap { $0["command"]?["title"]?.string } == ["Run in apus", "Run in apus"])
    let result = try await session.ask("workspace/executeCommand", try #require(lenses[0]?["command"]))
    #expect(result["output"] == "A query A { ...F }\n\nfragment F on Query { a }\n")
  }

  @Test func `the call hierarchy contains fragment spreads in both directions`() async throws {
    let session = try await session()
    let prepared = try await session.ask(
      "textDocument/prepareCallHierarchy", place(session, "a.graphql", after: "...Par"))
    let item = try #require(prepared[0])
    #expect(item["name"] == "Parts")
    let incoming = try await session.ask("callHierarchy/incomingCalls", ["item": item])
    #expect(incoming.elements.compactMap { $0["from"]?["name"]?.string } == ["A", "B"])
    #expect(Session.range(incoming[0]?["fromRanges"]?[0]) == "1:24-1:29")
    let outgoing = try await session.ask("callHierarchy/outgoingCalls", ["item": item])
    #expect(outgoing.elements.compactMap { $0["to"]?["name"]?.string } == ["Eggs"])
  }

  @Test func `workspace symbols are found by letters of their names`() async throws {
    let session = try await session()
    func names(_ query: String) async throws -> [String] {
      try await session.ask("workspace/symbol", ["query": JSONValue(query)]).elements.compactMap { $0["name"]?.string }
    }
    #expect(try await names("par") == ["Parts"])
    #expect(try await names("egg") == ["Eggs"])
    #expect(try await names("Nest") == ["Nest"])
    #expect(Set(try await names("")) == ["A", "B", "C", "Parts", "Eggs", "Query", "Bird", "Nest", "Size"])
  }
}
