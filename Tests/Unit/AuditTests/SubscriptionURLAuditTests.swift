import ApusClientNetwork
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
      settings.subscriptionURL = url
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
}
