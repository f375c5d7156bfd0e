import ApusClientAPI
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientCache

/// Two watched queries on one list of objects without keys. The response of each removes the other's fields from the
/// cache.
@Suite("Watched queries on a list without keys", .timeLimit(.minutes(1)))
struct WatchKeylessTests {
  private static let colors = "query Colors { tags { __typename name color } }"
  private static let sizes = "query Sizes { tags { __typename name size } }"

  private func shown(_ result: GraphQLResult<JSONValue>?) -> String {
    "\(result?.completeness.rawValue ?? "") \(result?.data?["tags"]?.description ?? "nothing")"
  }

  private func ended(_ name: String) { Issue.record("the watch of \(name) ended") }

  @Test
  func `each query keeps its last complete result while it refetches, and the requests end`() async throws {
    let version = Mutex(1)
    let server = try ScriptedServer { request, _ in
      let number = version.withLock { $0 }
      let field = request.bodyText.contains("query Colors") ? "color" : "size"
      return .json(
        #"{"data":{"tags":[{"__typename":"Tag","name":"n\#(number)","\#(field)":"\#(field) \#(number)"}]}}"#)
    }
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    var colors = client.watch(query: try operation(Self.colors)).makeAsyncIterator()
    #expect(shown(try await colors.next()).contains("color 1"))
    var sizes = client.watch(query: try operation(Self.sizes)).makeAsyncIterator()
    #expect(shown(try await sizes.next()).contains("size 1"))
    // The second response removed the colors. They are fetched again, and no incomplete result is emitted in the
    // meantime.
    let again = try await colors.next()
    #expect(again?.source == .server)
    #expect(shown(again).contains("color 1"))
    for number in 2...3 {
      version.withLock { $0 = number }
      for try await _ in client.fetch(query: try operation(Self.colors), cachePolicy: .networkOnly) {}
      var results: [String] = []
      while results.last?.contains("size \(number)") != true {
        guard let result = try await sizes.next() else { return ended("sizes") }
        results.append(shown(result))
      }
      #expect(results.allSatisfy { $0.hasPrefix("complete") && $0.contains("size") })
      results = []
      while results.last?.contains("color \(number)") != true {
        guard let result = try await colors.next() else { return ended("colors") }
        results.append(shown(result))
      }
      #expect(results.allSatisfy { $0.hasPrefix("complete") && $0.contains("color") })
    }
    // There are no more requests: a change of all fields in the cache needs none.
    let count = server.requests.count
    #expect(count < 20)
  }

  @Test
  func `two watches that take each other's fields are one conflict, and neither refetches for it`() async throws {
    let version = Mutex(1)
    let server = try ScriptedServer { request, _ in
      let number = version.withLock { $0 }
      let field = request.bodyText.contains("query Colors") ? "color" : "size"
      return .json(#"{"data":{"tags":[{"__typename":"Tag","name":"n\#(number)","\#(field)":"\#(field)"}]}}"#)
    }
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    var conflicts = await store.newConflicts().makeAsyncIterator()
    var colors = client.watch(query: try operation(Self.colors)).makeAsyncIterator()
    #expect(shown(try await colors.next()).contains("color"))
    var sizes = client.watch(query: try operation(Self.sizes)).makeAsyncIterator()
    #expect(shown(try await sizes.next()).contains("size"))
    #expect(shown(try await colors.next()).contains("color"))
    let conflict = try #require(await conflicts.next())
    #expect([conflict.first, conflict.second].sorted { ($0 ?? "") < ($1 ?? "") } == ["Colors", "Sizes"])
    #expect(
      conflict.description.hasSuffix(
        "replace each other's objects without keys; neither is refetched for it: select 'id' to keep both"))
    // Another watch of the same query is the same conflict.
    var again = client.watch(query: try operation(Self.colors), cachePolicy: .networkOnly).makeAsyncIterator()
    #expect(shown(try await again.next()).contains("color"))
    #expect(server.requests.count == 4)
    // The response of a single request is not part of the conflict.
    version.withLock { $0 = 2 }
    for try await _ in client.fetch(query: try operation(Self.colors), cachePolicy: .networkOnly) {}
    #expect(shown(try await sizes.next()).contains("n2"))
    #expect(server.requests.count == 6)
    #expect(await store.conflicts.count == 1)
  }

  @Test
  func `an earlier change that is processed after a loss does not show it`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([
      .json(#"{"data":{"tags":[{"__typename":"Tag","name":"a","color":"red"}]}}"#).held(by: gate),
      .json(#"{"data":{"tags":[{"__typename":"Tag","name":"a","color":"blue"}]}}"#),
    ])
    let store = CacheStore()
    let provider = WritesAfterwards(store: store, operation: try operation(Self.sizes))
    let client = GraphQLClient(
      transport: RequestChainNetworkTransport(
        endpoint: HTTPRequest(method: "POST", url: server.url), interceptorProvider: provider), store: store)
    let watch = client.watch(query: try operation(Self.colors))
    _ = try await server.request()
    // A change during the fetch, of a record that the query depends on as long as the cache is empty.
    try await store.modify(.queryRoot) { $0["other"] = .scalar(1) }
    gate.open()
    var results = watch.makeAsyncIterator()
    var texts: [String] = []
    while texts.last?.contains("blue") != true {
      guard let result = try await results.next() else { return ended("colors") }
      texts.append(shown(result))
    }
    #expect(texts.allSatisfy { $0.contains("color") }, "\(texts)")
    #expect(server.requests.count == 2)
  }

  @Test
  func `a watch of the cache alone keeps its last complete result`() async throws {
    let store = CacheStore()
    let client = GraphQLClient(url: "http://127.0.0.1:9", store: store)
    let (colors, sizes) = (try operation(Self.colors), try operation(Self.sizes))
    func tag(_ name: String, _ field: String) throws -> JSONValue {
      try JSONDocument(parsing: #"{"tags":[{"__typename":"Tag","name":"\#(name)","\#(field)":"x"}]}"#).root
    }
    try await store.write(try tag("a", "color"), operation: colors.compiled)
    var results = client.watch(query: colors, cachePolicy: .cacheOnly).makeAsyncIterator()
    #expect(shown(try await results.next()).contains(#""name":"a""#))
    try await store.write(try tag("b", "size"), operation: sizes.compiled)
    try await store.write(try tag("c", "color"), operation: colors.compiled)
    let next = shown(try await results.next())
    #expect(next.hasPrefix("complete") && next.contains(#""name":"c""#))
  }

  @Test
  func `an event that selects less of an embedded object changes it without a request`() async throws {
    let full = "query Stock { stock { __typename id price { __typename amount currency } } }"
    let light = "subscription Prices { stock { __typename id price { __typename amount } } }"
    let server = try ScriptedServer { _, _ in
      .json(
        #"{"data":{"stock":{"__typename":"Stock","id":"1","price":{"__typename":"P","amount":1,"currency":"EUR"}}}}"#)
    }
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    var results = client.watch(query: try operation(full)).makeAsyncIterator()
    #expect(try await results.next()?.data?.value(at: ["stock", "price", "amount"]) == 1)
    for amount in 2...4 {
      let event = #"{"stock":{"__typename":"Stock","id":"1","price":{"__typename":"P","amount":\#(amount)}}}"#
      try await store.write(try JSONDocument(parsing: event).root, operation: try operation(light).compiled)
      let result = try #require(try await results.next())
      #expect(result.completeness == .complete)
      #expect(
        result.data?.value(at: ["stock", "price"])?.description
          == #"{"__typename":"P","amount":\#(amount),"currency":"EUR"}"#)
    }
    #expect(server.requests.count == 1)
  }

  @Test
  func `an optimistic result with fewer fields than the screen is shown`() async throws {
    let full = "query { tasks { __typename totalCount edges { __typename cursor } } viewer { __typename name city } }"
    let guess = "query { tasks { __typename totalCount } viewer { __typename name } }"
    let server = try ScriptedServer { _, _ in
      .json(
        """
        {"data":{"tasks":{"__typename":"T","totalCount":1,"edges":[{"__typename":"E","cursor":"a"}]},
        "viewer":{"__typename":"V","name":"a","city":"Rome"}}}
        """)
    }
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    var results = client.watch(query: try operation(full)).makeAsyncIterator()
    #expect(try await results.next()?.data?.value(at: ["tasks", "totalCount"]) == 1)
    let layer = try await store.writeOptimistically(
      try JSONDocument(
        parsing: #"{"tasks":{"__typename":"T","totalCount":2},"viewer":{"__typename":"V","name":"b"}}"#
      ).root,
      operation: try operation(guess).compiled)
    let expected = try #require(try await results.next())
    #expect(expected.completeness == .complete)
    #expect(expected.data?.value(at: ["tasks", "totalCount"]) == 2)
    #expect(expected.data?.value(at: ["viewer"])?.description == #"{"__typename":"V","name":"b","city":"Rome"}"#)
    await store.rollBack(layer)
    #expect(try await results.next()?.data?.value(at: ["tasks", "totalCount"]) == 1)
    #expect(server.requests.count == 1)
  }

  @Test
  func `a watch without a server keeps its last complete result`() async throws {
    let (colors, sizes) = (try operation(Self.colors), try operation(Self.sizes))
    let server = try ScriptedServer([
      .json(#"{"data":{"tags":[{"__typename":"Tag","name":"a","color":"red"}]}}"#), .json("{}", status: 503),
    ])
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    var options = RequestOptions()
    options.maximumRetries = 0
    var results = client.watch(query: colors, options: options).makeAsyncIterator()
    let first = shown(try await results.next())
    let other = #"{"tags":[{"__typename":"Tag","name":"a","size":1}]}"#
    try await store.write(try JSONDocument(parsing: other).root, operation: sizes.compiled)
    let result = try await results.next()
    #expect(shown(result) == first)
    #expect(result?.errors.count == 1)
  }
}

/// Writes another operation's result after the first response was written and before its request ends.
private struct WritesAfterwards: InterceptorProvider, RequestChainInterceptor {
  private let store: CacheStore
  private let operation: DynamicOperation
  private let transport = HTTPTransport()

  init(store: CacheStore, operation: DynamicOperation) {
    (self.store, self.operation) = (store, operation)
  }

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    DefaultInterceptorProvider(transport: transport, store: store).interceptors(for: operation) + [self]
  }

  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if response?.result?.json?.description.contains("red") == true {
      let sizes = try JSONDocument(parsing: #"{"tags":[{"__typename":"Tag","name":"a","size":1}]}"#).root
      try await store.write(sizes, operation: operation.compiled)
    }
    return .proceed(request: request, response: response)
  }
}
