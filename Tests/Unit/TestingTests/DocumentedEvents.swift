import ApusBirdsModels
import ApusTesting
import Foundation
import Testing

// The code shown in Docs/Events.md. ArchitectureTests check that they are identical.

/// Counts the results of cache reads until the client is released.
func countCacheReads(of client: GraphQLClient) -> Task<[ClientEvent.CacheRead.Outcome: Int], Never> {
  let events = client.events()
  return Task {
    var counts: [ClientEvent.CacheRead.Outcome: Int] = [:]
    for await event in events {
      if case .cacheRead(let read) = event.kind { counts[read.outcome, default: 0] += 1 }
    }
    return counts
  }
}

/// Logs each request, its retries and its end.
func log(_ events: AsyncStream<ClientEvent>, to logger: Logger) async {
  for await event in events {
    let name = "\(event.operationType.rawValue) \(event.operationName ?? "anonymous")"
    var metadata: Logger.Metadata = ["request": "\(event.request)", "attempt": "\(event.attempt)"]
    switch event.kind {
    case .finished: logger.log(level: .info, "\(name) finished", metadata: metadata)
    case .cancelled: logger.log(level: .info, "\(name) cancelled", metadata: metadata)
    case .failed(let failure):
      metadata["error.type"] = failure.type
      logger.log(level: .warning, "\(name) failed: \(failure.description)", metadata: metadata)
    case .sent(let sent): logger.log(level: .debug, "\(name) sent to \(sent.url)", metadata: metadata)
    case .retried(let failure?): logger.log(level: .info, "\(name) again: \(failure.type)", metadata: metadata)
    default: break
    }
  }
}

/// The attributes of a request that metrics and spans share.
struct RequestAttributes {
  private(set) var server: URLComponents?
  /// The code of the first error, or the kind of failure; `nil` for success.
  private(set) var errorType: String?

  /// The port, unless it is the default of the scheme.
  var port: Int? { server.flatMap { $0.port == ($0.scheme == "http" ? 80 : 443) ? nil : $0.port } }

  mutating func receive(_ kind: ClientEvent.Kind) {
    switch kind {
    case .sent(let sent): server = URLComponents(string: sent.url)
    // A partial success is an error too.
    case .emitted(let result) where result.errorCount > 0: errorType = result.errorCode ?? "_OTHER"
    case .failed(let failure): errorType = failure.status.map { "\($0)" } ?? failure.type
    default: break
    }
  }
}

/// Measures requests and the cache.
func measure(_ events: AsyncStream<ClientEvent>) async {
  var requests: [RequestID: RequestAttributes] = [:]
  var sent: [RequestID: (event: ClientEvent, method: String)] = [:]
  for await event in events {
    requests[event.request, default: RequestAttributes()].receive(event.kind)
    switch event.kind {
    case .sent(let request): sent[event.request] = (event, request.method)
    case .responded(let response):
      guard let (start, method) = sent.removeValue(forKey: event.request) else { break }
      Timer(
        label: "http.client.request.duration",
        dimensions: [("http.request.method", method), ("http.response.status_code", "\(response.status)")]
      ).record(duration: event.elapsed - start.elapsed)
    case .cacheRead(let read):
      Counter(label: "graphql.client.cache.reads", dimensions: [("outcome", read.outcome.rawValue)]).increment()
    case .finished, .failed, .cancelled:
      sent[event.request] = nil
      let request = requests.removeValue(forKey: event.request)
      var dimensions = [
        ("graphql.operation.type", event.operationType.rawValue),
        ("graphql.operation.name", event.operationName ?? ""),
        ("server.address", request?.server?.host ?? ""),
      ]
      if let port = request?.port { dimensions.append(("server.port", "\(port)")) }
      if let error = request?.errorType { dimensions.append(("error.type", error)) }
      Timer(label: "graphql.client.request.duration", dimensions: dimensions).record(duration: event.elapsed)
    default: break
    }
  }
}

