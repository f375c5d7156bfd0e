import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientSubscriptions
import ApusJSON
import ApusTestSupport
import Testing

/// Two payloads of one response that contradict each other, through the client.
@Suite(.timeLimit(.minutes(1))) struct PayloadConflictTests {
  private static let document = """
    { now ... @defer(label: "a") { users { __typename id n } } ... @defer(label: "b") { users { __typename id } } }
    """

  private static func payloads(_ older: String, _ newer: String) -> [ScriptedAnswer.Piece] {
    [
      .text(#"{"data":{"now":1},"hasNext":true}"#),
      .text(#"{"incremental":[{"path":[],"label":"a","data":{"users":\#(older)}}],"hasNext":true}"#),
      .text(#"{"incremental":[{"path":[],"label":"b","data":{"users":\#(newer)}}],"hasNext":false}"#),
    ]
  }

  private static let ann = #"{"__typename":"User","id":1,"n":"ann"}"#
  private static let bob = #"{"__typename":"User","id":2,"n":"bob"}"#
  private static let one = #"{"__typename":"User","id":1}"#
  private static let two = #"{"__typename":"User","id":2}"#

  @Test func `list elements in another order keep their own fields, also in the cache`() async throws {
    let server = try ScriptedServer([
      .multipart(Self.payloads("[\(Self.ann),\(Self.bob)]", "[\(Self.two),\(Self.one)]"))
    ])
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    let query = try operation(Self.document)
    let run = await read(client.fetch(query: query))
    #expect(run.error == nil)
    let expected = #"{"now":1,"users":[\#(Self.bob),\#(Self.ann)]}"#
    #expect(run.results.last?.data == (try JSONValue(parsing: expected)))
    #expect(run.results.last?.errors.isEmpty == true)
    let cached = await read(client.fetch(query: query, cachePolicy: .cacheOnly))
    #expect(cached.results.last?.data == (try JSONValue(parsing: expected)))
    #expect(try await store.record("User:2")?[field: "n"] == .scalar("bob"))
  }

  @Test func `an object without all selected fields is an error and is not cached`() async throws {
    let server = try ScriptedServer([.multipart(Self.payloads("[\(Self.ann)]", "[\(Self.two)]"))])
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    let run = await read(client.fetch(query: try operation(Self.document)))
    #expect(run.error == nil)
    let last = try #require(run.results.last)
    #expect(last.completeness == .complete)
    #expect(last.data == (try JSONValue(parsing: #"{"now":1,"users":[\#(Self.two)]}"#)))
    #expect(last.errors.map(\.path) == [["users", 0]])
    #expect(last.errors.first?.message.hasPrefix("two payloads contradict each other") == true)
    #expect(last.fragments.map(\.state.name) == ["failed", "fulfilled"])
    #expect(try await store.record("User:2") == nil)
    let root = try await store.record(.queryRoot)
    #expect(root?[field: "now"] == .scalar(1))
    #expect(root?[field: "users"] == nil)
  }

  @Test func `the key rules of the store pair elements`() async throws {
    let document = """
      { ... @defer(label: "a") { l { __typename code n } } ... @defer(label: "b") { l { __typename code } } }
      """
    let server = try ScriptedServer([
      .multipart([
        .text(#"{"data":{},"hasNext":true}"#),
        .text(
          #"{"incremental":[{"path":[],"label":"a","data":{"l":[{"__typename":"T","code":1,"n":"x"},{"__typename":"T","code":2,"n":"y"}]}}],"hasNext":true}"#
        ),
        .text(#"{"incremental":[{"path":[],"label":"b","data":{"l":[{"__typename":"T","code":2}]}}],"hasNext":false}"#),
      ])
    ])
    let store = CacheStore(resolver: CacheKeyResolver(keyFields: ["T": ["code"]]))
    let run = await read(GraphQLClient(url: server.url, store: store).fetch(query: try operation(document)))
    #expect(run.results.last?.data == (try JSONValue(parsing: #"{"l":[{"__typename":"T","code":2,"n":"y"}]}"#)))
  }

  @Test func `an error beside data of the wrong kind is the result over every transport`() async throws {
    let body = #"{"data":[],"errors":[{"message":"no"}]}"#
    let query = try await run("{ a }", [.json(body)])
    #expect(query.lines == ["0 complete no data “no”"])
    for transport in [SubscriptionOptions.Transport.serverSentEvents, .multipart] {
      let server = try ScriptedServer([
        transport == .multipart
          ? .multipart(specification: "subscriptionSpec=1.0", [.text(#"{"payload":\#(body)}"#)])
          : .response(
            headers: [("Content-Type", "text/event-stream")],
            [.text("event: next\ndata: \(body)\n\nevent: complete\ndata:\n\n")])
      ])
      var options = SubscriptionOptions()
      options.transport = transport
      let run = await read(
        GraphQLClient(url: server.url, subscriptions: options).subscribe(
          subscription: try operation("subscription { a }")))
      #expect(run.lines == ["0 complete no data “no”"])
    }
    let broken = try await run("{ a }", [.json(#"{"data":[],"errors":[]}"#)])
    #expect(broken.exitCode == 4)
  }

  @Test func `a deferred field of a query with a cache is stored and read`() async throws {
    let server = try ScriptedServer([
      .multipart([
        .text(#"{"data":{"me":{"__typename":"User","id":1}},"hasNext":true}"#),
        .text(#"{"path":["me","slow"],"data":5,"hasNext":false}"#),
      ])
    ])
    let client = GraphQLClient(url: server.url, store: CacheStore())
    let query = try operation("{ me { __typename id slow @defer } }")
    let run = await read(client.fetch(query: query))
    #expect(
      run.results.map { $0.fragments.map { "\($0.path) \($0.state.name)" } } == [
        ["me.slow pending"], ["me.slow fulfilled"],
      ])
    let cached = await read(client.fetch(query: query, cachePolicy: .cacheOnly))
    #expect(cached.results.last?.data == (try JSONValue(parsing: #"{"me":{"__typename":"User","id":1,"slow":5}}"#)))
    #expect(cached.results.last?.fragments.map { "\($0.path) \($0.state.name)" } == ["me.slow fulfilled"])
  }
}
