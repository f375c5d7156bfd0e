import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// `apus cache` and `apus query --db`, as other programs use them.
@Suite(.timeLimit(.minutes(3))) struct CacheCommandTests {
  private static let query = "{ birds { id name } }"
  private static let answer =
    #"{"data":{"birds":[{"__typename":"Bird","id":"1","name":"Apus"},{"__typename":"Bird","id":"2","name":"Sula"}]}}"#

  /// Creates a cache file with two birds by a request, and returns the printed output.
  private func filled(_ folder: TemporaryFolder) async throws -> (db: String, output: String, url: String) {
    let server = try ScriptedServer([.json(Self.answer)])
    let db = folder.path("cache.sqlite")
    let outcome = try await ChildProcess.apus("query", server.url, "-q", Self.query, "--db", db)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    return (db, outcome.output, server.url)
  }

  @Test func `fields added for the cache are not printed`() async throws {
    let folder = try TemporaryFolder()
    let (db, output, url) = try await filled(folder)
    let expected = #"{"data":{"birds":[{"id":"1","name":"Apus"},{"id":"2","name":"Sula"}]}}"# + "\n"
    #expect(output == expected)
    let cached = try await ChildProcess.apus("query", url, "-q", Self.query, "--db", db, "--cache-policy", "cacheOnly")
    #expect(cached.output == expected)
    let line = try await ChildProcess.apus("query", url, "-q", Self.query, "--db", db, "--output", "ndjson")
    #expect(line.output.contains(#""source":"cache""#))
  }

  @Test func `a cache miss with cacheOnly exits with 3`() async throws {
    let folder = try TemporaryFolder()
    let (db, _, url) = try await filled(folder)
    let missed = try await ChildProcess.apus(
      "query", url, "-q", "{ birds { id song } }", "--db", db, "--cache-policy", "cacheOnly")
    #expect(missed.exitCode == 3)
    let partial = try await ChildProcess.apus(
      "query", url, "-q", "{ birds { id song } }", "--db", db, "--cache-policy", "cacheOnly", "--partial")
    #expect(partial.output == #"{"data":{"birds":[{"id":"1"},{"id":"2"}]}}"# + "\n")
    let usage = try await ChildProcess.apus("query", url, "-q", "{ a }", "--cache-policy", "cacheOnly")
    #expect(usage.exitCode == 2)
  }

  @Test(arguments: ["json", "ndjson", "pretty", "yaml", "table", "csv", "tsv"])
  func `a list whose stream failed counts as incomplete`(format: String) async throws {
    let folder = try TemporaryFolder()
    let server = try ScriptedServer([
      .multipart([
        .text(#"{"data":{"birds":[{"__typename":"Bird","id":"1"}]},"hasNext":true}"#),
        .text(#"{"incremental":[{"path":["birds",1],"items":null,"errors":[{"message":"no more"}]}],"hasNext":false}"#),
      ])
    ])
    let db = folder.path("cache.sqlite")
    _ = try await ChildProcess.apus(
      "query", server.url, "-q", "{ birds @stream(initialCount: 1) { id } }", "--db", db)
    let cached = try await ChildProcess.apus(
      "query", server.url, "-q", "{ birds { id } }", "--db", db, "--cache-policy", "cacheOnly", "--output", format)
    #expect(cached.exitCode == 3)
    #expect(cached.errors.contains("birds"))
    if format == "ndjson" { #expect(cached.output.contains(#""response":"partial""#)) }
  }

  @Test func `Cache-Control expires data only if requested`() async throws {
    for (options, count) in [([], 1), (["--cache-control"], 2)] {
      let folder = try TemporaryFolder()
      let server = try ScriptedServer { _, _ in
        .json(Self.answer, headers: [("Cache-Control", "no-store")])
      }
      for _ in 1...2 {
        let run = try await ChildProcess.run(
          Checkout.apus, ["query", server.url, "-q", Self.query, "--db", folder.path("cache.sqlite")] + options)
        #expect(run.exitCode == 0, "\(run.errors)")
      }
      #expect(server.requests.count == count)
    }
    let usage = try await ChildProcess.apus("query", "http://127.0.0.1:1", "-q", "{ a }", "--cache-control")
    #expect(usage.exitCode == 2)
  }

  @Test func `keys, show and refs print records and referrers`() async throws {
    let folder = try TemporaryFolder()
    let (db, _, _) = try await filled(folder)
    #expect(try await ChildProcess.apus("cache", "keys", "--db", db).output == "QUERY_ROOT\nBird:1\nBird:2\n")
    let shown = try await ChildProcess.apus("cache", "show", "Bird:2", "--db", db, "--output", "json").output
    #expect(try JSONDocument(parsing: shown).root["record"]?["name"] == "Sula")
    #expect(try await ChildProcess.apus("cache", "refs", "Bird:1", "--db", db).output == "QUERY_ROOT.birds\n")
    let absent = try await ChildProcess.apus("cache", "show", "Bird:9", "--db", db)
    #expect(absent.exitCode == 1)
    #expect(absent.errors.hasPrefix("apus: there is no record Bird:9 in "))
  }

  @Test func `evict removes records by key and pattern, and gc removes unreachable ones`() async throws {
    let folder = try TemporaryFolder()
    let (db, _, _) = try await filled(folder)
    let evicted = try await ChildProcess.apus("cache", "evict", "Bird:?", "--db", db, "--output", "json")
    #expect(try JSONDocument(parsing: evicted.output).root["evicted"] == ["Bird:1", "Bird:2"])
    #expect(
      try await ChildProcess.apus("cache", "gc", "--db", db).output
        == "dangling QUERY_ROOT.birds -> Bird:1\ndangling QUERY_ROOT.birds -> Bird:2\n")
    let stats = try await ChildProcess.apus("cache", "stats", "--db", db, "--output", "json").output
    #expect(try JSONDocument(parsing: stats).root["records"] == 1)
    #expect(try await ChildProcess.apus("cache", "evict", "Bird:9", "--db", db).exitCode == 1)
  }

  @Test func `importing an export restores the same records`() async throws {
    let folder = try TemporaryFolder()
    let (db, _, _) = try await filled(folder)
    let exported = try await ChildProcess.apus("cache", "export", "--db", db)
    try folder.write("export.json", exported.output)
    let other = folder.path("other.sqlite")
    let imported = try await ChildProcess.apus("cache", "import", folder.path("export.json"), "--db", other)
    #expect(imported.output == "3 records\n")
    #expect(try await ChildProcess.apus("cache", "export", "--db", other).output == exported.output)
  }

  @Test func `a file that is not a cache is not changed`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("notes.txt", "my notes, which are no cache")
    let words = [["query", "http://127.0.0.1:1/", "-q", "{ a }"], ["cache", "gc"], ["cache", "evict", "A"]]
    for command in words {
      let outcome = try await ChildProcess.run(Checkout.apus, command + ["--db", folder.path("notes.txt")])
      #expect(outcome.exitCode == 5)
      #expect(outcome.errors.contains("is not a cache file; use another file with --db"))
    }
    #expect(try folder.files(in: "") == ["notes.txt"])
    #expect(try folder.read("notes.txt") == "my notes, which are no cache")
  }

  @Test func `files that are not caches are reported in one line`() async throws {
    let folder = try TemporaryFolder()
    let missing = try await ChildProcess.apus("cache", "keys", "--db", folder.path("none"))
    #expect(missing.exitCode == 5)
    #expect(missing.errors == "apus: cannot read \(folder.path("none")): No such file or directory\n")
    #expect(try await ChildProcess.apus("cache", "keys").exitCode == 2)
    #expect(try await ChildProcess.apus("cache", "burn", "--db", "x").exitCode == 2)
    #expect(try await ChildProcess.apus("cache", "show", "--db", "x").exitCode == 2)
  }
}
