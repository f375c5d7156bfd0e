import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusJSON
import ApusTestSupport
import Testing

@Suite("Incremental delivery of servers in use", .timeLimit(.minutes(1)))
struct ServersInUseTests {
  /// The encoding of a response's payloads.
  enum Transport: CaseIterable, Sendable {
    case multipart, unclosedMultipart, namedEvents, unnamedEvents, unfinishedEvents

    func answer(_ payloads: [String]) -> ScriptedAnswer {
      let events = { (name: String, end: String) in
        ScriptedAnswer.response(
          headers: [("Content-Type", "text/event-stream")],
          payloads.map { .text("\(name)data: \($0)\n\n") } + [.text(end)])
      }
      switch self {
      case .multipart: return .multipart(payloads.map { .text($0) })
      case .unclosedMultipart:
        let parts = payloads.map { "---\r\nContent-Type: application/json\r\n\r\n\($0)\r\n" }
        return .response(headers: [("Content-Type", "multipart/mixed; boundary=-")], [.text(parts.joined())])
      case .namedEvents: return events("event: next\n", "event: complete\ndata:\n\n")
      case .unnamedEvents: return events("", "")
      case .unfinishedEvents: return events("event: next\n", "")
      }
    }
  }

  private func run(
    _ keyword: String, _ transport: Transport, _ payloads: [String]
  ) async throws -> ClientRun {
    let server = try ScriptedServer([transport.answer(payloads)])
    let operation = try operation("\(keyword) { a ... @defer(label: \"late\") { b } }")
    let client = GraphQLClient(url: server.url)
    return await read(
      keyword == "mutation" ? client.perform(mutation: operation) : client.fetch(query: operation))
  }

