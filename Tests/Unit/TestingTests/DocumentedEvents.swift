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

/// Measures requests and the cache.
func measure(_ events: AsyncStream<ClientEvent>) async {
  var sent: [RequestID: (event: ClientEvent, method: String)] = [:]
  for await event in events {
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
      Timer(
        label: "graphql.client.operation.duration",
        dimensions: [
          ("graphql.operation.type", event.operationType.rawValue),
          ("graphql.operation.name", event.operationName ?? ""),
        ]
      ).record(duration: event.elapsed)
    default: break
    }
  }
}

/// Creates a span for each operation, and a child span for each attempt.
func trace(_ events: AsyncStream<ClientEvent>, with tracer: Tracer) async {
  var operations: [RequestID: Span] = [:]
  var attempts: [RequestID: Span] = [:]
  let clock = TracerTime()
  for await event in events {
    let time = clock.timestamp(of: event)
    let operation = operations[event.request]
    let attempt = attempts[event.request]
    func endAttempt() { attempts.removeValue(forKey: event.request)?.end(at: time) }
    switch event.kind {
    case .began:
      let type = event.operationType.rawValue
      let name = event.operationName.map { "\(type) \($0)" } ?? type
      let span = tracer.startSpan(name, context: .topLevel, ofKind: .internal, at: time)
      span.attributes["graphql.operation.type"] = .string(type)
      if let name = event.operationName { span.attributes["graphql.operation.name"] = .string(name) }
      operations[event.request] = span
    case .sent(let sent):
      let span = tracer.startSpan(sent.method, context: operation?.context ?? .topLevel, ofKind: .client, at: time)
      let url = URLComponents(string: sent.url)
      span.attributes["http.request.method"] = .string(sent.method)
      span.attributes["url.full"] = .string(sent.url)
      span.attributes["server.address"] = .string(url?.host ?? "")
      span.attributes["server.port"] = .int64(Int64(url?.port ?? (url?.scheme == "http" ? 80 : 443)))
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
    case .failed(let failure):
      for span in [operation, attempt] {
        span?.attributes["error.type"] = .string(failure.status.map { "\($0)" } ?? failure.type)
        span?.setStatus(SpanStatus(code: .error))
      }
      endAttempt()
      operations.removeValue(forKey: event.request)?.end(at: time)
    case .finished, .cancelled:
      endAttempt()
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
struct DocumentedEventsTests {
  /// Makes requests: the first meets a busy server and is retried, the last one fails.
  private func requests(_ adapter: @escaping @Sendable (AsyncStream<ClientEvent>) async -> Void) async throws {
    let server = MockServer()
    server.respond(with: .text("busy", status: 503))
    server.respond(with: .data(#"{"bird":null}"#))
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
      _ = try? await client.perform(RenameMutation(id: "b1", name: "Bo"))
    }
    // The stream ends with its client.
    await listening.value
  }

  @Test func theLogHasALineForEachFinishedRequest() async throws {
    let reported = Told()
    try await requests { await log($0, to: Logger(reported: reported)) }
    let lines = reported.all.map { $0.replacing(#/ request=\d+/#, with: "") }
    #expect(
      lines == [
        "debug query BirdDetails sent to http://mock.invalid/graphql attempt=0",
        "info query BirdDetails again: status attempt=1",
        "debug query BirdDetails sent to http://mock.invalid/graphql attempt=1",
        "info query BirdDetails finished attempt=1",
        "debug mutation Rename sent to http://mock.invalid/graphql attempt=0",
        "warning mutation Rename failed: birds.example refused the connection; check that the server runs and listens on that port attempt=0 error.type=connectionRefused",
      ])
  }

  @Test func metricsRecordADurationForEachResponse() async throws {
    let reported = Told()
    try await requests { events in
      await Metrics.$reported.withValue(reported) { await measure(events) }
    }
    #expect(
      reported.all == [
        "http.client.request.duration http.request.method=POST http.response.status_code=503 took its time",
        "http.client.request.duration http.request.method=POST http.response.status_code=200 took its time",
        "graphql.client.operation.duration graphql.operation.type=query graphql.operation.name=BirdDetails took its time",
        "graphql.client.operation.duration graphql.operation.type=mutation graphql.operation.name=Rename took its time",
      ])
  }

  @Test func tracesHaveASpanForEachAttempt() async throws {
    let reported = Told()
    try await requests { await trace($0, with: Tracer(reported: reported)) }
    let http = "http.request.method=POST"
    let place = "server.address=mock.invalid server.port=80 url.full=http://mock.invalid/graphql"
    #expect(
      reported.all == [
        "query BirdDetails > POST error.type=503 \(http) http.response.status_code=503 network.protocol.version=1.1 \(place) failed",
        "query BirdDetails > POST \(http) http.request.resend_count=1 http.response.status_code=200 network.protocol.version=1.1 \(place)",
        "query BirdDetails graphql.operation.name=BirdDetails graphql.operation.type=query",
        "mutation Rename > POST error.type=connectionRefused \(http) \(place) failed",
        "mutation Rename error.type=connectionRefused graphql.operation.name=Rename graphql.operation.type=mutation failed",
      ])
  }

  @Test func cacheReadsAreCounted() async throws {
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