/// Creates a span for each operation, and a child span for each attempt.
func trace(_ events: AsyncStream<ClientEvent>, with tracer: Tracer) async {
  var operations: [RequestID: Span] = [:]
  var attempts: [RequestID: Span] = [:]
  var requests: [RequestID: RequestAttributes] = [:]
  let clock = TracerTime()
  for await event in events {
    let time = clock.timestamp(of: event)
    let operation = operations[event.request]
    let attempt = attempts[event.request]
    requests[event.request, default: RequestAttributes()].receive(event.kind)
    func endAttempt() { attempts.removeValue(forKey: event.request)?.end(at: time) }
    switch event.kind {
    case .began:
      let type = event.operationType.rawValue
      let name = event.operationName.map { "\(type) \($0)" } ?? type
      let span = tracer.startSpan(name, context: .topLevel, ofKind: .client, at: time)
      span.attributes["graphql.operation.type"] = .string(type)
      if let name = event.operationName { span.attributes["graphql.operation.name"] = .string(name) }
      span.attributes["graphql.document.hash"] = .string(event.documentHash)
      operations[event.request] = span
    case .sent(let sent):
      let span = tracer.startSpan(sent.method, context: operation?.context ?? .topLevel, ofKind: .client, at: time)
      span.attributes["http.request.method"] = .string(sent.method)
      span.attributes["url.full"] = .string(sent.url)
      for span in [operation, span] {
        span?.attributes["server.address"] = .string(requests[event.request]?.server?.host ?? "")
        if let port = requests[event.request]?.port { span?.attributes["server.port"] = .int64(Int64(port)) }
      }
      if event.attempt > 0 { span.attributes["http.request.resend_count"] = .int64(Int64(event.attempt)) }
      attempts[event.request] = span
    case .responded(let response):
      attempt?.attributes["http.response.status_code"] = .int64(Int64(response.status))
      attempt?.attributes["network.protocol.version"] = .string(response.version)
      if response.status >= 400 {
        attempt?.attributes["error.type"] = .string("\(response.status)")
        attempt?.setStatus(SpanStatus(code: .error))
      }
    case .retried(let failure?) where failure.status == nil:
      attempt?.attributes["error.type"] = .string(failure.type)
      attempt?.setStatus(SpanStatus(code: .error))
      endAttempt()
    case .ended, .retried: endAttempt()
    case .finished, .failed, .cancelled:
      if case .failed(let failure) = event.kind {
        attempt?.attributes["error.type"] = .string(failure.status.map { "\($0)" } ?? failure.type)
        attempt?.setStatus(SpanStatus(code: .error))
      }
      endAttempt()
      if let error = requests.removeValue(forKey: event.request)?.errorType {
        operation?.attributes["error.type"] = .string(error)
        operation?.setStatus(SpanStatus(code: .error))
      }
      operations.removeValue(forKey: event.request)?.end(at: time)
    default: break
    }
  }
}

/// Converts the times of events to those of tracers, which count from 1970.
struct TracerTime {
  private let anchor = ContinuousClock.now
  private let anchorTimestamp = DefaultTracerClock.now.nanosecondsSinceEpoch

  func timestamp(of event: ClientEvent) -> DefaultTracerClock.Timestamp {
    let distance = Int64((event.time - anchor) / .nanoseconds(1))
    return DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: UInt64(Int64(anchorTimestamp) + distance))
  }
}

// End of the code shown on the page. The following tests run it.

