import ApusClientAPI
import ApusClientNetwork
import ApusDemo
import Testing

@testable import ApusAudit

/// The demo API passes all audits, and a second run gives the same results.
@Suite(.timeLimit(.minutes(10)))
struct DemoAuditTests {
  private static let operations = [
    "mutation { renameBird(id: \"b1\", name: \"Ari\") { previousName } }",
    "mutation ($photos: [Upload!]!) { addPhotos(bird: \"b1\", photos: $photos) { photos { name size } } }",
  ]

  private func audit() async throws -> (results: [AuditResult], requests: [String]) {
    let server = try await DemoServer(delayScale: 0, heartbeat: .seconds(1))
    defer { server.stop() }
    var settings = AuditContext.Settings()
    settings.operations = Self.operations
    let context = AuditContext(
      endpoint: HTTPRequest(method: "POST", url: server.url), schema: AuditSubject.schema(DemoSchema.sdl),
      settings: settings, transport: HTTPTransport())
    // Without delays a subscription may end before these can stop it.
    let racing = ["subscriptions-ws-no-echo", "subscriptions-ws-duplicate"]
    let audits = Audit.all.filter { !racing.contains($0.id) }
    let results = try await AuditRun(audits, in: context).results { _ in }
    let requests = context.exchanges.map { exchange in
      "\(exchange.request.method) \(exchange.requestFields) \(exchange.requestBody)"
    }
    #expect(context.requestCount <= 500)
    return (results, requests)
  }

  @Test func `the demo API passes every audit, twice in the same way`() async throws {
    let first = try await audit()
    for result in first.results {
      if case .failed(let found) = result.outcome { Issue.record("\(result.audit.id): \(found)") }
      if case .unsteady(let found) = result.outcome { Issue.record("\(result.audit.id), once: \(found)") }
    }
    let inapplicable = first.results.filter { if case .notApplicable = $0.outcome { true } else { false } }
    // Without delays no field is slow.
    let expected = [
      "http-http2", "incremental-gzip", "incremental-initial-not-held", "incremental-cancel",
    ]
    #expect(inapplicable.map(\.audit.id) == expected, "\(inapplicable.map(\.outcome.found))")

    let second = try await audit()
    #expect(first.requests == second.requests)
    let texts = [first, second].map { run in run.results.map { "\($0.audit.id) \($0.outcome.found ?? "passed")" } }
    #expect(texts[0] == texts[1])
  }
}
