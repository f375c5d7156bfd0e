import Apus
import ApusTestSupport
import Synchronization
import Testing

/// What Docs/Client.md shows does what the page says. That it is the code of `DocumentedInterceptors.swift`, HouseTests hold.
struct DocumentationTests {
  @Test func theInterceptorsOfThePageDoWhatItSays() async throws {
    let server = try ScriptedServer([
      .json(#"{"data":{"person":null},"errors":[{"message":"no such person"}]}"#)
    ])
    let counter = ErrorCounter()
    // Nothing listens on port 9 of this machine.
    let client = makeClient(url: "http://127.0.0.1:9/", fallback: server.url, counter: counter)
    var options = RequestOptions(cachePolicy: .networkOnly)
    options.context = TenantContext(tenant: "blue")
    for try await _ in client.fetch(query: PersonQuery(personId: "1"), options: options) {}
    #expect(server.requests.map { $0.header("X-Tenant") } == ["blue"])
    #expect(counter.count.load(ordering: .relaxed) == 1)
  }
}
