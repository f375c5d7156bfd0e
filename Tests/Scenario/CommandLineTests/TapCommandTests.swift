import ApusJSON
import ApusPlatform
import ApusTestSupport
import Foundation
import Synchronization
import Testing

/// A running `apus tap`, and the lines that it prints.
struct Tap {
  let url: String
  let process: ChildProcess

  init(_ words: [String]) async throws {
    process = try ChildProcess(Checkout.apus, ["tap"] + words)
    url = try #require(await process.nextErrorLine())
  }

  /// Waits for the next line of an event.
  func line(_ event: String) async throws -> JSONValue {
    while let text = await process.nextLine() {
      let json = try JSONDocument(parsing: text).root
      if json["event"]?.string == event { return json }
    }
    throw ChildProcess.LaunchError(
      description: "apus tap printed no line of the event \(event): \(await stop().errors)")
  }

  /// Starts the demo API.
  static func demo() async throws -> (process: ChildProcess, url: String) {
    let process = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0.1"])
    return (process, try #require(await process.nextLine()))
  }

  /// Interrupts the program and waits for its end.
  func stop() async -> ChildProcess.Outcome {
    process.signal(SIGINT)
    return await process.outcome()
  }
}

@Suite(.timeLimit(.minutes(2)))
struct TapCommandTests {
  @Test func `the first line on standard error is the URL with the path of the server`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let tap = try await Tap(["http://127.0.0.1:\(server.port)/api/graphql?key=secret"])
    #expect(tap.url.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/api\/graphql/) != nil)
    #expect(try await ChildProcess.apus("query", tap.url, "-q", "{ a }").output == "{\"data\":{\"a\":1}}\n")
    #expect(try await server.request().target == "/api/graphql")
    #expect(await tap.stop().exitCode == 0)
  }

  @Test func `each deferred payload is a line with its fragments and its effect on the cache`() async throws {
    let (demo, url) = try await Tap.demo()
    let tap = try await Tap([url])
    let query =
      "query Late { bird(id: \"b1\") { __typename id name ... @defer(label: \"late\") { species { __typename id } } } }"
    let direct = try await ChildProcess.apus("query", url, "-q", query)
    #expect(try await ChildProcess.apus("query", tap.url, "-q", query).output == direct.output)
    let request = try await tap.line("request")
    #expect(request["operationName"]?.string == "Late" && request["operationType"]?.string == "query")
    #expect(request["client"]?.string?.hasPrefix("apus/") == true)
    let first = try await tap.line("payload")
    #expect(first["response"]?.string == "partial" && first["deferred"]?[0]?["state"]?.string == "pending")
    #expect(first["cache"]?["new"]?.int ?? 0 > 0)
    let second = try await tap.line("payload")
    #expect(second["response"]?.string == "complete" && second["deferred"]?[0]?["state"]?.string == "fulfilled")
    let end = try await tap.line("end")
    #expect(end["state"]?.string == "complete" && end["payloads"]?.int == 2 && end["status"]?.int == 200)
    withExtendedLifetime(demo) {}
  }

  @Test(arguments: ["ws", "legacy-ws", "sse", "multipart"])
  func `the events of a subscription are payloads on every transport`(_ transport: String) async throws {
    let (demo, url) = try await Tap.demo()
    let tap = try await Tap([url])
    let query = "subscription Counting { countdown(from: 2, milliseconds: 20) }"
    let options = ["-q", query, "--subscription-transport", transport, "--output", "ndjson"]
    let outcome = try await ChildProcess.run(Checkout.apus, ["query", tap.url] + options)
    let count = outcome.output.split(separator: "\n").count
    try #require(count > 0, "\(outcome.errors)")
    let request = try await tap.line("request")
    #expect(request["transport"]?.string == (transport.hasSuffix("ws") ? "webSocket" : "http"))
    for _ in 0..<count { _ = try await tap.line("payload") }
    let end = try await tap.line("end")
    #expect(end["state"]?.string == "complete" && end["payloads"]?.int == count)
    withExtendedLifetime(demo) {}
  }

