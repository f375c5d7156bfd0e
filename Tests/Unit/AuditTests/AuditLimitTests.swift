import ApusClientNetwork
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusAudit

/// The limits of a run: time-outs in a row, and the responses that it keeps.
@Suite(.timeLimit(.minutes(2))) struct AuditLimitTests {
  private func context(_ server: ScriptedServer, _ change: (inout AuditContext.Settings) -> Void) -> AuditContext {
    var settings = AuditContext.Settings()
    change(&settings)
    return AuditContext(
      endpoint: HTTPRequest(method: "POST", url: server.url), schema: AuditSubject.birds, settings: settings,
      transport: HTTPTransport())
  }

  private static let silence = ScriptedAnswer.raw([.hold(Gate())])
  private static let data = ScriptedAnswer.json(#"{"data":{"__typename":"Query"}}"#)

  /// The answers to the first requests, where `-` is none and `+` is one, and the number of requests that are sent.
  @Test(arguments: [("---", 3), ("--+---", 6), ("+---", 4), ("-+-+--+---", 10)])
  func `three requests in a row that time out end the run`(answers: String, sent: Int) async throws {
    let list = Array(answers)
    let server = try ScriptedServer { _, index in
      list.indices.contains(index) && list[index] == "-" ? Self.silence : Self.data
    }
    let context = context(server) { $0.timeout = .milliseconds(60) }
    for number in 0..<(sent + 5) {
      do {
        _ = try await context.run("{ a\(number): __typename }")
      } catch AuditStop.notApplicable(let reason) {
        #expect(reason.contains("three requests in a row did not complete within 60 ms"))
      }
    }
    #expect(context.requestCount == sent)
    #expect(context.refusal?.contains("three requests in a row") == true)
  }

  @Test func `requests that wait on purpose do not count as time-outs`() async throws {
    let server = try ScriptedServer { _, _ in Self.silence }
    let context = context(server) { $0.timeout = .milliseconds(60) }
    for number in 0..<6 {
      var request = HTTPRequest(method: "POST", url: "\(server.url)?\(number)")
      request.timeouts.total = .milliseconds(30)
      _ = try await context.exchange(request)
    }
    #expect(context.refusal == nil)
  }

  @Test func `a response over the limit is not audited and not kept`() async throws {
    let server = try ScriptedServer { _, _ in .json(#"{"data":{"a":"\#(String(repeating: "x", count: 5000))"}}"#) }
    let context = context(server) { $0.responseByteLimit = 4000 }
    do {
      _ = try await context.run("{ a }")
      Issue.record("a large response was audited")
    } catch AuditStop.notApplicable(let reason) {
      #expect(reason.contains("the response is larger than"))
    }
    #expect(context.exchanges.map(\.byteCount) == [0])
    #expect(context.exchanges.map(\.hasBody) == [false])
    #expect(context.completeExchanges.isEmpty)
  }

  @Test func `bodies beyond the limit of a run are dropped, and requested again if they are needed`() async throws {
    let server = try ScriptedServer { request, _ in
      .json(#"{"data":{"a":"\#(String(repeating: "x", count: request.bodyText.contains("big") ? 3000 : 10))"}}"#)
    }
    let context = context(server) { $0.keptByteLimit = 8000 }
    for number in 0..<5 { _ = try await context.run("{ big\(number): a }") }
    _ = try await context.run("{ a }")
    context.dropBodies()
    #expect(context.exchanges.reduce(0) { $0 + $1.byteCount } <= 8000)
    #expect(context.exchanges.last?.byteCount ?? 0 > 0)
    #expect(context.refusal == nil)
    let before = context.requestCount
    let again = try await context.run("{ big0: a }")
    #expect(again.byteCount > 3000 && context.requestCount == before + 1)
  }

  @Test func `findings keep the beginnings of their bodies within the limit`() async throws {
    let server = try ScriptedServer { _, _ in
      .json(#"{"data":{"a":"\#(String(repeating: "x", count: 3000))"}}"#, status: 500)
    }
    let audit = Audit(.http, "x", .should, "", .overHTTP(""), reason: "") { context in
      let exchange = try await context.run("{ a\(context.requestCount): a }")
      try context.expect(false, exchange)
    }
    let context = context(server) { $0.keptByteLimit = 7000 }
    let results = try await AuditRun([audit, audit, audit, audit], in: context).results { _ in }
    let counts = results.map { result -> Int in
      result.outcome.isFailure ? result.exchanges.reduce(0) { $0 + $1.byteCount } : -1
    }
    #expect(counts.reduce(0, +) == 7000 && counts[0] > 3000 && counts[3] == 0, "\(counts)")
  }
}
