import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Unusual input: wrong files, extreme numbers, a full disk, a closed pipe. Each is reported in one line with the location
/// and advice, and with the proper exit code.
@Suite(.timeLimit(.minutes(3))) struct UnusualInputTests {
  /// A port without a listener: an error other than a refused connection was reported before anything was sent.
  private static let closedURL = "http://127.0.0.1:1/graphql"

  private func expect(
    _ outcome: ChildProcess.Outcome, _ code: Int32, _ text: String, location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.exitCode == code, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.contains(text), "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.hasPrefix("apus: "), "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.output.isEmpty, sourceLocation: location)
  }

  private func apus(_ words: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(Checkout.apus, words)
  }

  /// Runs a shell command in which `apus` is the program of this checkout.
  private func shell(_ line: String) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/bin/bash", ["-o", "pipefail", "-c", "apus() { \"\(Checkout.apus)\" \"$@\"; }; \(line)"])
  }

  // MARK: Files

  @Test(
    arguments: [
      ["query", closedURL, "-f"], ["query", closedURL, "-q", "{ a }", "--variables", "@"],
      ["query", closedURL, "-q", "{ a }", "--header", "@"], ["query", closedURL, "-q", "{ a }", "--record"],
      ["query", closedURL, "-q", "{ a }", "--db"], ["replay"], ["cache", "keys", "--db"],
      ["complete", "--at", "1:1"], ["hover", "--at", "1:1"], ["generate", "--config"],
    ])
  func `a folder in place of a file is reported`(words: [String]) async throws {
    let folder = try TemporaryFolder()
    let joined = words.last == "@" ? words.dropLast() + ["@" + folder.root] : words + [folder.root]
    let outcome = try await apus(Array(joined))
    expect(outcome, 5, folder.root)
    expect(outcome, 5, "Is a directory")
  }

  @Test(arguments: ["format", "validate"])
  func `a folder without documents is reported`(command: String) async throws {
    let folder = try TemporaryFolder()
    expect(
      try await apus([command, folder.root]), 5, "there is no document (.graphql, .graphqls, .gql) in \(folder.root)")
  }

  @Test func `an empty file is reported`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("empty", "")
    let empty = folder.path("empty")
    expect(try await apus(["query", Self.closedURL, "-f", empty]), 1, "empty is empty; write an operation")
    expect(
      try await apus(["query", Self.closedURL, "-q", "{ a }", "--variables", "@" + empty]), 2, "the text is empty")
    expect(
      try await apus(["cache", "keys", "--db", empty]), 5, "empty: it is empty; use another file")
    expect(try await apus(["replay", empty]), 5, "empty is not a recording")
  }

  @Test func `invalid UTF-8 is reported with its offset`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("junk", "query \u{2} {")
    let junk = folder.path("junk")
    expect(try await apus(["query", Self.closedURL, "-f", junk]), 1, "junk: syntax error at 1:7: Unexpected character")
    expect(try await apus(["format", junk]), 1, "junk:1:7: Unexpected character")
    expect(try await apus(["replay", junk]), 5, "junk is not a recording: line 1: it is not JSON")
    expect(try await apus(["cache", "keys", "--db", junk]), 5, "junk is damaged: file is not a database")
    expect(
      try await apus(["query", Self.closedURL, "-q", "{ a }", "--variables", "@" + junk]), 2,
      "--variables (\(junk)) is not JSON: unexpected 'q' at line 1, column 1")
    try folder.write("late", #"{"event":"request","atMs":1e300,"url":"x","query":"{ a }"}"#)
    expect(try await apus(["replay", folder.path("late")]), 5, "line 1: it has no event with a valid time")
  }

  @Test func `a schema with an unknown extension is reported with a hint`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("schema", "type Query { a: Int }")
    expect(
      try await apus(["schema", folder.path("schema")]), 2,
      "an SDL file (.graphql) or an introspection result (.json)")
    expect(
      try await apus(["validate", "--schema", folder.root, "-"]), 5,
      "there is no document (.graphql, .graphqls, .gql) in")
  }

  @Test func `a file that cannot be written is reported and unchanged`() async throws {
    let cannot = try await apus(["query", Self.closedURL, "-q", "{ a }", "--record", "/nowhere/session"])
    expect(cannot, 5, "cannot write /nowhere/session: No such file or directory")
    let database = try await apus(["query", Self.closedURL, "-q", "{ a }", "--db", "/nowhere/cache"])
    expect(database, 5, "cannot use /nowhere/cache as a cache: No such file or directory")
  }

  @Test func `recording to a device keeps the device`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let modes = "ls -l /dev/null | cut -c 1-10"
    let outcome = try await shell(
      "before=$(\(modes)); apus query \(server.url) -q '{ a }' --record /dev/null; echo $before $(\(modes))")
    let words = outcome.output.split(whereSeparator: \.isWhitespace).suffix(2)
    #expect(words.first == words.last && words.count == 2, "\(outcome.output)")
  }

  // MARK: Numbers

  @Test(
    arguments: [
      (["query", closedURL, "-q", "{ a }", "--timeout", "1e300"], "--timeout takes a number from 0.001 to 1000000000"),
      (["query", closedURL, "-q", "{ a }", "--timeout", "0"], "--timeout takes a number from 0.001"),
      (["query", closedURL, "-q", "{ a }", "--timeout", "nan"], "--timeout takes a number"),
      (["query", closedURL, "-q", "{ a }", "--timeout", "-1"], "--timeout takes a number"),
      (["query", closedURL, "-q", "{ a }", "--max-results", "0"], "--max-results takes a number of one or more"),
      (
        ["query", closedURL, "-q", "{ a }", "--max-results", "99999999999999999999"],
        "--max-results takes a whole number"
      ),
      (["query", closedURL, "-q", "{ a }", "--max-results", "1.5"], "--max-results takes a whole number"),
      (["query", closedURL, "-q", "{ a }", "--all-pages", "--page-limit", "9999999999"], "--page-limit is at most"),
      (["serve", "--port", "65536"], "--port is at most 65535"), (["serve", "--port", "-1"], "--port takes a whole"),
      (["serve", "--delay-scale", "1e300"], "--delay-scale takes a number from"),
      (["replay", "/dev/null", "--speed", "x"], "--speed takes a number"),
      (["complete", "--at", "1", "-"], "--at takes LINE:COLUMN, both from 1"),
      (["hover", "--at", "1:99999999999999999999", "-"], "--at takes LINE:COLUMN, both from 1"),
    ])
  func `numbers out of range are wrong usage`(words: [String], text: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("r", #"{"event":"request","atMs":0,"url":"x","query":"{ a }"}"#)
    expect(try await apus(words.map { $0 == "/dev/null" ? folder.path("r") : $0 }), 2, text)
  }

  @Test func `a position after the end of a file is its end`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("q.graphql", "{ a }")
    let outcome = try await apus(["hover", "--at", "9223372036854775807:9223372036854775807", folder.path("q.graphql")])
    #expect(outcome.output == "null\n" && outcome.exitCode == 0)
  }

  @Test(arguments: [
    "page: 9223372036854775807, perPage: 9223372036854775807", "page: 2, perPage: 9223372036854775807",
    "page: -9223372036854775808, perPage: 2", "skip: 9223372036854775807, take: 1", "offset: -5, limit: 0",
  ])
  func `paging ends with extreme page sizes`(arguments: String) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"birds":{"total":9223372036854775807,"items":[{"id":1}]}}}"#)])
    let outcome = try await apus([
      "query", server.url, "-q", "{ birds(\(arguments)) { total items { id } } }", "--all-pages", "--page-limit", "3",
    ])
    #expect([0, 2].contains(outcome.exitCode), "\(outcome.errors)")
    #expect(outcome.output.contains(#""id":1"#))
  }

  // MARK: Conflicting options

  @Test(
    arguments: [
      (
        ["-q", "subscription { n }", "--persisted"], "--persisted is for queries and mutations; this is a subscription"
      ),
      (["-q", "subscription { n }", "--all-pages"], "--all-pages is for queries; this is a subscription"),
      (["-q", "{ a } { b }"], "several operations without a name; name them"),
      (["-q", "mutation($f: Upload) { a(f: $f) }", "--upload", "g.0=/dev/null"], "cannot upload /dev/null"),
      (["-q", "{ a }", "--partial"], "--cache-policy, --cache-control and --partial need --db FILE"),
      (["-q", "{ a }", "-f", "-"], "use either --query or --file, not both"),
      (["-q", "{ a }", "--jq", "map("], "--jq: the filter cannot be read"),
      (["-q", "{ a }", "--output", "json", "--output", "table"], "--output was given twice"),
    ])
  func `conflicting options are reported before anything is sent`(words: [String], text: String) async throws {
    let outcome = try await apus(["query", Self.closedURL] + words)
    expect(outcome, text.contains("/dev/null") ? 5 : 2, text)
  }

  @Test func `an upload requires a variable of the operation`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("f.txt", "x")
    let file = folder.path("f.txt")
    expect(
      try await apus(["query", Self.closedURL, "-q", "mutation($f: Upload) { a(f: $f) }", "--upload", "g.0=\(file)"]),
      2,
      "--upload g.0=…: the operation has no variable $g")
    expect(
      try await apus(["query", Self.closedURL, "-q", "subscription($f: Upload) { a(f: $f) }", "--upload", "f=\(file)"]),
      2,
      "--upload is for one query or mutation")
    for step in ["-1", "10000", "99999999999999999999"] {
      expect(
        try await apus([
          "query", Self.closedURL, "-q", "mutation($f: [Upload]) { a(f: $f) }", "--upload", "f.\(step)=\(file)",
        ]), 2, "'\(step)' is not a list index from 0 to 9999")
    }
  }

  // MARK: Streams

  @Test func `a reader that closes the pipe ends the program without a message`() async throws {
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "text/event-stream")],
        (0..<2000).map {
          .text("event: next\ndata: {\"data\":{\"n\":\($0),\"text\":\"\(String(repeating: "x", count: 200))\"}}\n\n")
        })
    ])
    let outcome = try await shell(
      "apus query \(server.url) -q 'subscription { n }' --subscription-transport sse | head -n 1")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count == 1)
    try await server.clientClosed()
  }

  @Test(
    arguments: ["apus --version", "apus help", "apus themes", "apus format -", "apus query URL -q '{ a }'"],
    access("/dev/full", F_OK) == 0 ? [">/dev/full", ">&-"] : [">&-"])
  func `failed output exits with 5`(command: String, target: String) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let outcome = try await shell("echo '{ a }' | \(command.replacing("URL", with: server.url)) \(target)")
    expect(outcome, 5, "cannot write to standard output: ")
  }

  @Test func `a closed standard stream is not reused for a file`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let folder = try TemporaryFolder()
    let (record, db) = (folder.path("session"), folder.path("cache"))
    let outcome = try await shell("apus query \(server.url) -q '{ a }' --record \(record) --db \(db) <&- >&- 2>&-")
    #expect(outcome.exitCode == 5)
    let events = try folder.read("session").split(separator: "\n").map { try JSONValue(parsing: String($0))["event"] }
    #expect(events == ["request", "head", "part", "end"])
    #expect(try await apus(["cache", "keys", "--db", db]).exitCode == 0)
  }

  @Test func `a closed standard input is not a document`() async throws {
    let outcome = try await shell("apus query \(Self.closedURL) -f - <&-")
    expect(outcome, 5, "cannot read -: Bad file descriptor")
    let unused = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    #expect(try await shell("apus query \(unused.url) -q '{ a }' <&-").output == "{\"data\":{\"a\":1}}\n")
  }

  @Test func `a filter error with server text is one safe line`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":"x\u001b[31m\ny"}}"#)])
    let outcome = try await apus(["query", server.url, "-q", "{ a }", "--jq", ".data.a | error"])
    expect(outcome, 1, "--jq: the filter failed: x [31m y")
  }
}
