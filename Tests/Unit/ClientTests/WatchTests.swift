import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

@Suite("A watched query")
struct WatchTests {
  /// The next result, told as `source response name`.
  private func next(
    _ results: inout GraphQLClient.Results<JSONValue>.AsyncIterator, _ cached: CachedClient
  ) async throws -> String {
    let result = try #require(try await results.next())
    return cached.told(ClientRun(results: [result]))[0]
  }

  @Test("Comes again when a mutation changes a record that it shows, and not for others")
  func republishes() async throws {
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

  @Test("What is done to the cache while a fetch runs is shown at once, and stays when the fetch ends")
  func doneMeanwhile() async throws {
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
    #expect(try await next(&results, cached) == "server complete Guess", "the server does not know of it yet")
    rename.open()
    #expect(try await next(&results, cached) == "cache complete Real")
    #expect(await end.value.error == nil)
  }

  @Test("A watch that begins while a guess lies over the cache shows the guess, whatever its fetch brings")
  func begunMeanwhile() async throws {
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
    #expect(await end.value.error == nil)
  }

  @Test("A guess that does not tell all that a watch shows is no loss to be fetched: the real answer will tell it")
  func incompleteGuess() async throws {
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

  @Test("Shows what is left of an evicted record at once, and fetches it anew once")
  func evicted() async throws {
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

  @Test("A single evicted field is shown as missing, the others stay")
  func evictedField() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus")), .never])
    var results = cached.client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    _ = try await results.next()
    _ = try await cached.store.evict("Bird:1", field: "name")
    let partial = try #require(try await results.next())
    #expect(partial.response == .partial)
    #expect(partial.data?["bird"]?["id"]?.string == "1")
    #expect(partial.data?["bird"]?["name"] == nil)
    #expect(partial.changedKeys == ["Bird:1.name"])
  }

  @Test("Two that overlap and never agree come to rest: each fetches what the other took from it once")
  func overlapping() async throws {
    // Each answer puts another bird in the place of the one that the other query needs.
    let server = try ScriptedServer { request, _ in
      request.bodyText.contains("age")
        ? .json(#"{"data":{"bird":{"__typename":"Bird","id":"2","age":3}}}"#)
        : .json(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Apus"}}}"#)
    }
    let client = GraphQLClient(url: server.url, store: CacheStore())
    func next(_ results: inout GraphQLClient.Results<JSONValue>.AsyncIterator) async throws -> String {
      let result = try #require(try await results.next())
      return "\(result.source.rawValue) \(result.response.rawValue)"
    }
    var names = client.watch(query: try operation("{ bird { __typename id name } }")).makeAsyncIterator()
    #expect(try await next(&names) == "server complete")
    var ages = client.watch(query: try operation("{ bird { __typename id age } }")).makeAsyncIterator()
    #expect(try await next(&ages) == "server complete")
    // Each keeps its complete result while it fetches.
    #expect(try await next(&names) == "server complete")
    #expect(try await next(&ages) == "server complete")
    // At rest: the next request is this one. It causes a new loss, which is fetched again.
    let asked = "query Asked { bird { __typename id name } }"
    _ = await read(client.fetch(query: try operation(asked), cachePolicy: .networkOnly))
    #expect(server.requests.firstIndex { $0.bodyText.contains("Asked") } == 4)
  }

  @Test("With cacheOnly nothing is fetched when a record is lost")
  func cacheOnly() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))])
    _ = try await cached.fetch(.networkOnly)
    var results = cached.client.watch(query: try operation(CachedClient.bird), cachePolicy: .cacheOnly)
      .makeAsyncIterator()
    #expect(try await next(&results, cached) == "cache complete Apus")
    _ = try await cached.store.evict("Bird:1")
    #expect(try await next(&results, cached) == "cache partial nothing")
    #expect(cached.server.requests.count == 1)
  }

  @Test("A lost record that someone else fetches anew comes back into the result")
  func comesBack() async throws {
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

  @Test("A fetch that fails after a loss is told with what is left")
  func refetchFails() async throws {
    let cached = try CachedClient([
      .json(CachedClient.bird("Apus")), .response(status: 500, [.text("down")]),
    ])
    var results = cached.client.watch(query: try operation(CachedClient.bird)).makeAsyncIterator()
    _ = try await results.next()
    _ = try await cached.store.evict("Bird:1")
    #expect(try await next(&results, cached) == "cache partial nothing")
    let failed = try #require(try await results.next())
    #expect(failed.errors.first?.message.contains("answered 500 (down)") == true)
    #expect(failed.response == .partial)
  }

  @Test("A record lost while the query is still being fetched is noticed when the fetch is done")
  func lostDuringFetch() async throws {
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
    // The last part was written whole, or the loss is made good by one more fetch: either way the record is back.
    while try await cached.store.record("Bird:1") == nil { _ = try await results.next() }
  }

  /// A watch whose fetch has brought its first part and is held; meanwhile another request of the same query wrote.
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
    // With a name of its own it is not the watch's request that is shared.
    var another = RequestOptions(cachePolicy: .networkOnly)
    another.requestID = RequestID()
    for try await result in cached.client.fetch(query: try operation(CachedClient.bird), options: another) {
      #expect(result.request == another.requestID)
    }
    return (cached, results)
  }

  @Test("What another request of the same query wrote while it is being fetched is shown when the fetch is done")
  func writtenDuringFetch() async throws {
    let gate = Gate()
    let (cached, begun) = try await heldWatch(by: gate)
    var results = begun
    gate.open()
    #expect(try await next(&results, cached) == "server complete Apus")
    #expect(try await next(&results, cached) == "cache complete other")
  }

  @Test("Of very many changes while a fetch hangs the first is shown when it ends, too")
  func changesWithoutEnd() async throws {
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

  @Test("The query's own error ends the watch")
  func failed() async throws {
    let cached = try CachedClient([.response(status: 500, [.text("down")])])
    let run = await read(cached.client.watch(query: try operation(CachedClient.bird)))
    #expect(run.exitCode == 3)
  }

  @Test("Leaving the results while it fetches closes the connection")
  func cancelled() async throws {
    let cached = try CachedClient([.multipart([.text("{\"data\":{},\"hasNext\":true}"), .hold(Gate())])])
    for try await _ in cached.client.watch(query: try operation("{ a ... @defer { b } }")) { break }
    try await cached.server.clientClosed()
  }

  @Test("What has outlived its time stays, with what others change in it")
  func stale() async throws {
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

  @Test("Goes on where the server cannot be reached and the cache has answered")
  func offline() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus")), .raw([.close])])
    let query = try operation(CachedClient.bird)
    _ = await read(cached.client.fetch(query: query))
    var options = RequestOptions(cachePolicy: .cacheAndNetwork)
    // The next attempt is not awaited: the wait ends when the watch does.
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
