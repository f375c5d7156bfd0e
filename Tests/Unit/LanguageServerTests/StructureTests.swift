import ApusJSON
import Testing

/// The structure of a document: symbols, folding ranges, semantic tokens and links.
@Suite(.timeLimit(.minutes(1))) struct StructureTests {
  private static let text = """
    # Two lines
    # of comment
    query A($n: Int) {
      birds(first: $n) {
        old
      }
    }

    """

  private func session(_ capabilities: JSONValue = [:], options: JSONValue = .null) async throws -> Session {
    let session = try Session.birds()
    try await session.start(capabilities, options: options)
    await session.open("a.graphql", Self.text)
    return session
  }

  @Test func `document symbols contain definitions and their members`() async throws {
    let session = try await session()
    let symbols = try await session.ask("textDocument/documentSymbol", session.document("a.graphql"))
    #expect(symbols[0]?["name"] == "A")
    #expect(Session.range(symbols[0]?["selectionRange"]) == "2:6-2:7")
    #expect((symbols[0]?["children"] ?? .null).elements.compactMap { $0["name"]?.string } == ["$n", "birds"])
  }

  @Test func `brackets and comments fold`() async throws {
    let session = try await session()
    let folds = try await session.ask("textDocument/foldingRange", session.document("a.graphql"))
    #expect(
      folds.elements.map { "\($0["startLine"]?.int ?? -1)-\($0["endLine"]?.int ?? -1)" } == ["0-1", "2-5", "3-4"])
    #expect(folds[0]?["kind"] == "comment")
  }

  @Test func `selection ranges grow by syntax`() async throws {
    let session = try await session()
    let ranges = try await session.ask(
      "textDocument/selectionRange",
      ["textDocument": ["uri": JSONValue(session.uri("a.graphql"))], "positions": [["line": 4, "character": 5]]])
    #expect(Session.range(ranges[0]?["range"]) == "4:4-4:7")
    #expect(Session.range(ranges[0]?["parent"]?["range"]) == "3:19-5:3")
  }

  @Test func `semantic tokens have kinds and mark deprecated elements`() async throws {
    let session = try await session()
    let tokens = try await session.ask("textDocument/semanticTokens/full", session.document("a.graphql"))
    let data = (tokens["data"] ?? .null).elements.compactMap(\.int)
    // Line and column relative to the previous token, length, type, modifiers.
    #expect(Array(data.prefix(15)) == [0, 0, 11, 9, 0, 1, 0, 12, 9, 0, 1, 0, 5, 0, 0])
    #expect(Array(data.suffix(5)) == [1, 4, 3, 1, 1])
    let range: JSONValue = ["start": ["line": 4, "character": 0], "end": ["line": 5, "character": 0]]
    let part = try await session.ask(
      "textDocument/semanticTokens/range",
      ["textDocument": ["uri": JSONValue(session.uri("a.graphql"))], "range": range])
    #expect((part["data"] ?? .null).elements.compactMap(\.int) == [4, 4, 3, 1, 1])
  }

  /// Applies the edits of a response like an editor.
  private func changed(_ data: [Int], by answer: JSONValue) -> [Int] {
    var data = data
    for edit in (answer["edits"] ?? .null).elements {
      let start = edit["start"]?.int ?? -1
      data.replaceSubrange(
        start..<start + (edit["deleteCount"]?.int ?? 0), with: (edit["data"] ?? .null).elements.compactMap(\.int))
    }
    return data
  }

  @Test func `a semantic token delta contains only changes`() async throws {
    let session = try Session.birds()
    try await session.start()
    await session.open("a.graphql", "query A { a }\nquery B { b }\nquery C { c }\n")
    var tokens = try await session.ask("textDocument/semanticTokens/full", session.document("a.graphql"))
    func data(_ answer: JSONValue) -> [Int] { (answer["data"] ?? .null).elements.compactMap(\.int) }
    func delta(_ id: JSONValue?) async throws -> JSONValue {
      try await session.ask(
        "textDocument/semanticTokens/full/delta",
        .object(session.document("a.graphql").members.map { ($0.key, $0.value) } + [("previousResultId", id ?? .null)]))
    }
    var clientTokens = data(tokens)
    var id = tokens["resultId"]
    let same = try await delta(id)
    #expect(same["edits"] == [] && same["resultId"] != id)
    id = same["resultId"]
    for (version, text) in [
      "query A { a }\nquery B { b bb }\nquery C { c }\n", "query A { a }\n", "", "# all new\n{ x }",
    ].enumerated() {
      await session.change("a.graphql", version: version + 2, ["text": JSONValue(text)])
      let answer = try await delta(id)
      #expect(answer["data"] == nil)
      clientTokens = changed(clientTokens, by: answer)
      id = answer["resultId"]
      tokens = try await session.ask("textDocument/semanticTokens/full", session.document("a.graphql"))
      #expect(clientTokens == data(tokens), "\(text)")
      id = tokens["resultId"]
    }
    // A result that is no longer stored is answered with all tokens.
    #expect(data(try await delta("1")) == clientTokens)
    #expect(data(try await delta(nil)) == clientTokens)
  }

  @Test func `a multiline string has one token per line`() async throws {
    let session = try await session()
    await session.open("b.graphql", "\"\"\"\nA\n\"\"\" type T { a: Int }")
    let tokens = try await session.ask("textDocument/semanticTokens/full", session.document("b.graphql"))
    #expect(
      Array((tokens["data"] ?? .null).elements.compactMap(\.int).prefix(15)) == [
        0, 0, 3, 6, 0, 1, 0, 1, 6, 0, 1, 0, 3, 6, 0,
      ])
  }

  @Test func `tokens after emoji have positions in the client's encoding`() async throws {
    let session = try await session()
    await session.open(
      "b.graphql", "{ bird(id: \"🐦\") { name } other: bird(id: \"é\") { old } }\n# 🪶 b\n")
    let tokens = try await session.ask("textDocument/semanticTokens/full", session.document("b.graphql"))
    let data = (tokens["data"] ?? .null).elements.compactMap(\.int)
    let rows = stride(from: 0, to: data.count, by: 5).map { Array(data[$0..<min($0 + 5, data.count)]) }
    let expected = [
      [0, 2, 4, 1, 0], [0, 5, 2, 3, 0], [0, 4, 4, 6, 0], [0, 8, 4, 1, 0], [0, 7, 5, 1, 0], [0, 7, 4, 1, 0],
      [0, 5, 2, 3, 0], [0, 4, 3, 6, 0], [0, 7, 3, 1, 1], [1, 0, 6, 9, 0],
    ]
    #expect(rows == expected)
  }

  @Test func `inlay hints show types if enabled`() async throws {
    let range: JSONValue = ["start": ["line": 0, "character": 0], "end": ["line": 9, "character": 0]]
    for (options, expected) in [(JSONValue.null, 0), (["inlayHints": true], 3)] as [(JSONValue, Int)] {
      let session = try await session(options: options)
      let document = session.document("a.graphql")["textDocument"] ?? .null
      let hints = try await session.ask("textDocument/inlayHint", ["textDocument": document, "range": range])
      #expect(hints.count == expected)
      if expected > 0 {
        #expect(hints.elements.compactMap { $0["label"]?.string } == [": [Bird!]!", ": Int", ": String"])
      }
    }
  }

  @Test func `imports and specifications are document links`() async throws {
    let session = try await session()
    await session.open(
      "sub/b.graphql",
      "# import Parts from '../parts.graphql'\nscalar Date @specifiedBy(url: \"https://x.example/date\")")
    let links = try await session.ask("textDocument/documentLink", session.document("sub/b.graphql"))
    #expect(
      links.elements.compactMap { $0["target"]?.string } == [session.uri("parts.graphql"), "https://x.example/date"])
    #expect(Session.range(links[0]?["range"]) == "0:21-0:37")
  }
}