  @Test(arguments: ["query", "mutation"], Transport.allCases)
  func `without hasNext a response continues until its end`(_ keyword: String, _ transport: Transport) async throws {
    for hasNext in ["", ",\"hasNext\":null"] {
      let run = try await run(
        keyword, transport,
        [
          "{\"data\":{\"a\":1}\(hasNext)}",
          "{\"incremental\":[{\"path\":[],\"label\":\"late\",\"data\":{\"b\":2}}]\(hasNext)}",
        ])
      #expect(
        run.lines == [
          "0 partial {\"a\":1} pending", "1 partial {\"a\":1,\"b\":2} fulfilled",
          "1 complete {\"a\":1,\"b\":2} fulfilled",
        ])
    }
  }

  @Test(arguments: Transport.allCases)
  func `without hasNext a missing fragment fails at the end`(_ transport: Transport) async throws {
    let run = try await run("query", transport, ["{\"data\":{\"a\":1}}"])
    #expect(run.lines == ["0 partial {\"a\":1} pending", "0 complete {\"a\":1} failed"])
  }

  @Test(arguments: Transport.allCases)
  func `a repeated last payload and null members are ignored`(_ transport: Transport) async throws {
    let run = try await run(
      "query", transport,
      [
        "{\"data\":{\"a\":1},\"errors\":null,\"hasNext\":true}",
        "{\"data\":null,\"incremental\":[{\"path\":[],\"label\":\"late\",\"data\":{\"b\":2},\"items\":null}],\"hasNext\":false}",
        "{\"hasNext\":false}", "{\"data\":null,\"hasNext\":false}",
      ])
    #expect(run.lines == ["0 partial {\"a\":1} pending", "1 complete {\"a\":1,\"b\":2} fulfilled"])
  }

  private static let unplaced = [
    (
      "{\"data\":{\"a\":1},\"hasNext\":true}",
      "{\"incremental\":[{\"path\":[\"x\"],\"data\":{\"c\":3}},{\"path\":[],\"label\":\"late\",\"data\":{\"b\":2}}],\"hasNext\":false}",
      "a deferred part belongs at \"x\", but the response has nothing there to hold it"
    ),
    (
      "{\"data\":{\"a\":1},\"pending\":[{\"id\":\"0\",\"path\":[],\"label\":\"late\"}],\"hasNext\":true}",
      "{\"incremental\":[{\"id\":\"7\",\"data\":{\"c\":3}},{\"id\":\"0\",\"data\":{\"b\":2}}],\"completed\":[{\"id\":\"0\"}],\"hasNext\":false}",
      "the response refers to the deferred part \"7\", which was never announced"
    ),
  ]

  @Test(arguments: unplaced, Transport.allCases)
  func `an entry with an invalid path is an error with exit code 4, and the rest is kept`(
    _ payloads: (String, String, String), _ transport: Transport
  ) async throws {
    for keyword in ["query", "mutation"] {
      let run = try await run(keyword, transport, [payloads.0, payloads.1])
      #expect(run.results.map { $0.data?.description } == ["{\"a\":1}", "{\"a\":1,\"b\":2}"])
      #expect(run.results.map(\.completeness) == [.partial, .complete])
      #expect(run.results.last?.fragments.map(\.state) == [.fulfilled])
      #expect(run.results.last?.errors.map(\.message) == [payloads.2])
      #expect(run.results.last?.errors.first?.extensions?["code"] == "INVALID_DELIVERY")
      #expect(run.exitCode == 4)
      #expect(run.lines.last?.hasSuffix(" broke the protocol: \(payloads.2)") == true)
    }
  }

  @Test
  func `the last result contains the protocol errors`() async throws {
    let payloads = Self.unplaced[0]
    let server = try ScriptedServer([Transport.multipart.answer([payloads.0, payloads.1])])
    let result = try await GraphQLClient(url: server.url).fetch(
      try operation("{ a ... @defer(label: \"late\") { b } }"))
    #expect(result.data?.description == "{\"a\":1,\"b\":2}")
    #expect(result.errors.first?.message == payloads.2)
    #expect(result.errors.last?.message.contains("broke the protocol") == true)
  }

  @Test
  func `protocol errors in a JSON body are reported and counted`() async throws {
    let server = try ScriptedServer([
      .json(
        "{\"data\":{\"a\":1},\"incremental\":[{\"path\":[\"x\"],\"data\":{}},{\"path\":5,\"data\":{}},{\"data\":{\"b\":2}}],\"hasNext\":false}"
      )
    ])
    let run = await read(GraphQLClient(url: server.url).fetch(query: try operation("{ a ... @defer { b } }")))
    #expect(run.results.last?.data?.description == "{\"a\":1,\"b\":2}")
    #expect(run.results.last?.errors.count == 2)
    #expect(run.exitCode == 4)
    #expect(run.lines.last?.hasSuffix("; and 1 more") == true)
  }

  @Test(arguments: Transport.allCases)
  func `fields with null placeholders are pending until their data arrives`(_ transport: Transport) async throws {
    let first = "{\"data\":{\"a\":1,\"b\":null},\"hasNext\":true}"
    let patched = try await run(
      "query", transport,
      [first, "{\"incremental\":[{\"path\":[],\"label\":\"late\",\"data\":{\"b\":2}}],\"hasNext\":false}"])
    #expect(patched.lines == ["0 partial {\"a\":1} pending", "1 complete {\"a\":1,\"b\":2} fulfilled"])
    let without = try await run("query", transport, [first, "{\"hasNext\":false}"])
    #expect(without.lines == ["0 partial {\"a\":1} pending", "1 complete {\"a\":1,\"b\":null} fulfilled"])
  }

  @Test
  func `a subscription's event lasts until the next, and an invalid one does not end it`() async throws {
    let payloads = [
      "{\"data\":{\"a\":1}}",
      "{\"incremental\":[{\"path\":[],\"label\":\"late\",\"data\":{\"b\":1}}],\"hasNext\":false}",
      "{\"hasNext\":false}", "{\"data\":{\"a\":2}}", "{\"data\":{\"a\":3,\"b\":3}}",
      "{\"data\":{\"a\":4},\"hasNext\":true}",
      "{\"incremental\":[{\"path\":[\"x\"],\"data\":{}},{\"path\":[],\"label\":\"late\",\"data\":{\"b\":4}}],\"hasNext\":false}",
      "{\"data\":{\"a\":5,\"b\":5}}",
    ]
    for transport in [Transport.namedEvents, .multipart] {
      let server = try ScriptedServer([transport.answer(payloads)])
      var options = SubscriptionOptions()
      options.transport = .serverSentEvents
      let client = GraphQLClient(url: server.url, subscriptions: options)
      let run = await read(
        client.subscribe(subscription: try operation("subscription { a ... @defer(label: \"late\") { b } }")))
      #expect(
        run.lines.dropLast() == [
          "0 partial {\"a\":1} pending", "1 complete {\"a\":1,\"b\":1} fulfilled", "2 partial {\"a\":2} pending",
          "2 complete {\"a\":2} failed", "3 complete {\"a\":3,\"b\":3} fulfilled", "4 partial {\"a\":4} pending",
          "5 complete {\"a\":4,\"b\":4} fulfilled “a deferred part belongs at \"x\", but the response has nothing there to hold it”",
          "6 complete {\"a\":5,\"b\":5} fulfilled",
        ])
      #expect(run.exitCode == 4)
    }
  }

  @Test
  func `null members of multipart subscription parts are ignored`() async throws {
    let server = try ScriptedServer([
      .multipart(
        specification: "subscriptionSpec=1.0",
        [
          .text("{\"payload\":null,\"errors\":null}"),
          .text("{\"payload\":{\"data\":{\"a\":1},\"errors\":null,\"extensions\":null},\"errors\":null}"),
          .text("{\"payload\":null,\"errors\":null,\"data\":{\"a\":2}}"),
          .text("{\"payload\":null,\"data\":null,\"errors\":[{\"message\":\"gone\"}]}"),
        ])
    ])
    var options = SubscriptionOptions()
    options.transport = .multipart
    let run = await read(
      GraphQLClient(url: server.url, subscriptions: options).subscribe(
        subscription: try operation("subscription { a }")))
    #expect(run.lines == ["0 complete {\"a\":1}", "1 complete {\"a\":2}", "2 complete no data “gone”"])
  }

  @Test
  func `a watch continues after an entry with an invalid path`() async throws {
    let payloads = Self.unplaced[0]
    let server = try ScriptedServer([
      Transport.multipart.answer([payloads.0, payloads.1]), .json("{\"data\":{\"a\":2,\"b\":2}}"),
    ])
    let client = GraphQLClient(url: server.url, store: CacheStore())
    let query = try operation("{ a ... @defer(label: \"late\") { b } }")
    let (shown, continuation) = AsyncStream.makeStream(of: String.self)
    let watcher = client.watch(query: query)
    let task = Task {
      defer { continuation.finish() }
      for try await result in watcher { continuation.yield(result.data?.description ?? "") }
    }
    var results = shown.makeAsyncIterator()
    var last: String?
    repeat { last = await results.next() } while last != nil && last != "{\"a\":1,\"b\":2}"
    #expect(last != nil)
    _ = try await client.fetch(query, options: RequestOptions(cachePolicy: .networkOnly))
    repeat { last = await results.next() } while last != nil && last != "{\"a\":2,\"b\":2}"
    #expect(last != nil)
    task.cancel()
  }
}
