import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusJSON
import ApusTestSupport
import Testing

@Suite("Subscriptions to third-party servers", .timeLimit(.minutes(2)))
struct RealServerSubscriptionTests {
  @Test(arguments: SubscriptionOptions.Transport.allCases)
  func `strawberry over each of its transports, chosen or found out`(_ transport: SubscriptionOptions.Transport)
    async throws
  {
    let server = try await PythonServer.start(.strawberry)
    let run = try await SubscriptionRun.read(client(server.url, transport), "subscription { count(to: 3) }")
    #expect(run.data == ["{\"count\":1}", "{\"count\":2}", "{\"count\":3}"])
    #expect(run.error == nil)
    #expect(run.states.suffix(2) == [.active, .finished])
  }

  @Test(arguments: [PythonServer.Kind.ariadne, .ariadneLegacy], [true, false])
  func `the subprotocol of ariadne is detected`(_ kind: PythonServer.Kind, isChosen: Bool) async throws {
    let server = try await PythonServer.start(kind)
    let own: SubscriptionOptions.Transport = kind == .ariadne ? .webSocket : .legacyWebSocket
    let client = client(server.url, isChosen ? own : .automatic) { $0.connectionPayload = { ["name": "Ada"] } }
    let run = try await SubscriptionRun.read(client, "subscription { count(to: 2) }")
    #expect(run.data == ["{\"count\":1}", "{\"count\":2}"])
    #expect(run.facts.agreedFormat == (kind == .ariadne ? "graphql-transport-ws" : "graphql-ws"))
    #expect(
      try await SubscriptionRun.read(client, "subscription { greeting }").data == ["{\"greeting\":\"hello Ada\"}"])
    let refused = try await SubscriptionRun.read(client, "subscription { nothing }")
    #expect(refused.results.first?.errors.first?.message.contains("Cannot query field") == true)
  }
}

@Suite("Subscriptions to a scripted server of the websockets package", .timeLimit(.minutes(2)))
struct WebSocketServerTests {
  private func read(
    _ path: String, _ transport: SubscriptionOptions.Transport = .webSocket, limit: Int = .max,
    _ change: (inout SubscriptionOptions) -> Void = { _ in }
  ) async throws -> (run: SubscriptionRun, server: PythonServer) {
    let server = try await PythonServer.start(.websockets)
    let client = client(server.url + path, transport, change)
    return (try await SubscriptionRun.read(client, "subscription { s }", limit: limit), server)
  }

  @Test(arguments: [("/well", "complete 2"), ("/legacy", "stop 2")])
  func `unsubscribing sends complete or stop, and the last one closes the socket with 1000`(
    _ path: String, _ farewell: String
  ) async throws {
    let server = try await PythonServer.start(.websockets)
    let client = client(server.url + path, path == "/legacy" ? .legacyWebSocket : .webSocket)
    // The stream is not in a variable, so leaving the loop releases it.
    for try await _ in client.subscribe(subscription: try operation("subscription { s }")) {
      let leaves = try await SubscriptionRun.read(client, "subscription { s }", limit: 1)
      #expect(leaves.data == ["{\"connection\":1,\"payload\":null}"])
      #expect(await server.says("\(path) \(farewell)"))
      break
    }
    #expect(await server.says("\(path) gone 1000"))
  }

  @Test(arguments: [("/well", "complete 1"), ("/legacy", "stop 1")])
  func `the only subscription is ended on the server before the socket is closed`(
    _ path: String, _ farewell: String
  ) async throws {
    let (run, server) = try await read(path, path == "/legacy" ? .legacyWebSocket : .webSocket, limit: 1)
    #expect(run.data.count == 1)
    #expect(await server.says("\(path) \(farewell)"))
    #expect(await server.says("\(path) gone 1000"))
  }

  @Test(arguments: [("/well", "complete"), ("/legacy", "stop")])
  func `closing a client's subscriptions ends each on the server, whether or not its events are read`(
    _ path: String, _ farewell: String
  ) async throws {
    let server = try await PythonServer.start(.websockets)
    let client = client(server.url + path, path == "/legacy" ? .legacyWebSocket : .webSocket)
    var first = client.subscribe(subscription: try operation("subscription { s }")).makeAsyncIterator()
    var second = client.subscribe(subscription: try operation("subscription { s }")).makeAsyncIterator()
    _ = try await first.next()
    _ = try await second.next()
    await client.closeSubscriptions()
    #expect(await server.says("\(path) \(farewell) 1"))
    #expect(await server.says("\(path) \(farewell) 2"))
    #expect(await server.says("\(path) gone 1000"))
    await #expect(throws: CancellationError.self) { _ = try await first.next() }
    // The client can subscribe again.
    let again = try await SubscriptionRun.read(client, "subscription { s }", limit: 1)
    #expect(again.data.count == 1)
  }

