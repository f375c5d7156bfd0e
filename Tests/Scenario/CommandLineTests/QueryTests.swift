import ApusJSON
import ApusTestSupport
import Testing

/// `apus query`, as other programs use it: standard output, standard error, exit code.
@Suite(.timeLimit(.minutes(3))) struct QueryTests {
  private static let deferredQuery = #"{ bird { id ... @defer(label: "slow") { song } } }"#
  private static let base = #"{"data":{"bird":{"id":"1"}},"hasNext":true}"#
  private static let rest =
    #"{"incremental":[{"data":{"song":"tsip"},"path":["bird"],"label":"slow"}],"hasNext":false}"#

  @Test func `JSON output is the merged result on one line`() async throws {
    let server = try ScriptedServer([.multipart([.text(Self.base), .text(Self.rest)])])
    let outcome = try await ChildProcess.apus("query", server.url, "-q", Self.deferredQuery)
    #expect(outcome.output == #"{"data":{"bird":{"id":"1","song":"tsip"}}}"# + "\n")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.exitCode == 0)
  }

  /// The response claims to be complete but lacks the announced fragment.
  @Test(arguments: [
    #"{"hasNext":false}"#, #"{"incremental":[{"data":null,"path":["bird"],"label":"slow"}],"hasNext":false}"#,
  ])
  func `a deferred fragment that never arrives is reported`(last: String) async throws {
    let server = try ScriptedServer([.multipart([.text(Self.base), .text(last)])])
    let outcome = try await ChildProcess.apus("query", server.url, "-q", Self.deferredQuery)
    #expect(outcome.output == #"{"data":{"bird":{"id":"1"}}}"# + "\n")
    #expect(outcome.errors.hasPrefix(#"apus: the deferred fragment "slow" at bird: the "#))
    #expect(outcome.exitCode == 1)
  }

  @Test func `absent keys stay absent, and null data is printed`() async throws {
    let texts = [
      #"{"data":{"a":1.10}}"#, #"{"data":null,"errors":[{"message":"no","extensions":{"code":"X"}}]}"#,
      #"{"errors":[{"message":"bad"}],"extensions":{"cost":1}}"#,
    ]
    for text in texts {
      let server = try ScriptedServer([.json(text)])
      let outcome = try await ChildProcess.apus("query", server.url, "-q", "{ a }")
      #expect(outcome.output == text + "\n")
      #expect(outcome.exitCode == (text.contains("errors") ? 1 : 0))
    }
  }

  @Test func `pretty output is the same result with indentation`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":[1]}}"#)])
    let outcome = try await ChildProcess.apus("query", server.url, "-q", "{ a }", "--output", "pretty")
    #expect(outcome.output == "{\n  \"data\": {\n    \"a\": [\n      1\n    ]\n  }\n}\n")
  }

  @Test func `a table contains the rows of the first list of objects`() async throws {
    let server = try ScriptedServer([
      .json(#"{"data":{"birds":[{"id":1,"name":"鶴","nest":{"eggs":2}},{"id":2,"name":"Wren\u001b[31m","nest":null}]}}"#)
    ])
    let outcome = try await ChildProcess.apus("query", server.url, "-q", "{ birds { id } }", "--output", "table")
    #expect(
      outcome.output == """
        id  name       nest.eggs  nest
        ──  ─────────  ─────────  ────
        1   鶴         2          \("")
        2   Wren␛[31m             \("")

        """)
  }

  @Test func `each line is printed before the next payload arrives`() async throws {
    let gates = [Gate(), Gate()]
    let more = #"{"incremental":[{"data":{"song":"tsip"},"path":["bird"],"label":"slow"}],"hasNext":true}"#
    let server = try ScriptedServer([
      .multipart([
        .text(Self.base), .hold(gates[0]), .text(more), .hold(gates[1]), .text(#"{"hasNext":false}"#),
      ])
    ])
    let process = try ChildProcess(
      Checkout.apus, ["query", server.url, "-q", Self.deferredQuery, "--output", "ndjson"])
    func line() async throws -> JSONValue { try JSONDocument(parsing: try #require(await process.nextLine())).root }

    let first = try await line()
    #expect(first["part"] == 0)
    #expect(first["response"] == "partial")
    #expect(first["source"] == "server")
    #expect(first["data"] == ["bird": ["id": "1"]])
    #expect(
      first["deferred"] == [
        ["label": "slow", "path": ["bird"], "typeCondition": .null, "state": "pending", "errors": []]
      ])
    gates[0].open()
    let second = try await line()
    #expect(second["data"] == ["bird": ["id": "1", "song": "tsip"]])
    #expect(second["response"] == "partial")
    #expect(second["deferred"]?[0]?["state"] == "fulfilled")
    gates[1].open()
    let third = try await line()
    #expect(third["part"] == 2)
    #expect(third["response"] == "complete")
    let times = [first, second, third].compactMap { $0["elapsedMs"]?.double }
    #expect(times.count == 3 && times == times.sorted())
    #expect(await process.outcome().exitCode == 0)
  }

  @Test func `--max-results closes the connection after that many results`() async throws {
    let server = try ScriptedServer([.multipart([.text(Self.base), .hold(Gate()), .text(Self.rest)])])
    let outcome = try await ChildProcess.apus(
      "query", server.url, "-q", Self.deferredQuery, "--output", "ndjson", "--max-results", "1")
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.exitCode == 0)
    try await server.clientClosed()
  }

  @Test func `the document is sent as written`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{}}"#)])
    let text = "query A($n: Int) {  bird(n: $n) { id } } # kept"
    _ = try await ChildProcess.apus(
      "query", server.url, "-q", text, "--variables", #"{"n": 1.0}"#, "--header", "X-Test: a b", "-H", "x-more: c")
    let request = try await server.request()
    let body = try JSONDocument(parsing: request.body).root
    #expect(body["query"]?.string == text)
    #expect(body["variables"]?.description == #"{"n":1.0}"#)
    #expect(body["operationName"] == "A")
    #expect(request.header("X-Test") == "a b")
    #expect(request.header("X-More") == "c")
    #expect(
      request.header("Accept")
        == "multipart/mixed;deferSpec=20220824, multipart/mixed;incrementalSpec=v0.2, "
        + "application/graphql-response+json, application/json;q=0.9")
  }

  @Test(arguments: [
    ("20220824", "multipart/mixed;deferSpec=20220824, application/graphql-response+json, application/json;q=0.9"),
    ("v0.2", "multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json, application/json;q=0.9"),
    ("off", "application/graphql-response+json, application/json;q=0.9"),
  ])
  func `--incremental selects the format`(format: String, accept: String) async throws {
    let server = try ScriptedServer([.json(#"{"data":{}}"#)])
    _ = try await ChildProcess.apus("query", server.url, "-q", "{ a }", "--incremental", format)
    #expect(try await server.request().header("Accept") == accept)
  }

  @Test func `document and variables are read from files and standard input`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#), .json(#"{"data":{"a":2}}"#)])
    let folder = try TemporaryFolder()
    try folder.write("q.graphql", "query Q($x: Int) { a(x: $x) } query R { a }")
    try folder.write("v.json", #"{"x": 3}"#)
    _ = try await ChildProcess.apus(
      "query", server.url, "-f", folder.path("q.graphql"), "--operation", "Q", "--variables",
      "@" + folder.path("v.json"))
    let sent = try JSONDocument(parsing: try await server.request(0).body).root
    #expect(sent["operationName"] == "Q")
    #expect(sent["variables"] == ["x": 3])

    let process = try ChildProcess(Checkout.apus, ["query", server.url, "-f", "-"])
    process.write("{ fromStandardInput }")
    #expect(await process.outcome().exitCode == 0)
    let second = try JSONDocument(parsing: try await server.request(1).body).root
    #expect(second["query"] == "{ fromStandardInput }")
  }

  @Test func `invalid documents and arguments print one line and send nothing`() async throws {
    let cases: [([String], Int32, String)] = [
      (["-q", "{ a "], 1, "--query: syntax error at 1:5"),
      (["-q", "query A { a } query B { b }"], 2, "A, B (--operation NAME)"),
      (["-q", "query A { a }", "--operation", "C"], 2, "no operation \"C\"; it has A"),
      (["-q", "{ a }", "--variables", "{x:1}"], 2, "--variables is not JSON: unexpected 'x' at line 1, column 2"),
      (["-q", "{ a }", "--variables", "[1]"], 2, "--variables takes an object"),
      (["-f", "/nowhere/q.graphql"], 5, "cannot read /nowhere/q.graphql: No such file or directory"),
      ([], 2, "the document is missing: use --query TEXT, --file FILE or standard input"),
      (["-q", "{ a }", "--header", "secret"], 2, "--header takes 'Name: value' or @FILE"),
    ]
    for (words, code, text) in cases {
      let outcome = try await ChildProcess.run(Checkout.apus, ["query", "http://127.0.0.1:1/graphql"] + words)
      #expect(outcome.exitCode == code, "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(!outcome.errors.contains("secret"))
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func `an interrupt closes the connection and exits with 130`() async throws {
    let server = try ScriptedServer([.multipart([.text(Self.base), .hold(Gate()), .text(Self.rest)])])
    let process = try ChildProcess(
      Checkout.apus, ["query", server.url, "-q", Self.deferredQuery, "--output", "ndjson"])
    #expect(await process.nextLine() != nil)
    process.signal(2)
    let outcome = await process.outcome()
    #expect(outcome.exitCode == 130)
    #expect(outcome.errors == "apus: interrupted\n")
    try await server.clientClosed()
  }
}
