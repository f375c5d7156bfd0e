import ApusJSON
import Testing

/// GraphQL in files of other languages.
@Suite(.timeLimit(.minutes(1))) struct EmbeddedTests {
  /// Returns the diagnostics of text in a language, with their locations in that text.
  private func problems(_ text: String, language: String, name: String) async throws -> [String] {
    let session = try Session.birds()
    try await session.start()
    await session.open(name, text, language: language)
    return session.problems(name) ?? []
  }

  private static let wrong = "Cannot query field \"nam\" on type \"Bird\". Did you mean \"name\"?"

  @Test(arguments: [
    ("typescript", "a.ts", "const q = gql`\n  { birds { nam } }\n`;", "1:12"),
    ("typescript", "a.ts", "const q = graphql(`{ birds { nam } }`)", "0:29"),
    ("javascript", "a.js", "f(/* GraphQL */ `{ birds { nam } }`)", "0:27"),
    ("javascript", "a.js", "f(/* GraphQL */ '{ birds { nam } }')", "0:27"),
    ("typescriptreact", "a.tsx", "const q = `#graphql\n{ birds { nam } }`", "1:10"),
    ("javascript", "a.js", "const s = '`'; const r = /`/; // `\ngql`{ birds { nam } }`", "1:14"),
    ("javascript", "a.js", "a = b / [c / d]; x = [/ e, 4]\ngql`{ birds { nam } }`", "1:14"),
    ("javascript", "a.js", "gql`${Parts} { birds { nam } }`", "0:23"),
    ("javascript", "a.js", "f(`${gql`{ birds { nam } }`}`)", "0:19"),
    ("vue", "a.vue", "<p>don't `</p>\n<script setup lang=\"ts\">\nconst q = gql`{ birds { nam } }`\n</script>", "2:24"),
    ("svelte", "a.vue", "<script>gql`{ birds { nam } }`</script>", "0:22"),
    ("python", "a.py", "q = gql(\"\"\"\n  { birds { nam } }\n\"\"\")", "1:12"),
    ("python", "a.py", "# it's\nq = gql('{ birds { nam } }')", "1:19"),
    ("swift", "a.swift", "let q = /* GraphQL */ \"\"\"\n  { birds { nam } }\n  \"\"\"", "1:12"),
    ("swift", "a.swift", "let q = /* GraphQL */ \"{ birds { nam } }\" // \"", "0:33"),
    ("markdown", "a.md", "Birds:\n\n```graphql\n{ birds { nam } }\n```\n", "3:10"),
  ])
  func `diagnostics in a literal have locations in the file`(
    language: String, name: String, text: String, place: String
  ) async throws {
    #expect(try await problems(text, language: language, name: name) == ["\(place) \(Self.wrong)"])
  }

  @Test(arguments: [
    ("javascript", "a.js", "const s = `{ birds { nam } }`; css`a { b }`; /gql`x`/"),
    ("python", "a.py", "q = f'{ birds { nam } }'; r = other('{ birds { nam } }')"),
    ("swift", "a.swift", "let q = \"{ birds { nam } }\" /* GraphQL */"),
    ("markdown", "a.md", "```js\n{ birds { nam } }\n```\n```\ngraphql { nam }\n```\n"),
  ])
  func `unmarked literals are ignored`(language: String, name: String, text: String) async throws {
    #expect(try await problems(text, language: language, name: name) == [])
  }

  @Test func `an interpolated value is not an error`() async throws {
    let text = "gql`{ birds(first: ${n}) { nam ${more} } }`"
    #expect(try await problems(text, language: "javascript", name: "a.js") == ["0:27 \(Self.wrong)"])
    #expect(
      try await problems("/* GraphQL */ \"{ birds(first: \\(n)) { nam } }\"", language: "swift", name: "a.swift") == [
        "0:38 \(Self.wrong)"
      ])
  }

  /// A bird of two UTF-16 code units before the literal, and lines before and after it.
  @Test func `all features work in a literal with correct locations`() async throws {
    let session = try Session.birds(["parts.graphql": "fragment Parts on Bird { id }"])
    try await session.start()
    let text =
      "// 🐦\nconst a = '🐦', q = gql`query A { birds { ...Parts name } }`\nconst r = gql`query B { birds { ...Parts } }`\n"
    await session.open("a.ts", text, language: "typescript")
    func place(after part: String) throws -> JSONValue {
      let range = try #require(text.firstRange(of: part))
      return session.place("a.ts", after: String(text[..<range.upperBound]))
    }
    let hover = try await session.ask("textDocument/hover", place(after: "Parts na"))
    #expect(Session.range(hover["range"]) == "1:51-1:55")
    let items = try await session.ask("textDocument/completion", place(after: "Parts na"))["items"] ?? .null
    #expect(items[0]?["label"] == "name")
    #expect(Session.range(items[0]?["textEdit"]?["range"]) == "1:51-1:55")
    #expect(
      session.shown(try await session.ask("textDocument/definition", place(after: "...Par")))
        == "parts.graphql 0:9-0:14")
    let references = try await session.ask("textDocument/references", place(after: "...Par"))
    #expect(references.elements.map(session.shown) == ["a.ts 1:45-1:50", "a.ts 2:35-2:40", "parts.graphql 0:9-0:14"])
    let symbols = try await session.ask("textDocument/documentSymbol", session.document("a.ts"))
    #expect(symbols.elements.compactMap { $0["name"]?.string } == ["A", "B"])
    #expect(Session.range(symbols[1]?["selectionRange"]) == "2:20-2:21")
    #expect(try await session.ask("textDocument/hover", place(after: "const")) == .null)
    let tokens = try await session.ask("textDocument/semanticTokens/full", session.document("a.ts"))
    #expect(Array((tokens["data"] ?? .null).elements.compactMap(\.int).prefix(5)) == [1, 24, 5, 0, 0])
  }

  @Test(arguments: [
    ("typescript", "a.ts", "const q = gql`query ($s: [Size!] = [|]) { birds { id } }`", "SMALL LARGE"),
    ("typescript", "a.ts", "const t = gql`type A { id: ID @dep| }`", "@deprecated"),
    ("typescript", "a.ts", "const t = gql`\n  extend type Bird {\n    size: Si|\n  }\n`", "Size String"),
    ("python", "a.py", "q = gql(\"\"\"\n  input A { size: Size = S| }\n\"\"\")", "SMALL"),
    ("markdown", "a.md", "# Birds\n\n```graphql\nextend en|\n```\n", "enum"),
    ("typescript", "a.ts", "const q = gql`{ birds(size: |`", "SMALL LARGE null"),
  ])
  func `completion works in a literal`(language: String, name: String, text: String, expected: String) async throws {
    let session = try Session.birds()
    try await session.start()
    let place = await session.open(name, text, language: language)
    let items = try await session.ask("textDocument/completion", place)["items"] ?? .null
    let labels = items.elements.compactMap { $0["label"]?.string }
    #expect(Array(labels.prefix(expected.split(separator: " ").count)).joined(separator: " ") == expected, "\(labels)")
  }

  @Test func `formatting a literal keeps its indentation`() async throws {
    let session = try Session.birds()
    try await session.start()
    let text = "  const q = gql`\n    query A { birds { id } }\n  `;\n"
    await session.open("a.ts", text, language: "typescript")
    let edits = try await session.ask("textDocument/formatting", session.document("a.ts"))
    #expect(edits.count == 1)
    #expect(edits[0]?["newText"] == "    query A {\n      birds {\n        id\n      }\n    }\n")
    #expect(Session.range(edits[0]?["range"]) == "1:0-2:0")
  }

  /// Only whole literals are formatted, because definitions lose their indentation.
  @Test(arguments: [(1, 1, false), (2, 2, false), (1, 2, true), (0, 3, true)])
  func `formatting a range of a literal changes all definitions or none`(
    first: Int, last: Int, isFormatted: Bool
  ) async throws {
    let session = try Session.birds()
    try await session.start()
    let text = "const q = gql`\n  query A { a }\n  query B { b }\n`;\n"
    await session.open("a.ts", text, language: "typescript")
    let range: JSONValue = [
      "start": ["line": JSONValue(first), "character": 4], "end": ["line": JSONValue(last), "character": 8],
    ]
    let document = session.document("a.ts")["textDocument"] ?? .null
    let edits = try await session.ask("textDocument/rangeFormatting", ["textDocument": document, "range": range])
    let formatted = "  query A {\n    a\n  }\n\n  query B {\n    b\n  }\n"
    #expect(edits.elements.map { $0["newText"]?.string } == (isFormatted ? [formatted] : []))
  }

  /// Interpolated values and backslashes are read as blanks, so formatting would lose them.
  @Test(arguments: [
    "gql`\n  query A { birds { id } }\n  ${PARTS}\n`", "gql`\n  # \\`\n  query A { birds { id } }\n`",
    "gql`\n  query A { birds { id ${more} } }\n`",
  ])
  func `formatting does not change literals with interpolated values`(text: String) async throws {
    let session = try Session.birds()
    try await session.start()
    await session.open("a.ts", text, language: "typescript")
    #expect(try await session.ask("textDocument/formatting", session.document("a.ts")) == [])
  }

  @Test(arguments: [("id name", true), ("id ${more} name", false)])
  func `code actions do not move interpolated values`(fields: String, isOffered: Bool) async throws {
    let session = try Session.birds()
    try await session.start()
    await session.open("a.ts", "gql`query A { birds { \(fields) } }`", language: "typescript")
    let end = JSONValue(22 + fields.count)
    let actions = try await session.ask(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": JSONValue(session.uri("a.ts"))],
        "range": ["start": ["line": 0, "character": 22], "end": ["line": 0, "character": end]],
        "context": ["diagnostics": []],
      ])
    #expect(actions.elements.contains { $0["kind"] == "refactor.extract" } == isOffered)
  }

  @Test func `a literal within an interpolated value belongs to the outer literal`() async throws {
    let text = "gql`query A { birds { nam } } ${gql`fragment P on Bird { nam }`}`; gql`{ birds { nam } }`"
    #expect(
      try await problems(text, language: "javascript", name: "a.js") == ["0:22 \(Self.wrong)", "0:81 \(Self.wrong)"])
  }

  @Test func `project files in other languages are read`() async throws {
    let session = try Session.birds([
      "src/a.ts": "gql`query A { birds { ...Parts } }`", "parts.graphql": "fragment Parts on Bird { nam }",
    ])
    try await session.start()
    #expect(session.problems("parts.graphql") == ["0:25 \(Self.wrong)"])
    #expect(session.problems("src/a.ts") == nil)
  }
}