  @Test func `an application that leaves cancels its operation`() async throws {
    let server = try ScriptedServer([
      .response(headers: [("Content-Type", "application/json")], [.text("{"), .hold(Gate())])
    ])
    let tap = try await Tap([server.url])
    let port = try #require(URL(string: tap.url)?.port)
    let client = try WireClient(port: port)
    client.post(#"{"query":"{ a }"}"#)
    _ = try await client.read(through: "{\r\n")
    client.leave()
    try await server.clientClosed()
    #expect(try await tap.line("end")["state"]?.string == "canceled")
  }

  @Test func `a server that breaks off its response fails the operation, with the reason`() async throws {
    let server = try ScriptedServer([.response([.text("{"), .close])])
    let tap = try await Tap([server.url])
    _ = try await ChildProcess.apus("query", tap.url, "-q", "{ a }")
    let end = try await tap.line("end")
    #expect(end["state"]?.string == "failed")
    #expect(end["reason"]?.string?.contains("broke off") == true)
  }

  @Test func `recordings are replayed and have no secrets`() async throws {
    let server = try ScriptedServer([
      .json(#"{"data":{"login":{"name":"Ada","note":"hunter22222"}}}"#), .json(#"{"data":{"a":"t0ken-t0ken"}}"#),
    ])
    let files = try TemporaryFolder()
    let tap = try await Tap([server.url, "--record", files.path("session")])
    _ = try await ChildProcess.apus(
      "query", tap.url, "-q", "query Login($password: String!) { login(password: $password) { name note } }",
      "--variables",
      #"{"password":"hunter22222"}"#)
    _ = try await ChildProcess.apus("query", tap.url, "-q", "{ a }", "-H", "Authorization: Bearer t0ken-t0ken")
    #expect(try await tap.line("request")["variables"]?["password"]?.string == "•••")
    #expect(try await tap.line("payload")["data"]?["login"]?["note"]?.string == "•••")
    _ = try await tap.line("end")
    #expect(try await tap.line("payload")["data"]?["a"]?.string == "•••")
    _ = await tap.stop()
    let names = try FileManager.default.contentsOfDirectory(atPath: files.path("session")).sorted()
    #expect(names == ["0001-Login.ndjson", "0002-anonymous.ndjson"])
    for name in names {
      let text = try files.read("session/\(name)")
      #expect(!text.contains("hunter22222") && !text.contains("t0ken-t0ken"), "\(name)")
    }
    let replayed = try await ChildProcess.apus("replay", files.path("session/0001-Login.ndjson"), "--speed", "0")
    #expect(replayed.output.contains(#""name":"Ada""#) && replayed.exitCode == 0)
  }

  @Test func `a compressed response stays compressed, and is decompressed for the output`() async throws {
    let files = try TemporaryFolder()
    try files.write("body.json", #"{"data":{"a":1}}"#)
    let packed = try await ChildProcess.run(
      "/bin/sh", ["-c", "gzip -c \"$1\" > \"$1.gz\"", "sh", files.path("body.json")])
    #expect(packed.exitCode == 0)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: files.path("body.json.gz"))))
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], framing: .contentLength,
        [.bytes(bytes)])
    ])
    let tap = try await Tap([server.url])
    let direct = try await ChildProcess.run(
      "/usr/bin/curl",
      [
        "-s", server.url, "-H", "Content-Type: application/json", "-d", #"{"query":"{ a }"}"#, "-o",
        files.path("direct"),
      ])
    let tapped = try await ChildProcess.run(
      "/usr/bin/curl",
      ["-s", tap.url, "-H", "Content-Type: application/json", "-d", #"{"query":"{ a }"}"#, "-o", files.path("tapped")])
    #expect(direct.exitCode == 0 && tapped.exitCode == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: files.path("tapped"))) == Data(bytes))
    #expect(try await tap.line("payload")["data"]?["a"]?.int == 1)
    #expect(try await tap.line("end")["bytes"]?.int == bytes.count)
  }

  @Test func `keys of the schema and of the command line decide which records a response changes`() async throws {
    let body = #"{"data":{"place":{"__typename":"Place","country":"FI","city":"Oulu","n":1}}}"#
    let server = try ScriptedServer([.json(body)])
    for (options, key) in [([], "QUERY_ROOT.place"), (["--key", "Place=country,city"], "Place:FI+Oulu")] {
      let tap = try await Tap([server.url] + options)
      _ = try await ChildProcess.apus("query", tap.url, "-q", "{ place { __typename country city n } }")
      let keys = try await tap.line("payload")["changedKeys"]?.elements.compactMap(\.string) ?? []
      #expect(keys.contains(key), "\(keys)")
    }
  }

  @Test func `each operation of a batch has its own result`() async throws {
    let server = try ScriptedServer([.json(#"[{"data":{"a":1}},{"errors":[{"message":"no"}]}]"#)])
    let tap = try await Tap([server.url])
    let body = #"[{"query":"query A { a }"},{"query":"query B { b }"}]"#
    let outcome = try await ChildProcess.run(
      "/usr/bin/curl", ["-s", tap.url, "-H", "Content-Type: application/json", "-d", body])
    #expect(outcome.output.hasPrefix("[{"))
    #expect(try await tap.line("request")["operationName"]?.string == "A")
    #expect(try await tap.line("request")["operationName"]?.string == "B")
    let first = try await tap.line("payload")
    #expect(first["request"]?.int == 1 && first["data"]?["a"]?.int == 1)
    let second = try await tap.line("payload")
    #expect(second["request"]?.int == 2 && second["errors"]?.count == 1)
  }

  @Test func `other requests are forwarded and counted`() async throws {
    let server = try ScriptedServer([.json("{}")])
    let tap = try await Tap([server.url])
    for body in [#"{"query":"apple"}"#, #"{"id":"5"}"#, "[]", "plain"] {
      _ = try await ChildProcess.run(
        "/usr/bin/curl", ["-s", "\(tap.url)/search", "-H", "Content-Type: application/json", "-d", body])
      #expect(try await tap.line("other")["path"]?.string == "/graphql/search")
    }
    #expect(await tap.stop().errors.hasSuffix("apus: forwarded 4 requests that are not GraphQL\n"))
  }

  @Test(arguments: [
    (["--port", "70000"], "--port is at most 65535"), (["--origin", "null"], "--origin takes an origin"),
    (["--origin", "https://a/b"], "--origin takes an origin"), (["--key", "Bird"], "--key takes a type"),
    (["--key", "Bird="], "--key takes a type"), (["--key", "=id"], "--key takes a type"),
    (["--output", "json"], "json"),
  ])
  func `wrong options are refused before anything is started`(_ options: [String], _ message: String) async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, ["tap", "http://127.0.0.1:1/graphql"] + options)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func `a port in use, and a folder that is a file, are named`() async throws {
    let closed = try ClosedPort()
    let taken = try await ChildProcess.apus("tap", "http://127.0.0.1:1/", "--port", String(closed.number))
    #expect(
      taken.exitCode == 3 && taken.errors.contains("cannot listen on 127.0.0.1:\(closed.number)"), "\(taken.errors)")
    let files = try TemporaryFolder()
    try files.write("file", "")
    let refused = try await ChildProcess.apus("tap", "http://127.0.0.1:1/", "--record", files.path("file"))
    #expect(refused.exitCode == 5 && refused.errors.contains("it is not a folder"), "\(refused.errors)")
  }

  @Test func `a table has a line for each payload and each end`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let tap = try await Tap([server.url, "--output", "table"])
    _ = try await ChildProcess.apus("query", tap.url, "-q", "query A { a }")
    #expect(await tap.process.nextLine()?.contains("1  query A") == true)
    #expect(await tap.process.nextLine()?.contains("payload 0") == true)
    let end = await tap.process.nextLine() ?? ""
    #expect(
      end.contains("complete") && end.contains("200") && end.contains("1 payload") && end.contains("16 B"), "\(end)")
  }

  @Test func `rules change the responses of an operation, and mark them`() async throws {
    let (demo, url) = try await Tap.demo()
    let files = try TemporaryFolder()
    let tap = try await Tap([
      url, "--fail", "label=late", "--delay", "field=species:50ms", "--for", "Late", "--record", files.path("session"),
    ])
    let fragment = "bird(id: \"b1\") { id ... @defer(label: \"late\") { species { id } } }"
    let changed = try await ChildProcess.apus("query", tap.url, "-q", "query Late { \(fragment) }")
    #expect(changed.output.contains("apus tap: --fail label=late") && changed.exitCode == 1)
    let end = try await tap.line("end")
    #expect(end["changed"]?.elements.compactMap(\.string) == ["--delay field=species:50ms", "--fail label=late"])
    let query = "query Other { \(fragment) }"
    let direct = try await ChildProcess.apus("query", url, "-q", query)
    #expect(try await ChildProcess.apus("query", tap.url, "-q", query).output == direct.output)
    #expect(try await tap.line("end")["changed"]?.count == 0)
    _ = await tap.stop()
    #expect(try files.read("session/0001-Late.ndjson").contains(#""state":"changed","reason":"--fail label=late""#))
    withExtendedLifetime(demo) {}
  }

  @Test func `a hash has its text from a manifest or a folder`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let files = try TemporaryFolder()
    try files.write("manifest.json", #"{"m1":"query M { a }"}"#)
    try files.write("documents/q.graphql", "query Q {\n  a\n}\n")
    let bundle = try await ChildProcess.apus("bundle", files.path("documents/q.graphql"))
    let id = try #require(try JSONDocument(parsing: bundle.output).root["operations"]?[0]?["id"]?.string)
    let tap = try await Tap([
      server.url, "--documents", files.path("manifest.json"), "--documents", files.path("documents"),
    ])
    for (hash, name) in [("m1", "M"), (id, "Q")] {
      _ = try await ChildProcess.run(
        "/usr/bin/curl",
        ["-s", tap.url, "-H", "Content-Type: application/json", "-d", #"{"documentId":"\#(hash)"}"#])
      #expect(try await tap.line("request")["operationName"]?.string == name)
      #expect(try await tap.line("payload")["data"]?["a"]?.int == 1)
    }
    let wrong = try await ChildProcess.apus("tap", server.url, "--documents", files.path("documents/q.json"))
    #expect(wrong.exitCode == 5)
  }

  @Test(arguments: [
    ["--delay", "2"], ["--delay", "2m"], ["--delay", "label=a"], ["--delay", "label=:1s"],
    ["--delay", "field=a.b.c:1s"],
    ["--delay", "other=a:1s"], ["--delay", "99999999s"], ["--fail", "field=a"], ["--drop", "a"], ["--cut-after", "0"],
    ["--status", "99"], ["--status", "600"], ["--for", "A"],
  ])
  func `wrong rules are refused`(_ options: [String]) async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, ["tap", "http://127.0.0.1:1/graphql"] + options)
    #expect(outcome.exitCode == 2 && outcome.errors.contains(options[0]), "\(outcome.errors)")
  }

  private final class Responses: Sendable {
    let texts = Mutex<[String]>([])
  }

  @Test func `each connection beyond the limit of descriptors gets status 503, and later ones succeed`() async throws {
    let server = try ScriptedServer { request, _ in request.bodyText.contains("late") ? .json("{}") : .never }
    let process = try ChildProcess(
      "/bin/sh", ["-c", "ulimit -n 64; exec \"$0\" tap \"$1\"", Checkout.apus, server.url])
    let url = try #require(await process.nextErrorLine())
    let port = try #require(URL(string: url)?.port)
    var clients: [WireClient] = []
    for _ in 0..<60 {
      let client = try WireClient(port: port)
      client.post(#"{"query":"{ a }"}"#)
      clients.append(client)
    }
    // Some reach the server, which does not respond, and each other one is refused.
    let refusals = Responses()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in clients {
        group.addTask {
          guard let response = try? await client.readToEnd() else { return }
          refusals.texts.withLock { $0.append(response) }
        }
      }
      try await waitUntil { server.requests.count + refusals.texts.withLock { $0.count } == 60 }
      for client in clients { client.leave() }
    }
    let refused = refusals.texts.withLock { $0.filter { !$0.isEmpty } }
    #expect(refused.count >= 20 && server.requests.count >= 3)
    #expect(refused.allSatisfy { $0.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n") })
    #expect(server.requests.count + refused.count == 60)
    clients = []
    // The descriptors of the connections above become free one after another.
    try await waitUntil {
      let client = try WireClient(port: port)
      client.post(#"{"query":"{ late }"}"#)
      return (try? await client.response().head)?.hasPrefix("HTTP/1.1 200 ") == true
    }
    process.signal(SIGINT)
    #expect(await process.outcome().errors.contains("apus: 503: "))
  }
}
