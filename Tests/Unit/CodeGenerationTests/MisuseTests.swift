import Testing

/// Programs that misuse generated code and must not compile.
@Suite(.timeLimit(.minutes(5))) struct MisuseTests {
  private static let selections = "import ApusSelections\nimport ApusBirdsSelections\n"
  private static let models = "import Apus\nimport ApusBirdsModels\n"

  private func errors(_ program: String) async throws -> [String] { try await SwiftCompiler.errors(in: program) }

  @Test func `correct use compiles`() async throws {
    #expect(
      try await errors(
        Self.selections + """
          let bird = Selection.Bird { try $0.name() }
          func run(_ client: GraphQLClient) async throws -> String? {
            try await client.send(Selection.Query { try $0.bird(id: "b1", bird.nullable) })
          }
          """) == [])
    #expect(
      try await errors(
        Self.models + """
          func show(_ bird: BirdDetailsQuery.Data.Bird) -> Int? {
            bird.fragments.lifeOnTheWing?.migrationHistory.flightCount
          }
          """) == [])
  }

  @Test func `selecting an unknown field does not compile`() async throws {
    let found = try await errors(Self.selections + "let bird = Selection.Bird { try $0.wingspan() }")
    #expect(found.contains { $0.contains("wingspan") }, "\(found)")
  }

  @Test func `a selection of another type does not compile`() async throws {
    let found = try await errors(
      Self.selections + """
        let station = Selection.Station { try $0.name() }
        let query = Selection.Query { try $0.bird(id: "b1", station.nullable) }
        """)
    #expect(found.contains { $0.contains("Objects.Station") && $0.contains("Objects.Bird") }, "\(found)")
  }

  @Test func `a list for a single object does not compile`() async throws {
    let found = try await errors(
      Self.selections + """
        let bird = Selection.Bird { try $0.name() }
        let query = Selection.Query { try $0.bird(id: "b1", bird.list) }
        """)
    #expect(!found.isEmpty)
  }

  @Test func `sending a non root selection does not compile`() async throws {
    let found = try await errors(
      Self.selections + """
        let bird = Selection.Bird { try $0.name() }
        func run(_ client: GraphQLClient) async throws { _ = try await client.send(bird) }
        """)
    #expect(found.contains { $0.contains("RequestScope") }, "\(found)")
  }

  @Test func `sending a subscription does not compile`() async throws {
    let found = try await errors(
      Self.selections + """
        func run(_ client: GraphQLClient) async throws {
          _ = try await client.send(Selection.Subscription { try $0.countdown() })
        }
        """)
    #expect(!found.isEmpty)
  }

  @Test func `reading a deferred field from its object does not compile`() async throws {
    let found = try await errors(
      Self.models + "func show(_ bird: BirdDetailsQuery.Data.Bird) { print(bird.migrationHistory) }")
    #expect(found.contains { $0.contains("migrationHistory") }, "\(found)")
  }

  @Test func `reading a deferred field from a type case does not compile`() async throws {
    let found = try await errors(
      Self.models + "func show(_ bird: FindQuery.Data.Search.AsBird) { print(bird.companion) }")
    #expect(found.contains { $0.contains("companion") }, "\(found)")
  }

  @Test func `reading an unselected field does not compile`() async throws {
    let found = try await errors(
      Self.models + "func show(_ bird: BirdDetailsQuery.Data.Bird) { print(bird.ring) }")
    #expect(found.contains { $0.contains("ring") }, "\(found)")
  }

  @Test func `reading the fragment of another object does not compile`() async throws {
    let found = try await errors(
      Self.models + "func show(_ station: FindQuery.Data.Search.AsStation) { print(station.fragments.origin) }")
    #expect(!found.isEmpty)
  }

  @Test func `reading a field of a type case from its object does not compile`() async throws {
    let found = try await errors(
      Self.models + "func show(_ result: FindQuery.Data.Search) { print(result.country) }")
    #expect(found.contains { $0.contains("country") }, "\(found)")
  }

  @Test func `writing the model of another operation does not compile`() async throws {
    let found = try await errors(
      Self.models + """
        func run(_ store: CacheStore, _ data: FlockQuery.Data) async throws {
          try await store.write(data, for: ByNameQuery(lookup: .ring("R1")))
        }
        """)
    #expect(!found.isEmpty)
  }

  @Test func `sending a local cache mutation does not compile`() async throws {
    let found = try await errors(
      Self.models + """
        func run(_ client: GraphQLClient) { _ = client.perform(mutation: BirdNameLocalCacheMutation(id: "b1")) }
        """)
    #expect(!found.isEmpty)
  }

  @Test func `subscribing to a query does not compile`() async throws {
    let found = try await errors(
      Self.selections + """
        let bird = Selection.Bird { try $0.name() }
        func run(_ client: GraphQLClient) { _ = client.subscribe(to: Selection.Query { try $0.bird(id: "b1", bird.nullable) }) }
        """)
    #expect(!found.isEmpty)
  }

  @Test func `using a deferred field as its value does not compile`() async throws {
    let found = try await errors(
      Self.selections + """
        let bird: Selection<String, Objects.Bird> = Selection.Bird { bird in
          try bird.defer(label: "name") { try $0.name() }
        }
        """)
    #expect(found.contains { $0.contains("DeferredValue") }, "\(found)")
  }

  @Test(arguments: [
    ("subscribe(subscription: FlockQuery())", "SubscriptionOperation"),
    (#"subscribe(subscription: RenameMutation(id: "b1", name: "Ada"))"#, "SubscriptionOperation"),
    ("fetch(query: CountSubscription(from: 1))", "QueryOperation"),
    ("watch(query: CountSubscription(from: 1))", "QueryOperation"),
    ("perform(mutation: FlockQuery())", "MutationOperation"),
    ("perform(mutation: CountSubscription(from: 1))", "MutationOperation"),
  ]) func `passing an operation of another type does not compile`(call: String, requested: String) async throws {
    let found = try await errors(Self.models + "func run(_ client: GraphQLClient) { _ = client.\(call) }")
    #expect(found.contains { $0.contains(requested) }, "\(found)")
  }

  @Test func `fetching a mutation does not compile`() async throws {
    let found = try await errors(
      Self.models + """
        func run(_ client: GraphQLClient) { _ = client.fetch(query: RenameMutation(id: "b1", name: "Ada")) }
        """)
    #expect(found.contains { $0.contains("QueryOperation") }, "\(found)")
  }
}
