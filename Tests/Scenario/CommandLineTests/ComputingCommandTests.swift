import ApusTestSupport
import Foundation
import Testing

#if os(Linux)
  /// A signal ends a computing command soon, with one word and the signal's exit code.
  @Suite(.serialized, .timeLimit(.minutes(5)))
  struct ComputingCommandTests {
    /// Files that take each command a long time.
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.write("small.graphql", "type Query { a(x: Int): Query b: Int }")
      try folder.write("q.graphql", "query A { b }")
      // Each empty object needs all default values.
      let fields = (0..<40_000).map { "f\($0): J = {}" }.joined(separator: " ")
      let objects = String(repeating: "{} ", count: 40_000)
      try folder.write(
        "types.graphql",
        "type Query { b(x: I): Int } input I { l: [I] = [\(objects)] \(fields) } input J { a: Int = 1 }")
      try folder.write("apus-generate.yml", "schema: small.graphql\ndocuments: wide.graphql\noutput: Out\n")
    }

    /// Writes a large file that only some commands need.
    private func write(_ name: String) throws {
      switch name {
      case "wide.graphql":
        try folder.write(name, "query A { \(String(repeating: "a(x: 1) { b } ", count: 4_000_000))}")
      case "requests.http":
        let request = "###\nPOST http://127.0.0.1/\n\n{\"query\":\"{ a }\"}\n"
        try folder.write(name, String(repeating: request, count: 200_000))
      case "records.json":
        let records = (0..<1_000_000).map { "\"T:\($0)\":{\"$type\":\"T\",\"id\":\"\($0)\"}" }
        try folder.write(
          name, "{\"format\":\"apus-cache\",\"version\":1,\"records\":{\(records.joined(separator: ","))}}")
      default: break
      }
    }

    @Test(
      arguments: [
        "validate types.graphql", "validate --schema types.graphql q.graphql", "validate wide.graphql",
        "schema types.graphql", "schema types.graphql Query.b", "schema diff types.graphql types.graphql",
        "schema lint types.graphql", "coverage --schema types.graphql q.graphql",
        "coverage --schema small.graphql wide.graphql", "bundle wide.graphql", "format wide.graphql",
        "format --check wide.graphql", "complete --schema small.graphql --at 1:11 wide.graphql",
        "hover --schema small.graphql --at 1:11 wide.graphql", "generate --config apus-generate.yml",
        "import requests.http --to out", "cache import records.json --db cache",
        "query http://127.0.0.1:1/ --schema small.graphql -f wide.graphql",
      ], [SIGTERM, SIGINT])
    func `a signal ends a computing command within the grace period`(_ line: String, _ signal: Int32) async throws {
      let words = line.split(separator: " ").map(String.init)
      for word in words { try write(word) }
      if line.hasPrefix("generate") { try write("wide.graphql") }
      let process = try ChildProcess("/bin/sh", ["-c", "cd '\(folder.root)' && exec '\(Checkout.apus)' \(line)"])
      await process.hasComputed(forSeconds: 0.3)
      process.signal(signal)
      let limit = Task {
        try await Task.sleep(for: .seconds(30))
        process.signal(SIGKILL)
      }
      defer { limit.cancel() }
      let outcome = await process.outcome()
      #expect(outcome.exitCode == (signal == SIGTERM ? 143 : 130))
      #expect(outcome.errors.hasSuffix(signal == SIGTERM ? "apus: terminated\n" : "apus: interrupted\n"))
    }
  }
#endif
