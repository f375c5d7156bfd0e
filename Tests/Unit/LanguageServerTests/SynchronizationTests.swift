import ApusJSON
import Testing

/// Documents stay synchronized between client and server, with any content and position encoding.
@Suite(.timeLimit(.minutes(1))) struct SynchronizationTests {
  private func range(_ start: (Int, Int), _ end: (Int, Int)) -> JSONValue {
    [
      "start": ["line": JSONValue(start.0), "character": JSONValue(start.1)],
      "end": ["line": JSONValue(end.0), "character": JSONValue(end.1)],
    ]
  }

  /// After a bird of four bytes, two UTF-16 code units and one character.
  @Test(arguments: [("utf-8", 21), ("utf-16", 19), ("utf-32", 18)])
  func `columns use the negotiated position encoding`(encoding: String, column: Int) async throws {
    let session = try Session.birds()
    let result = try await session.start(["general": ["positionEncodings": [JSONValue(encoding)]]])
    #expect(result["capabilities"]?["positionEncoding"]?.string == encoding)
    await session.open("a.graphql", "query A { #\n\"🐦\"\n}")
    await session.change("a.graphql", version: 2, ["text": "{ bird(id: \"🐦\") { nam } }"])
    #expect(
      session.problems("a.graphql") == [
        "0:\(column) Cannot query field \"nam\" on type \"Bird\". Did you mean \"name\"?"
      ])
    // A change at this position corrects the name.
    let change: JSONValue = ["range": range((0, column), (0, column + 3)), "text": "name"]
    await session.change("a.graphql", version: 3, change)
    #expect(session.problems("a.graphql") == [])
  }

  @Test func `several changes are applied in order`() async throws {
    let session = try Session.birds()
    try await session.start()
    await session.open("a.graphql", "{\r\n  birds {\r\n    id\r\n  }\r\n}\r\n")
    await session.change(
      "a.graphql", version: 2, ["range": range((2, 4), (2, 6)), "text": "nam\n    wrong"],
      ["range": range((2, 7), (2, 7)), "text": "e"], ["range": range((3, 0), (4, 0)), "text": ""])
    #expect(session.problems("a.graphql") == [])
    let symbols = try await session.ask("textDocument/documentSymbol", session.document("a.graphql"))
    #expect(symbols[0]?["children"]?[0]?["children"]?[0]?["name"] == "name")
    // Positions after the end of a line or of the text are those ends.
    await session.change("a.graphql", version: 3, ["range": range((2, 900), (2, 900)), "text": " wrong"])
    #expect(session.problems("a.graphql")?.first?.hasPrefix("2:9 Cannot query field \"wrong\"") == true)
    await session.change("a.graphql", version: 4, ["range": range((0, 0), (900, 0)), "text": "{ birds { id } }"])
    #expect(session.problems("a.graphql") == [])
  }

  @Test func `diagnostics contain the document version`() async throws {
    let session = try Session.birds()
    try await session.start()
    await session.open("a.graphql", "{ wrong }", version: 7)
    let reported = session.reported("textDocument/publishDiagnostics").last
    #expect(reported?["version"] == 7)
    #expect(reported?["diagnostics"]?[0]?["source"] == "apus")
    #expect(reported?["diagnostics"]?[0]?["code"] == "FieldsOnCorrectTypeRule")
    #expect(reported?["diagnostics"]?[0]?["severity"] == 1)
  }

  @Test func `closing a document restores its content on disk`() async throws {
    let session = try Session.birds(["a.graphql": "query A { birds { id } }"])
    try await session.start()
    await session.open("a.graphql", "query A { wrong }")
    #expect(session.problems("a.graphql")?.count == 1)
    await session.notify("textDocument/didClose", session.document("a.graphql"))
    #expect(session.problems("a.graphql") == [])
    // A document that was never saved is removed.
    await session.open("untitled:1", "{ wr")
    #expect(session.problems("untitled:1")?.isEmpty == false)
    await session.notify("textDocument/didClose", session.document("untitled:1"))
    #expect(session.problems("untitled:1") == [])
  }
}
