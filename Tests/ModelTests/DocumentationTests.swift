import Apus
import ApusTestSupport
import FoundationEssentials
import Synchronization
import Testing

/// What Docs/Client.md shows is code of these tests, and does what the page says.
struct DocumentationTests {
  @Test func everySnippetOfThePageIsCompiledHere() throws {
    let page = try String(contentsOfFile: Checkout.root + "/Docs/Client.md", encoding: .utf8)
    let source = try String(
      contentsOfFile: Checkout.root + "/Tests/ModelTests/DocumentedInterceptors.swift", encoding: .utf8)
    let snippets = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
    #expect(snippets.count == 11)
    for snippet in snippets { #expect(source.contains(snippet), "not compiled: \(snippet)") }
  }

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
