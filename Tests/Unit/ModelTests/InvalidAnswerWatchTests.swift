import Apus
import ApusTestSupport
import Testing

/// Watches whose server keeps sending data that contradicts the schema. Valid data is emitted with the missing paths,
/// and each loss is refetched once.
@Suite(.timeLimit(.minutes(1))) struct InvalidAnswerWatchTests {
  private typealias Results = GraphQLClient.Results<PersonQuery.Data>.AsyncIterator
  private let query = PersonQuery(personId: "1")

  /// A response in which a field of the person has another value.
  private func answer(_ field: String = "", _ value: String = "") -> ScriptedAnswer {
    var fields = [
      ("__typename", #""User""#), ("id", #""1""#), ("firstName", #""Ada""#), ("lastName", "null"), ("avatar", "null"),
      ("email", #""a@b.c""#), ("friends", "[]"), ("birthday", "null"), ("address", "null"),
    ]
    if let index = fields.firstIndex(where: { $0.0 == field }) { fields[index].1 = value }
    return .json(#"{"data":{"person":{\#(fields.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ","))}}}"#)
  }

  private func next(_ results: inout Results) async throws -> String {
    let result = try #require(try await results.next())
    let name = result.data.map { "\($0.person.firstName) \($0.person.lastName ?? "-")" } ?? "nothing"
    let invalid = result.errors.filter { $0.extensions?["code"]?.string == GraphQLError.invalidResponseCode }
    let reported = invalid.map { $0.path.map { " (\($0))" } ?? "" }.joined()
    return "\(result.source.rawValue) \(result.completeness.rawValue) \(name)\(reported)"
  }

  /// Watches a server with these responses. A delay before a request would not help against invalid data, so `sleep`
  /// fails the test. A test that may end during a request passes its own, because its server ends with it.
  private func watch(
    _ answers: [ScriptedAnswer],
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in
      Issue.record("a request is to be sent again after a wait")
    }
  ) throws -> (results: Results, store: CacheStore, server: ScriptedServer) {
    let store = CacheStore(resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self))
    let server = try ScriptedServer(answers)
    var options = RequestOptions()
    options.refetching.sleep = sleep
    let results = GraphQLClient(url: server.url, store: store).watch(query: query, options: options)
    return (results.makeAsyncIterator(), store, server)
  }

  @Test func `an invalid nullable field is missing and not refetched`() async throws {
    var (results, store, server) = try watch([answer("lastName", "7")])
    #expect(try await next(&results) == "server complete Ada - (person.lastName)")
    try await store.modify("User:1") { $0["firstName"] = .scalar("Augusta") }
    #expect(try await next(&results) == "cache partial Augusta - (person.lastName)")
    #expect(server.requests.count == 1)
    for count in 2...4 {
      try await store.evict("User:1")
      #expect(try await next(&results) == "cache partial nothing")
      #expect(try await next(&results) == "server complete Ada - (person.lastName)")
      #expect(server.requests.count == count)
    }
  }

  @Test func `an invalid non null field removes the model and is refetched once per loss`() async throws {
    var (results, store, server) = try watch([answer(), answer("firstName", "null")])
    #expect(try await next(&results) == "server complete Ada -")
    for count in 2...4 {
      try await store.evict("User:1")
      #expect(try await next(&results) == "cache partial nothing")
      #expect(try await next(&results) == "server complete nothing (person.firstName)")
      #expect(server.requests.count == count)
      // Other changes are not a loss: the result is emitted again with the missing paths.
      try await store.modify("User:1") { $0["lastName"] = .scalar(JSONValue("change \(count)")) }
      #expect(try await next(&results) == "cache partial nothing (person.firstName)")
      #expect(server.requests.count == count)
    }
    try await store.modify("User:1") { $0["firstName"] = .scalar("Augusta") }
    #expect(try await next(&results) == "cache complete Augusta change 4")
    #expect(server.requests.count == 4)
  }

  @Test func `invalid cached data is refetched once`() async throws {
    var (results, store, server) = try watch([answer(), answer("firstName", "7")])
    #expect(try await next(&results) == "server complete Ada -")
    try await store.modify("User:1") { $0["firstName"] = .scalar(7) }
    #expect(try await next(&results) == "cache partial nothing (person.firstName)")
    #expect(try await next(&results) == "server complete nothing (person.firstName)")
    try await store.modify("User:1") { $0["lastName"] = .scalar("Lovelace") }
    #expect(try await next(&results) == "cache partial nothing (person.firstName)")
    #expect(server.requests.count == 2)
  }

  @Test func `invalid data in a cached fragment is refetched once`() async throws {
    var (results, store, server) = try watch([answer(), answer("friends", "7")])
    #expect(try await next(&results) == "server complete Ada -")
    try await store.modify("User:1") { $0["friends"] = .scalar(7) }
    let partial = try #require(try await results.next())
    #expect(partial.fragments.map(\.state.name).sorted() == ["failed", "fulfilled"])
    #expect(try await next(&results).hasPrefix("server complete Ada -"))
    try await store.modify("User:1") { $0["lastName"] = .scalar("Lovelace") }
    #expect(try await next(&results).hasPrefix("cache partial Ada Lovelace"))
    #expect(server.requests.count == 2)
  }

  @Test func `two watches of an invalid response stop refetching`() async throws {
    var (results, store, server) = try watch([answer("firstName", "7")], sleep: { _ in })
    #expect(try await next(&results) == "server complete nothing (person.firstName)")
    var options = RequestOptions()
    options.refetching.sleep = { _ in }
    var others = GraphQLClient(url: server.url, store: store).watch(
      query: PersonQuery(personId: "1", size: 9), options: options
    )
    .makeAsyncIterator()
    #expect(try await next(&others) == "server complete nothing (person.firstName)")
    try await store.evict("User:1")
    // The last result of both is for this change.
    try await store.modify("User:1") { $0["lastName"] = .scalar("Lovelace") }
    while try await results.next()?.changedKeys.contains("User:1.lastName") == false {}
    while try await others.next()?.changedKeys.contains("User:1.lastName") == false {}
    // Each fetched at the start, after the eviction, and after the other's response.
    #expect(server.requests.count <= 6)
  }
}
