import ApusTestSupport
import Foundation
import Testing

/// Ctrl-C while a command waits for a server that never answers: one word, and the exit code of an interrupt. It is never
/// reported as a failure of the server.
@Suite(.timeLimit(.minutes(2)))
struct InterruptionTests {
  @Test(
    arguments: [
      ["query", "URL", "-q", "{ a }"], ["query", "URL", "-q", "{ a }", "--schema", "URL"], ["schema", "URL"],
      ["schema", "URL", "Bird.name"], ["validate", "--schema", "URL", "FILE"],
      ["complete", "--schema", "URL", "--at", "1:3", "FILE"], ["hover", "--schema", "URL", "--at", "1:3", "FILE"],
      ["generate", "URL", "--config", "CONFIG"], ["serve", "--schema", "URL"],
      ["query", "URL", "-q", "{ a }", "--db", "CACHE"],
      ["query", "URL", "-q", "{ a(first: 1) { nodes { b } pageInfo { hasNextPage endCursor } } }", "--all-pages"],
      ["query", "URL", "-q", "subscription { a }", "--subscription-transport", "sse"],
    ])
  func `an interrupt prints one word and exits with 130`(words: [String]) async throws {
    let server = try ScriptedServer([.never])
    let folder = try TemporaryFolder()
    try folder.write("q.graphql", "{ a }")
    try folder.write("apus-generate.yml", "documents: q.graphql\noutput: Out\n")
    let places = [
      "URL": server.url, "FILE": folder.path("q.graphql"), "CONFIG": folder.path("apus-generate.yml"),
      "CACHE": folder.path("cache"),
    ]
    let process = try ChildProcess(Checkout.apus, words.map { places[$0] ?? $0 })
    _ = try await server.request()
    process.signal(SIGINT)
    let outcome = await process.outcome()
    #expect(outcome.exitCode == 130)
    #expect(outcome.errors == "apus: interrupted\n")
    #expect(outcome.output.isEmpty)
  }
}
