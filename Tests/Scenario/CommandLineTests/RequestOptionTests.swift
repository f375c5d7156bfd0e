import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Options for sending and observing a request: GET, persisted queries, netrc, cookies and variable files, and `--verbose`.
@Suite(.timeLimit(.minutes(3))) struct RequestOptionTests {
  private static let good = ScriptedAnswer.json(#"{"data":{"a":1}}"#)

  private func query(
    _ server: ScriptedServer, _ document: String = "{ a }", _ words: String..., environment: [String: String] = [:]
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", document] + words, environment: environment)
  }

  @Test func `--verbose prints the connection and headers without secrets`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#, headers: [("Set-Cookie", "session=hush")])])
    let outcome = try await query(server, "{ a }", "-v", "-H", "Authorization: Bearer hush", "-H", "X-Team: birds")
    #expect(outcome.output == "{\"data\":{\"a\":1}}\n")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("* Connected to 127.0.0.1") })
    #expect(lines.contains("> POST /graphql HTTP/1.1") && lines.contains("> X-Team: birds"))
    #expect(lines.contains("> Authorization: •••") && lines.contains("< Set-Cookie: •••"))
    #expect(lines.contains("< HTTP/1.1 200 OK"))
    #expect(!outcome.errors.contains("hush"))
  }

  @Test func `a header value can begin with a combining mark`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let outcome = try await query(server, "{ a }", "-v", "-H", "Authorization:\u{301}hush")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("> Authorization: •••") && !outcome.errors.contains("hush"))
  }

  @Test func `--verbose omits URL parameters and control characters`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#, headers: [("X-Sly", "a\u{1B}[2Jb")])])
    let outcome = try await ChildProcess.run(
      Checkout.apus, ["query", server.url + "?key=hush", "-q", "{ a }", "-v"])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("> POST /graphql?… HTTP/1.1"))
    #expect(!outcome.errors.contains("hush") && !outcome.errors.contains("\u{1B}"))
  }

  @Test(arguments: ["-v", "-i"])
  func `a URL in a header is printed without its secrets`(option: String) async throws {
    let server = try ScriptedServer([
      .json(#"{"data":{"a":1}}"#, headers: [("Link", "<https://u:hush@a.example/b?token=hush>; rel=next")])
    ])
    let outcome = try await query(server, "{ a }", option)
    #expect((outcome.output + outcome.errors).contains("@a.example/b?…>; rel=next"))
    #expect(!(outcome.output + outcome.errors).contains("hush"))
  }

  @Test func `--verbose omits file names of the source of libcurl`() async throws {
    let server = try await PythonServer.start(.strawberry)
    let outcome = try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", "subscription { count(to: 2) }", "-v", "--max-results", "1"])
    #expect(outcome.errors.contains("* Connected to"), "\(outcome)")
    #expect(!outcome.errors.contains(".c:"), "\(outcome.errors)")
  }

  @Test func `--extensions are sent as JSON or from a file, also with --get and --persisted`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("extensions.json", #"{"trace":{"id":7}}"#)
    for value in [#"{"trace":{"id":7}}"#, "@" + folder.path("extensions.json")] {
      let server = try ScriptedServer([Self.good])
      let outcome = try await query(server, "{ a }", "--extensions", value)
      #expect(outcome.exitCode == 0, "\(outcome.errors)")
      #expect(server.requests.first?.bodyText == #"{"query":"{ a }","extensions":{"trace":{"id":7}}}"#)
    }
    let server = try ScriptedServer([Self.good])
    _ = try await query(server, "{ a }", "--extensions", #"{"trace":1}"#, "--get")
    #expect(server.requests.first?.target.hasSuffix("&extensions=%7B%22trace%22%3A1%7D") == true)
    let persisted = try ScriptedServer([Self.good])
    _ = try await query(persisted, "{ a }", "--extensions", #"{"trace":1}"#, "--persisted")
    #expect(
      persisted.requests.first?.bodyText.contains(#""extensions":{"trace":1,"persistedQuery":{"version":1,"#) == true)
  }

  @Test(arguments: ["[1]", "{", "7", "null"])
  func `--extensions must be a JSON object`(value: String) async throws {
    let server = try ScriptedServer([Self.good])
    let outcome = try await query(server, "{ a }", "--extensions", value)
    #expect(outcome.exitCode == 2 && outcome.errors.contains("--extensions"), "\(outcome)")
    #expect(server.requests.isEmpty)
  }

  @Test func `wrong usage sends nothing, not even for the schema`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"__schema":null}}"#)])
    let queries = [
      ["-q", "query A { a } query B { b }"], ["-q", "query A { a }", "--operation", "B"],
      ["-q", "mutation { a }", "--get"], ["-q", "{ a }", "--all-pages"], ["-q", "{ a }", "--var", "x=1"],
      ["-q", "query ($x: Int) { a(x: $x) }", "--var", "x=one"], ["-q", "{ a }", "--jq", "{"],
      ["-q", "mutation { a }", "--all-pages"], ["-q", "{ a }", "--upload", "f=/etc/hostname"],
    ]
    let folder = try TemporaryFolder()
    try folder.write("schema", "type Query { a: Int }")
    let others = [
      ["schema", "diff", server.url, "nobody"], ["schema", "diff", server.url, folder.path("schema")],
      ["schema", server.url, "Bird..name"],
    ]
    for words in queries.map({ ["query", server.url] + $0 + ["--schema", server.url] }) + others {
      let outcome = try await ChildProcess.run(Checkout.apus, words)
      #expect(outcome.exitCode == 2, "\(words) \(outcome)")
      #expect(server.requests.isEmpty, "\(words)")
    }
  }

  @Test func `--get sends a query as a GET request`() async throws {
    let server = try ScriptedServer([Self.good])
    let outcome = try await query(server, "query A($v: Int) { a(v: $v) }", "--get", "--var", "v=3")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let request = try await server.request()
    let parameters = try #require(URLComponents(string: request.target)?.queryItems)
    #expect(request.method == "GET" && request.body.isEmpty && request.header("Content-Type") == nil)
    #expect(parameters.first { $0.name == "query" }?.value == "query A($v: Int) { a(v: $v) }")
    #expect(parameters.first { $0.name == "variables" }?.value == #"{"v":3}"#)
    #expect(parameters.first { $0.name == "operationName" }?.value == "A")
  }

  @Test func `--get rejects mutations, and subscriptions over a WebSocket`() async throws {
    let server = try ScriptedServer([Self.good])
    let outcome = try await query(server, "mutation { a }", "--get")
    #expect(outcome.exitCode == 2 && outcome.errors.contains("--get is for queries, and for subscriptions over HTTP"))
    for transport in ["ws", "legacy-ws"] {
      let socket = try await query(server, "subscription { s }", "--get", "--subscription-transport", transport)
      #expect(socket.exitCode == 2 && socket.errors.contains("--get is for requests over HTTP"), "\(socket.errors)")
    }
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: ["auto", "sse", "multipart"])
  func `--get sends a subscription over HTTP in the URL`(transport: String) async throws {
    let server = try ScriptedServer([Self.good])
    let outcome = try await query(server, "subscription { a }", "--get", "--subscription-transport", transport)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(server.requests.map(\.method) == ["GET"])
  }

  @Test func `a subscription URL of another origin gets no headers, and the user reads so`() async throws {
    let (server, events) = (try ScriptedServer([Self.good]), try ScriptedServer([Self.good]))
    let outcome = try await query(
      server, "subscription { a }", "--subscription-transport", "sse", "--subscription-url", events.url, "--header",
      "X-Key: hush")
    #expect(outcome.exitCode == 0 && outcome.errors.contains("are not sent to \(events.url)"), "\(outcome.errors)")
    #expect(server.requests.isEmpty && events.requests.first.map { $0.header("X-Key") == nil } == true)
    let wrong = try await query(server, "subscription { a }", "--subscription-url", "ftp://a.example")
    #expect(wrong.exitCode == 2 && wrong.errors.contains("--subscription-url takes a URL"))
  }

  /// In the option, in the profile, and without a value in both.
  @Test func `references in the URL of subscriptions are replaced, or stop the run`() async throws {
    let (server, events) = (try ScriptedServer([Self.good]), try ScriptedServer([Self.good, Self.good]))
    let host = try #require(events.url.firstRange(of: "127.0.0.1").map { events.url[$0.lowerBound...] })
    let home = try TemporaryFolder()
    try home.write(
      "config/config.yml",
      """
      profiles:
        plain: {url: '\(server.url)', environment: {rest: '\(host)'}}
        own: {url: '\(server.url)', subscription-url: 'http://{{rest}}', environment: {rest: '\(host)'}}
        open: {url: '\(server.url)', subscription-url: 'http://{{rest}}/graphql'}
      """)
    func run(_ name: String, _ options: [String]) async throws -> ChildProcess.Outcome {
      try await ChildProcess.run(
        Checkout.apus, ["query", name, "-q", "subscription { a }", "--subscription-transport", "sse"] + options,
        environment: home.asHome)
    }
    for (name, options) in [("plain", ["--subscription-url", "http://{{rest}}"]), ("own", [])] {
      let outcome = try await run(name, options)
      #expect(outcome.exitCode == 0, "\(name): \(outcome.errors)")
    }
    #expect(events.requests.count == 2 && server.requests.isEmpty)
    for (name, options) in [("open", []), ("plain", ["--subscription-url", "http://{{host}}/graphql"])] {
      let outcome = try await run(name, options)
      #expect(outcome.exitCode == 2, "\(name)")
      #expect(outcome.errors.contains("has no value; define it in the environment of a profile"), "\(outcome.errors)")
    }
    #expect(events.requests.count == 2 && server.requests.isEmpty)
  }

  @Test(arguments: [false, true])
  func `--persisted sends the hash first, and the document if the hash is unknown`(byGET: Bool) async throws {
    let server = try ScriptedServer([
      .json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#), Self.good,
    ])
    let words = ["query", server.url, "-q", "{ a }", "--persisted"] + (byGET ? ["--get"] : [])
    let outcome = try await ChildProcess.run(Checkout.apus, words)
    #expect(outcome.output == "{\"data\":{\"a\":1}}\n", "\(outcome.errors)")
    let requests = server.requests
    #expect(requests.map(\.method) == (byGET ? ["GET", "POST"] : ["POST", "POST"]))
    if !byGET {
      let first = try JSONDocument(parsing: requests[0].bodyText).root
      #expect(first["query"] == nil && first["extensions"]?["persistedQuery"]?["sha256Hash"]?.string?.count == 64)
    }
    #expect(try JSONDocument(parsing: requests[1].bodyText).root["query"]?.string == "{ a }")
  }

  @Test func `a netrc file provides user and password`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("netrc", "machine 127.0.0.1 login ada password hush\n")
    let server = try ScriptedServer([Self.good, Self.good])
    let outcome = try await query(server, "{ a }", "--netrc-file", folder.path("netrc"), "-v")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let basic = "Basic \(Data("ada:hush".utf8).base64EncodedString())"
    #expect(try await server.request().header("Authorization") == basic)
    #expect(!outcome.errors.contains("hush") && !outcome.errors.contains(basic))
    try folder.write(".netrc", "machine 127.0.0.1 login bo password hush\n")
    _ = try await query(server, "{ a }", "--netrc", environment: ["HOME": folder.path("")])
    #expect(
      try await server.request(1).header("Authorization") == "Basic \(Data("bo:hush".utf8).base64EncodedString())")
    for name in ["none", ""] {
      let absent = try await query(server, "{ a }", "--netrc-file", folder.path(name))
      #expect(absent.exitCode != 0 && absent.errors.contains("as the netrc file"))
    }
  }

  @Test func `cookies are redacted everywhere`() async throws {
    let folder = try TemporaryFolder()
    let server = try ScriptedServer([
      .json(
        #"{"errors":[{"message":"the session hush-4711 has expired"}]}"#,
        headers: [("Set-Cookie", "id=hush-4711; Path=/; HttpOnly")])
    ])
    let (jar, recording) = (folder.path("jar"), folder.path("recording"))
    for _ in 0..<2 {
      let outcome = try await query(
        server, "{ a }", "--cookie-jar", jar, "--record", recording, "--verbose", "--output", "table")
      #expect(
        outcome.errors.contains("cookie id=\"•••\" for domain") && !outcome.errors.contains("hush-4711"),
        "\(outcome.errors)")
      #expect(!(try String(contentsOfFile: recording, encoding: .utf8)).contains("hush-4711"))
    }
  }

  @Test func `credentials in a URL are not printed`() async throws {
    let folder = try TemporaryFolder()
    let server = try ScriptedServer([
      .json(#"{"errors":[{"message":"hush-4711 or tok-4711 or var-4711 is wrong"}]}"#, status: 400)
    ])
    let url = server.url.replacing("://", with: "://me:hush-4711@") + "?token=tok-4711"
    let outcome = try await ChildProcess.run(
      Checkout.apus,
      [
        "query", url, "-q", "query($password: String) { a(p: $password) }", "--var", "password=var-4711",
        "--record", folder.path("recording"), "--output", "table",
      ])
    #expect(outcome.errors.contains("apus: ••• or ••• or "), "\(outcome.errors)")
    let recording = try String(contentsOfFile: folder.path("recording"), encoding: .utf8)
    #expect(!recording.contains("-4711"), "\(recording)")
  }

  @Test func `the cookie file is readable only by the user`() async throws {
    let folder = try TemporaryFolder()
    let jar = folder.path("cookies")
    let server = try ScriptedServer([
      .json(#"{"data":{"a":1}}"#, headers: [("Set-Cookie", "session=s1; Max-Age=3600")]), Self.good,
    ])
    _ = try await query(server, "{ a }", "--cookie-jar", jar)
    let second = try await query(server, "{ a }", "--cookie-jar", jar)
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(try await server.request(0).header("Cookie") == nil)
    #expect(try await server.request(1).header("Cookie") == "session=s1")
    let mode = try FileManager.default.attributesOfItem(atPath: jar)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test(arguments: [["query", "-q", "{ a }"], ["schema"], ["audit", "--only", "http"]])
  func `cookies that cannot be saved are reported with exit code 5`(words: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write("jar", "")
    let server = try ScriptedServer { request, _ in
      .json(
        request.bodyText.contains("__schema") ? Self.introspection : #"{"data":{"a":1}}"#,
        headers: [("Set-Cookie", "session=s1; Max-Age=3600")])
    }
    // No file may grow, as on a full disk.
    let command = [Checkout.apus, words[0], server.url] + words.dropFirst() + ["--cookie-jar", folder.path("jar")]
    let outcome = try await ChildProcess.run(
      "/bin/bash", ["-c", "ulimit -f 0; exec \(command.map { "'\($0)'" }.joined(separator: " "))"])
    #expect(outcome.exitCode == 5, "\(outcome.errors)")
    #expect(outcome.errors.contains("apus: the cookies were not saved: "), "\(outcome.errors)")
    #expect(!outcome.output.isEmpty, "the result is printed")
    #expect(try folder.read("jar").isEmpty)
  }

  private static let introspection = """
    {"data":{"__schema":{"queryType":{"name":"Query"},"mutationType":null,"subscriptionType":null,"directives":[],\
    "types":[{"kind":"OBJECT","name":"Query","fields":[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"},\
    "isDeprecated":false}],"interfaces":[]},{"kind":"SCALAR","name":"Int"}]}}}
    """

  @Test func `variables of a file complete the environment for the configuration`() async throws {
    let folder = try TemporaryFolder()
    let server = try ScriptedServer([Self.good, Self.good, Self.good])
    try folder.write(
      "config/config.yml",
      "profiles:\n  birds:\n    url: \(server.url)\n    headers:\n      X-A: $APUS_TEST_A\n      X-B: $APUS_TEST_B\n")
    try folder.write("named.env", "# of this project\nexport APUS_TEST_A='from the file' # a comment\nAPUS_TEST_B=b\n")
    let words = ["query", "birds", "-q", "{ a }"]
    let home = ["APUS_CONFIG_HOME": folder.path("config")]
    let named = try await ChildProcess.run(
      Checkout.apus, words + ["--env-file", folder.path("named.env")],
      environment: home.merging(["APUS_TEST_B": "from the shell"]) { $1 })
    #expect(named.exitCode == 0, "\(named.errors)")
    #expect(try await server.request(0).header("X-A") == "from the file")
    #expect(try await server.request(0).header("X-B") == "from the shell")
    // The file next to the configuration is used by default; one in the current directory is not.
    try folder.write("elsewhere/.env", "APUS_TEST_A=no\nAPUS_TEST_B=no\n")
    let unread = try await ChildProcess.run(
      "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, folder.path("elsewhere"), Checkout.apus] + words, environment: home)
    #expect(unread.exitCode != 0 && unread.errors.contains("APUS_TEST_A"))
    try folder.write("config/.env", "APUS_TEST_A=\"own\"\nAPUS_TEST_B=b\n")
    _ = try await ChildProcess.run(Checkout.apus, words, environment: home)
    #expect(try await server.request(1).header("X-A") == "own")
    let broken = try await ChildProcess.run(
      Checkout.apus, words + ["--env-file", folder.path("none.env")], environment: home)
    #expect(broken.exitCode != 0 && broken.errors.contains("none.env: No such file or directory"))
  }
}
