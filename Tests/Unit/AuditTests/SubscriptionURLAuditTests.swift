import ApusClientNetwork
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusAudit

/// Subscriptions at a separate URL.
@Suite(.timeLimit(.minutes(1))) struct SubscriptionURLAuditTests {
  @Test func `subscriptions go to their URL, without the headers of another origin`() async throws {
    let answer = ScriptedAnswer.json(#"{"data":{"__typename":"Query"}}"#)
    let server = try ScriptedServer { _, _ in answer }
    let other = try ScriptedServer { _, _ in answer }
    for (url, hasHeader) in [(other.url, false), (server.url + "/events", true)] {
      var settings = AuditContext.Settings()
      settings.subscriptions.url = url
      let context = AuditContext(
        endpoint: HTTPRequest(method: "POST", url: server.url, headers: ["X-Key": "1"]), schema: AuditSubject.birds,
        settings: settings, transport: HTTPTransport(), authorize: { $0["Authorization"] = "Bearer 1" })
      _ = try await context.run("{ __typename }")
      _ = try await context.subscribe("subscription { a }")
      let request = try #require((hasHeader ? server : other).requests.last)
      #expect(request.bodyText.contains("subscription"))
      #expect(request.header("X-Key") == (hasHeader ? "1" : nil))
      #expect(request.header("Authorization") == (hasHeader ? "Bearer 1" : nil))
    }
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer 1", "Bearer 1", "Bearer 1"])
    #expect(other.requests.count == 1)
  }

  @Test(arguments: [("1", true), ("2", false)])
  func `connections are initialized with the configured payload`(_ token: String, isAccepted: Bool) async throws {
    let server = try await PythonServer.start(.websockets)
    var settings = AuditContext.Settings()
    settings.subscriptions.url = server.url + "/guarded"
    settings.subscriptions.connectionPayload = { ["token": JSONValue(token)] }
    let ids = ["subscriptions-ws-ack", "subscriptions-ws-ping"]
    let results = try await AuditSubject.results(
      of: server.url, schema: AuditSubject.birds, Audit.all.filter { ids.contains($0.id) }, settings: settings)
    #expect(results.map(\.outcome.isFailure) == [!isAccepted, !isAccepted])
    #expect(results.map(\.outcome.found) == Array(repeating: isAccepted ? nil : "close 4403 (Forbidden)", count: 2))
  }
}
