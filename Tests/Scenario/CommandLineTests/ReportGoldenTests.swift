import ApusTestSupport
import Foundation
import Testing

/// Every report format of every command, for one small project.
/// `APUS_WRITE_DOCS=1 swift test --filter ReportGoldenTests` writes the files again.
@Suite(.timeLimit(.minutes(3))) struct ReportGoldenTests {
  /// A command, with `URL` for the demo API, `BROKEN` for one that breaks rules, and the option with the formats.
  private static let commands: [(name: String, words: [String])] = [
    ("audit", ["audit", "BROKEN", "--only", "http"]),
    ("bundle", ["bundle", "valid.graphql"]),
    ("cache-export", ["cache", "export", "--db", "birds.sqlite"]),
    ("cache-keys", ["cache", "keys", "--db", "birds.sqlite"]),
    ("cache-show", ["cache", "show", "Bird:b42", "--db", "birds.sqlite"]),
    ("cache-refs", ["cache", "refs", "Bird:b42", "--db", "birds.sqlite"]),
    ("cache-stats", ["cache", "stats", "--db", "birds.sqlite"]),
    ("cache-gc", ["cache", "gc", "--db", "birds.sqlite"]),
    ("cache-evict", ["cache", "evict", "Bird:*", "--db", "birds.sqlite"]),
    ("query", ["query", "URL", "-q", "{ birds(first: 2) { nodes { id ring weight sex } } }"]),
    ("query-deferred", ["query", "URL", "-f", "deferred.graphql"]),
    ("query-errors", ["query", "URL", "-q", "{ bird(id: \"b42\") { id gone } }"]),
    ("validate", ["validate", "--lint", "--schema", "new.graphql", "queries.graphql"]),
    ("schema-lint", ["schema", "lint", "new.graphql"]),
    ("schema-diff", ["schema", "diff", "old.graphql", "new.graphql", "--documents", "queries.graphql"]),
    ("coverage", ["coverage", "--schema", "new.graphql", "queries.graphql"]),
    ("schema", ["schema", "new.graphql", "Bird.weight"]),
    ("replay", ["replay", "run.ndjson", "--speed", "0"]),
    ("complete", ["complete", "queries.graphql", "--at", "1:23", "--schema", "new.graphql"]),
    ("hover", ["hover", "queries.graphql", "--at", "1:23", "--schema", "new.graphql"]),
  ]

  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "old.graphql", "type Query { birds(first: Int): [Bird!]! station: String }\ntype Bird { id: ID! weight: Float }\n"
    )
    try folder.write(
      "new.graphql",
      """
      type Query { birds(first: Int!): [Bird!]! }
      "A ringed bird."
      type Bird { id: ID! weight: Float @deprecated(reason: "Use mass, in grams | kilograms.") Mass: Float }

      """)
    try folder.write(
      "queries.graphql",
      "query A { birds(first: 1) { weight nme } }\nquery B($unused: Int) { birds(first: 2) { id } }\n")
    return folder
  }

  /// The option for formats and its values in the help of a command.
  private func formats(_ words: [String]) async throws -> (option: String, values: [String]) {
    let help = try await ChildProcess.run(Checkout.apus, ["help"] + words).output
    let match = try #require(help.firstMatch(of: /(--output|--format) ([a-z|]+)/))
    return (String(match.1), match.2.split(separator: "|").map(String.init))
  }

  /// Times, versions and addresses, which differ in each run.
  private func stable(_ text: String, _ urls: [String]) -> String {
    var text = text.replacing(/"(apusVersion|version)" ?: ?"0\.[0-9.]+"/, with: #""version":"VERSION""#)
      .replacing(/"(milliseconds|elapsedMs)" ?: ?[0-9.]+/, with: #""elapsedMs":0"#)
      .replacing(/[0-9]+ ms\b/, with: "0 ms").replacing(/\b[0-9.]+ s\)/, with: "0 s)")
      .replacing(/"(time|timestamp|writtenAt|date)" ?: ?"[^"]*"/, with: #""time":"TIME""#)
      .replacing(/\ (time|timestamp)="[^"]*"/, with: #" time="TIME""#)
      .replacing(/\$written("?): ?[0-9]+/) { "$written\($0.output.1): 0" }
    for url in urls { text = text.replacing(url, with: "URL") }
    return text
  }

  private func serve(_ options: [String] = []) async throws -> (process: ChildProcess, url: String) {
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"] + options)
    return (server, try #require(await server.nextLine()))
  }

  @Test func `every report format is as expected`() async throws {
    let folder = try project()
    try folder.write("valid.graphql", "query C { birds(first: 3) { ...F } }\nfragment F on Bird { id }\n")
    try folder.write(
      "deferred.graphql",
      "query D { bird(id: \"b42\") { id ... @defer(label: \"slow\") { migrationHistory { flightCount } } } }\n")
    let server = try await serve()
    let broken = try await serve(["--break", "http-content-type"])
    func apus(_ words: [String]) async throws -> ChildProcess.Outcome {
      let words = words.map { $0 == "URL" ? server.url : $0 == "BROKEN" ? broken.url : $0 }
      return try await ChildProcess.run(
        "/usr/bin/env", ["-C", folder.root, Checkout.apus] + words, environment: folder.asHome)
    }
    let query = "{ bird(id: \"b42\") { id ring weight sex } birds(first: 2) { nodes { id ring weight sex } } }"
    _ = try await apus(["query", "URL", "-q", query, "--record", "run.ndjson", "--db", "birds.sqlite"])
    var expected: Set<String> = []
    for (name, words) in Self.commands {
      let path = words.prefix { $0 == "schema" || $0 == "lint" || $0 == "diff" }
      let (option, formats) = try await formats(path.count > 1 ? Array(path) : [words[0]])
      for format in formats {
        let outcome = try await apus(words + [option, format])
        #expect([0, 1].contains(outcome.exitCode), "\(name) \(format): \(outcome.errors)")
        expected.insert("\(name).\(format)")
        try GoldenFile.check(stable(outcome.output, [server.url, broken.url]), "Reports/\(name).\(format)")
      }
    }
    #expect(try GoldenFile.names(in: "Reports") == expected)
    for process in [server.process, broken.process] { process.signal(15) }
  }

  @Test func `every command with report formats has expected reports`() async throws {
    let help = try await ChildProcess.run(Checkout.apus, ["help"]).output
    for line in help.split(separator: "\n") {
      guard let name = line.firstMatch(of: /^ {2}([a-z]+(?: [a-z]+)?) {2}/)?.1 else { continue }
      let words = name.split(separator: " ").map(String.init)
      // The tests of tap check its output, which an application causes.
      guard name != "tap" else { continue }
      let text = try await ChildProcess.run(Checkout.apus, ["help"] + words).output
      guard text.contains(/--(output|format) [a-z]+\|/) else { continue }
      #expect(
        Self.commands.contains { Array($0.words.prefix(words.count)) == words }, "apus \(name) has no expected reports")
    }
  }
}
