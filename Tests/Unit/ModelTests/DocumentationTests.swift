import Apus
import ApusTestSupport
import Synchronization
import Testing

/// Tests that the code in Docs/Client.md does what the page says. ArchitectureTests compare it with
/// `DocumentedInterceptors.swift`.
struct DocumentationTests {
  @Test func theDocumentedInterceptorsWork() async throws {
    let server = try ScriptedServer([
      .json(#"{"data":{"person":null},"errors":[{"message":"no such person"}]}"#)
    ])
    let counter = ErrorCounter()
    // Port 9 of the local machine is closed.
    let client = makeClient(url: "http://127.0.0.1:9/", fallback: server.url, counter: counter)
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.context = TenantContext(tenant: "blue")
    for try await _ in client.fetch(query: PersonQuery(personId: "1"), options: options) {}
    #expect(server.requests.map { $0.header("X-Tenant") } == ["blue"])
    #expect(counter.count.load(ordering: .relaxed) == 1)
  }
}
