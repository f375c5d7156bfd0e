import Synchronization

/// A mock GraphQL server for tests, which responds to a client's requests within the process.
///
/// Only the network is replaced. The client builds requests, reads bytes, merges payloads, checks data and writes the
/// cache as it does in an application.
///
///     let server = MockServer()
///     server.respond(to: BirdQuery.self, with: .data(#"{"bird":{"id":"1","name":"Ada"}}"#))
///     let client = server.client(store: CacheStore())
///     let result = try await client.fetch(BirdQuery(id: "1"))
///     #expect(server.requests.map(\.operationName) == ["Bird"])
public final class MockServer: HTTPResponder {
  private enum Source: Sendable {
    case answer(MockResponse)
    case closure(@Sendable (MockRequest) throws -> MockResponse)
  }

  private struct Expected: Sendable {
    /// The name of the operation; nil for any operation.
    let operationName: String?
    let source: Source
    /// Whether it responds to only one request.
    let isSingle: Bool

    func fits(_ request: MockRequest) -> Bool { operationName == nil || operationName == request.operationName }
  }

  private struct Waiter: Sendable {
    let number: Int
    let continuation: CheckedContinuation<MockRequest, any Error>
  }

  private struct State {
    var expected: [Expected] = []
    var requests: [MockRequest] = []
    /// The number of requests that `nextRequest` has returned.
    var takenCount = 0
    var waiters: [Waiter] = []
    var lastWaiter = 0
  }

  /// The URL of the clients of a mock server. Nothing is sent to it.
  public static let url = "http://mock.invalid/graphql"

  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  /// - Parameter clock: The clock for delays in responses, such as a `TestClock`.
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  // MARK: Responses

  /// Responds to one request for the named operation, or for any operation. Responses for one operation are used in
  /// order.
  public func respond(to operationName: String? = nil, with answer: MockResponse) {
    expect(Expected(operationName: operationName, source: .answer(answer), isSingle: true))
  }

  /// Responds to one request for an operation.
  public func respond<Operation: GeneratedOperation>(to operation: Operation.Type, with answer: MockResponse) {
    respond(to: operation.operationName, with: answer)
  }

  /// Responds to all requests for the named operation, or for any operation, for which no single response is left. If
  /// the closure throws an error, such as a `NetworkError`, the request fails with it.
  ///
  /// - Parameter answer: Creates the response; called for each request in order.
  public func respondAlways(
    to operationName: String? = nil, with answer: @escaping @Sendable (MockRequest) throws -> MockResponse
  ) {
    expect(Expected(operationName: operationName, source: .closure(answer), isSingle: false))
  }

  /// Responds to all requests for an operation for which no single response is left.
  public func respondAlways<Operation: GeneratedOperation>(
    to operation: Operation.Type, with answer: @escaping @Sendable (MockRequest) throws -> MockResponse
  ) {
    respondAlways(to: operation.operationName, with: answer)
  }

  private func expect(_ expected: Expected) { state.withLock { $0.expected.append(expected) } }

  /// The operation names of unused single responses. Nil is a response for any operation.
  public var unusedResponses: [String?] {
    state.withLock { state in state.expected.filter(\.isSingle).map(\.operationName) }
  }

  // MARK: Requests

  /// The requests so far, in order.
  public var requests: [MockRequest] { state.withLock { $0.requests } }

  /// Returns the next request that this function has not returned, and waits for it if necessary.
  ///
  /// - Throws: `CancellationError` if the task is canceled, as a test's time limit does.
  public func nextRequest() async throws -> MockRequest {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<MockRequest, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          guard state.takenCount < state.requests.count else {
            state.waiters.append(Waiter(number: number, continuation: continuation))
            return nil
          }
          state.takenCount += 1
          return .success(state.requests[state.takenCount - 1])
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  // MARK: Clients

  /// Creates a client of this server. Its subscriptions use HTTP regardless of their options, and reconnecting uses the
  /// server's clock.
  public func client(
    store: CacheStore? = nil, headers: HTTPHeaders = [:], features: RequestFeatures = RequestFeatures(),
    subscriptions: SubscriptionOptions = SubscriptionOptions(), defaultCachePolicy: CachePolicy = .cacheFirst
  ) -> GraphQLClient {
    var subscriptions = subscriptions
    subscriptions.transport = .serverSentEvents
    subscriptions.sleep = { [clock] in try await clock.sleep(for: $0) }
    return GraphQLClient(
      endpoint: HTTPRequest(url: Self.url, headers: headers), network: HTTPTransport(responder: self), store: store,
      subscriptions: subscriptions, features: features, defaultCachePolicy: defaultCachePolicy)
  }

  // MARK: HTTPResponder

  /// Responds to a request of a client's transport. Called by the client.
  ///
  /// - Throws: The `NetworkError` of the response, `failed` if there is no response for the operation, an error of the
  ///   closure of `respondAlways`, or `CancellationError` if the response is no longer read.
  public func respond(to request: HTTPRequest, _ response: HTTPResponseWriter) async throws {
    let request = MockRequest(request)
    let answer = try dequeueResponse(request)
    if case .fail(let error)? = answer.steps.first { throw error }
    var hasBegun = false
    for step in answer.steps {
      switch step {
      case .bytes(let bytes):
        if !hasBegun { response.writeHead(status: answer.status, headers: answer.headers) }
        hasBegun = true
        try await response.write(bytes)
      case .wait(let duration): try await clock.sleep(for: duration)
      case .hold(let gate): await gate.pass()
      case .fail(let error): throw error
      }
      try Task.checkCancellation()
    }
    if !hasBegun { response.writeHead(status: answer.status, headers: answer.headers) }
  }

  /// Records a request and removes its response.
  private func dequeueResponse(_ request: MockRequest) throws -> MockResponse {
    let (waiter, expected, others) = state.withLock { state in
      state.requests.append(request)
      var waiter: Waiter?
      if !state.waiters.isEmpty {
        waiter = state.waiters.removeFirst()
        state.takenCount += 1
      }
      let single = state.expected.firstIndex { $0.isSingle && $0.fits(request) }
      let found =
        single.map { state.expected.remove(at: $0) } ?? state.expected.first { !$0.isSingle && $0.fits(request) }
      return (waiter, found, state.expected.map { $0.operationName ?? "any operation" })
    }
    waiter?.continuation.resume(returning: request)
    guard let expected else {
      throw NetworkError.failed(
        host: "the mock server",
        reason: "it has no response left for \(request.operationName ?? "an operation without a name"); "
          + (others.isEmpty ? "it has none at all" : "it has some for \(others.joined(separator: ", "))"))
    }
    switch expected.source {
    case .answer(let answer): return answer
    case .closure(let answer): return try answer(request)
    }
  }
}
