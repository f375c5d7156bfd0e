import ApusClientAPI
import Testing

@testable import ApusAudit
@testable import ApusDemo

/// Each audit that the demo server can break must fail when it is broken, together with its companions and no others.
@Suite(.timeLimit(.minutes(5)))
struct BreakTests {
  /// Audits that compare times. Their field is slow, and only they run.
  private static let timed: Set = ["incremental-gzip", "incremental-initial-not-held", "incremental-cancel"]
  /// Audits that wait for seconds.
  private static let waiting = Set(WaitingAudits.all.map(\.id))

  private static let schema = AuditSubject.schema(DemoSchema.sdl)

  @Test func `every break names an audit, and so do its companions`() {
    let ids = Set(Audit.all.map(\.id))
    for one in ServerBreak.all { #expect(one.companions.union([one.audit]).isSubset(of: ids), "\(one.audit)") }
    #expect(Set(ServerBreak.all.map(\.audit)).count == ServerBreak.all.count)
  }

  /// Scripted servers and schemas break the rules that the demo server cannot break.
  @Test func `every audit that can fail is broken here or by a scripted server`() {
    let broken = Set(ServerBreak.all.map(\.audit))
    let missing = Audit.all.filter { $0.level != .may && !broken.contains($0.id) }.map(\.id)
    #expect(Set(missing) == ScriptedAuditTests.onlyHere)
  }

  @Test(arguments: ServerBreak.all.map(\.audit))
  func `a broken rule fails its audit and the declared companions`(_ id: String) async throws {
    let one = try #require(ServerBreak.named(id))
    let isSlow = Self.timed.contains(id) || Self.isStopped(id)
    let server = try await DemoServer(delayScale: isSlow ? 1 : 0, breaks: [one])
    defer { server.stop() }
    let expected = one.companions.union([id])
    let results = try await AuditSubject.results(
      of: server.url, schema: Self.schema, Self.audits(for: one), settings: Self.settings(for: id))
    // Payloads are sometimes joined, so that a second run may show fewer failures.
    let failed = results.filter { $0.outcome.isFailure || $0.outcome.isUnsteady && expected.contains($0.audit.id) }
    let found = failed.map { "\($0.audit.id): \($0.outcome.found ?? "")" }
    #expect(Set(failed.map(\.audit.id)) == expected, "\(found)")
  }

  /// One result may be on its way while the client's message is. The server of each row sends that many results of the
  /// stopped subscription after the first one of the next.
  @Test(arguments: [(0, false), (1, false), (2, true), (3, true)])
  func `one late result after a stop is allowed, and two are not`(lateCount: Int, isFailure: Bool) async throws {
    let late = ServerBreak(
      "subscriptions-ws-stop",
      .stateful {
        let sent = BreakMemory(0)
        return .outgoing { text in
          guard text.contains(#""type":"next""#) else { return [text] }
          // A failed audit is repeated, with the same ids.
          if text.contains(#""id":"1""#) { _ = sent.replace { _ in 0 } }
          guard text.contains(#""id":"other""#) else { return [text] }
          let isFirst = sent.replace { $0 + 1 } == 0
          let result = text.replacing(#""id":"other""#, with: #""id":"1""#)
          return isFirst ? [text] + Array(repeating: result, count: lateCount) : [text]
        }
      })
    let server = try await DemoServer(delayScale: 1, breaks: [late])
    defer { server.stop() }
    let audits = Audit.all.filter { $0.id == "subscriptions-ws-stop" }
    let results = try await AuditSubject.results(
      of: server.url, schema: Self.schema, audits, settings: Self.settings(for: "subscriptions-ws-stop"))
    let outcome = try #require(results.first?.outcome)
    #expect(outcome.isFailure == isFailure, "\(outcome)")
    if !isFailure { #expect(outcome == .passed) }
  }

  /// A subscription that ends by itself shows nothing about the answer to a stop. Its events come at once, or one every 20 ms.
  @Test(arguments: [
    (1, 0, false), (2, 0, false), (9, 0, false), (1000, 20, true),
  ])
  func `only a subscription that was stopped can have an echo`(count: Int, milliseconds: Int, isStopped: Bool)
    async throws
  {
    let server = try await DemoServer(delayScale: milliseconds == 0 ? 0 : 1)
    defer { server.stop() }
    var settings = AuditContext.Settings()
    settings.operations = ["subscription { countdown(from: \(count), milliseconds: \(milliseconds)) }"]
    let audits = Audit.all.filter { $0.id == "subscriptions-ws-no-echo" }
    let results = try await AuditSubject.results(of: server.url, schema: Self.schema, audits, settings: settings)
    let outcome = try #require(results.first?.outcome)
    #expect(outcome == (isStopped ? .passed : .notApplicable("the subscription ended before it was stopped")))
  }

  /// Events that arrive immediately cannot be stopped, and their id is soon free.
  private static func isStopped(_ id: String) -> Bool {
    ["-stop", "-no-echo", "-duplicate"].contains(where: id.hasSuffix)
  }

  /// All audits of the groups that can fail.
  private static func audits(for one: ServerBreak) -> [Audit] {
    if timed.contains(one.audit) { return Audit.all.filter { timed.contains($0.id) } }
    let expected = one.companions.union([one.audit])
    var groups = Set(Audit.all.filter { expected.contains($0.id) }.map(\.group))
    // Only deferred operations select a field that fails next to others.
    if one.audit == "http-partial-status" { groups.insert(.incremental) }
    return Audit.all.filter { audit in
      groups.contains(audit.group)
        && (audit.id == one.audit || !timed.contains(audit.id) && !waiting.contains(audit.id))
    }
  }

  private static func settings(for id: String) -> AuditContext.Settings {
    var settings = AuditContext.Settings()
    // Breaks name the fields that the audits select, so a late processor must not make them prefer others.
    if !timed.contains(id) { settings.slowDuration = .seconds(1000) }
    settings.operations = [
      "mutation { renameBird(id: \"b1\", name: \"Ari\") { previousName } }",
      "mutation ($photos: [Upload!]!) { addPhotos(bird: \"b1\", photos: $photos) { photos { name size } } }",
    ]
    // A failing source and one without events are different from those of other audits.
    switch id {
    case "subscriptions-mp-fatal": settings.operations.append("subscription { interrupted }")
    case "subscriptions-mp-heartbeat": settings.operations.append("subscription { birdRinged { name } }")
    case _ where isStopped(id):
      settings.operations.append("subscription { countdown(from: 1000, milliseconds: 20) }")
    case _ where id.hasPrefix("subscriptions-"): settings.operations.append("subscription { countdown(from: 9) }")
    default: break
    }
    return settings
  }
}
