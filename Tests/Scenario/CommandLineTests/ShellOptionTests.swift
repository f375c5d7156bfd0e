import ApusJSON
import ApusTestSupport
import Testing

/// Options of `apus query` for use in a shell: single variables, output formats, connections.
@Suite(.timeLimit(.minutes(3))) struct ShellOptionTests {
  private static let good = ScriptedAnswer.json(#"{"data":{"a":1}}"#)

  private func query(
    _ server: ScriptedServer, _ document: String = "{ a }", _ words: String..., environment: [String: String] = [:]
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", document] + words, environment: environment)
  }

  @Test func `a document argument is reported with its option`() async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, ["query", "http://127.0.0.1:1/graphql", "{ a }"])
    #expect(outcome.exitCode == 2 && outcome.errors.contains("pass a document with -q"))
  }

  // MARK: Variables

  @Test(arguments: [
    ("Int!", "3", "3"), ("Float", "1.50", "1.50"), ("Boolean", "true", "true"), ("String", "it's 3", "\"it's 3\""),
    ("ID!", "7", "\"7\""), ("String", "null", "null"), ("String!", "null", "\"null\""), ("Colour", "RED", "\"RED\""),
    ("[Int!]", "[1,2]", "[1,2]"), ("[Int!]!", "5", "[5]"), ("Filter", "{\"min\":1}", "{\"min\":1}"),
    ("String", "a=b", "\"a=b\""), ("String", "\u{301}a", "\"\u{301}a\""), ("Int", "null", "null"),
    ("DateTime", "2026-01-02", "\"2026-01-02\""),
  ])
  func `a variable is parsed by its type`(type: String, text: String, sent: String) async throws {
    let server = try ScriptedServer([Self.good])
    let outcome = try await query(server, "query ($v: \(type)) { a(v: $v) }", "--var", "v=\(text)")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let body = try JSONDocument(parsing: try await server.request().bodyText).root
    #expect(body["variables"] == .object([("v", try JSONDocument(parsing: sent).root)]))
  }

  @Test(arguments: [
    ("Int!", "hush", "not a 32-bit integer"), ("Int", "3000000000", "not a 32-bit integer"),
    ("Float", "hush", "not a number"), ("Boolean", "hush", "neither true nor false"), ("Int!", "null", "null"),
    ("[Int!]!", "[hush", "not a JSON list"), ("[Int!]!", "hush", "not a 32-bit integer"),
    ("Filter", "{hush", "not a JSON object"),
  ])
  func `an invalid value is reported with its variable and type but not repeated`(
    type: String, text: String, reason: String
  ) async throws {
    let server = try ScriptedServer([Self.good])
    let outcome = try await query(server, "query ($v: \(type)) { a(v: $v) }", "--var", "v=\(text)")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("--var v: the value is \(reason) ($v: "))
    #expect(!outcome.errors.contains("hush"))
    #expect(server.requests.isEmpty)
  }

  @Test func `single variables override the others`() async throws {
    let server = try ScriptedServer([Self.good])
    let document = "query ($a: Int, $b: Int) { a(a: $a, b: $b) }"
    _ = try await query(server, document, "--variables", #"{"a":1,"b":2}"#, "--var", "b=3")
    #expect(try JSONDocument(parsing: try await server.request().bodyText).root["variables"] == ["a": 1, "b": 3])
    let unknown = try await query(server, document, "--var", "c=1")
    #expect(unknown.exitCode == 2)
    #expect(unknown.errors.contains("--var c: the operation has no such variable; it has $a: Int, $b: Int"))
  }

  @Test func `a repeated variable is rejected`() async throws {
    let server = try ScriptedServer([Self.good])
    let outcome = try await query(server, "query ($a: Int) { a(a: $a) }", "--var", "a=1", "--var", "$a=2")
    #expect(outcome.exitCode == 2 && outcome.errors.contains("--var a was given twice"), "\(outcome.errors)")
    #expect(server.requests.isEmpty)
  }

  @Test func `with a schema an enum accepts only its values`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("s.graphql", "type Query { a(v: Colour): Int } enum Colour { RED BLUE }\n")
    let server = try ScriptedServer([Self.good])
    let outcome = try await query(
      server, "query ($v: Colour) { a(v: $v) }", "--schema", folder.path("s.graphql"), "--var", "v=GREEN")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("--var v: the value is not in the enum ($v: Colour)"))
  }

  // MARK: Output

  private static let birds = ScriptedAnswer.json(
    #"{"data":{"birds":[{"id":"1","name":"Swift, \"common\""},{"id":"2","name":"-a\tb"}],"none":[],"on":"yes"}}"#)

  @Test func `CSV and TSV output have rows`() async throws {
    let server = try ScriptedServer([Self.birds])
    #expect(
      try await query(server, "{ birds { id name } none on }", "--output", "csv").output
        == "id,name\n1,\"Swift, \"\"common\"\"\"\n2,'-a\tb\n")
    #expect(
      try await query(server, "{ birds { id name } none on }", "--output", "tsv").output
        == "id\tname\n1\tSwift, \"common\"\n2\t-a\\tb\n")
  }

  @Test func `the events of a subscription are rows of one table`() async throws {
    let events = [#"{"n":1,"m":"a"}"#, #"{"n":2,"m":"b"}"#, #"{"n":3}"#, #"{"n":4}"#]
    let text = events.map { "event: next\ndata: {\"data\":\($0)}\n\n" }.joined()
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "text/event-stream")], [.text(text), .text("event: complete\ndata:\n\n")])
    ])
    #expect(
      try await query(server, "subscription { n m }", "--output", "csv", "--subscription-transport", "sse").output
        == "n,m\n1,a\n2,b\nn\n3\n4\n")
  }

  @Test func `YAML output parses to the same value`() async throws {
    let server = try ScriptedServer([Self.birds])
    let outcome = try await query(server, "{ birds { id name } none on }", "--output", "yaml")
    #expect(
      outcome.output == """
        data:
          birds:
          - id: "1"
            name: "Swift, \\"common\\""
          - id: "2"
            name: "-a\\tb"
          none: []
          "on": "yes"

        """)
  }

  @Test func `--raw-output prints strings of a filter without quotes`() async throws {
    let server = try ScriptedServer([Self.birds])
    let words = ["--jq", ".data.birds[] | .id, length"]
    let raw = try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", "{ birds { id name } none on }", "-r"] + words)
    #expect(raw.output == "1\n2\n2\n2\n")
    let alone = try await query(server, "{ a }", "--raw-output")
    #expect(alone.exitCode == 2 && alone.errors.contains("--raw-output needs --jq"))
  }

  @Test func `pretty output has colors if requested`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let plain = try await query(server, "{ a }", "--output", "pretty")
    #expect(plain.output == "{\n  \"data\": {\n    \"a\": 1\n  }\n}\n")
    for name in ["FORCE_COLOR", "CLICOLOR_FORCE"] {
      let coloured = try await query(server, "{ a }", "--output", "pretty", environment: [name: "1", "NO_COLOR": ""])
      #expect(coloured.output.contains("\u{1B}[34m\"a\"\u{1B}[0m: \u{1B}[36m1\u{1B}[0m"))
      #expect(coloured.output.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain.output)
      let refused = try await query(server, "{ a }", "--output", "pretty", environment: [name: "1", "NO_COLOR": "1"])
      #expect(refused.output == plain.output)
    }
  }

  @Test func `--include prints the head first without secrets`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let outcome = try await query(server, "{ a }", "-i")
    #expect(outcome.output.hasPrefix("HTTP/1.1 200\n"))
    #expect(outcome.output.lowercased().contains("content-type: application/"))
    #expect(outcome.output.hasSuffix("\n\n{\"data\":{\"a\":1}}\n"))
  }

  // MARK: Connections

  @Test func `--user sends credentials and does not print them`() async throws {
    let server = try ScriptedServer([.json("no", status: 401), .json("no", status: 401)])
    for user in ["me:hush-hush", "me:$SECRET_OF_TESTS"] {
      let outcome = try await query(
        server, "{ a }", "--user", user, "-i", environment: ["SECRET_OF_TESTS": "hush-hush"])
      #expect(!(outcome.output + outcome.errors).contains("hush"))
    }
    #expect(server.requests.map { $0.header("Authorization") } == Array(repeating: "Basic bWU6aHVzaC1odXNo", count: 2))
    let wrong = try await query(server, "{ a }", "-u", "hush")
    #expect(
      wrong.exitCode == 2 && wrong.errors.contains("--user takes NAME:PASSWORD") && !wrong.errors.contains("hush"))
  }

  @Test func `a request contains the user agent`() async throws {
    let server = try ScriptedServer([Self.good])
    let version = try await ChildProcess.apus("--version").output.split(separator: " ").last?.dropLast() ?? ""
    _ = try await query(server)
    #expect(try await server.request().header("User-Agent") == "apus/\(version)")
  }

  @Test func `--retry repeats queries but not mutations`() async throws {
    let server = try ScriptedServer([.json("{}", status: 503), .json("{}", status: 503), Self.good])
    let outcome = try await query(server, "{ a }", "--retry", "2")
    #expect(outcome.output == "{\"data\":{\"a\":1}}\n", "\(outcome.errors)")
    #expect(server.requests.count == 3)
    let other = try ScriptedServer([.json("{}", status: 503), Self.good])
    #expect(try await query(other, "mutation { a }", "--retry", "2").exitCode == 3)
    #expect(other.requests.count == 1)
    let none = try ScriptedServer([.json("{}", status: 503), Self.good])
    #expect(try await query(none).exitCode == 3)
  }

  @Test func `--unix-socket replaces the host`() async throws {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(
      "/usr/bin/env",
      [
        "python3", "-c",
        """
        import socket, sys
        s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(1); print("ready", flush=True)
        c, _ = s.accept(); data = b""
        while b"\\r\\n\\r\\n" not in data: data += c.recv(65536)
        print(data.split(b"\\r\\n")[0].decode(), flush=True)
        body = b'{"data":{"a":1}}'
        c.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
        c.recv(1)
        """, folder.path("socket"),
      ])
    #expect(await process.nextLine() == "ready")
    let outcome = try await ChildProcess.apus(
      "query", "http://api.invalid/graphql", "-q", "{ a }", "--unix-socket", folder.path("socket"))
    #expect(outcome.output == "{\"data\":{\"a\":1}}\n", "\(outcome.errors)")
    #expect(await process.nextLine() == "POST /graphql HTTP/1.1")
  }

  @Test func `--connect-timeout ends a connection attempt`() async throws {
    // No process accepts connections from this listener, and its queue is full.
    let process = try ChildProcess(
      "/usr/bin/env",
      [
        "python3", "-c",
        """
        import socket, sys
        s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0); held = []
        for _ in range(8):
            c = socket.socket(); c.setblocking(False); c.connect_ex(s.getsockname()); held.append(c)
        print(s.getsockname()[1], flush=True); sys.stdin.read()
        """,
      ])
    let port = try #require(await process.nextLine())
    let outcome = try await ChildProcess.apus(
      "query", "http://127.0.0.1:\(port)/", "-q", "{ a }", "--connect-timeout", "0.2")
    #expect(outcome.exitCode == 3)
    #expect(outcome.errors.contains("127.0.0.1:\(port)"))
  }
}
