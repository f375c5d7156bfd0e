import ApusJSON
import ApusTestSupport
import Testing

/// Options of `apus query` for subscriptions, files and recordings.
@Suite(.timeLimit(.minutes(3))) struct TransportTests {
  private static let event = "event: next\ndata: "

  /// Writes a file and returns its path.
  private static func put(_ folder: TemporaryFolder, _ name: String, _ text: String) throws -> String {
    try folder.write(name, text)
    return folder.path(name)
  }

  @Test func `a subscription prints one object per line for each event`() async throws {
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "text/event-stream")],
        [.text("\(Self.event){\"data\":{\"n\":1}}\n\n\(Self.event){\"data\":{\"n\":2}}\n\nevent: complete\ndata:\n\n")])
    ])
    let outcome = try await ChildProcess.apus(
      "query", server.url, "-q", "subscription { n }", "--subscription-transport", "sse")
    #expect(outcome.output == "{\"data\":{\"n\":1}}\n{\"data\":{\"n\":2}}\n")
    #expect(outcome.exitCode == 0)
    let first = try await ChildProcess.apus(
      "query", server.url, "-q", "subscription { n }", "--subscription-transport", "sse", "--max-results", "1")
    #expect(first.output == "{\"data\":{\"n\":1}}\n")
  }

  @Test func `every transport reaches the demo API, and --max-results ends it`() async throws {
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0.01"])
    let url = try #require(await server.nextLine())
    for transport in ["auto", "ws", "legacy-ws", "sse", "multipart"] {
      let outcome = try await ChildProcess.apus(
        "query", url, "-q", "subscription { countdown(from: 900) }", "--subscription-transport", transport,
        "--max-results", "2", "--output", "ndjson")
      let lines = try outcome.output.split(separator: "\n").map { try JSONDocument(parsing: String($0)).root }
      #expect(lines.map { $0["data"]?["countdown"]?.int } == [900, 899], "\(transport): \(outcome.errors)")
      #expect(lines.map { $0["part"]?.int } == [0, 1])
      #expect(outcome.exitCode == 0)
    }
  }

  @Test func `a WebSocket sends the connection payload, and a fatal close code is reported in one line`() async throws {
    let server = try await PythonServer.start(.websockets)
    let payload = try await ChildProcess.apus(
      "query", server.url + "/well", "-q", "subscription { s }", "--subscription-transport", "ws",
      "--connection-payload", #"{"token":"t"}"#, "--max-results", "1")
    #expect(payload.output == #"{"data":{"connection":1,"payload":{"token":"t"}}}"# + "\n")
    let closed = try await ChildProcess.apus(
      "query", server.url + "/close/4403", "-q", "subscription { s }", "--subscription-transport", "ws")
    #expect(closed.exitCode == 3)
    #expect(closed.errors.contains("forbidden (4403)"))
    #expect(closed.errors.split(separator: "\n").count == 1)
    let wrong = try await ChildProcess.apus(
      "query", server.url, "-q", "subscription { s }", "--connection-payload", "[1]")
    #expect(wrong.exitCode == 2)
  }

  @Test func `exit code 2 is not used after the first event`() async throws {
    let server = try await PythonServer.start(.websockets)
    let folder = try TemporaryFolder()
    let payload = try Self.put(folder, "payload.json", #"{"token":"t"}"#)
    let query = try ChildProcess(
      Checkout.apus,
      [
        "query", server.url + "/close/1001", "-q", "subscription { s }", "--subscription-transport", "ws",
        "--connection-payload", "@\(payload)", "--max-reconnects", "1",
      ])
    let line = try #require(await query.nextLine())
    #expect(line.contains("connection"))
    // It is read again for the next connection, which begins later.
    try folder.write("payload.json", "[1]")
    let outcome = await query.outcome()
    // 3 if the connection was made, or had failed, before the file was written.
    #expect([1, 3].contains(outcome.exitCode), "\(outcome.errors)")
  }

  @Test(arguments: [1000, 1001, 4999])
  func `a WebSocket closed without complete is a lost connection in each format`(_ code: Int) async throws {
    let server = try await PythonServer.start(.websockets)
    for output in ["json", "ndjson", "pretty", "table", "csv", "yaml"] {
      let outcome = try await ChildProcess.apus(
        "query", server.url + "/close/\(code)", "-q", "subscription { s }", "--subscription-transport", "ws",
        "--max-reconnects", "0", "--output", output)
      #expect(outcome.exitCode == 3)
      #expect(outcome.output.contains("connection"), "what arrived is printed as \(output)")
      #expect(outcome.errors.contains("\(code)") && outcome.errors.contains("('as asked')"), "\(outcome.errors)")
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
    let again = try await ChildProcess.apus(
      "query", server.url + "/close/\(code)", "-q", "subscription { s }", "--subscription-transport", "ws",
      "--max-reconnects", "1")
    #expect(again.exitCode == 3)
    #expect(again.output.split(separator: "\n").count == 2)
    #expect(again.errors.contains("reconnecting (attempt 1)"))
  }

  @Test(arguments: ["ws", "auto"])
  func `a timeout ends a subscription without a first event`(transport: String) async throws {
    let server = try await PythonServer.start(.websockets)
    let run = try await ChildProcess.apus(
      "query", server.url + "/silent", "-q", "subscription { s }", "--subscription-transport", transport,
      "--timeout", "0.2")
    #expect(run.exitCode == 3)
    #expect(run.errors.contains("did not acknowledge the connection within 200 ms"), "\(run.errors)")
  }

  @Test func `a profile sets the subscription transport and connection payload`() async throws {
    let server = try await PythonServer.start(.websockets)
    let home = try TemporaryFolder()
    try home.write(
      "config/config.yml",
      """
      profiles:
        birds:
          url: \(server.url)/well
          subscription-transport: ws
          connection-payload: {token: $BIRDS_TOKEN}
      """)
    let run = try await ChildProcess.apus(
      "query", "birds", "-q", "subscription { s }", "--max-results", "1",
      environment: home.asHome.merging(["BIRDS_TOKEN": "t"]) { $1 })
    #expect(run.output == #"{"data":{"connection":1,"payload":{"token":"t"}}}"# + "\n", "\(run.errors)")
  }

  @Test func `files are uploaded as a multipart request to a real server`() async throws {
    let server = try await PythonServer.start(.ariadne)
    let folder = try TemporaryFolder()
    let (one, two) = (try Self.put(folder, "one.txt", "hello"), try Self.put(folder, "two.png", "pixels"))
    let single = try await ChildProcess.apus(
      "query", server.url, "-q", "mutation($f: Upload!, $n: String) { store(file: $f, note: $n) }", "--upload",
      "f=\(one)", "--variables", #"{"n":"note"}"#)
    #expect(single.output == #"{"data":{"store":"one.txt text/plain 5 note"}}"# + "\n", "\(single.errors)")
    let list = try await ChildProcess.apus(
      "query", server.url, "-q", "mutation($fs: [Upload!]!) { storeAll(files: $fs) }", "--upload", "fs.0=\(one)",
      "--upload", "fs.1=\(two)")
    #expect(
      list.output == #"{"data":{"storeAll":["one.txt text/plain 5","two.png image/png 6"]}}"# + "\n", "\(list.errors)")
    let absent = try await ChildProcess.apus(
      "query", server.url, "-q", "mutation($f: Upload!) { store(file: $f) }", "--upload", "f=/nowhere/x")
    #expect(absent.exitCode == 5)
    #expect(absent.errors == "apus: cannot upload /nowhere/x: it is not a regular file\n")
  }

  @Test func `a recording replays the same results and contains no secrets`() async throws {
    let server = try ScriptedServer([
      .multipart([
        .text(#"{"data":{"a":1,"token":"hush"},"hasNext":true}"#),
        .text(#"{"incremental":[{"path":[],"label":"late","data":{"b":2}}],"hasNext":false}"#),
      ])
    ])
    let folder = try TemporaryFolder()
    let file = try Self.put(folder, "session.ndjson", "")
    let query = #"query Q($password: String) { a token ... @defer(label: "late") { b } }"#
    let recorded = try await ChildProcess.apus(
      "query", server.url + "?key=hush", "-q", query, "--variables", #"{"password":"hush"}"#, "--header",
      "Authorization: hush", "--record", file, "--output", "ndjson")
    #expect(recorded.exitCode == 0)
    let text = try folder.read("session.ndjson")
    #expect(!text.contains("hush"))
    let events = try text.split(separator: "\n").map { try JSONDocument(parsing: String($0)).root["event"]?.string }
    #expect(events == ["request", "head", "part", "part", "end"])
    let replayed = try await ChildProcess.apus("replay", file, "--speed", "0", "--output", "json")
    #expect(replayed.exitCode == 0, "\(replayed.errors)")
    #expect(replayed.output == #"{"data":{"a":1,"token":"•••","b":2}}"# + "\n")
  }

  @Test func `a replay omits fields added for the cache`() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.put(
      folder, "session.ndjson",
      #"""
      {"event":"request","atMs":0,"url":"u","query":"{ bird { name ... on Bird { kin { __typename } } } }","variables":{}}
      {"event":"part","atMs":1,"payload":{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag","kin":[{"__typename":"Bird","id":"2"}]}}}}
      {"event":"end","atMs":1,"exitCode":0}
      {"event":"request","atMs":2,"url":"u","query":"{ birds { name ... @defer { age } } }","variables":{},"page":true,"run":1}
      {"event":"head","atMs":3,"status":200,"contentType":"multipart/mixed; boundary=\"-\"; deferSpec=20220824","run":1}
      {"event":"part","atMs":3,"payload":{"data":{"birds":[{"id":"1","name":"Eli"}]},"hasNext":true},"run":1}
      {"event":"end","atMs":3,"exitCode":0,"run":1}

      """#)
    let replayed = try await ChildProcess.apus("replay", file, "--speed", "0", "--output", "json")
    #expect(
      replayed.output == """
        {"data":{"bird":{"name":"Dag","kin":[{"__typename":"Bird"}]}}}
        {"data":{"birds":[{"name":"Eli"}]}}

        """)
    // A deferred fragment that paging did not await is not missing.
    #expect(replayed.exitCode == 0, "\(replayed.errors)")
  }

  @Test func `requests of a session are replayed in order`() async throws {
    let folder = try TemporaryFolder()
    // The second request began before the first one ended.
    let file = try Self.put(
      folder, "session.ndjson",
      #"""
      {"event":"request","atMs":0,"url":"u","operationName":"A","query":"query A { a }","variables":{}}
      {"event":"head","atMs":1,"status":200,"contentType":"application/json"}
      {"event":"request","atMs":2,"url":"u","operationName":"B","query":"query B { b }","variables":{},"run":1}
      {"event":"part","atMs":3,"payload":{"data":{"a":1}}}
      {"event":"head","atMs":4,"status":200,"contentType":"application/json","run":1}
      {"event":"end","atMs":5,"exitCode":0}
      {"event":"part","atMs":6,"payload":{"data":{"b":2}},"run":1}
      {"event":"end","atMs":7,"exitCode":0,"run":1}

      """#)
    let replayed = try await ChildProcess.apus("replay", file, "--output", "json")
    #expect(replayed.output == "{\"data\":{\"a\":1}}\n{\"data\":{\"b\":2}}\n")
    #expect(replayed.exitCode == 0)
  }

  @Test func `a recorded failure ends the replay with the same exit code`() async throws {
    let server = try ScriptedServer([
      .multipart([.text(#"{"data":{"a":1},"hasNext":true}"#), .close, .text("never sent")])
    ])
    let folder = try TemporaryFolder()
    let file = try Self.put(folder, "session.ndjson", "")
    let query = "{ a ... @defer { b } }"
    let recorded = try await ChildProcess.apus("query", server.url, "-q", query, "--record", file)
    let replayed = try await ChildProcess.apus("replay", file, "--speed", "0", "--output", "json")
    #expect(recorded.exitCode == 3 && replayed.exitCode == 3)
    #expect(replayed.output == recorded.output)
    #expect(replayed.errors.contains("cut the connection"))
    let none = try await ChildProcess.apus("replay", try Self.put(folder, "x.txt", "no recording"))
    #expect(none.exitCode == 5)
  }

  @Test func `the proxy of the environment is used except for no_proxy`() async throws {
    let proxy = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)"]
    let requested = try await ChildProcess.apus(
      "query", "http://api.invalid/graphql", "-q", "{ a }", environment: environment)
    #expect(requested.exitCode == 0)
    #expect(proxy.requests.first?.target == "http://api.invalid/graphql")
    let server = try ScriptedServer([.json(#"{"data":{"a":2}}"#)])
    let direct = try await ChildProcess.apus(
      "query", server.url, "-q", "{ a }", environment: environment.merging(["no_proxy": "127.0.0.1"]) { $1 })
    #expect(direct.output.contains("2"))
    #expect(proxy.requests.count == 1)
  }

  @Test func `--schema validates the document before sending it`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let folder = try TemporaryFolder()
    let schema = try Self.put(folder, "s.graphql", "type Query { a: Int }")
    let wrong = try await ChildProcess.apus("query", server.url, "-q", "{ b }", "--schema", schema)
    #expect(wrong.exitCode == 1)
    #expect(wrong.errors.contains("--query:1:3: Cannot query field"))
    #expect(server.requests.isEmpty)
    let right = try await ChildProcess.apus("query", server.url, "-q", "{ a }", "--schema", schema)
    #expect(right.output == #"{"data":{"a":1}}"# + "\n")
  }
}
