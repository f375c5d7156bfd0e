import ApusDemo
import Testing

@testable import ApusAudit

/// The demo API keeps every rule.
@Suite(.timeLimit(.minutes(3)))
struct DemoAuditTests {
  @Test func `the demo API passes every audit`() async throws {
    let server = try await DemoServer(delayScale: 0)
    defer { server.stop() }
    let schema = AuditSubject.schema(DemoSchema.sdl)
    // These would wait for the demo server's own limit, or measure times, which other tests would disturb.
    let timed = [
      "subscriptions-ws-init-timeout", "incremental-gzip", "incremental-initial-not-held", "incremental-cancel",
    ]
    let audits = Audit.all.filter { !timed.contains($0.id) }
    let results = try await AuditSubject.results(of: server.url, schema: schema, audits)
    for result in results {
      if case .failed(let found, _) = result.outcome { Issue.record("\(result.audit.id): \(found)") }
      if case .unsteady(let found, _) = result.outcome { Issue.record("\(result.audit.id), once: \(found)") }
    }
    let inapplicable = results.filter { if case .notApplicable = $0.outcome { true } else { false } }
    #expect(inapplicable.count < 30, "\(inapplicable.map(\.audit.id))")
  }
}
