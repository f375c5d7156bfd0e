import ApusClientAPI
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Testing

/// An interceptor with scripted behavior for requests and responses.
private struct Scripted: RequestChainInterceptor {
  var onRequest: @Sendable (inout HTTPRequest, Int) throws -> Bool = { _, _ in false }

  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    var request = request
    return try onRequest(&request.http, request.attempt)
      ? .retry(request: request) : .proceed(request: request, response: response)
  }
}

/// Requests a retry after any error.
private struct RetryOnError: RequestChainErrorInterceptor {
  func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    .retry(request: request)
  }
}

private struct Provider: InterceptorProvider {
  var before: [any RequestChainInterceptor] = []
  var after: [any RequestChainInterceptor] = []
  var retriesOnError = false
  private let transport = HTTPTransport()

  init(
    before: [any RequestChainInterceptor] = [], after: [any RequestChainInterceptor] = [], retriesOnError: Bool = false
  ) {
    self.before = before
    self.after = after
    self.retriesOnError = retriesOnError
  }

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    before + DefaultInterceptorProvider(transport: transport, store: nil).interceptors(for: operation) + after
  }

  func errorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any RequestChainErrorInterceptor)? {
    retriesOnError ? RetryOnError() : nil
  }
}

/// Throws from the second result on.
private struct FailsLater: RequestChainInterceptor {
  struct Failure: Error {}

  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if let result = response?.result, result.payloadIndex == 1 { throw Failure() }
    if let result = response?.result, result.extensions?["exit"] != nil {
      return .exitEarlyAndEmit(result: result, request: request)
    }
    return .proceed(request: request, response: response)
  }
}

/// Emits each result early, in addition to the end of the chain.
private struct EmitsAhead: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let result = response?.result else { return .proceed(request: request, response: response) }
    return .proceedAndEmit(intermediaryResult: result, request: request, response: response)
  }
}

/// An operation whose data is an optional string.
private struct OptionalName: QueryOperation {
  let compiled: CompiledOperation
  var variables: JSONValue { .object([]) }
  var resultChecking: ResultChecking { .none }

  func makeData(from response: ResponseData) -> String? { response.json["a"]?.string }
}

/// Splits a request into two with different headers, and then throws.
private struct Splits: RequestChainInterceptor {
  struct Failure: Error, CustomStringConvertible { let description = "no third one" }

  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    .multiProceed(
      AsyncThrowingStream { continuation in
        for key in ["1", "2"] {
          var request = request
          request.http.headers["X-Key"] = key
          continuation.yield(.proceed(request: request, response: response))
        }
        continuation.finish(throwing: Failure())
      })
  }
}

@Suite("The request chain", .timeLimit(.minutes(1)))
struct RequestChainTests {
  private func send(
    _ text: String = "{ a }", through provider: Provider, _ answers: [ScriptedAnswer]
  ) async throws -> (ClientRun, [ScriptedServer.Request]) {
    let server = try ScriptedServer(answers)
    let client = GraphQLClient(
      transport: RequestChainNetworkTransport(
        endpoint: HTTPRequest(url: server.url), interceptorProvider: provider))
    return (await read(client.fetch(query: try operation(text))), server.requests)
  }

  @Test
  func `an interceptor adds a header`() async throws {
    let provider = Provider(before: [
      Scripted { http, _ in
        http.headers["X-Key"] = "1"
        return false
      }
    ])
    let (run, requests) = try await send(through: provider, [.json("{\"data\":{\"a\":1}}")])
    #expect(run.lines == ["0 complete {\"a\":1}"])
    #expect(requests.first?.header("X-Key") == "1")
  }

  @Test
  func `a result emitted by an interceptor precedes that of the chain, part by part`() async throws {
    let (run, _) = try await send(
      "{ a ... @defer { b } }", through: Provider(after: [EmitsAhead()]),
      [
        .multipart([
          .text("{\"data\":{\"a\":1},\"hasNext\":true}"),
          .text("{\"incremental\":[{\"path\":[],\"data\":{\"b\":2}}],\"hasNext\":false}"),
        ])
      ])
    let (base, complete) = ("0 partial {\"a\":1} pending", "1 complete {\"a\":1,\"b\":2} fulfilled")
    #expect(run.lines == [base, base, complete, complete])
  }

