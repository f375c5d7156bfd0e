import Synchronization

/// Stands in for a GraphQL server in tests: answers a client's requests, in this process, with what the test says.
///
/// Nothing but the network is replaced. The client's own chain builds the request, reads the bytes, merges the parts,
/// checks the data and writes the cache, so that a test meets what an application would.
///
///     let server = MockServer()
///     server.answer(BirdQuery.self, with: .data(#"{"bird":{"id":"1","name":"Ada"}}"#))
///     let client = server.client(store: CacheStore())
///     let result = try await client.fetch(BirdQuery(id: "1"))
///     #expect(server.requests.map(\.operationName) == ["Bird"])
public final class MockServer: HTTPResponder {
  private enum Source: Sendable {
    case answer(MockAnswer)
    case closure(@Sendable (MockRequest) throws -> MockAnswer)
  }

  private struct Expected: Sendable {
    /// Nil for an operation of any name.
    let operationName: String?
    let source: Source
    /// Whether it answers one request and no more.
    let isSingle: Bool

    func fits(_ request: MockRequest) -> Bool { operationName == nil || operationName == request.operationName }
  }

  private struct State {
    var expected: [Expected] = []
    var requests: [MockRequest] = []
    /// How many of the requests were handed to `nextRequest`.
    var takenCount = 0
    var waiters: [CheckedContinuation<MockRequest, Never>] = []
  }

  /// Where the client of a mock server says that it sends to; nothing is.
  public static let url = "http://mock.invalid/graphql"

  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  /// - Parameter clock: what the waits of answers are counted by, such as a `TestClock`.
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  // MARK: What it answers

  /// Answers one request for the operation of this name, or of any. Answers for one operation are used in their order.
  public func answer(_ operationName: String? = nil, with answer: MockAnswer) {
    expect(Expected(operationName: operationName, source: .answer(answer), isSingle: true))
  }

  /// Answers one request for an operation.
  public func answer<Operation: GeneratedOperation>(_ operation: Operation.Type, with answer: MockAnswer) {
    self.answer(operation.operationName, with: answer)
  }

  /// Answers each request for the operation of this name, or of any, that no single answer is left for. What the closure
  /// throws, a `NetworkError` say, is how the request fails.
  ///
  /// - Parameter answer: Makes the answer from the request; called for each, in the order in which they come.
  public func answerAlways(
    _ operationName: String? = nil, with answer: @escaping @Sendable (MockRequest) throws -> MockAnswer
  ) {
    expect(Expected(operationName: operationName, source: .closure(answer), isSingle: false))
  }

  /// Answers each request for an operation that no single answer is left for.
  public func answerAlways<Operation: GeneratedOperation>(
    _ operation: Operation.Type, with answer: @escaping @Sendable (MockRequest) throws -> MockAnswer
  ) {
    answerAlways(operation.operationName, with: answer)
  }

  private func expect(_ expected: Expected) { state.withLock { $0.expected.append(expected) } }

  /// The operations, by their names, whose single answers nobody has asked for. Nil is an operation of any name.
  public var unusedAnswers: [String?] {
    state.withLock { state in state.expected.filter(\.isSingle).map(\.operationName) }
  }

  // MARK: What it was asked

  /// All requests so far, in the order in which they came.
  public var requests: [MockRequest] { state.withLock { $0.requests } }

  /// The first request that this function has not returned yet; waits for it.
  public func nextRequest() async -> MockRequest {
    await withCheckedContinuation { continuation in
      let request = state.withLock { state -> MockRequest? in
        guard state.takenCount < state.requests.count else {
          state.waiters.append(continuation)
          return nil
        }
        state.takenCount += 1
        return state.requests[state.takenCount - 1]
      }
      if let request { continuation.resume(returning: request) }
    }
  }

  // MARK: Clients

  /// A client whose requests come here. Its subscriptions are asked for over HTTP, whatever their options say, and again by
  /// the server's clock where their connection is lost.
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

  /// Answers a request of a client's transport: called by the client, not by tests.
  ///
  /// - Throws: The `NetworkError` of the answer, or `failed` where no answer is left for the operation; what the
  ///   closure of `answerAlways` throws; `CancellationError` when nobody reads any more.
  public func respond(to request: HTTPRequest, _ response: HTTPResponseWriter) async throws {
    let request = MockRequest(request)
    let answer = try take(request)
    if case .fail(let error)? = answer.steps.first { throw error }
    var hasBegun = false
    for step in answer.steps {
      switch step {
      case .bytes(let bytes):
        if !hasBegun { response.begin(status: answer.status, headers: answer.headers) }
        hasBegun = true
        try await response.write(bytes)
      case .wait(let duration): try await clock.sleep(for: duration)
      case .hold(let gate): await gate.pass()
      case .fail(let error): throw error
      }
      try Task.checkCancellation()
    }
    if !hasBegun { response.begin(status: answer.status, headers: answer.headers) }
  }

  /// Notes a request and finds its answer.
  private func take(_ request: MockRequest) throws -> MockAnswer {
    let (waiter, expected, others) = state.withLock { state in
      state.requests.append(request)
      var waiter: CheckedContinuation<MockRequest, Never>?
      if !state.waiters.isEmpty {
        waiter = state.waiters.removeFirst()
        state.takenCount += 1
      }
      let single = state.expected.firstIndex { $0.isSingle && $0.fits(request) }
      let found =
        single.map { state.expected.remove(at: $0) } ?? state.expected.first { !$0.isSingle && $0.fits(request) }
      return (waiter, found, state.expected.map { $0.operationName ?? "any operation" })
    }
    waiter?.resume(returning: request)
    guard let expected else {
      throw NetworkError.failed(
        host: "the mock server",
        reason: "it has no answer left for \(request.operationName ?? "an operation without a name"); "
          + (others.isEmpty ? "it has none at all" : "it has some for \(others.joined(separator: ", "))"))
    }
    switch expected.source {
    case .answer(let answer): return answer
    case .closure(let answer): return try answer(request)
    }
  }
}
