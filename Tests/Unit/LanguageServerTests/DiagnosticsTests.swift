import ApusJSON
import Testing

@testable import ApusLanguageServer

/// Diagnostics of a workspace, reported when they appear and when they disappear.
@Suite(.timeLimit(.minutes(1))) struct DiagnosticsTests {
  private static let files = [
    "a.graphql": "query A { birds { ...Parts } }", "b.graphql": "query B { birds { ...Parts } }",
    "parts.graphql": "fragment Parts on Bird { id }",
  ]

  @Test func `every document of the project is validated without being opened`() async throws {
    let session = try Session.birds(Self.files.merging(["c.graphql": "query C { nobody }"]) { $1 })
    try await session.start()
    #expect(session.problems("c.graphql")?.count == 1)
    #expect(session.problems("a.graphql") == nil)
  }

  @Test func `changing a fragment updates the diagnostics of all documents that spread it`() async throws {
    let session = try Session.birds(Self.files)
    try await session.start()
    await session.open("parts.graphql", "fragment Parts on Nest { eggs }")
    let message =
      "0:18 Fragment \"Parts\" cannot be spread here as objects of type \"Bird\" can never be of type \"Nest\"."
    #expect(session.problems("a.graphql") == [message])
    #expect(session.problems("b.graphql") == [message])
    await session.change("parts.graphql", version: 2, ["text": "fragment Parts on Bird { name }"])
    #expect(session.problems("a.graphql") == [])
    #expect(session.problems("b.graphql") == [])
    await session.change("parts.graphql", version: 3, ["text": "fragment Other on Bird { name }"])
    #expect(session.problems("a.graphql") == ["0:21 Unknown fragment \"Parts\"."])
    let reported = session.reported("textDocument/publishDiagnostics").last {
      $0["uri"]?.string == session.uri("parts.graphql")
    }
    #expect(reported?["diagnostics"]?[0]?["code"] == "NoUnusedFragmentsRule")
    #expect(reported?["diagnostics"]?[0]?["tags"] == [1])
    #expect(reported?["diagnostics"]?[0]?["severity"] == 2)
  }

  @Test func `names must be unique in the project`() async throws {
    let session = try Session.birds(Self.files)
    try await session.start()
    await session.open("b.graphql", "query A { birds { id } }")
    let message = "0:6 There can be only one operation named \"A\"."
    #expect(session.problems("a.graphql")?.count == 1 && session.problems("b.graphql")?.count == 1)
    #expect(session.problems("a.graphql")?.first?.hasPrefix("\(message) It is also at ") == true)
    #expect(session.problems("a.graphql")?.first?.hasSuffix("/b.graphql:1:7.") == true)
    #expect(session.problems("b.graphql")?.first?.hasSuffix("/a.graphql:1:7.") == true)
    await session.change("b.graphql", version: 2, ["text": "query B { birds { id } }"])
    #expect((session.problems("a.graphql") ?? []) + (session.problems("b.graphql") ?? []) == [])
  }

  @Test func `a variable of a fragment must be declared in the operation`() async throws {
    let session = try Session.birds(
      Self.files.merging(["parts.graphql": "fragment Parts on Bird { id @include(if: $all) }"]) { $1 })
    try await session.start()
    #expect(session.problems("a.graphql")?.first?.contains("Variable \"$all\" is not defined") == true)
    await session.open("a.graphql", "query A($all: Boolean!) { birds { ...Parts } }")
    #expect(session.problems("a.graphql") == [])
    #expect(session.problems("parts.graphql") == nil)
  }

  @Test func `incomplete text causes no missing-name errors`() async throws {
    let session = try Session.birds(Self.files)
    try await session.start()
    await session.open("a.graphql", "query A($n: Int) { birds { nam ")
    #expect(
      session.problems("a.graphql") == [
        "0:31 Expected Name, found <EOF>.", "0:27 Cannot query field \"nam\" on type \"Bird\". Did you mean \"name\"?",
      ])
  }

  @Test func `deprecated elements have the deprecated tag`() async throws {
    let session = try Session.birds()
    try await session.start()
    await session.open("a.graphql", "{ birds { old } }")
    let reported = session.reported("textDocument/publishDiagnostics").last?["diagnostics"]?[0]
    #expect(reported?["tags"] == [2])
    #expect(reported?["message"] == "The field Bird.old is deprecated. Use name.")
  }

  @Test func `changing the schema updates the diagnostics of documents`() async throws {
    let session = try Session.birds(Self.files)
    try await session.start()
    let changed = Session.birdsSchema.replacing("id: ID!\n  \"What", with: "number: ID!\n  \"What")
    await session.open("schema.graphql", changed)
    #expect(
      session.problems("parts.graphql")?.first?.hasPrefix("0:25 Cannot query field \"id\" on type \"Bird\".") == true)
    await session.change("schema.graphql", version: 2, ["text": JSONValue(changed + "type Egg { of: Brd }")])
    #expect(session.problems("schema.graphql")?.first?.contains("Unknown type \"Brd\"") == true)
    // While the new schema has syntax errors, the previous one stays in use.
    await session.change("schema.graphql", version: 3, ["text": JSONValue(Session.birdsSchema + "type {")])
    #expect(session.problems("schema.graphql")?.isEmpty == false)
    #expect(session.problems("parts.graphql")?.count == 1)
    await session.change("schema.graphql", version: 4, ["text": JSONValue(Session.birdsSchema)])
    #expect(session.problems("parts.graphql") == [])
    #expect(session.problems("schema.graphql") == [])
  }

  @Test func `created, changed and deleted files update the diagnostics`() async throws {
    let session = try Session.birds(Self.files)
    try await session.start()
    func changed(_ name: String, _ type: Int) async {
      await session.notify(
        "workspace/didChangeWatchedFiles",
        ["changes": [["uri": JSONValue(session.uri(name)), "type": JSONValue(type)]]])
    }
    try session.folder.write("new.graphql", "query New { wrong }")
    await changed("new.graphql", 1)
    #expect(session.problems("new.graphql")?.count == 1)
    try session.folder.write("parts.graphql", "fragment Parts on Nest { eggs }")
    await changed("parts.graphql", 2)
    #expect(session.problems("a.graphql")?.count == 1)
    try session.folder.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: a.graphql\n")
    await changed(".graphqlrc.yml", 2)
    #expect(session.problems("a.graphql") == ["0:21 Unknown fragment \"Parts\"."])
  }

  @Test func `files that leave the project lose their diagnostics`() async throws {
    let session = try Session.birds(Self.files.merging(["c.graphql": "query C { nobody }"]) { $1 })
    try await session.start()
    #expect(session.problems("c.graphql")?.count == 1)
    try session.folder.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: '{a,parts}.graphql'\n")
    await session.notify(
      "workspace/didChangeWatchedFiles",
      ["changes": [["uri": JSONValue(session.uri(".graphqlrc.yml")), "type": 2]]])
    #expect(session.problems("c.graphql") == [])
    // A file that belongs to the project again is validated again.
    try session.folder.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: '*.graphql'\n")
    await session.notify(
      "workspace/didChangeWatchedFiles",
      ["changes": [["uri": JSONValue(session.uri(".graphqlrc.yml")), "type": 2]]])
    #expect(session.problems("c.graphql")?.count == 1)
  }

  @Test func `changed files are validated first, then affected ones, and none after a reload`() {
    let (changed, affected, other) = (Workspace.path(of: "a"), Workspace.path(of: "b"), Workspace.path(of: "c"))
    var queue = DiagnosticsQueue()
    let key = Workspace.Key.file(changed)
    func order() -> [Int] {
      var queue = queue
      var counts: [Int] = []
      while let (key, paths) = queue.next(in: Workspace()) {
        counts.append(paths.count)
        queue.remove(paths, of: key)
      }
      return counts
    }
    queue.pending = [key: [changed, affected, other]]
    #expect(queue.next(in: Workspace())?.paths.count == 3)
    queue.touched = [changed, affected]
    #expect(queue.next(in: Workspace()).map { Set($0.paths) } == [changed, affected])
    queue.first = [changed]
    #expect(queue.next(in: Workspace())?.paths == [changed])
    #expect(order() == [1, 1, 1])
    queue.cancel()
    #expect(order() == [] && queue.change == 1)
    queue.pending = [key: [changed, affected, other]]
    #expect(order() == [3])
  }

  /// The definitions are in a document of the project, which is not a schema file.
  @Test(arguments: [
    ("extend type Bird { egg: Egg } type Egg { id: ID }", []),
    ("extend type Bird { egg: Egg }", ["0:24 Unknown type \"Egg\"."]),
    ("type Query { nest: Nest } type Nest { size: Size } enum Size { SMALL }", []),
    ("type Query { nest: Nest }", ["0:19 Unknown type \"Nest\"."]),
  ])
  func `definitions in documents extend the schema unless they have a query type`(
    definitions: String, expected: [String]
  ) async throws {
    let session = try Session.birds()
    try await session.start()
    await session.open("more.graphql", definitions)
    #expect(session.problems("more.graphql") == expected)
  }

  @Test func `clients that pull get diagnostics on request`() async throws {
    let session = try Session.birds(Self.files)
    let result = try await session.start([
      "textDocument": ["diagnostic": [:]], "workspace": ["diagnostics": ["refreshSupport": true]],
    ])
    #expect(result["capabilities"]?["diagnosticProvider"]?["workspaceDiagnostics"] == true)
    await session.open("parts.graphql", "fragment Parts on Bird { wrong }")
    #expect(session.reported("textDocument/publishDiagnostics").isEmpty)
    #expect(session.messages.contains { $0["method"] == "workspace/diagnostic/refresh" })
    let report = try await session.ask("textDocument/diagnostic", session.document("parts.graphql"))
    #expect(report["kind"] == "full")
    #expect((report["items"] ?? .null).elements.map(Session.shown).first?.hasPrefix("0:25 Cannot query") == true)
    let all = try await session.ask(
      "workspace/diagnostic", ["previousResultIds": [["uri": JSONValue(session.uri("a.graphql")), "value": "1"]]])
    #expect((all["items"] ?? .null).elements.map { $0["items"]?.count } == [0, 1])
  }

  @Test func `diagnostics contain related locations`() async throws {
    let session = try Session.birds()
    try await session.start(["textDocument": ["publishDiagnostics": ["relatedInformation": true]]])
    await session.open("a.graphql", "{ birds { a: id a: name } }")
    let found = session.reported("textDocument/publishDiagnostics").last?["diagnostics"]?[0]
    #expect(Session.range(found?["range"]) == "0:10-0:15")
    #expect(Session.range(found?["relatedInformation"]?[0]?["location"]?["range"]) == "0:16-0:23")
  }
}
