import ApusClientCache
import ApusClientCore
import ApusClientNetwork
@testable import ApusClientRequestChain
import ApusTestSupport
import Synchronization
import Testing

/// Retries of failed requests.
@Suite(.timeLimit(.minutes(1))) struct RetryTests {
  /// Runs requests against a scripted server. Delays are recorded and skipped.
  private func send(
    _ answers: [ScriptedAnswer], text: String = "{ a }", _ change: (inout RetryPolicy) -> Void = { _ in }
  ) async throws -> (lines: [String], count: Int, waits: [Duration]) {
    let server = try ScriptedServer(answers)
    let waits = Waits()
    var policy = RetryPolicy()
    policy.jitter = 0
    policy.sleep = { waits.add($0) }
    change(&policy)
    var features = RequestFeatures()
    features.retry = policy
    let run = await read(GraphQLClient(url: server.url, features: features).fetch(query: try operation(text)))
    return (run.lines, server.requests.count, waits.all)
  }

  private final class Waits: Sendable {
    private let durations = Mutex<[Duration]>([])
    func add(_ duration: Duration) { durations.withLock { $0.append(duration) } }
    var all: [Duration] { durations.withLock { $0 } }
  }

  private let good = ScriptedAnswer.json(#"{"data":{"a":1}}"#)

  @Test func `each delay is twice as long`() async throws {
    let run = try await send([.raw([.close]), .json("{}", status: 503), good])
    #expect(run.lines == [#"0 complete {"a":1}"#])
    #expect(run.waits == [.milliseconds(300), .milliseconds(600)])
  }

  @Test func `the last error is thrown after all retries`() async throws {
    let run = try await send([.json("{}", status: 503)])
    #expect(run.count == 4)
    #expect(run.lines.first?.contains("answered 503") == true)
  }

  @Test func `a GraphQL response with a server error is retried`() async throws {
    let busy = ScriptedAnswer.json(#"{"errors":[{"message":"busy"}]}"#, status: 503)
    let served = try await send([busy, good])
    #expect(served.lines == [#"0 complete {"a":1}"#])
    #expect(served.waits == [.milliseconds(300)])
    let never = try await send([busy])
    #expect(never.count == 4)
    #expect(never.lines == ["0 complete no data “busy”"])
    let invalid = ScriptedAnswer.json(#"{"errors":[{"message":"no such field"}]}"#, status: 400)
    #expect(try await send([invalid, good]).count == 1)
    let mutation = try await send([busy, good], text: "mutation { a }")
    #expect(mutation.count == 1)
  }

  @Test func `Retry-After is obeyed`() async throws {
    let busy = ScriptedAnswer.json("{}", status: 429, headers: [("Retry-After", "7")])
    #expect(try await send([busy, good]).waits == [.seconds(7)])
  }

  @Test func `a Retry-After over the limit is not retried`() async throws {
    let busy = ScriptedAnswer.json("{}", status: 429, headers: [("Retry-After", "3600")])
    let run = try await send([busy, good])
    #expect(run.count == 1)
    #expect(run.waits.isEmpty)
  }

  @Test func `Retry-After may be a date`() async throws {
    #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_770) == .seconds(7))
    #expect(RetryAfter.delay("Thu, 29 Feb 2024 00:00:00 GMT", now: 1_709_164_700) == .seconds(100))
    #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:49:37 GMT", now: 784_111_778) == .zero)
    #expect(RetryAfter.delay("soon") == nil)
    #expect(RetryAfter.delay("Sun, 06 Nov 1994 9223372036854775807:00:00 GMT") == nil)
    #expect(RetryAfter.delay("9223372036854775807") == .seconds(1 << 40))
    #expect(RetryAfter.delay("-5") == nil)
  }

  @Test func `lifetimes are limited to 68 years`() {
    func seconds(_ text: String, age: String = "0") -> Int? {
      CacheLifetime(["Cache-Control": text, "Age": age]).seconds
    }
    #expect(seconds("max-age=9223372036854775807") == 1 << 31)
    #expect(seconds("max-age=-9223372036854775808") == 0)
    #expect(seconds("max-age=60", age: "9223372036854775807") == 0)
    #expect(seconds("max-age=60", age: "-9223372036854775808") == 60)
    #expect(seconds("max-age=soon") == nil)
  }

  @Test func `jitter shortens delays up to its fraction`() {
    var policy = RetryPolicy()
    policy.jitter = 0.5
    policy.randomSource = { 1 }
    #expect(policy.delay(before: 1) == .milliseconds(150))
    policy.randomSource = { 0 }
    #expect(policy.delay(before: 3) == .milliseconds(1200))
    #expect(policy.delay(before: 60) == .seconds(30))
  }

  @Test func `only transient errors are retried`() {
    func mayHelp(_ error: NetworkError) -> Bool { RetryPolicy().mayHelp(GraphQLClientError.network(error)) }
    #expect(mayHelp(.interrupted(host: "h", receivedBytes: 0)) && mayHelp(.connectionRefused(host: "h")))
    #expect(!mayHelp(.badURL(url: "h", reason: "")) && !mayHelp(.untrustedCertificate(host: "h", reason: "")))
  }

  @Test func `the longer of backoff and Retry-After is used`() {
    var policy = RetryPolicy()
    policy.jitter = 0
    #expect(policy.delay(before: 3, requested: .milliseconds(100)) == .milliseconds(1200))
    #expect(policy.delay(before: 3, requested: .seconds(5)) == .seconds(5))
    #expect(policy.delay(before: 3, requested: .seconds(30)) == .seconds(30))
    #expect(policy.delay(before: 3, requested: .seconds(31)) == nil)
  }

  @Test func `other statuses are not retried`() async throws {
    #expect(try await send([.json("{}", status: 404), good]).count == 1)
  }

  @Test func `a mutation is never retried`() async throws {
    #expect(try await send([.json("{}", status: 503), good], text: "mutation { a }").count == 1)
  }

  @Test func `nothing is retried after a result`() async throws {
    let cut = ScriptedAnswer.multipart(
      framing: .untilClose, [.text(#"{"data":{"a":1},"hasNext":true}"#), .close])
    let run = try await send([cut, good], text: "{ a ... @defer { b } }")
    #expect(run.count == 1)
    #expect(run.lines.first == #"0 partial {"a":1} pending"#)
  }

  @Test(arguments: [false, true])
  func `a retry by GET has the query in its URL once`(isPersisted: Bool) async throws {
    let server = try ScriptedServer([.json("{}", status: 503), .json("{}", status: 503), good])
    var features = RequestFeatures()
    var policy = RetryPolicy()
    policy.sleep = { _ in }
    features.retry = policy
    features.usesGET = true
    if isPersisted { features.persistedQueries = PersistedQueryOptions(usesGET: true) }
    let run = await read(GraphQLClient(url: server.url, features: features).fetch(query: try operation("{ a }")))
    #expect(run.lines == [#"0 complete {"a":1}"#])
    #expect(Set(server.requests.map(\.target)).count == 1, "\(server.requests.map(\.target))")
    #expect(server.requests.count == 3)
  }

  @Test func `a result from the cache does not prevent retries`() async throws {
    let server = try ScriptedServer([.json("{}", status: 503), good])
    var features = RequestFeatures()
    var policy = RetryPolicy()
    policy.sleep = { _ in }
    features.retry = policy
    let store = CacheStore()
    let query = try operation("{ a }")
    try await store.write(["a": 0], operation: query.compiled)
    let client = GraphQLClient(url: server.url, store: store, features: features)
    let run = await read(client.fetch(query: query, cachePolicy: .cacheAndNetwork))
    #expect(run.lines == [#"0 cached complete {"a":0}"#, #"0 complete {"a":1}"#])
  }
}
