import ApusJSON
import ApusLanguageServer
import Testing

/// The lifecycle of the server, and invalid messages of clients.
@Suite(.timeLimit(.minutes(1))) struct LifecycleTests {
  private func code(_ session: Session) -> [Int] { session.messages.compactMap { $0["error"]?["code"]?.int } }

  @Test func `initialize, shutdown and exit end the server with code 0`() async throws {
    let session = try Session()
    let result = try await session.start()
    #expect(result["serverInfo"]?["name"] == "apus")
    #expect(result["capabilities"]?["textDocumentSync"]?["change"] == 2)
    #expect(try await session.ask("shutdown", .null) == .null)
    #expect(await session.server.exitCode == nil)
    await session.notify("exit", .null)
    #expect(await session.server.exitCode == 0)
  }

  @Test func `exit without shutdown ends the server with code 1`() async throws {
    let session = try Session()
    try await session.start()
    await session.notify("exit", .null)
    #expect(await session.server.exitCode == 1)
  }

  @Test func `requests before initialize and after shutdown are rejected`() async throws {
    let session = try Session()
    await session.receive(["jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": [:]])
    #expect(code(session) == [-32002])
    try await session.start()
    await session.receive(["jsonrpc": "2.0", "id": 8, "method": "initialize", "params": [:]])
    #expect(code(session) == [-32002, -32600])
    _ = try await session.ask("shutdown", .null)
    await session.receive(["jsonrpc": "2.0", "id": 9, "method": "textDocument/hover", "params": [:]])
    #expect(code(session) == [-32002, -32600, -32600])
  }

  /// Each of these is answered or ignored, and the next request is answered as usual.
  @Test(arguments: [
    "{", "[]", "7", "{}", "null", "", "{\"id\":1}", "{\"method\":7}", "{\"id\":{},\"method\":\"x\"}",
    "{\"id\":77,\"method\":\"textDocument/hover\"}", "{\"id\":77,\"method\":\"textDocument/hover\",\"params\":[]}",
    "{\"id\":77,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":7}}}",
    "{\"id\":77,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":\"file:///nowhere\"},\"position\":{\"line\":0,\"character\":0}}}",
    "{\"id\":77,\"method\":\"textDocument/codeAction\",\"params\":{\"textDocument\":{\"uri\":\"a.graphql\"},\"range\":{\"start\":{\"line\":9,\"character\":9},\"end\":{\"line\":0,\"character\":0}}}}",
    "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{}}}",
    "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"file:///%zz\",\"text\":\"{\"}}}",
    "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":\"a.graphql\"},\"contentChanges\":[{\"text\":\"x\",\"range\":{\"start\":{\"line\":-1,\"character\":0},\"end\":{\"line\":0,\"character\":0}}}]}}",
    "{\"method\":\"textDocument/didChange\",\"params\":{\"contentChanges\":{}}}",
    "{\"method\":\"$/cancelRequest\",\"params\":{\"id\":[]}}", "{\"method\":\"nobody/knows\"}",
    "{\"id\":77,\"method\":\"nobody/knows\"}", "{\"id\":77,\"method\":\"workspace/executeCommand\"}",
    "{\"id\":77,\"method\":\"completionItem/resolve\",\"params\":{\"data\":{\"uri\":\"x\",\"coordinate\":\"..\"}}}",
    "{\"id\":77,\"method\":\"callHierarchy/incomingCalls\",\"params\":{}}",
    "{\"id\":77,\"method\":\"textDocument/selectionRange\",\"params\":{\"positions\":[1]}}",
    "{\"method\":\"workspace/didChangeWatchedFiles\",\"params\":{\"changes\":[{\"uri\":\"file:///\"},{},{\"uri\":\"x\"}]}}",
    "{\"method\":\"workspace/didChangeWorkspaceFolders\",\"params\":{\"event\":[]}}",
  ])
  func `no invalid message ends the server`(text: String) async throws {
    let session = try Session.birds()
    try await session.start()
    await session.server.receive(Array(text.utf8))
    await session.server.idle()
    let place = await session.open("a.graphql", "{ bi|rds { id } }")
    let hover = try await session.ask("textDocument/hover", place)
    #expect(hover["contents"]?["value"]?.string?.contains("birds(first: Int = 10") == true)
  }

  /// Every request, with parameters for every position of invalid text.
  @Test func `every request is answered at every position of incomplete text`() async throws {
    let text =
      "query A($n: Int) { birds(first: $n) { ...F @include(if: true) id } } fragment F on Bird { nest { eggs } }"
    let methods = [
      "completion", "hover", "signatureHelp", "definition", "references", "documentHighlight", "prepareRename",
      "onTypeFormatting", "prepareCallHierarchy",
    ]
    let complete = [
      "documentSymbol", "foldingRange", "codeLens", "documentLink", "formatting", "semanticTokens/full",
      "semanticTokens/full/delta",
      "diagnostic",
    ]
    let session = try Session.birds()
    try await session.start()
    await session.open("a.graphql", "")
    for length in stride(from: 0, through: text.utf8.count, by: 3) {
      await session.change("a.graphql", version: length + 2, ["text": JSONValue(String(text.prefix(length)))])
      for method in complete { _ = try await session.ask("textDocument/\(method)", session.document("a.graphql")) }
      let place = session.place("a.graphql", after: String(text.prefix(length)))
      for method in methods {
        do {
          _ = try await session.ask("textDocument/\(method)", place)
        } catch let failure as Session.Failure {
          // An error that nothing can be renamed is also a response.
          #expect(method == "prepareRename", "\(method) at \(length): \(failure.message)")
        }
      }
    }
  }

  /// A running operation responds only when it is canceled.
  @Test func `a running request does not block others and ends when canceled`() async throws {
    let session = try Session(
      [
        ".graphqlrc.yml":
          "schema: s.graphql\nextensions: {endpoints: {default: 'http://127.0.0.1:1/x'}}\n",
        "s.graphql": "type Query { a: Int }",
      ],
      run: { _ in
        while !Task.isCancelled { await Task.yield() }
        return .failure(ServerEnvironmentError("it was cancelled"))
      })
    try await session.start()
    let place = await session.open("a.graphql", "{ |a }")
    await session.receive([
      "jsonrpc": "2.0", "id": 501, "method": "workspace/executeCommand",
      "params": ["command": "apus.run", "arguments": [place]],
    ])
    await session.receive(["jsonrpc": "2.0", "id": 502, "method": "textDocument/hover", "params": place])
    #expect(try await session.answer(502)["result"]?["contents"] != nil)
    #expect(!session.messages.contains { $0["id"] == 501 })
    await session.receive(["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": 501]])
    #expect(try await session.answer(501)["error"]?["code"] == -32800)
    await session.server.idle()
    #expect(session.messages.filter { $0["id"] == 501 }.count == 1)
  }

  @Test func `progress is reported for reading and for requests with a token`() async throws {
    let session = try Session.birds()
    try await session.start(["window": ["workDoneProgress": true]])
    #expect(session.messages.contains { $0["method"] == "window/workDoneProgress/create" })
    let kinds = session.reported("$/progress").compactMap { $0["value"]?["kind"]?.string }
    #expect(kinds == ["begin", "end"])
    var place = await session.open("a.graphql", "{ bi|rds { id } }")
    place = .object(place.members.map { ($0.key, $0.value) } + [("workDoneToken", "mine")])
    _ = try await session.ask("textDocument/references", place)
    #expect(session.reported("$/progress").filter { $0["token"] == "mine" }.count == 2)
  }
}