/// Runs the adapters of the page with real requests.
@Suite(.timeLimit(.minutes(1))) struct DocumentedEventsTests {
  private static let partial =
    #"{"data":{"bird":null},"errors":[{"message":"away","path":["bird"],"extensions":{"code":"AWAY"}}]}"#

  /// Makes requests: the first meets a busy server and is retried, the second is a partial success, the last one fails.
  private func requests(_ adapter: @escaping @Sendable (AsyncStream<ClientEvent>) async -> Void) async throws {
    let server = MockServer()
    server.respond(with: .text("busy", status: 503))
    server.respond(with: .data(#"{"bird":null}"#))
    server.respond(with: .json(Self.partial))
    server.respond(with: .failure(.connectionRefused(host: "birds.example")))
    var features = RequestFeatures()
    features.retry = RetryPolicy()
    features.retry?.sleep = { _ in }
    let listening: Task<Void, Never>
    do {
      let client = server.client(features: features)
      let events = client.events()
      listening = Task { await adapter(events) }
      _ = try await client.fetch(BirdDetailsQuery(id: "b1"))
      _ = try await client.fetch(BirdDetailsQuery(id: "b2"))
      _ = try? await client.perform(RenameMutation(id: "b1", name: "Bo"))
    }
    // The stream ends with its client.
    await listening.value
  }

  @Test func `the log has a line for each finished request`() async throws {
    let reported = ReportedLines()
    try await requests { await log($0, to: Logger(reported: reported)) }
    let lines = reported.all.map { $0.replacing(#/ request=\d+/#, with: "") }
    #expect(
      lines == [
        "debug query BirdDetails sent to http://mock.invalid/graphql attempt=0",
        "info query BirdDetails again: status attempt=1",
        "debug query BirdDetails sent to http://mock.invalid/graphql attempt=1",
        "info query BirdDetails finished attempt=1",
        "debug query BirdDetails sent to http://mock.invalid/graphql attempt=0",
        "info query BirdDetails finished attempt=0",
        "debug mutation Rename sent to http://mock.invalid/graphql attempt=0",
        "warning mutation Rename failed: birds.example refused the connection; check that the server runs and listens on that port attempt=0 error.type=connectionRefused",
      ])
  }

  @Test func `metrics record a duration for each response`() async throws {
    let reported = ReportedLines()
    try await requests { events in
      await Metrics.$reported.withValue(reported) { await measure(events) }
    }
    let place = "server.address=mock.invalid"
    #expect(
      reported.all == [
        "http.client.request.duration http.request.method=POST http.response.status_code=503 took its time",
        "http.client.request.duration http.request.method=POST http.response.status_code=200 took its time",
        "graphql.client.request.duration graphql.operation.type=query graphql.operation.name=BirdDetails \(place) took its time",
        "http.client.request.duration http.request.method=POST http.response.status_code=200 took its time",
        "graphql.client.request.duration graphql.operation.type=query graphql.operation.name=BirdDetails \(place) error.type=AWAY took its time",
        "graphql.client.request.duration graphql.operation.type=mutation graphql.operation.name=Rename \(place) error.type=connectionRefused took its time",
      ])
  }

  @Test func `traces have a span for each attempt`() async throws {
    let reported = ReportedLines()
    try await requests { await trace($0, with: Tracer(reported: reported)) }
    let http = "http.request.method=POST"
    let place = "server.address=mock.invalid"
    let target = "\(place) url.full=http://mock.invalid/graphql"
    let lines = reported.all.map { $0.replacing(#/sha256:[0-9a-f]{64}/#, with: "sha256:…") }
    let query =
      "graphql.document.hash=sha256:… graphql.operation.name=BirdDetails graphql.operation.type=query \(place)"
    let mutation =
      "graphql.document.hash=sha256:… graphql.operation.name=Rename graphql.operation.type=mutation \(place)"
    let succeeded = "http.response.status_code=200 network.protocol.version=1.1 \(target)"
    let (span, write) = ("query BirdDetails (client)", "mutation Rename (client)")
    #expect(
      lines == [
        "\(span) > POST (client) error.type=503 \(http) http.response.status_code=503 network.protocol.version=1.1 \(target) failed",
        "\(span) > POST (client) \(http) http.request.resend_count=1 \(succeeded)",
        "\(span) \(query)",
        "\(span) > POST (client) \(http) \(succeeded)",
        "\(span) error.type=AWAY \(query) failed",
        "\(write) > POST (client) error.type=connectionRefused \(http) \(target) failed",
        "\(write) error.type=connectionRefused \(mutation) failed",
      ])
  }

  @Test func `cache reads are counted`() async throws {
    let server = MockServer()
    server.respond(with: .data(#"{"bird":null}"#))
    let counting: Task<[ClientEvent.CacheRead.Outcome: Int], Never>
    do {
      let client = server.client(store: CacheStore())
      counting = countCacheReads(of: client)
      _ = try await client.fetch(BirdDetailsQuery(id: "b1"))
      _ = try await client.fetch(BirdDetailsQuery(id: "b1"))
    }
    #expect(await counting.value == [.miss: 1, .hit: 1])
  }
}
