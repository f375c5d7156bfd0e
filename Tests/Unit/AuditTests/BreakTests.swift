import ApusDemo
import Testing

@testable import ApusAudit

/// Each audit that the demo server can break fails when it is broken, with its companions and no other.
@Suite(.timeLimit(.minutes(10)))
struct BreakTests {
  /// These wait for the server's own limit, or measure times, which other tests would disturb.
  private static let timed: Set<String> = [
    "subscriptions-ws-init-timeout", "incremental-gzip", "incremental-initial-not-held", "incremental-cancel",
    "subscriptions-sse-not-held", "subscriptions-cut-cleanup",
  ]

  private static let schema = AuditSubject.schema(DemoSchema.sdl)

  @Test func `every break names an audit, and so do its companions`() {
    let ids = Set(Audit.all.map(\.id))
    for one in ServerBreak.all { #expect(one.companions.union([one.audit]).isSubset(of: ids), "\(one.audit)") }
    #expect(Set(ServerBreak.all.map(\.audit)).count == ServerBreak.all.count)
  }

  @Test(arguments: ServerBreak.all.map(\.audit))
  func `a broken rule fails its audit and the declared companions`(_ id: String) async throws {
    let one = try #require(ServerBreak.named(id))
    // Events that arrive at once cannot be stopped.
    let server = try await DemoServer(
      delayScale: id.hasSuffix("-stop") || id.hasSuffix("-no-echo") ? 0.1 : 0, breaks: [one])
    defer { server.stop() }
    let expected = one.companions.union([id])
    var groups = Set(Audit.all.filter { expected.contains($0.id) }.map(\.group))
    // Only deferred operations select a field that fails beside others.
    if id == "http-partial-status" { groups.insert(.incremental) }
    let audits = Audit.all.filter { audit in
      groups.contains(audit.group) && (audit.id == id || !Self.timed.contains(audit.id))
    }
    var settings = AuditContext.Settings()
    settings.operations = ["mutation { renameBird(id: \"b1\", name: \"Ari\") { previousName } }"]
    let results = try await AuditSubject.results(of: server.url, schema: Self.schema, audits, settings: settings)
    let failed = results.filter(\.outcome.isFailure)
    let found = failed.map { "\($0.audit.id): \($0.outcome.found ?? "")" }
    #expect(Set(failed.map(\.audit.id)) == expected, "\(found)")
  }
}
