import Apus
import ApusTestSupport
import Testing

/// Functions that return only the last result.
@Suite(.timeLimit(.minutes(1))) struct LastResultTests {
  private struct Tenant: RequestContext {}

  private static let parts = ScriptedAnswer.multipart([
    .text(
      #"{"data":{"person":{"__typename":"User","id":"1","firstName":"Ada","lastName":null,"avatar":null,"#
        + #""email":"a@b.c"}},"hasNext":true}"#),
    .text(
      #"{"incremental":[{"label":"deferredFriends","path":["person"],"data":{"friends":[]}},"#
        + #"{"label":"profile","path":["person"],"data":{"__typename":"User","birthday":null,"address":null}}],"hasNext":false}"#
    ),
  ])

  @Test func `awaiting a fetch returns the last result`() async throws {
    let server = try ScriptedServer([Self.parts, Self.parts])
    let client = GraphQLClient(url: server.url, store: CacheStore())
    let result = try await client.fetch(PersonQuery(personId: "1"), context: Tenant())
    #expect(result.completeness == .complete)
    #expect(result.data?.person.asUser?.fragments.deferredFriends?.friends.isEmpty == true)
    let both = try await client.fetch(PersonQuery(personId: "1"), cachePolicy: .cacheAndNetwork)
    #expect(both.source == .server)
    #expect(
      try await client.fetch(PersonQuery(personId: "1"), options: .init(cachePolicy: .cacheOnly)).source == .cache)
    #expect(server.requests.count == 2)
  }

  @Test func `awaiting a mutation returns the last result`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"rename":1},"errors":[{"message":"half"}]}"#)])
    let client = GraphQLClient(url: server.url)
    let result = try await client.perform(DynamicOperation(text: "mutation { rename }"), context: Tenant())
    #expect(result.data == ["rename": 1])
    #expect(result.errors.map(\.message) == ["half"])
  }

  @Test func `errors are thrown`() async throws {
    let client = GraphQLClient(url: "http://127.0.0.1:9", store: CacheStore())
    await #expect(throws: GraphQLClientError.self) {
      try await client.fetch(PersonQuery(personId: "1"), cachePolicy: .cacheOnly)
    }
    let gate = Gate()
    let server = try ScriptedServer([.json("{}").held(by: gate)])
    let task = Task { try await GraphQLClient(url: server.url).fetch(PersonQuery(personId: "1")) }
    _ = try await server.request()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.joined }
    gate.open()
  }
}
