import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Testing

/// Releasing objects closes their connections.
@Suite(.timeLimit(.minutes(1))) struct LettingGoTests {
  private static let endless = ScriptedAnswer.multipart([
    .text(#"{"data":{"a":1},"hasNext":true}"#), .hold(Gate()),
  ])

  @Test func `releasing a client closes its idle connections`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    var client: GraphQLClient? = GraphQLClient(url: server.url)
    let query = try operation("{ a }")
    if let client { #expect(await read(client.fetch(query: query)).error == nil) }
    client = nil
    try await server.clientClosed()
  }

  @Test(arguments: [false, true])
  func `releasing results closes their connection`(watches: Bool) async throws {
    let server = try ScriptedServer([Self.endless])
    let client = GraphQLClient(url: server.url, store: CacheStore())
    let query = try operation("{ a ... @defer { b } }")
    var results: GraphQLClient.Results<JSONValue>.AsyncIterator? =
      (watches ? client.watch(query: query) : client.fetch(query: query)).makeAsyncIterator()
    #expect(try await results?.next()?.completeness == .partial)
    results = nil
    try await server.clientClosed()
    withExtendedLifetime(client) {}
  }

  @Test func `releasing a client and its watch closes their connections`() async throws {
    let server = try ScriptedServer([Self.endless])
    var client: GraphQLClient? = GraphQLClient(url: server.url, store: CacheStore())
    var results = client?.watch(query: try operation("{ a ... @defer { b } }")).makeAsyncIterator()
    #expect(try await results?.next()?.completeness == .partial)
    client = nil
    results = nil
    try await server.clientClosed()
  }
}
