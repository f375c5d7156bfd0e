import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Testing

@Suite("Incremental results", .timeLimit(.minutes(1)))
struct DeliveryTests {
  private let deferred = "{ a ... @defer(label: \"late\") { b } }"

  @Test
  func `each result is emitted before the next part arrives`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([
      .multipart([
        .text("{\"data\":{\"a\":1},\"hasNext\":true}"), .hold(gate),
        .text("{\"incremental\":[{\"path\":[],\"label\":\"late\",\"data\":{\"b\":2}}],\"hasNext\":false}"),
      ])
    ])
    let client = GraphQLClient(url: server.url)
    var results = client.fetch(query: try operation(deferred)).makeAsyncIterator()
    #expect(ClientRun.line(try #require(try await results.next())) == "0 partial {\"a\":1} pending")
    gate.open()
    #expect(ClientRun.line(try #require(try await results.next())) == "1 complete {\"a\":1,\"b\":2} fulfilled")
    #expect(try await results.next() == nil)
  }

  @Test
  func `the request is a POST with JSON that accepts both incremental formats`() async throws {
    let (_, requests) = try await serve("query Q { a }", [.json("{\"data\":{\"a\":1}}")])
    let request = try #require(requests.first)
    #expect(request.method == "POST")
    #expect(request.header("Content-Type") == "application/json")
    #expect(
      request.header("Accept")
        == "multipart/mixed;deferSpec=20220824, multipart/mixed;incrementalSpec=v0.2, "
        + "application/graphql-response+json, application/json;q=0.9")
    #expect(request.bodyText == "{\"operationName\":\"Q\",\"query\":\"query Q { a }\"}")
  }

  @Test(arguments: IncrementalDelivery.allCases)
  func `only a selected format is accepted`(_ incremental: IncrementalDelivery) async throws {
    let (_, requests) = try await serve("{ a }", [.json("{\"data\":{}}")]) { $0.incremental = incremental }
    let accept = try #require(requests.first?.header("Accept"))
    #expect(accept.contains("deferSpec") == [.automatic, .defer20220824].contains(incremental))
    #expect(accept.contains("incrementalSpec") == [.automatic, .incrementalV02].contains(incremental))
    #expect(accept.hasSuffix("application/graphql-response+json, application/json;q=0.9"))
  }

  @Test(arguments: [nil, "deferSpec=20991231", "otherSpec=1.0"])
  func `parts with a missing or unknown specification are read as incremental delivery`(
    _ specification: String?
  ) async throws {
    let parts: [ScriptedAnswer.Piece] = [
      .text("{\"data\":{\"a\":1},\"hasNext\":true}"),
      .text("{\"incremental\":[{\"path\":[],\"label\":\"late\",\"data\":{\"b\":2}}],\"hasNext\":false}"),
    ]
    let run = try await run(deferred, [.multipart(specification: specification, parts)])
    #expect(run.lines == ["0 partial {\"a\":1} pending", "1 complete {\"a\":1,\"b\":2} fulfilled"])
  }

  @Test
  func `a JSON response to a deferred query is one complete result`() async throws {
    let run = try await run(deferred, [.json("{\"data\":{\"a\":1,\"b\":2}}")])
    #expect(run.lines == ["0 complete {\"a\":1,\"b\":2} fulfilled"])
    #expect(run.facts.agreedFormat == "application/json")
  }

  @Test
  func `a connection lost between two parts fails pending fragments and throws last`() async throws {
    let run = try await run(
      deferred, [.multipart([.text("{\"data\":{\"a\":1},\"hasNext\":true}"), .close, .text("never sent")])])
    #expect(run.lines.count == 3)
    #expect(run.lines[0] == "0 partial {\"a\":1} pending")
    #expect(run.lines[1].hasPrefix("0 partial {\"a\":1} failed"))
    #expect(run.lines[2].contains("cut the connection"))
    #expect(run.exitCode == 3)
  }

  @Test
  func `a response without its closing delimiter is incomplete`() async throws {
    let body = "---\r\nContent-Type: application/json\r\n\r\n{\"data\":{\"a\":1},\"hasNext\":true}\r\n---\r\n"
    let run = try await run(
      deferred, [.response(headers: [("Content-Type", "multipart/mixed; boundary=\"-\"")], [.text(body)])])
    #expect(run.lines.first == "0 partial {\"a\":1} pending")
    #expect(run.lines.last?.contains("ended its response after 1 part though it had announced more") == true)
    #expect(run.exitCode == 3)
  }

  @Test
  func `invalid JSON in the third part keeps the earlier results and settles fragments`() async throws {
    let run = try await run(
      deferred,
      [
        .multipart([
          .text("{\"data\":{\"a\":1},\"hasNext\":true}"),
          .text("{\"incremental\":[{\"path\":[],\"label\":\"late\",\"data\":{\"b\":2}}],\"hasNext\":true}"),
          .text("{\"hasNext\":fal}"),
        ])
      ])
    #expect(run.results.count == 3)
    #expect(run.results.map { $0.fragments.first?.state.name } == ["pending", "fulfilled", "fulfilled"])
    #expect(run.lines.last?.contains("sent invalid JSON") == true)
    #expect(run.exitCode == 4)
  }

  @Test
  func `the monitor records format, status, parts, sizes and timings`() async throws {
    let parts = [
      "{\"data\":{\"a\":1},\"hasNext\":true}",
      "{\"incremental\":[{\"path\":[],\"label\":\"late\",\"data\":{\"b\":2}}],\"hasNext\":false}",
    ]
    let run = try await run(deferred, [.multipart(parts.map { .text($0) })])
    #expect(run.facts.agreedFormat == "deferSpec=20220824")
    #expect(run.facts.head?.status == 200)
    #expect(run.facts.parts.map { String(decoding: $0.body, as: UTF8.self) } == parts)
    #expect(run.facts.receivedByteCount > parts.joined().utf8.count)
    #expect(run.facts.timings != nil)
    #expect(run.facts.resultCount == 2)
    #expect(run.results.map(\.byteCount) == parts.map(\.utf8.count))
  }

  @Test
  func `a multipart response is read even if only JSON was accepted`() async throws {
    let (run, requests) = try await serve(
      deferred,
      [
        .multipart(
          specification: nil,
          [
            .text("{\"data\":{\"a\":1},\"hasNext\":true}"),
            .text("{\"incremental\":[{\"path\":[],\"data\":{\"b\":2}}],\"hasNext\":false}"),
          ])
      ]
    ) { $0.incremental = .off }
    #expect(requests.first?.header("Accept") == "application/graphql-response+json, application/json;q=0.9")
    #expect(run.lines == ["0 partial {\"a\":1} pending", "1 complete {\"a\":1,\"b\":2} fulfilled"])
  }

  @Test
  func `the format is inferred from payloads if the server names none`() async throws {
    let run = try await run(
      deferred,
      [
        .multipart(
          specification: nil,
          [
            .text("{\"data\":{\"a\":1},\"pending\":[{\"id\":\"0\",\"path\":[]}],\"hasNext\":true}"),
            .text(
              "{\"incremental\":[{\"id\":\"0\",\"data\":{\"b\":2}}],\"completed\":[{\"id\":\"0\"}],\"hasNext\":false}"),
          ])
      ])
    #expect(run.lines == ["0 partial {\"a\":1} pending", "1 complete {\"a\":1,\"b\":2} fulfilled"])
    #expect(run.facts.agreedFormat == "incrementalSpec=v0.2")
  }

  @Test
  func `heartbeats do not emit results`() async throws {
    let run = try await run(
      deferred,
      [
        .multipart([
          .text("{}"), .text("{\"data\":{\"a\":1},\"hasNext\":true}"), .text("{}"), .text("{\"hasNext\":false}"),
        ])
      ])
    #expect(run.results.map(\.payloadIndex) == [0, 1])
    #expect(run.error == nil)
  }

  @Test
  func `a connection left open after the closing delimiter does not delay the end`() async throws {
    let complete = "---\r\n\r\n{\"data\":{\"a\":1},\"hasNext\":false}\r\n-----\r\n"
    let run = try await run(
      deferred,
      [.response(headers: [("Content-Type", "multipart/mixed; boundary=\"-\"")], [.text(complete), .hold(Gate())])])
    #expect(run.results.map(\.completeness) == [.complete])
    #expect(run.error == nil)
  }

  @Test
  func `ending the iteration closes the connection`() async throws {
    let server = try ScriptedServer([.multipart([.text("{\"data\":{\"a\":1},\"hasNext\":true}"), .hold(Gate())])])
    let client = GraphQLClient(url: server.url)
    for try await _ in client.fetch(query: try operation(deferred)) { break }
    try await server.clientClosed()
  }

  @Test
  func `200 concurrent deferred requests complete`() async throws {
    let answer = ScriptedAnswer.multipart([
      .text("{\"data\":{\"a\":1},\"hasNext\":true}"),
      .text("{\"incremental\":[{\"path\":[],\"label\":\"late\",\"data\":{\"b\":2}}],\"hasNext\":false}"),
    ])
    let server = try ScriptedServer([answer])
    let client = GraphQLClient(url: server.url)
    let query = try operation(deferred)
    let complete = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<200 {
        group.addTask { await read(client.fetch(query: query)).lines.last == "1 complete {\"a\":1,\"b\":2} fulfilled" }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(complete == 200)
  }

  @Test
  func `a response without announced payloads is incomplete and not cached`() async throws {
    let server = try ScriptedServer([.multipart([.text("{\"data\":{\"a\":1},\"hasNext\":true}")])])
    let store = CacheStore()
    let results = GraphQLClient(url: server.url, store: store).fetch(
      query: try operation(deferred), cachePolicy: .networkOnly)
    let run = await read(results)
    #expect(run.results.map(\.completeness) == [.partial, .partial])
    #expect(run.lines.last?.contains("though it had announced more") == true)
    #expect(try await store.summaries().isEmpty)
  }
}
