import ApusClientAPI
import ApusClientCore
import ApusClientNetwork
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientRequestChain

/// The total time limit of a request.
///
/// | situation | the limit |
/// |---|---|
/// | redirects, a free connection, parts | counts from the start of the request |
/// | another attempt after a failure, a token or an unknown digest | counts from the start of the first one |
/// | a wait before a retry that passes the limit | no retry; the failure is thrown |
/// | the renewal of a token | is part of it |
/// | a subscription | limits each phase until it is active |
@Suite(.timeLimit(.minutes(1))) struct TotalTimeoutTests {
  private func client(
    _ url: String, _ total: Duration, _ change: (inout RequestFeatures) -> Void = { _ in }
  ) -> GraphQLClient {
    var features = RequestFeatures()
    change(&features)
    return GraphQLClient(url: url, timeouts: HTTPTimeouts(total: total), features: features)
  }

  private func failure(of client: GraphQLClient) async throws -> NetworkError? {
    do {
      _ = try await client.fetch(try operation("{ a }"))
      return nil
    } catch GraphQLClientError.network(let error) {
      return error
    }
  }

  private func isTotal(_ error: NetworkError?, limit: Duration) -> Bool {
    if case .timeout(.total, _, limit) = error { true } else { false }
  }

  @Test func `after the limit there is no other attempt`() async throws {
    let server = try ScriptedServer([.never])
    let client = client(server.url, .milliseconds(100)) {
      var policy = RetryPolicy()
      policy.sleep = { _ in }
      $0.retry = policy
    }
    #expect(isTotal(try await failure(of: client), limit: .milliseconds(100)))
    // On a busy machine, the time may be over before the request arrives.
    #expect(server.requests.count <= 1)
  }

  @Test func `a retry whose delay passes the limit is not made, and its reason is thrown`() async throws {
    let server = try ScriptedServer([.json("{}", status: 503)])
    let client = client(server.url, .seconds(1000)) {
      var policy = RetryPolicy()
      (policy.firstDelay, policy.longestDelay, policy.jitter) = (.seconds(300), .seconds(9000), 0)
      policy.sleep = { _ in }
      $0.retry = policy
    }
    await #expect {
      _ = try await client.fetch(try operation("{ a }"))
    } throws: {
      "\($0)".contains("answered 503")
    }
    // After 300 and 600 seconds; the next delay is 1200.
    #expect(server.requests.count == 3)
  }

  @Test func `the renewal of a token is part of the limit`() async throws {
    let (endless, end) = AsyncStream.makeStream(of: Int.self)
    defer { end.finish() }
    let server = try ScriptedServer([.json("{}", status: 401)])
    let client = client(server.url, .milliseconds(200)) {
      $0.credentials = Credentials(token: "old") { _ in
        for await _ in endless {}
        return "new"
      }
    }
    #expect(isTotal(try await failure(of: client), limit: .milliseconds(200)))
    #expect(server.requests.count <= 1)
  }

  @Test func `the first token is part of the limit`() async throws {
    let (endless, end) = AsyncStream.makeStream(of: Int.self)
    defer { end.finish() }
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let client = client(server.url, .milliseconds(200)) {
      $0.credentials = Credentials { _ in
        for await _ in endless {}
        return "new"
      }
    }
    #expect(isTotal(try await failure(of: client), limit: .milliseconds(200)))
    #expect(server.requests.isEmpty)
  }

  /// Notes the remaining time of each attempt, after some of it has passed in the first one.
  private final class RemainingTimes: RequestChainInterceptor {
    private let noted = Mutex<[Duration]>([])
    var all: [Duration] { noted.withLock { $0 } }

    func intercept<Operation: GraphQLOperation>(
      request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
    ) async throws -> RequestChain.NextAction<Operation> {
      if response == nil {
        let start = request.remainingTime ?? .zero
        while all.isEmpty, request.remainingTime ?? .zero > start - .milliseconds(5) { await Task.yield() }
        noted.withLock { $0.append(request.remainingTime ?? .zero) }
      }
      return .proceed(request: request, response: response)
    }
  }

  /// An unknown digest as a result and as an error status.
  @Test(arguments: [200, 400]) func `the text of an unknown persisted query has the rest of the limit`(
    status: Int
  ) async throws {
    let server = try ScriptedServer([
      .json(
        #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#,
        status: status), .json(#"{"data":{"a":1}}"#),
    ])
    let query = try operation("{ a }")
    let endpoint = HTTPRequest(url: server.url, timeouts: HTTPTimeouts(total: .seconds(1000)))
    let (times, persisted) = (RemainingTimes(), PersistedQueryInterceptor())
    let chain = RequestChain(interceptors: [
      times, persisted, NetworkFetchInterceptor(transport: HTTPTransport()), ResponseCodeInterceptor(),
      MultipartParsingInterceptor(), JSONParsingInterceptor(), persisted,
    ])
    let request = GraphQLRequest(
      operation: query, http: RequestTemplate(endpoint).request(for: query.compiled, .object([]), RequestOptions()))
    for try await _ in chain.kickoff(request: request) {}
    #expect(server.requests.map { $0.bodyText.contains("{ a }") } == [false, true])
    #expect(times.all.count == 2 && times.all[0] < .seconds(1000) && times.all[1] <= times.all[0])
  }

  /// Repeats a request after its time is over, as an application's interceptor may.
  private struct Retrying: RequestChainInterceptor {
    func intercept<Operation: GraphQLOperation>(
      request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
    ) async throws -> RequestChain.NextAction<Operation> {
      while request.attempt == 1, (request.remainingTime ?? .zero) > .zero { await Task.yield() }
      return response == nil
        ? .proceed(request: request, response: nil) : .retry(request: request.begunAgain)
    }
  }

  @Test func `an attempt that begins after the limit is not sent`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let endpoint = HTTPRequest(url: server.url, timeouts: HTTPTimeouts(total: .milliseconds(200)))
    let retrying = Retrying()
    let query = try operation("{ a }")
    let request = GraphQLRequest(
      operation: query, http: RequestTemplate(endpoint).request(for: query.compiled, .object([]), RequestOptions()))
    let chain = RequestChain(interceptors: [
      retrying, NetworkFetchInterceptor(transport: HTTPTransport()), ResponseCodeInterceptor(),
      MultipartParsingInterceptor(), JSONParsingInterceptor(), retrying,
    ])
    await #expect {
      for try await _ in chain.kickoff(request: request) {}
    } throws: { error in
      if case GraphQLClientError.network(.timeout(.total, _, .milliseconds(200))) = error { true } else { false }
    }
    #expect(server.requests.count <= 1)
  }

  @Test func `the limit of a request counts from the given instant, and the error names the whole limit`() async throws
  {
    let server = try ScriptedServer([.never])
    var request = HTTPRequest(url: server.url, timeouts: HTTPTimeouts(total: .seconds(40)))
    try request.countTotal(from: .now + .milliseconds(-39_900))
    let transport = HTTPTransport()
    await #expect(throws: NetworkError.timeout(phase: .total, host: "127.0.0.1:\(server.port)", limit: .seconds(40))) {
      for try await _ in transport.send(request) {}
    }
    var late = HTTPRequest(url: server.url, timeouts: HTTPTimeouts(total: .seconds(40)))
    #expect(throws: NetworkError.timeout(phase: .total, host: "127.0.0.1:\(server.port)", limit: .seconds(40))) {
      try late.countTotal(from: .now + .seconds(-41))
    }
  }
}
