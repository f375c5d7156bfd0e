import ApusClientAPI
import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Responses with errors for a query that is completely cached. No cached value that the response contradicts remains.
@Suite(.timeLimit(.minutes(1))) struct AnswersOverFullCachesTests {
  private static let query = "{ bird(id: 1) { __typename id name age mate { __typename id name wild } } version }"
  private static let full = """
    {"bird":{"__typename":"Bird","id":"1","name":"old","age":1,"mate":\
    {"__typename":"Bird","id":"2","name":"mate","wild":true}},"version":"v1"}
    """

  private func full(_ kind: CacheKind, _ folder: TemporaryFolder) async throws -> CacheStore {
    let store = CacheStore(cache: try kind.cache(in: folder))
    try await store.write(Self.full, try operation(Self.query))
    return store
  }

  private func options(_ errors: GraphQLError...) -> CacheWriteOptions {
    var options = CacheWriteOptions.complete
    options.errors = errors
    return options
  }

  @Test(arguments: CacheKind.allCases)
  func `a null with an error replaces the cached value`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = try await full(kind, folder)
    let answer = Self.full.replacing("\"old\"", with: "null")
    try await store.write(
      answer, try operation(Self.query), options: options(GraphQLError(message: "e", path: ["bird", "name"])))
    for _ in 1...2 {
      let read = try await store.look(try operation(Self.query), partial: true)
      #expect(read.data?.description == answer)
      #expect(read.errors.map(\.message) == ["e"])
      #expect(read.missing == [["bird", "name"]])
      // An unrelated change does not restore anything.
      try await store.modify("Bird:2") { $0["age"] = .scalar(7) }
    }
    try await store.write(Self.full, try operation(Self.query))
    #expect(try await store.look(try operation(Self.query)).data?.description == Self.full)
  }

  @Test(arguments: CacheKind.allCases)
  func `a value that contradicts the schema removes the cached value`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    for wrong in ["7", "[1]", "{}"] {
      let store = try await full(kind, folder)
      try await store.write(Self.full.replacing("\"old\"", with: wrong), try operation(Self.query))
      #expect(try await store.record("Bird:1")?[field: "name"] == nil)
      let read = try await store.look(try operation(Self.query), partial: true)
      #expect(read.errors.first?.extensions?["code"]?.string == GraphQLError.invalidResponseCode)
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `a failed fragment removes its cached fields`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = try await full(kind, folder)
    let deferred = try operation(#"{ bird(id: 1) { __typename id ... @defer(label: "d") { name age } } }"#)
    var options = CacheWriteOptions.complete
    options.failedFragments = [
      DeferredFragment(
        fragmentID: try #require(deferred.fragments.first).id, label: "d", path: ["bird"], typeCondition: nil,
        name: nil, state: .failed([GraphQLError(message: "no luck")]))
    ]
    try await store.write(#"{"bird":{"__typename":"Bird","id":"1"}}"#, deferred, options: options)
    #expect(try await store.look(deferred, partial: true).fragments.map(\.state.name) == ["failed"])
    #expect(try await store.record("Bird:1")?[field: "age"] == nil)
  }

  @Test(arguments: CacheKind.allCases)
  func `a failed item removes its list, and the other items are written`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    let query = try operation("{ flock { __typename id name } }")
    func bird(_ id: Int, _ name: String) -> String { #"{"__typename":"Bird","id":"\#(id)","name":"\#(name)"}"# }
    try await store.write(#"{"flock":[\#(bird(1, "old")),\#(bird(2, "old"))]}"#, query)
    try await store.write(
      #"{"flock":[\#(bird(1, "new")),null]}"#, query,
      options: options(GraphQLError(message: "e", path: ["flock", 1, "name"])))
    #expect(try await store.record("Bird:1")?[field: "name"] == .scalar("new"))
    let read = try await store.look(query, partial: true)
    #expect(read.data?.description == #"{"flock":null}"#)
    #expect(read.errors.map(\.message) == ["e"])
  }

  /// An error whose path leads to no null may explain any of the nulls.
  @Test(
    arguments: [
      nil, [], ["Query", "bird", "name"], ["bird", "name"], ["bird", 0, "name"], ["bird", "name", "x"], ["version"],
    ] as [ResponsePath?])
  func `nulls are not cached if the path of an error leads to none of them`(path: ResponsePath?) async throws {
    let store = try await full(.memory, try TemporaryFolder())
    let text = "{ bird(id: 1) { __typename id title: name age } version }"
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","title":null,"age":null},"version":"v2"}"#, try operation(text),
      options: options(GraphQLError(message: "e", path: path)))
    let read = try await store.look(try operation(text), partial: true)
    #expect(read.missing == [["bird", "title"], ["bird", "age"]])
    #expect(read.errors.map(\.message) == ["e", "e"])
    #expect(try await store.record("Bird:1")?[field: "name"] == nil)
    #expect(try await store.record("Bird:1")?[field: "age"] == nil)
  }

  @Test func `a failed page keeps the earlier pages`() async throws {
    let store = CacheStore(
      policies: CachePolicies(fields: ["Query.birds": FieldPolicy(merge: .append(arguments: ["after"]))]))
    let schema = Schema.load(
      sdl: "type Query { birds(after: Int): [Bird] } type Bird { id: ID! name: String }")
    let first = try operation("{ birds { __typename id } }", schema: schema)
    let next = try operation("{ birds(after: 1) { __typename id } }", schema: schema)
    try await store.write(#"{"birds":[{"__typename":"Bird","id":"1"}]}"#, first)
    try await store.write(
      #"{"birds":null}"#, next, options: options(GraphQLError(message: "e", path: ["birds"])))
    #expect(try await store.look(first).isComplete)
  }

  // MARK: Two worlds

  /// Random queries are answered by one server state and then by another in which fields fail. Whatever is read after the
  /// second response, a field that it answered has no other value, and a field that failed has none.
  ///
  /// Set APUS_WORLDS_SEED to repeat a run.
  @Test(arguments: CacheKind.allCases)
  func `the cache never contradicts the last response`(kind: CacheKind) async throws {
    let seed = TwoWorlds.seed
    print("two worlds (\(kind)): APUS_WORLDS_SEED=\(seed)")
    var random = SplitMix(seed: seed)
    for number in 0..<(kind == .memory ? 600 : 100) {
      let worlds = TwoWorlds(&random)
      let folder = try TemporaryFolder()
      let store = CacheStore(cache: try kind.cache(in: folder))
      for query in worlds.queries.shuffled(using: &random) {
        try await store.write(worlds.first.answer(query).data, operation: query)
      }
      let query = worlds.queries.randomElement(using: &random) ?? worlds.queries[0]
      var (data, errors) = worlds.second.answer(query)
      let plan = SelectionPlan(operation: query, variables: .object([]))
      var failing = FailingFragments(plan: plan, frequency: 2)
      data = failing.remove(from: data, using: &random)
      // The errors of a fragment that fails completely are not sent.
      errors.removeAll { error in error.path.map { data.value(at: $0) == nil } ?? false }
      var options = CacheWriteOptions.complete
      options.errors = errors + failing.failed.flatMap(\.state.errors)
      options.failedFragments = failing.failed
      try await store.write(data, operation: query, options: options)
      let read = try await store.read(query, allowPartial: true)
      // A fragment with a failed field is read as failed.
      let isFailed = read.fragments.contains { !$0.state.errors.isEmpty }
      var all = FailingFragments(plan: plan, frequency: 1)
      let expected = isFailed ? all.remove(from: data, using: &random) : data
      #expect(
        read.data == expected
          && (isFailed ? !options.errors.isEmpty : failing.failed.isEmpty && read.errors.count == errors.count),
        "pair \(number) of seed \(seed): \(query.documentText)\nanswered \(data), \(errors)\nread \(read.text)")
      // Every other query reads each object from one of the two states.
      for other in worlds.queries {
        let read = try await store.read(other, allowPartial: true)
        let wrong = read.data.flatMap { worlds.mixture(in: $0) }
        #expect(wrong == nil, "pair \(number) of seed \(seed): \(other.documentText) reads \(wrong ?? .null)")
      }
    }
  }
}
