import ApusBirdsModels
import ApusTesting
import Testing

/// The events of a client.
@Suite(.timeLimit(.minutes(1))) struct ClientEventTests {
  private let bird = #"{"bird":null}"#

  /// Returns the events of requests made by `body`. The stream ends with the client.
  private func events(
    of server: MockServer, store: CacheStore? = nil, headers: HTTPHeaders = [:], features: RequestFeatures = .init(),
    _ body: (GraphQLClient) async throws -> Void
  ) async rethrows -> [ClientEvent] {
    let listening: Task<[ClientEvent], Never>
    do {
      let client = server.client(store: store, headers: headers, features: features)
      let events = client.events()
      listening = Task { await events.reduce(into: []) { $0.append($1) } }
      try await body(client)
    }
    return await listening.value
  }

  private func words(_ events: [ClientEvent]) -> [String] { events.map { word($0.kind) } }

  private func word(_ kind: ClientEvent.Kind) -> String {
    switch kind {
    case .began(let policy): "began \(policy)"
    case .cacheRead(let read): "cache \(read.outcome) \(read.missingCount)"
    case .sent(let sent): "sent \(sent.method)"
    case .responded(let response): "responded \(response.status)"
    case .received(let part, _): "received \(part)"
    case .ended: "ended"
    case .emitted(let result): "emitted \(result.part) \(result.source) \(result.response) \(result.errorCount)"
    case .cacheWritten(let write): "written \(write.part) \(write.changedKeyCount)"
    case .retried(let failure): "retried \(failure?.type ?? "-")"
    case .connection(let state): "connection \(state.name)"
    case .finished: "finished"
    case .failed(let failure): "failed \(failure.type)"
    case .cancelled: "cancelled"
    }
  }

  @Test func `a query emits events from start to end`() async throws {
    let server = MockServer()
    server.respond(with: .data(bird))
    let events = try await events(of: server, store: CacheStore()) { client in
      let first = try await client.fetch(BirdDetailsQuery(id: "1"))
      _ = try await client.fetch(BirdDetailsQuery(id: "1"))
      #expect(first.request != nil)
    }
    #expect(
      words(events) == [
        "began cacheFirst", "cache miss 1", "sent POST", "responded 200", "received 0", "ended", "written 0 1",
        "emitted 0 server complete 0", "finished",
        "began cacheFirst", "cache hit 0", "emitted 0 cache complete 0", "finished",
      ])
    #expect(Set(events.map(\.request)).count == 2)
    #expect(events.allSatisfy { $0.operationName == "BirdDetails" && $0.operationType == .query && $0.attempt == 0 })
    #expect(zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(events.first?.elapsed == .zero)
  }

  @Test func `each payload of a deferred response is reported`() async throws {
    let server = MockServer()
    server.respond(with: .parts(.json(#"{"data":\#(bird),"hasNext":true}"#), #"{"hasNext":false}"#))
    let events = try await events(of: server) { _ = try await $0.fetch(BirdDetailsQuery(id: "1")) }
    #expect(
      words(events) == [
        "began cacheFirst", "sent POST", "responded 200", "received 0", "emitted 0 server partial 0", "received 1",
        "emitted 1 server complete 0", "ended", "finished",
      ])
  }

  @Test func `attempts and the last error are reported`() async throws {
    let server = MockServer()
    server.respondAlways { _ in .text("busy", status: 503) }
    var features = RequestFeatures()
    features.retry = RetryPolicy()
    features.retry?.sleep = { _ in }
    let events = await events(of: server, features: features) { client in
      var options = RequestOptions()
      options.maximumRetries = 1
      await #expect(throws: GraphQLClientError.self) {
        for try await _ in client.fetch(query: BirdDetailsQuery(id: "1"), options: options) {}
      }
    }
    #expect(
      words(events) == [
        "began cacheFirst", "sent POST", "responded 503", "received 0", "ended", "retried status",
        "sent POST", "responded 503", "received 0", "ended", "failed status",
      ])
    #expect(events.map(\.attempt) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    guard case .failed(let failure)? = events.last?.kind else { return }
    #expect(failure.status == 503)
    #expect(failure.description.contains("answered 503 (busy)"))
  }

  @Test func `errors of lower layers have their names`() async throws {
    let server = MockServer()
    server.respond(with: .failure(.connectionRefused(host: "birds.example")))
    server.respond(with: .json("[]"))
    let events = await events(of: server) { client in
      for _ in 0..<2 { _ = try? await client.fetch(BirdDetailsQuery(id: "1")) }
      _ = try? await client.fetch(BirdDetailsQuery(id: "1"), cachePolicy: .cacheOnly)
    }
    let ends = words(events).filter { $0.hasPrefix("failed") }
    #expect(ends == ["failed connectionRefused", "failed notGraphQL", "failed cacheMiss"])
  }

  @Test func `ending the iteration reports cancellation`() async throws {
    let server = MockServer()
    let gate = TestGate()
    server.respond(with: .parts(.json(#"{"data":\#(bird),"hasNext":true}"#), .hold(gate), #"{"hasNext":false}"#))
    let events = try await events(of: server) { client in
      for try await _ in client.fetch(query: BirdDetailsQuery(id: "1")) { break }
    }
    #expect(words(events).last == "cancelled")
    gate.open()
  }

  @Test func `a subscription reports its connection states`() async throws {
    let server = MockServer()
    // Events are read ahead. Without the gate the response might end before its event is emitted.
    let gate = TestGate()
    server.respond(with: .events(#"{"data":{"countdown":1}}"#, .hold(gate)))
    let events = try await events(of: server) { client in
      for try await _ in client.subscribe(subscription: CountSubscription(from: 1)) { gate.open() }
    }
    #expect(
      words(events) == [
        "began cacheFirst", "sent POST", "connection connecting", "responded 200", "connection live", "received 0",
        "emitted 0 server complete 0", "ended", "connection finished", "finished",
      ])
  }

  @Test func `events contain no secrets`() async throws {
    let server = MockServer()
    server.respond(with: .data(bird).header("Set-Cookie", "session=s3cret"))
    server.respond(with: .failure(.connectionRefused(host: "birds.example")))
    var features = RequestFeatures()
    features.credentials = Credentials { _ in "s3cret-token" }
    let events = try await events(of: server, headers: ["X-Api-Key": "s3cret"], features: features) { client in
      _ = try await client.fetch(BirdDetailsQuery(id: "s3cret"))
      _ = try? await client.perform(RenameMutation(id: "s3cret", name: "s3cret"))
    }
    #expect(!"\(events)".contains("s3cret"))
    guard case .sent(let sent)? = events.map(\.kind).first(where: { if case .sent = $0 { true } else { false } }) else {
      Issue.record("nothing was sent")
      return
    }
    #expect(sent.headers["X-Api-Key"] == "•••" && sent.headers["Authorization"] == "•••")
    #expect(sent.headers["Content-Type"] == "application/json")
  }

  @Test func `a new listener receives only events of new requests`() async throws {
    let server = MockServer()
    let gate = TestGate()
    server.respond(with: .parts(.json(#"{"data":\#(bird),"hasNext":true}"#), .hold(gate), #"{"hasNext":false}"#))
    server.respond(with: .data(bird))
    let listening: Task<[ClientEvent], Never>
    do {
      let client = server.client()
      var results = client.fetch(query: BirdDetailsQuery(id: "1")).makeAsyncIterator()
      _ = try await results.next()
      let events = client.events()
      listening = Task { await events.reduce(into: []) { $0.append($1) } }
      gate.open()
      while try await results.next() != nil {}
      _ = try await client.fetch(BirdDetailsQuery(id: "2"))
    }
    let reported = await listening.value
    #expect(words(reported).first == "began cacheFirst" && words(reported).last == "finished")
    #expect(Set(reported.map(\.request)).count == 1)
  }
}
