import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

@Suite("Watched queries", .timeLimit(.minutes(1)))
struct WatchTests {
  /// Returns the next result as `source response name`.
  private func next(
    _ results: inout GraphQLClient.Results<JSONValue>.AsyncIterator, _ cached: CachedClient
  ) async throws -> String {
    let result = try #require(try await results.next())
    return cached.reported(ClientRun(results: [result]))[0]
  }

  @Test
  func `a result is emitted again only if a mutation changes one of its records`() async throws {
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")),
      .json("{\"data\":{\"other\":{\"__typename\":\"Bird\",\"id\":\"2\",\"name\":\"Hirundo\"}}}"),
      .json("{\"data\":{\"rename\":{\"__typename\":\"Bird\",\"id\":\"1\",\"name\":\"Apus apus\"}}}"),
    ])
    var results = cached.client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    #expect(try await next(&results, cached) == "server complete Apus")
    let rename = try operation("mutation { rename { __typename id name } }")
    let other = try operation("{ other { __typename id name } }")
    _ = await read(cached.client.fetch(query: other))
    _ = await read(cached.client.perform(mutation: rename))
    #expect(try await next(&results, cached) == "cache complete Apus apus")
  }

  @Test
  func `local changes during a fetch are emitted immediately and kept`() async throws {
    let (fetch, rename) = (Gate(), Gate())
    let answer = #"{"data":{"rename":{"__typename":"Bird","id":"1","name":"Real"}}}"#
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")), .json(CachedClient.bird("Apus")).held(by: fetch),
      .json(answer).held(by: rename),
    ])
    _ = try await cached.fetch(.networkOnly)
    var results = cached.client.watch(query: try operation(CachedClient.bird), cachePolicy: .cacheAndNetwork)
      .makeAsyncIterator()
    #expect(try await next(&results, cached) == "cache complete Apus")
    _ = try await cached.server.request(1)
    var options = RequestOptions()
    options.optimisticData = try JSONValue(parsing: answer.replacing("Real", with: "Guess"))["data"]
    let mutation = try operation("mutation { rename { __typename id name } }")
    let renamed = cached.client.perform(mutation: mutation, options: options)
    let end = Task { await read(renamed) }
    #expect(try await next(&results, cached) == "cache complete Guess")
    fetch.open()
    #expect(try await next(&results, cached) == "server complete Guess", "the server has not executed it yet")
    rename.open()
    #expect(try await next(&results, cached) == "cache complete Real")
    #expect(await end.joined.error == nil)
  }

  @Test
  func `a watch that starts during an optimistic change shows it`() async throws {
    let rename = Gate()
    let answer = #"{"data":{"rename":{"__typename":"Bird","id":"1","name":"Real"}}}"#
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")), .json(answer).held(by: rename), .json(CachedClient.bird("Apus")),
    ])
    _ = try await cached.fetch(.networkOnly)
    var options = RequestOptions()
    options.optimisticData = try JSONValue(parsing: answer.replacing("Real", with: "Guess"))["data"]
    let renamed = cached.client.perform(
      mutation: try operation("mutation { rename { __typename id name } }"), options: options)
    let end = Task { await read(renamed) }
    _ = try await cached.server.request(1)
    var results = cached.client.watch(query: try operation(CachedClient.bird), cachePolicy: .cacheAndNetwork)
      .makeAsyncIterator()
    #expect(try await next(&results, cached) == "cache complete Guess")
    #expect(try await next(&results, cached) == "server complete Guess")
    rename.open()
    #expect(try await next(&results, cached) == "cache complete Real")
    #expect(await end.joined.error == nil)
  }

  @Test
  func `an incomplete optimistic change does not cause a refetch`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))])
    var results = cached.client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    #expect(try await next(&results, cached) == "server complete Apus")
    let layer = try await cached.store.writeOptimistically(
      try JSONValue(parsing: #"{"bird":{"__typename":"Bird","id":"2"}}"#),
      operation: try operation("{ bird { __typename id } }").compiled)
    await cached.store.rollBack(layer)
    try await cached.store.modify("Bird:1") { $0["name"] = .scalar("Hirundo") }
    #expect(try await next(&results, cached) == "cache complete Hirundo")
    #expect(cached.server.requests.count == 1)
  }

  @Test
  func `evicting a record emits the remaining data and refetches once`() async throws {
    let gate = Gate()
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")), .json(CachedClient.bird("Apus again")).held(by: gate),
    ])
    var results = cached.client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    #expect(try await next(&results, cached) == "server complete Apus")
    _ = try await cached.store.evict("Bird:1")
    #expect(try await next(&results, cached) == "cache partial nothing")
    gate.open()
    #expect(try await next(&results, cached) == "server complete Apus again")
    #expect(cached.server.requests.count == 2)
  }

  @Test
  func `evicting a field emits a partial result without it`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus")), .never])
    var results = cached.client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    _ = try await results.next()
    _ = try await cached.store.evict("Bird:1", field: "name")
    let partial = try #require(try await results.next())
    #expect(partial.completeness == .partial)
    #expect(partial.data?["bird"]?["id"]?.string == "1")
    #expect(partial.data?["bird"]?["name"] == nil)
    #expect(partial.changedKeys == ["Bird:1.name"])
  }

  @Test
  func `two conflicting queries refetch once each`() async throws {
    // Each response replaces the bird that the other query needs.
    let server = try ScriptedServer { request, _ in
      request.bodyText.contains("age")
        ? .json(#"{"data":{"bird":{"__typename":"Bird","id":"2","age":3}}}"#)
        : .json(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Apus"}}}"#)
    }
    let client = GraphQLClient(url: server.url, store: CacheStore())
    func next(_ results: inout GraphQLClient.Results<JSONValue>.AsyncIterator) async throws -> String {
      let result = try #require(try await results.next())
      return "\(result.source.rawValue) \(result.completeness.rawValue)"
    }
    var names = client.watch(query: try operation("{ bird { __typename id name } }")).makeAsyncIterator()
    #expect(try await next(&names) == "server complete")
    var ages = client.watch(query: try operation("{ bird { __typename id age } }")).makeAsyncIterator()
    #expect(try await next(&ages) == "server complete")
    // Each keeps its complete result while it refetches.
    #expect(try await next(&names) == "server complete")
    #expect(try await next(&ages) == "server complete")
    // No more requests: the next one is this. It causes a new loss, which is refetched.
    let requested = "query Asked { bird { __typename id name } }"
    _ = await read(client.fetch(query: try operation(requested), cachePolicy: .networkOnly))
    #expect(server.requests.firstIndex { $0.bodyText.contains("Asked") } == 4)
  }

  @Test
  func `with cacheOnly a lost record is not refetched`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))])
    _ = try await cached.fetch(.networkOnly)
    var results = cached.client.watch(query: try operation(CachedClient.bird), cachePolicy: .cacheOnly)
      .makeAsyncIterator()
    #expect(try await next(&results, cached) == "cache complete Apus")
    _ = try await cached.store.evict("Bird:1")
    #expect(try await next(&results, cached) == "cache partial nothing")
    #expect(cached.server.requests.count == 1)
  }

  @Test
  func `a lost record fetched by another request is emitted again`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus")), .json(CachedClient.bird("back"))])
    _ = try await cached.fetch(.networkOnly)
    var results = cached.client.watch(query: try operation(CachedClient.bird), cachePolicy: .cacheOnly)
      .makeAsyncIterator()
    _ = try await results.next()
    _ = try await cached.store.evict("Bird:1")
    #expect(try await next(&results, cached) == "cache partial nothing")
    _ = try await cached.fetch(.networkOnly)
    #expect(try await next(&results, cached) == "cache complete back")
  }

  @Test
  func `the error of a failed refetch is emitted with the remaining data`() async throws {
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")), .response(status: 500, [.text("down")]),
    ])
    var results = cached.client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    _ = try await results.next()
    _ = try await cached.store.evict("Bird:1")
    #expect(try await next(&results, cached) == "cache partial nothing")
    let failed = try #require(try await results.next())
    #expect(failed.errors.first?.message.contains("answered 500 (down)") == true)
    #expect(failed.completeness == .partial)
  }

  @Test
  func `a record lost during a fetch is detected after the fetch`() async throws {
    let gate = Gate()
    let cached = try CachedClient([
      .multipart([
        .text("{\"data\":{\"bird\":{\"__typename\":\"Bird\",\"id\":\"1\",\"name\":\"Apus\"}},\"hasNext\":true}"),
        .hold(gate), .text("{\"hasNext\":false}"),
      ]), .json(CachedClient.bird("again")),
    ])
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.cacheWrites = .incremental
    var results = cached.client.watch(query: try operation(CachedClient.bird), options: options).makeAsyncIterator()
    #expect(try await next(&results, cached) == "server partial Apus")
    _ = try await cached.store.evict("Bird:1")
    gate.open()
    #expect(try await next(&results, cached) == "server complete Apus")
    // Either the last part was written completely, or the loss was refetched, so that the record is back.
    while try await cached.store.record("Bird:1") == nil { _ = try await results.next() }
  }

  /// A watch whose fetch was paused after its first part, while another request of the same query wrote to the cache.
  private func heldWatch(by gate: Gate) async throws -> (CachedClient, GraphQLClient.Results<JSONValue>.AsyncIterator) {
    let cached = try CachedClient([
      .multipart([
        .text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Apus"}},"hasNext":true}"#), .hold(gate),
        .text(#"{"hasNext":false}"#),
      ]), .json(CachedClient.bird("other")),
    ])
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.cacheWrites = .incremental
    var results = cached.client.watch(query: try operation(CachedClient.bird), options: options).makeAsyncIterator()
    #expect(try await next(&results, cached) == "server partial Apus")
    // With its own ID the request is not shared with the watch.
    var another = RequestOptions(cachePolicy: .networkOnly)
    another.requestID = RequestID()
    for try await result in cached.client.fetch(query: try operation(CachedClient.bird), options: another) {
      #expect(result.request == another.requestID)
    }
    return (cached, results)
  }

  @Test
  func `another request's changes during a fetch are emitted after the fetch`() async throws {
    let gate = Gate()
    let (cached, begun) = try await heldWatch(by: gate)
    var results = begun
    gate.open()
    #expect(try await next(&results, cached) == "server complete Apus")
    #expect(try await next(&results, cached) == "cache complete other")
  }

  @Test
  func `with very many changes during a fetch even the first is emitted`() async throws {
    let gate = Gate()
    let (cached, begun) = try await heldWatch(by: gate)
    var results = begun
    let elsewhere = try operation("{ count }").compiled
    for number in 0...1000 {
      let data = try JSONValue(parsing: "{\"count\":\(number)}")
      try await cached.store.transaction { $0.write(data, operation: elsewhere) }
    }
    gate.open()
    #expect(try await next(&results, cached) == "server complete Apus")
    #expect(try await next(&results, cached) == "cache complete other")
  }

  @Test
  func `an error of the first fetch ends the watch`() async throws {
    let cached = try CachedClient([.response(status: 500, [.text("down")])])
    let run = await read(cached.client.watch(query: try operation(CachedClient.bird)))
    #expect(run.exitCode == 3)
  }

  @Test
  func `ending the iteration during a fetch closes the connection`() async throws {
    let cached = try CachedClient([.multipart([.text("{\"data\":{},\"hasNext\":true}"), .hold(Gate())])])
    for try await _ in cached.client.watch(query: try operation("{ a ... @defer { b } }")) { break }
    try await cached.server.clientClosed()
  }

  @Test
  func `expired data stays and is updated by changes`() async throws {
    let time = Mutex<UInt32>(1000)
    let store = CacheStore(policies: CachePolicies(defaultTimeToLive: 1), clock: { time.withLock { $0 } })
    let server = try ScriptedServer([.json(CachedClient.bird("Apus"))])
    let client = GraphQLClient(url: server.url, store: store)
    var results = client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    #expect(try await results.next()?.data?["bird"]?["name"] == "Apus")
    time.withLock { $0 += 5 }
    try await store.modify("Bird:1") { $0["name"] = .scalar("renamed") }
    #expect(try await results.next()?.data?["bird"]?["name"] == "renamed")
    #expect(server.requests.count == 1)
  }

  @Test
  func `a watch continues with cached data if the server is unreachable`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus")), .raw([.close])])
    let query = try operation(CachedClient.bird)
    _ = await read(cached.client.fetch(query: query))
    var options = RequestOptions(cachePolicy: .cacheAndNetwork)
    // The next attempt is not awaited. The delay ends with the watch.
    options.refetching.sleep = { _ in try await Task.sleep(for: .seconds(1000)) }
    var results = cached.client.watch(query: query, options: options).makeAsyncIterator()
    #expect(try await next(&results, cached) == "cache complete Apus")
    let failed = try #require(try await results.next())
    #expect(failed.data?["bird"]?["name"] == "Apus")
    #expect(failed.errors.count == 1)
    try await cached.store.modify("Bird:1") { $0["name"] = .scalar("renamed") }
    #expect(try await next(&results, cached) == "cache complete renamed")
  }
}