  @Test(arguments: ["/cut", "/later/1001", "/later/1012", "/later/1013", "/later/1014"])
  func `a subscription continues after a lost connection or a temporary close code`(_ path: String) async throws {
    let (run, server) = try await read(path)
    #expect(run.data == (1...3).map { "{\"connection\":\($0),\"payload\":null}" })
    #expect(run.error == nil)
    #expect(run.states.filter { $0 == .active }.count == 3)
    let attempts = run.states.compactMap { if case .reconnecting(let attempt, _) = $0 { attempt } else { nil } }
    #expect(attempts == [1, 2], "an event does not start the count anew")
    #expect(run.states.last == .finished)
    // A close frame is answered with the same code.
    if path != "/cut" { #expect(await server.says("\(path) gone \(path.suffix(4))")) }
  }

  @Test
  func `the connection payload is created for each connection`() async throws {
    let (run, _) = try await read("/token") { options in
      let count = Count()
      options.connectionPayload = { .object([("token", JSONValue(count.next()))]) }
    }
    #expect(run.data == (1...3).map { "{\"connection\":\($0),\"payload\":{\"token\":\($0)}}" })
  }

  @Test(arguments: [
    ("", SubscriptionOptions.Transport.webSocket), ("/legacy", .legacyWebSocket),
  ])
  func `an event with errors beside data of the wrong kind has the errors and no data`(
    _ path: String, _ transport: SubscriptionOptions.Transport
  ) async throws {
    let (run, _) = try await read(path + "/errors", transport)
    #expect(run.results.map { $0.errors.map(\.message) } == [["no"], []])
    #expect(run.results.map { $0.data?.isNull ?? true } == [true, false])
    #expect(run.error == nil)
    let (broken, _) = try await read(path + "/list", transport)
    #expect(broken.results.allSatisfy { $0.data?.isNull ?? true })
    guard case GraphQLClientError.protocolViolation? = broken.error else {
      Issue.record("no broken protocol: \(String(describing: broken.error))")
      return
    }
  }

  @Test
  func `a token is renewed each time the server closes the connection because of it`() async throws {
    let server = try await PythonServer.start(.websockets)
    let count = Count()
    let credentials = Credentials { _ in "\(count.next())" }
    var subscriptions = SubscriptionOptions()
    subscriptions.transport = .webSocket
    subscriptions.reconnection.firstDelay = .milliseconds(1)
    subscriptions.connectionPayload = { .object([("token", JSONValue(try await credentials.current()))]) }
    var features = RequestFeatures()
    features.credentials = credentials
    let renewing = GraphQLClient(url: server.url + "/expire", subscriptions: subscriptions, features: features)
    let run = try await SubscriptionRun.read(renewing, "subscription { s }")
    #expect(run.results.compactMap { $0.data?["payload"]?["token"]?.string } == (1...10).map { "\($0)" })
    #expect(run.error == nil)
    // A rejected token neither ends the states nor repeats one.
    #expect(run.states.first == .connecting)
    #expect(run.states.count { $0 == .active } == 10)
    #expect(run.states.count { $0 == .finished } == 1 && run.states.last == .finished)
    #expect(zip(run.states, run.states.dropFirst()).allSatisfy { $0 != $1 })
    // Without credentials the subscription ends.
    let plain = client(server.url + "/expire", .webSocket) { $0.connectionPayload = { ["token": "1"] } }
    let refused = try await SubscriptionRun.read(plain, "subscription { s }")
    #expect(refused.error.map { "\($0)" }?.contains("forbidden (4403)") == true)
  }

  @Test
  func `an error in creating the connection payload ends the subscription`() async throws {
    struct Expired: Error {}
    let (run, _) = try await read("/well") { $0.connectionPayload = { throw Expired() } }
    #expect(run.error.map { "\($0)" } == "cannot create the connection payload: Expired()")
  }

  private static let codes = [4400, 4401, 4403, 4429, 4500, 1011]

  @Test(arguments: codes)
  func `a fatal close code is described and not retried`(_ code: Int) async throws {
    let (run, server) = try await read("/close/\(code)")
    #expect(run.data.count == 1)
    let text = run.error.map { "\($0)" } ?? ""
    #expect(text.contains("closed the subscription") && text.contains("(\(code))") && text.contains("as asked"))
    #expect(run.exitCode == 3)
    #expect(run.states.suffix(2) == [.active, .finished])
    #expect(await server.says("/close/\(code) gone \(code)"))
  }

  @Test(arguments: [1000, 1001, 1012, 3000, 4999], [0, 2])
  func `a close without complete is a lost connection reported with its code and reason`(_ code: Int, _ attempts: Int)
    async throws
  {
    let (run, _) = try await read("/close/\(code)") { $0.reconnection.maximumAttempts = attempts }
    #expect(run.data.count == attempts + 1)
    #expect(run.states.filter { $0.name == "reconnecting" }.count == attempts)
    #expect(run.states.last == .finished)
    let text = run.error.map { "\($0)" } ?? ""
    #expect(text.contains("(\(code)") || text.contains("code \(code)"), "\(text)")
    #expect(text.contains("('as asked'); given up after \(attempts) attempts"), "\(text)")
    #expect(run.exitCode == 3)
    guard case GraphQLClientError.subscription(.retriesExhausted(_, let last))? = run.error,
      case SubscriptionError.closed(_, code, "as asked") = last
    else { throw try #require(run.error) }
  }

  @Test
  func `the client reconnects after a close with 1000`() async throws {
    let (run, _) = try await read("/later/1000")
    #expect(run.data == (1...3).map { "{\"connection\":\($0),\"payload\":null}" })
    #expect(run.error == nil)
  }

  @Test
  func `a close with 1000 before the acknowledgement is a rejection`() async throws {
    let (run, _) = try await read("/early/1000")
    #expect(run.data.isEmpty)
    #expect(run.error.map { "\($0)" }?.contains("closed the subscription: normal closure (1000) ('not now')") == true)
    #expect(run.exitCode == 3)
    #expect(!run.states.contains(.active))
  }

  @Test
  func `each protocol violation has a one-line message and an exit code`() async throws {
    let silent = try await read("/silent") { $0.acknowledgeTimeout = .milliseconds(100) }
    #expect(silent.run.error.map { "\($0)" }?.contains("did not acknowledge the connection within 100 ms") == true)
    #expect(silent.run.exitCode == 3)
    let garbage = try await read("/garbage")
    #expect(garbage.run.error.map { "\($0)" }?.contains("a message is not a JSON object with a type") == true)
    #expect(garbage.run.exitCode == 4)
    #expect(await garbage.server.says("/garbage gone 4400"))
    let other = try await read("/other")
    #expect(other.run.error.map { "\($0)" }?.contains("chose the subprotocol 'chess'") == true)
    #expect(other.run.exitCode == 4)
  }

  @Test
  func `a server that does not answer pings is a lost connection`() async throws {
    let (run, server) = try await read("/deaf") { options in
      options.pingInterval = .milliseconds(50)
      options.pongTimeout = .milliseconds(50)
      options.reconnection.maximumAttempts = 0
    }
    #expect(run.data.count == 1)
    #expect(run.error.map { "\($0)" }?.contains("did not answer a ping within 50 ms") == true)
    #expect(await server.says("/deaf ping"))
  }

  @Test
  func `a message of 4 MB in frames of 64 KB is one event`() async throws {
    let (run, _) = try await read("/big")
    #expect(run.results.first?.data?["text"]?.string?.utf8.count == 4 << 20)
  }
}

@Suite("Servers without WebSocket support", .timeLimit(.minutes(2)))
struct FallbackTests {
  @Test
  func `subscriptions fall back to HTTP and do not retry WebSockets`() async throws {
    let server = try ScriptedServer { request, _ in
      request.header("Upgrade") != nil
        ? .response(status: 404, framing: .contentLength, [.text("nothing here")])
        : .multipart(
          specification: "subscriptionSpec=1.0",
          [
            .text("{}"), .text("{\"payload\":{\"data\":{\"s\":1}}}"),
            .text("{\"payload\":{\"data\":{\"s\":2},\"errors\":[{\"message\":\"x\"}]}}"),
          ])
    }
    let client = client(server.url)
    let run = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(run.data == [#"{"s":1}"#, #"{"s":2}"#])
    #expect(run.results.last?.errors.map(\.message) == ["x"])
    #expect(run.error == nil)
    _ = try await SubscriptionRun.read(client, "subscription { s }")
    #expect(server.requests.map { $0.header("Upgrade") ?? $0.method } == ["websocket", "POST", "POST"])
    #expect(
      server.requests[1].header("Accept")
        == "multipart/mixed;subscriptionSpec=1.0, text/event-stream, application/graphql-response+json, application/json;q=0.9"
    )
  }

  @Test
  func `WebSockets are retried if the server was only starting`() async throws {
    let server = try ScriptedServer([.response(status: 503, framing: .contentLength, [.text("starting")])])
    let client = client(server.url)
    for _ in 0..<2 {
      let run = try await SubscriptionRun.read(client, "subscription { s }")
      #expect(run.error.map { "\($0)" }?.contains("answered 503") == true)
    }
    #expect(server.requests.map { $0.header("Upgrade") ?? $0.method } == ["websocket", "POST", "websocket", "POST"])
  }

  @Test
  func `an explicitly requested WebSocket is an error`() async throws {
    let server = try ScriptedServer([.json("{\"error\":\"no sockets here\"}", status: 400)])
    let run = try await SubscriptionRun.read(client(server.url, .webSocket), "subscription { s }")
    #expect(run.error.map { "\($0)" } == "\(server.url) answered 400 (no sockets here); check the request")
    #expect(run.exitCode == 3)
  }

  @Test
  func `rejected credentials do not fall back to HTTP`() async throws {
    let server = try ScriptedServer([.json("{}", status: 401)])
    let run = try await SubscriptionRun.read(client(server.url), "subscription { s }")
    #expect(run.error.map { "\($0)" }?.contains("answered 401") == true)
    #expect(server.requests.count == 1)
  }

  @Test
  func `the upgrade request has the client's headers and credentials but no body`() async throws {
    let server = try ScriptedServer([.json("{}", status: 403)])
    let url = server.url.replacing("http://", with: "ws://me:hush@") + "?x=1"
    _ = try await SubscriptionRun.read(
      client(url, headers: ["X-Key": "k", "Content-Type": "application/json"]), "subscription { s }")
    let request = try #require(server.requests.first)
    #expect(request.method == "GET" && request.target == "/graphql?x=1")
    #expect(request.header("Host") == "127.0.0.1:\(server.port)")
    #expect(request.header("X-Key") == "k" && request.header("Authorization") == "Basic bWU6aHVzaA==")
    #expect(request.header("Sec-WebSocket-Protocol") == "graphql-transport-ws, graphql-ws")
    #expect(request.header("Content-Type") == nil && request.header("Accept") == nil)
  }

  @Test
  func `a refused connection is an error and not retried`() async throws {
    let closed = try ClosedPort()
    for transport in SubscriptionOptions.Transport.allCases {
      let run = try await SubscriptionRun.read(client(closed.url, transport), "subscription { s }")
      #expect(run.exitCode == 3)
      #expect(!run.states.contains { $0.name == "reconnecting" })
    }
  }

  @Test
  func `a null multipart payload with errors is the last result, and a lost event stream is continued`() async throws {
    let fatal = try ScriptedServer([
      .multipart(
        specification: "subscriptionSpec=1.0",
        [
          .text("{\"payload\":{\"data\":{\"s\":1}}}"),
          .text(
            "{\"payload\":null,\"errors\":[{\"message\":\"gone\",\"extensions\":{\"code\":\"GONE\"}},{\"message\":\"for good\"}]}"
          ), .text("{\"payload\":{\"data\":{\"s\":2}}}"),
        ])
    ])
    let run = try await SubscriptionRun.read(client(fatal.url, .multipart), "subscription { s }")
    #expect(run.data == [#"{"s":1}"#, "no data"])
    #expect(run.results.last?.errors.map(\.message) == ["gone", "for good"])
    #expect(run.results.last?.errors.first?.extensions?["code"] == "GONE")
    #expect(run.error == nil)

    let type = [("Content-Type", "text/event-stream")]
    let cut = try ScriptedServer([
      .response(headers: type, [.text("event: next\ndata: {\"data\":{\"s\":1}}\n\n"), .close]),
      .response(status: 503, framing: .contentLength, [.text("starting")]),
      .response(headers: type, [.text(":\n\nevent: next\ndata: {\"data\":{\"s\":2}}\n\nevent: complete\ndata:\n\n")]),
    ])
    let again = try await SubscriptionRun.read(client(cut.url, .serverSentEvents), "subscription { s }")
    #expect(again.data == [#"{"s":1}"#, #"{"s":2}"#])
    #expect(again.error == nil)
    #expect(again.states.map(\.name) == ["connecting", "live", "reconnecting", "reconnecting", "live", "finished"])
    #expect(
      cut.requests.map { $0.header("Accept") ?? "" }
        == Array(repeating: "text/event-stream, application/graphql-response+json, application/json;q=0.9", count: 3))
  }

  @Test
  func `a JSON response is one event, followed by the end`() async throws {
    let server = try ScriptedServer([.json("{\"data\":{\"s\":1}}")])
    let run = try await SubscriptionRun.read(client(server.url, .multipart), "subscription { s }")
    #expect(run.data == [#"{"s":1}"#])
    #expect(run.error == nil)
  }
}
