import ApusBirdsSelections
import ApusDemo
import ApusSelections
import ApusTestSupport
import Testing

/// Selections run against the demo API over HTTP.
@Suite(.timeLimit(.minutes(1))) struct DemoTests {
  private func withClient(
    delayScale: Double = 0, _ body: (GraphQLClient) async throws -> Void
  ) async throws {
    let server = try await DemoServer(delayScale: delayScale)
    defer { server.stop() }
    try await body(GraphQLClient(url: server.url, store: CacheStore()))
  }

  private struct Bird: Equatable {
    let name: String
    let species: String
  }

  private let bird = Selection.Bird { fields in
    Bird(
      name: try fields.name(),
      species: try fields.species(Selection.Species { try $0.commonName(language: .present(.swedish)) }))
  }

  @Test func `a query returns the value of its selection`() async throws {
    try await withClient { client in
      let connection = Selection.BirdConnection {
        try $0.edges(Selection.BirdEdge { try $0.node(bird) }.list)
      }
      let birds = try await client.send(Selection.Query { try $0.birds(first: 3, connection) })
      #expect(birds.count == 3)
      #expect(birds.allSatisfy { !$0.name.isEmpty && !$0.species.isEmpty })
    }
  }

  @Test func `deferred fields are pending then fulfilled`() async throws {
    try await withClient(delayScale: 0.05) { client in
      let bird = Selection.Bird { fields in
        (
          name: try fields.name(),
          flights: try fields.defer(label: "history") {
            try $0.migrationHistory(Selection.MigrationHistory { try $0.flightCount() })
          }
        )
      }
      let query = Selection.Query { try $0.bird(id: "b42", bird.nullable) }
      var states: [String] = []
      for try await result in client.results(of: query) {
        guard let bird = result.data ?? nil else { continue }
        states.append(bird.flights.isPending ? "pending" : bird.flights.value == nil ? "lost" : "there")
      }
      #expect(states.first == "pending")
      #expect(states.last == "there")
    }
  }

  @Test func `the second query is read from the cache`() async throws {
    try await withClient { client in
      let query = Selection.Query { try $0.bird(id: "b42", bird.nonNullOrFail) }
      let first = try await client.send(query)
      let second = try await client.send(query, cachePolicy: .cacheOnly)
      #expect(first == second)
    }
  }

  @Test func `a mutation updates a watch`() async throws {
    try await withClient { client in
      let name = Selection.Bird { try $0.name() }
      let rename = Selection.Mutation {
        try $0.renameBird(id: "b42", name: "Amelia", Selection.RenameBirdPayload { try $0.bird(name) })
      }
      var names: [String] = []
      for try await result in client.watch(Selection.Query { try $0.bird(id: "b42", name.nonNullOrFail) }) {
        guard let seen = result.data else { continue }
        names.append(seen)
        if names.count == 1 { #expect(try await client.send(rename) == "Amelia") }
        if seen == "Amelia" { break }
      }
      #expect(names.count == 2)
    }
  }

  @Test func `a subscription returns a value for each event`() async throws {
    try await withClient { client in
      var numbers: [Int] = []
      for try await result in client.subscribe(
        to: Selection.Subscription { try $0.countdown(from: 2, milliseconds: .present(1)) })
      {
        if let number = result.data { numbers.append(number) }
      }
      #expect(numbers == [2, 1, 0])
    }
  }

  @Test func `errors without data are thrown`() async throws {
    try await withClient { client in
      let query = Selection.Query { try $0.station(id: "nowhere", Selection.Station { try $0.name() }.nonNullOrFail) }
      await #expect(throws: (any Error).self) { try await client.send(query) }
    }
  }

  @Test func `an invalid selection throws from the stream`() async throws {
    try await withClient { client in
      let query = Selection.Query { try $0.bird(id: "b1", Selection.Bird { _ in 0 }.nullable) }
      await #expect(throws: SelectionError.empty(type: "Bird")) { try await client.send(query) }
    }
  }

  @Test func `a result without data has its errors`() async throws {
    let server = try ScriptedServer([.json(#"{"data":null,"errors":[{"message":"closed"}]}"#)])
    let query = Selection.Query { try $0.station(id: "s1", Selection.Station { try $0.name() }.nullable) }
    let result = try await GraphQLClient(url: server.url).result(of: query)
    #expect(result.data == nil)
    #expect(result.errors.map(\.message) == ["closed"])
  }
}