  @Test
  func `optional data passes a custom interceptor unchanged`() async throws {
    let server = try ScriptedServer([.json("{\"data\":{\"a\":\"x\"}}"), .json("{\"data\":{\"a\":null}}")])
    let client = GraphQLClient(
      transport: RequestChainNetworkTransport(
        endpoint: HTTPRequest(url: server.url), interceptorProvider: Provider(after: [EmitsAhead()])))
    let query = OptionalName(compiled: try operation("{ a }").compiled)
    var names: [String??] = []
    for _ in 0..<2 {
      for try await result in client.fetch(query: query) { names.append(result.data) }
    }
    let expected: [String??] = ["x", "x", .some(nil), .some(nil)]
    #expect(names == expected)
  }

  @Test
  func `a result with null data passes a custom interceptor completely`() async throws {
    let answer = ScriptedAnswer.json(
      #"{"data":null,"errors":[{"message":"no"}],"extensions":{"cost":1}}"#)
    let (run, _) = try await send(through: Provider(after: [EmitsAhead()]), [answer])
    #expect(run.lines == ["0 complete null “no”", "0 complete null “no”"])
    #expect(run.results.allSatisfy { $0.extensions == ["cost": 1] })
  }

  @Test
  func `several actions of an interceptor are performed in order, followed by their error`() async throws {
    let (run, requests) = try await send(
      "{ a ... @defer { b } }", through: Provider(before: [Splits()]),
      [
        .multipart([
          .text("{\"data\":{\"a\":1},\"hasNext\":true}"),
          .text("{\"incremental\":[{\"path\":[],\"data\":{\"b\":2}}],\"hasNext\":false}"),
        ]), .json("{\"data\":{\"a\":3,\"b\":4}}"),
      ])
    #expect(
      run.lines == [
        "0 partial {\"a\":1} pending", "1 complete {\"a\":1,\"b\":2} fulfilled",
        "0 complete {\"a\":3,\"b\":4} fulfilled", "no third one",
      ])
    #expect(requests.map { $0.header("X-Key") } == ["1", "2"])
  }

  @Test
  func `an error interceptor may retry, and the second attempt starts over`() async throws {
    let (run, requests) = try await send(
      through: Provider(retriesOnError: true), [.raw([.close]), .json("{\"data\":{\"a\":1}}")])
    #expect(run.lines == ["0 complete {\"a\":1}"])
    #expect(requests.count == 2)
  }

  @Test
  func `retries are limited`() async throws {
    let (run, requests) = try await send(through: Provider(retriesOnError: true), [.raw([.close])])
    #expect(run.lines.first?.hasPrefix("given up after 3 retries: ") == true && run.lines.count == 1)
    #expect(requests.count == 4)
  }

  @Test
  func `a mutation is never sent twice`() async throws {
    let (run, requests) = try await send("mutation { a }", through: Provider(retriesOnError: true), [.raw([.close])])
    #expect(requests.count == 1)
    #expect(run.lines.first?.hasPrefix("mutations are not repeated automatically") == true)
  }

  private let parts: [ScriptedAnswer] = [
    .multipart([
      .text("{\"data\":{\"a\":1},\"hasNext\":true}"),
      .text("{\"incremental\":[{\"path\":[],\"data\":{\"b\":2}}],\"hasNext\":true}"),
      .text("{\"hasNext\":false}"),
    ])
  ]

  @Test
  func `an error after the second part ends the stream after the first result`() async throws {
    let (run, _) = try await send("{ a ... @defer { b } }", through: Provider(after: [FailsLater()]), parts)
    #expect(run.lines == ["0 partial {\"a\":1} pending", "Failure()"])
  }

  @Test
  func `an early exit between parts ends the stream with that result`() async throws {
    let answer = ScriptedAnswer.multipart([
      .text("{\"data\":{\"a\":1},\"extensions\":{\"exit\":1},\"hasNext\":true}"), .hold(Gate()),
    ])
    let (run, _) = try await send("{ a ... @defer { b } }", through: Provider(after: [FailsLater()]), [answer])
    #expect(run.lines == ["0 partial {\"a\":1} pending"])
  }

  @Test
  func `a chain without interceptors throws noResult`() async throws {
    let chain = RequestChain(interceptors: [])
    let request = GraphQLRequest(operation: try operation("{ a }"), http: HTTPRequest(url: "http://127.0.0.1/"))
    let run = await read(chain.kickoff(request: request))
    #expect(run.lines == ["the request chain ended without a result; check its interceptors"])
  }
}
