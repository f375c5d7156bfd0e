import ApusJSON
import Testing

@testable import ApusLanguageServer

/// Requests of an editor during typing. The cursor is `|`.
@Suite(.timeLimit(.minutes(1))) struct WritingTests {
  private static let snippets: JSONValue = [
    "textDocument": [
      "completion": ["completionItem": ["snippetSupport": true]],
      "signatureHelp": ["signatureInformation": ["parameterInformation": ["labelOffsetSupport": true]]],
    ]
  ]

  private func items(
    _ marked: String, _ files: [String: String] = [:], capabilities: JSONValue = snippets
  ) async throws -> (session: Session, items: [JSONValue]) {
    let session = try Session.birds(files)
    try await session.start(capabilities)
    let place = await session.open("a.graphql", marked)
    let list = try await session.ask("textDocument/completion", place)
    return (session, (list["items"] ?? .null).elements.map { $0 })
  }

  private func labels(_ marked: String, _ files: [String: String] = [:]) async throws -> [String] {
    try await items(marked, files).items.compactMap { $0["label"]?.string }
  }

  // MARK: Completion

  @Test func `completions are sorted best first`() async throws {
    #expect(try await labels("{ birds { n| } }").prefix(2) == ["name", "nest"])
    #expect(try await labels("{ birds(| ) { id } }") == ["first", "size"])
    #expect(try await labels("{ birds(size: |) { id } }") == ["SMALL", "LARGE", "null"])
    let items = try await items("{ birds { n| } }").items
    #expect(items.map { $0["sortText"]?.string }.prefix(2) == ["0", "1"])
    #expect(items[0]["detail"] == "String!")
    #expect(Session.range(items[0]["textEdit"]?["range"]) == "0:10-0:11")
  }

  @Test func `completion offers fragments of other files`() async throws {
    #expect(
      try await labels(
        "{ birds { ...| } }", ["f.graphql": "fragment Wings on Bird { id } fragment Eggs on Nest { eggs }"]
      )
      .first == "Wings")
  }

  @Test func `a snippet has stops, or is plain text without client support`() async throws {
    let snippet = try await items("{ bird| }").items[0]
    #expect(snippet["textEdit"]?["newText"] == "bird(id: $1)")
    #expect(snippet["insertTextFormat"] == 2)
    let plain = try await items("{ bird| }", capabilities: [:]).items[0]
    #expect(plain["textEdit"]?["newText"] == "bird(id: )")
    #expect(plain["insertTextFormat"] == nil)
  }

  @Test func `resolving an item adds its documentation`() async throws {
    let (session, items) = try await items("{ birds { nam| } }")
    #expect(items[0]["documentation"] == nil)
    let resolved = try await session.ask("completionItem/resolve", items[0])
    #expect(resolved["documentation"]?["value"]?.string?.contains("What it is called.") == true)
    #expect(resolved["label"] == "name")
    for marked in [
      "{ birds(fir|) { id } }", "{ birds(size: SMA|) { id } }", "{ birds { id @ski| } }", "query ($a: Siz|) { a }",
    ] {
      let (session, items) = try await self.items(marked)
      let resolved = try await session.ask("completionItem/resolve", try #require(items.first))
      #expect(resolved["documentation"]?["value"]?.string?.hasPrefix("```graphql") == true, "\(marked)")
    }
  }

  @Test func `the filter text excludes characters before the word`() async throws {
    let variable = try await items("query ($size: Size) { birds(size: $s|) { id } }").items[0]
    #expect(variable["label"] == "$size")
    #expect(variable["filterText"] == "size")
    #expect(variable["textEdit"]?["newText"] == "size")
    let deprecated = try await items("{ birds { ol| } }").items[0]
    #expect(deprecated["tags"] == [1])
  }

  // MARK: Signatures

  @Test func `signature help shows the arguments while typing`() async throws {
    let session = try Session.birds()
    try await session.start(Self.snippets)
    let place = await session.open("a.graphql", "{ birds(first: 3, size: |")
    let help = try await session.ask("textDocument/signatureHelp", place)
    #expect(help["signatures"]?[0]?["label"] == "birds(first: Int = 10, size: Size): [Bird!]!")
    #expect(help["activeParameter"] == 1)
    #expect(help["signatures"]?[0]?["parameters"]?[0]?["label"] == [6, 21])
    let outside = await session.open("b.graphql", "{ birds(first: 3) { | } }")
    #expect(try await session.ask("textDocument/signatureHelp", outside) == .null)
  }

  // MARK: Actions

  private func actions(_ marked: String) async throws -> (session: Session, actions: [JSONValue]) {
    let session = try Session.birds()
    try await session.start()
    let place = await session.open("a.graphql", marked)
    let position = place["position"] ?? .null
    let found = try await session.ask(
      "textDocument/codeAction",
      [
        "textDocument": place["textDocument"] ?? .null, "range": ["start": position, "end": position],
        "context": ["diagnostics": []],
      ])
    return (session, found.elements.map { $0 })
  }

  @Test func `quick fixes are offered first`() async throws {
    let (session, actions) = try await actions("{ birds { na|m } }")
    #expect(actions.first?["title"] == "Change nam to name")
    #expect(actions.first?["kind"] == "quickfix")
    #expect(actions.first?["isPreferred"] == true)
    let edits = actions.first?["edit"]?["changes"]?[session.uri("a.graphql")]
    #expect(edits?[0]?["newText"] == "name")
    #expect(Session.range(edits?[0]?["range"]) == "0:10-0:13")
  }

  /// Every code action of the explorer, with a document that offers it.
  @Test(arguments: [
    ("{ birds { na|m } }", "Change nam to name", "quickfix"),
    ("{ bird|  { id } }", "Add the required arguments of bird", "quickfix"),
    ("{ birds(first: $n|) { id } }", "Declare $n: Int", "quickfix"),
    ("{ bird(id: 1) { nest| } }", "Select all leaf fields of Nest", "refactor.rewrite"),
    ("{ birds { |id name } }", "Extract to fragment BirdFields", "refactor.extract"),
    ("{ birds { ...|F } } fragment F on Bird { id }", "Inline fragment F", "refactor.inline"),
    ("query ($n: In|t) { birds { id } }", "Remove unused $n", "quickfix"),
    ("{ birds { name| id } }", "Sort the selection by name", "refactor.rewrite"),
  ])
  func `every code action of the explorer is offered`(marked: String, title: String, kind: String) async throws {
    let actions = try await actions(marked).actions
    let action = actions.first { $0["title"]?.string == title }
    #expect(action?["kind"]?.string == kind, "\(actions.compactMap { $0["title"]?.string })")
  }

  @Test func `a fragment that another file spreads is not unused`() async throws {
    let session = try Session.birds(["b.graphql": "query B { birds { ...F } }"])
    try await session.start()
    let place = await session.open("a.graphql", "query A { bi|rds { id } } fragment F on Bird { id }")
    let position = place["position"] ?? .null
    let found = try await session.ask(
      "textDocument/codeAction",
      [
        "textDocument": place["textDocument"] ?? .null, "range": ["start": position, "end": position],
        "context": ["only": ["quickfix"]],
      ])
    #expect(found == [])
  }

  // MARK: Formatting

  /// Returns the document with the edits applied.
  private func applied(_ edits: JSONValue, to text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for edit in edits.elements.sorted(by: {
      ($0["range"]?["start"]?["line"]?.int ?? 0) > ($1["range"]?["start"]?["line"]?.int ?? 0)
    }) {
      func place(_ end: String) -> (Int, Int) {
        let position = edit["range"]?[end]
        return (position?["line"]?.int ?? 0, position?["character"]?.int ?? 0)
      }
      let (start, end) = (place("start"), place("end"))
      let head = String(lines[start.0].prefix(start.1))
      let tail = String(lines[end.0].dropFirst(end.1))
      let middle = head + (edit["newText"]?.string ?? "") + tail
      lines.replaceSubrange(
        start.0...end.0, with: middle.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
    return lines.joined(separator: "\n")
  }

  @Test func `formatting edits only changed text`() async throws {
    let text = "query A {\n  birds { id }\n}\n\nquery B { birds { id } }\n\nquery C {\n  a\n}\n"
    let session = try Session.birds()
    try await session.start()
    await session.open("a.graphql", text)
    let edits = try await session.ask("textDocument/formatting", session.document("a.graphql"))
    let formatted =
      "query A {\n  birds {\n    id\n  }\n}\n\nquery B {\n  birds {\n    id\n  }\n}\n\nquery C {\n  a\n}\n"
    #expect(applied(edits, to: text) == formatted)
    #expect(edits[0]?["range"]?["start"]?["line"] == 1)
    #expect(edits[0]?["range"]?["end"]?["line"] == 5)
    await session.change("a.graphql", version: 2, ["text": JSONValue(formatted)])
    #expect(try await session.ask("textDocument/formatting", session.document("a.graphql")) == [])
  }

  @Test func `range formatting changes only the definitions in the range`() async throws {
    let text = "query A { a }\n\nquery B { b }\n"
    let session = try Session.birds()
    try await session.start()
    await session.open("a.graphql", text)
    let place: JSONValue = ["line": 2, "character": 3]
    let edits = try await session.ask(
      "textDocument/rangeFormatting",
      ["textDocument": ["uri": JSONValue(session.uri("a.graphql"))], "range": ["start": place, "end": place]])
    #expect(applied(edits, to: text) == "query A { a }\n\nquery B {\n  b\n}\n")
    let typed = try await session.ask(
      "textDocument/onTypeFormatting", session.place("a.graphql", after: "query A { a }"))
    #expect(applied(typed, to: text) == "query A {\n  a\n}\n\nquery B { b }\n")
    #expect(
      try await session.ask("textDocument/onTypeFormatting", session.place("a.graphql", after: "query A {")) == .null)
  }

  /// The text before the mark has just been typed, its last character last.
  private func typed(_ marked: String, file: String = "a.graphql") async throws -> String {
    let session = try Session.birds()
    try await session.start()
    let place = await session.open(file, marked)
    let text = marked.filter { $0 != "|" }
    let before = marked.prefix { $0 != "|" }.last.map(String.init) ?? ""
    let edits = try await session.ask(
      "textDocument/onTypeFormatting", .object(place.members.map { ($0.key, $0.value) } + [("ch", JSONValue(before))]))
    return edits.isNull ? text : applied(edits, to: text)
  }

  @Test(arguments: [
    ("query A {\n|", "query A {\n  "), ("query A {\n|}", "query A {\n}"),
    ("query A {\n  a\n|\n}", "query A {\n  a\n  \n}"),
    ("query A {\n  a {\n|  }\n}", "query A {\n  a {\n  }\n}"),
    ("query A {\n  a {\n|b }\n}", "query A {\n  a {\n    b }\n}"),
    ("query A(\n|", "query A(\n  "), ("type T {\n  a(\n|", "type T {\n  a(\n    "), ("{ a }\n|", "{ a }\n"),
    ("{ a }\n|  ", "{ a }\n"),
    // Multiline strings do not change; a bracket in a string or a comment opens nothing.
    ("\"\"\"\n|  x", "\"\"\"\n  x"), ("{ a(b: \"{\") } # {\n|", "{ a(b: \"{\") } # {\n"),
    ("\"\"\" { \\\"\"\" \"\"\" type T {\n|", "\"\"\" { \\\"\"\" \"\"\" type T {\n  "),
  ])
  func `a new line is indented by its brackets`(text: String, expected: String) async throws {
    #expect(try await typed(text) == expected)
  }

  /// The offsets of the open brackets at the end of a text; nil within a comment or a string.
  @Test(
    arguments: [
      ("", []), ("{ a(", [0, 3]), ("{ a(b: [", [0, 3, 7]), ("{ a(b: [1]) }", []), ("{ a )", [0]), ("a }", []),
      ("# {", nil), ("# {\n(", [4]), ("# {\r(", [4]), ("# {\r\n(", [5]), ("{ # }\n", [0]),
      (#""{"#, nil), (#""{"("#, [3]), (#""\"{"#, nil), (#""\"{"("#, [5]), ("\"{\n(", [3]), ("\"{\r(", [3]),
      (#""""{"#, nil), (#""""{""#, nil), ("\"\"\"{\n(", nil), (#""""{"""("#, [7]), (#""""\"""{"#, nil),
      (#""""\"""{"""("#, [11]),
    ] as [(String, [Int]?)])
  func `brackets are open outside comments and strings`(text: String, open: [Int]?) {
    #expect(BracketScanner.scan(Array(text.utf8)[...]) == open.map { .between(open: $0) } ?? .within)
  }

  @Test func `a new line in another language keeps its indentation`() async throws {
    #expect(
      try await typed("const q = gql`\n    query A {\n|\n`", file: "a.ts") == "const q = gql`\n    query A {\n      \n`"
    )
  }

  @Test(arguments: [
    ("{ a( b:1 , c :{d:2} )| { e } }", "{ a(b: 1, c: { d: 2 }) { e } }"),
    ("query A( $a :Int=1 )|", "query A($a: Int = 1)"),
    ("type T { a( b :Int )|", "type T { a(b: Int)"), ("{ a(b: 1)| }", "{ a(b: 1) }"), ("{ a(b: )| }", "{ a(b: ) }"),
    ("{ a(b: \"( x )\" )|", "{ a(b: \"( x )\")"), ("# ( a )|", "# ( a )"), (")|", ")"),
  ])
  func `a closing parenthesis formats its contents`(text: String, expected: String) async throws {
    #expect(try await typed(text) == expected)
  }
}
