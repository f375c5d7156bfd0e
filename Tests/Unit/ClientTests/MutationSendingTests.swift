import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Testing

/// Tests when a mutation is sent, and that it is sent once.
@Suite("Sending mutations", .timeLimit(.minutes(1)))
struct MutationSendingTests {
  private static let rename = "mutation { rename { __typename id name } }"
  private static let answer = #"{"data":{"rename":{"__typename":"Bird","id":"1","name":"Apus"}}}"#

  @Test
  func `a mutation is sent once even if its results are released immediately`() async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    let client = GraphQLClient(url: server.url)
    for number in 0..<20 {
      _ = client.perform(mutation: try operation("mutation ($n: Int) { rename { id } }", ["n": JSONValue(number)]))
    }
    _ = try await server.request(19)
    // A later request shows that no other mutation was sent.
    _ = await read(client.fetch(query: try operation("{ a }")))
    #expect(Set(server.requests.map(\.bodyText)).count == 21)
    #expect(server.requests.count == 21)
  }

  @Test
  func `a mutation is sent and cached even if its results are not read`() async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    let store = CacheStore()
    var changes = await store.changes().makeAsyncIterator()
    var results: GraphQLClient.Results<JSONValue>? = GraphQLClient(url: server.url, store: store)
      .perform(mutation: try operation(Self.rename))
    _ = try await server.request()
    withExtendedLifetime(results) {}
    results = nil
    #expect(await changes.next()?.cause == .write(operation: nil, part: 0))
    #expect(server.requests.count == 1)
  }

  @Test
  func `an unread optimistic mutation is sent, and its layer is removed at the end`() async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    let store = CacheStore()
    var changes = await store.changes().makeAsyncIterator()
    var options = RequestOptions()
    options.optimisticData = ["rename": ["__typename": "Bird", "id": "1", "name": "probably"]]
    _ = GraphQLClient(url: server.url, store: store).perform(mutation: try operation(Self.rename), options: options)
    #expect(await changes.next()?.cause == .optimistic)
    #expect(await changes.next()?.cause == .write(operation: nil, part: 0))
    #expect(await changes.next()?.cause == .rollback)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [false, true])
  func `ending the iteration of a mutation closes the connection`(isOptimistic: Bool) async throws {
    let server = try ScriptedServer([
      .multipart([.text(#"{"data":{"rename":{"__typename":"Bird","id":"1"}},"hasNext":true}"#), .hold(Gate())])
    ])
    var options = RequestOptions()
    if isOptimistic { options.optimisticData = ["rename": ["__typename": "Bird", "id": "1"]] }
    let mutation = try operation("mutation { rename { __typename id ... @defer { name } } }")
    let client = GraphQLClient(url: server.url, store: CacheStore())
    for try await _ in client.perform(mutation: mutation, options: options) { break }
    try await server.clientClosed()
  }

  @Test
  func `a mutation of a canceled task is not sent`() async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    let client = GraphQLClient(url: server.url)
    let mutation = try operation(Self.rename)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await read(client.perform(mutation: mutation)).results.count
    }
    #expect(await task.joined == 0)
    _ = await read(client.fetch(query: try operation("{ a }")))
    #expect(server.requests.map { $0.bodyText.contains("mutation") } == [false])
  }

  @Test
  func `a custom chain sends a mutation once even if a retry is requested`() async throws {
    struct Again: RequestChainErrorInterceptor {
      func handleError<Operation: GraphQLOperation>(
        error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
      ) async throws -> RequestChain.NextAction<Operation> { .retry(request: request) }
    }
    let server = try ScriptedServer([.raw([.close])])
    let chain = RequestChain(
      interceptors: [
        NetworkFetchInterceptor(transport: HTTPTransport()), ResponseCodeInterceptor(), MultipartParsingInterceptor(),
        JSONParsingInterceptor(),
      ], errorInterceptor: Again())
    let http = HTTPRequest(method: "POST", url: server.url, body: Array("{}".utf8))
    let run = await read(chain.kickoff(request: GraphQLRequest(operation: try operation(Self.rename), http: http)))
    #expect(run.lines.first?.hasPrefix("\(GraphQLClientError.mutationNotRetried(last: nil)): ") == true)
    #expect(run.lines.first?.contains("closed the connection") == true, "\(run.lines)")
    #expect(server.requests.count == 1)
    // A query with the same chain is retried according to its options.
    let query = await read(chain.kickoff(request: GraphQLRequest(operation: try operation("{ a }"), http: http)))
    #expect(query.lines.first?.hasPrefix("given up after 3 retries: ") == true)
    #expect(query.lines.first?.contains("closed the connection") == true, "\(query.lines)")
    #expect(server.requests.count == 5)
  }
}
