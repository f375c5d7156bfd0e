import ApusTestSupport
import Foundation
import Testing

/// The output conforms to `Docs/Reference`.
@Suite(.timeLimit(.minutes(3))) struct ReferencePageTests {
  private static let folder = "\(Checkout.root)/Docs/Reference"

  /// Validates documents with a third-party JSON Schema validator.
  private func expectValid(_ texts: [String], by schema: String, _ location: SourceLocation = #_sourceLocation)
    async throws
  {
    #expect(!texts.isEmpty, sourceLocation: location)
    let files = try TemporaryFolder()
    for (number, text) in texts.enumerated() { try files.write("\(number).json", text) }
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator
      schema = json.load(open(sys.argv[1]))
      Draft202012Validator.check_schema(schema)
      for name in sys.argv[2:]:
          for error in Draft202012Validator(schema).iter_errors(json.load(open(name))):
              print(error.json_path, error.message[:300])
      """
    let outcome = try await ChildProcess.run(
      "\(Checkout.root)/.test-servers/current/bin/python",
      ["-c", script, "\(Self.folder)/Schemas/\(schema).schema.json"] + texts.indices.map { files.path("\($0).json") })
    #expect(
      outcome.exitCode == 0 && outcome.output.isEmpty, "\(outcome.output)\(outcome.errors)", sourceLocation: location)
  }

  private func lines(_ words: [String]) async throws -> [String] {
    let outcome = try await ChildProcess.run(Checkout.apus, words)
    #expect(outcome.exitCode == 0 || outcome.exitCode == 1, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  private let deferred =
    "{ birds(first: 2) { edges { node { id ... @defer(label: \"late\") { species { id } } } } } nothing: bird(id: \"none\") { id } }"

  @Test func `the lines of a tap conform to their schema`() async throws {
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    let url = try #require(await server.nextLine())
    let tap = try await Tap([url])
    for _ in 0..<2 { _ = try await ChildProcess.apus("query", tap.url, "-q", deferred) }
    _ = try await ChildProcess.run("/usr/bin/curl", ["-s", "\(tap.url)/nothing"])
    var lines: [String] = []
    while lines.last?.contains("\"other\"") != true, let line = await tap.process.nextLine() { lines.append(line) }
    try await expectValid(lines, by: "tap-line")
  }

  @Test func `results, recordings and caches conform to their schemas`() async throws {
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    let url = try #require(await server.nextLine())
    let files = try TemporaryFolder()
    let (database, recording) = (files.path("c.sqlite"), files.path("r.ndjson"))
    let query = ["query", url, "-q", deferred]
    try await expectValid(
      try await lines(query + ["--output", "ndjson", "--db", database, "--record", recording]), by: "result-line")
    try await expectValid(try await lines(query), by: "response")
    try await expectValid(try await lines(["query", url, "-q", "{ nope }"]), by: "response")
    try await expectValid(try await lines(["replay", recording, "--speed", "0"]), by: "result-line")
    let events = try String(contentsOfFile: recording, encoding: .utf8).split(separator: "\n").map(String.init)
    try await expectValid(events, by: "recording-line")
    try await expectValid(
      [try await ChildProcess.apus("audit", url, "--only", "http", "--output", "json").output], by: "audit")
    func cache(_ words: String...) async throws -> [String] {
      try await lines(["cache"] + words + ["--db", database, "--output", "json"])
    }
    try await expectValid(try await cache("keys"), by: "cache-keys")
    try await expectValid(try await cache("show", "QUERY_ROOT"), by: "cache-show")
    try await expectValid(try await cache("refs", "Bird:b1"), by: "cache-refs")
    try await expectValid(try await cache("stats"), by: "cache-stats")
    try await expectValid(try await cache("evict", "Bird:b1"), by: "cache-evict")
    try await expectValid(try await cache("gc"), by: "cache-gc")
    _ = server
  }

  @Test func `the output of complete and hover conforms to its schemas`() async throws {
    let files = try TemporaryFolder()
    try files.write("s.graphql", "type Query { a(b: [Int!]): A @deprecated } type A { \"What it is.\" id: ID }")
    try files.write("q.graphql", "{ a { id } b }")
    let schema = ["--schema", files.path("s.graphql")]
    try await expectValid(
      try await lines(["validate", files.path("q.graphql"), "--lint", "--output", "json"] + schema), by: "validate")
    for place in ["1:3", "1:7", "1:5"] {
      try await expectValid(
        try await lines(["complete", files.path("q.graphql"), "--at", place] + schema), by: "complete")
      try await expectValid(try await lines(["hover", files.path("q.graphql"), "--at", place] + schema), by: "hover")
    }
  }

  @Test func `the output of the schema tools conforms to its schemas`() async throws {
    let files = try TemporaryFolder()
    try files.write(
      "old.graphql",
      "type Query { a(b: [Int!]): A old: Int gone: String } type A { id: ID n: N m: Int } enum N { a }")
    try files.write(
      "new.graphql",
      """
      type Query { a(b: [Int!] = [1], c: Int): A @deprecated old: Int }
      type A { "What it is." id: ID n: N m: Int @deprecated(reason: "x") }
      enum N { a b }
      """)
    try files.write("q.graphql", "query Q { a(b: [1]) { id m } } query R { old }")
    let (old, new, documents) = (files.path("old.graphql"), files.path("new.graphql"), files.path("q.graphql"))
    let json = ["--output", "json"]
    try await expectValid(try await lines(["schema", "diff", old, new] + json), by: "schema-diff")
    try await expectValid(
      try await lines(["schema", "diff", old, new, "--documents", documents] + json), by: "schema-diff")
    try await expectValid(try await lines(["schema", "lint", new] + json), by: "schema-lint")
    try await expectValid(try await lines(["coverage", "--schema", new, documents] + json), by: "coverage")
    let apollo = try await ChildProcess.run(Checkout.apus, ["bundle", documents])
    try await expectValid([apollo.output], by: "bundle-apollo")
    let relay = try await ChildProcess.run(Checkout.apus, ["bundle", documents, "--format", "relay"])
    try await expectValid([relay.output], by: "bundle-relay")
  }

  @Test func `the page names every schema`() throws {
    let page = try String(contentsOfFile: "\(Self.folder)/Output.md", encoding: .utf8)
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(Self.folder)/Schemas") {
      #expect(page.contains("(Schemas/\(name))"))
    }
  }

  /// The names in code spans in the first column of a page's tables.
  private func names(on page: String, below title: String) throws -> [String] {
    let text = try String(contentsOfFile: "\(Self.folder)/\(page)", encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix(title) })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    return rows.flatMap { row in
      row.split(separator: "|")[0].split(separator: "`").map(String.init).filter {
        $0.allSatisfy { $0 != " " && $0 != "," }
      }
    }
  }

  /// The keys of `auth` that are not keys of a profile: the other keys that each needs, and a value.
  private static let authentications: [(key: String, others: String, value: String)] = {
    let bearer = "type: bearer, token: $A"
    let code = "type: oauth2, grant: device-code, issuer: 'https://a.example', client-id: a"
    let operation = "type: operation, document: a.graphql"
    return [
      ("header", bearer, "A"), ("prefix", bearer, "B"), ("token", "type: bearer", "$A"),
      ("user", "type: basic, password: a", "a"), ("password", "type: basic, user: a", "a"),
      ("command", "type: command", "a"),
      ("grant", "type: oauth2, issuer: 'https://a.example', client-id: a", "device-code"),
      ("issuer", "type: oauth2, grant: device-code, client-id: a", "'https://a.example'"),
      ("client-id", "type: oauth2, grant: device-code, issuer: 'https://a.example'", "a"),
      ("token-url", code, "'https://a.example'"), ("device-url", code, "'https://a.example'"),
      ("authorization-url", code, "'https://a.example'"), ("client-secret", code, "$A"),
      ("client-authentication", code, "body"), ("scopes", code, "[a, b]"), ("audience", code, "a"),
      ("redirect-port", code, "8765"), ("document", "type: operation, token: .a", "a.graphql"),
      ("variables", "\(operation), token: .a", "{a: b}"), ("tokens", code, "memory"),
      ("store-command", "\(code), tokens: command, load-command: a", "a"),
      ("load-command", "\(code), tokens: command, store-command: a", "a"),
    ]
  }()

  @Test func `the documented configuration keys are exactly the accepted ones`() async throws {
    let examples = [
      "theme": "nord", "escapeDelay": "25", "contrast": "high", "hints": "false",
      "history": "false", "notifyAfter": "10", "ghostText": "false", "cacheKeys": "{fields: id}",
      "lint": "{require-description: off}", "profiles": "{a: 'http://a.example'}", "url": "http://a.example",
      "headers": "{A: b}", "environment": "{A: b}", "timeout": "1.5", "proxy": "''", "insecure": "true", "cacert": "a",
      "cert": "a", "key": "a", "schema": "a", "production": "true", "subscription-transport": "sse",
      "connection-payload": "{a: b}", "fields": "id", "types": "{A: b}", "extends": "b",
      "proxy-cacert": "a", "proxy-insecure": "true", "subscription-url": "https://a.example", "on-error": "'NULL'",
      "auth": "{type: bearer, token: $A}", "type": "{type: bearer, token: $A}",
    ].merging(Self.authentications.map { ($0, "{\($1), \($0): \($2)}") }) { first, _ in first }
    let keys = try names(on: "Configuration.md", below: "`config.yml`")
    #expect(Set(keys) == Set(examples.keys))
    let settings: Set = [
      "theme", "escapeDelay", "contrast", "hints", "history", "notifyAfter", "ghostText", "cacheKeys", "lint",
      "profiles",
    ]
    for (key, example) in examples {
      let folder = try TemporaryFolder()
      let text =
        switch key {
        case "fields", "types": "cacheKeys:\n  \(key): \(example)\n"
        case _ where settings.contains(key): "\(key): \(example)\n"
        case "url": "profiles:\n  a:\n    url: \(example)\n"
        case "extends": "profiles:\n  b: http://b.example\n  a:\n    extends: b\n"
        case _ where example.hasPrefix("{type: "): "profiles:\n  a:\n    url: http://a.example\n    auth: \(example)\n"
        default: "profiles:\n  a:\n    url: http://a.example\n    \(key): \(example)\n"
        }
      try folder.write("config.yml", text)
      let outcome = try await ChildProcess.run(
        Checkout.apus, ["query", "nobody", "-q", "{ a }"], environment: ["APUS_CONFIG_HOME": folder.path("")])
      // The file is valid, so that only the profile is missing.
      #expect(outcome.errors.contains("nobody"), "\(key): \(outcome.errors)")
    }
  }

  @Test func `every documented exit code occurs`() async throws {
    let text = try String(contentsOfFile: "\(Self.folder)/ExitCodes.md", encoding: .utf8)
    let codes = text.split(separator: "\n").compactMap { line in
      line.hasPrefix("| ") ? Int(line.dropFirst(2).prefix { $0.isNumber }) : nil
    }
    #expect(codes == [0, 1, 2, 3, 4, 5, 129, 130, 131, 143])
    let server = try ScriptedServer([.json("[]"), .json("nothing")])
    func code(_ words: String...) async throws -> Int { Int(try await ChildProcess.run(Checkout.apus, words).exitCode) }
    #expect(try await code("--version") == 0)
    #expect(try await code("query", server.url, "-q", "{") == 1)
    #expect(try await code("query", server.url, "--nope") == 2)
    #expect(try await code("query", "http://127.0.0.1:1/graphql", "-q", "{ a }") == 3)
    #expect(try await code("query", server.url, "-q", "{ a }") == 4)
    #expect(try await code("cache", "keys", "--db", "/nowhere/c.sqlite") == 5)
  }
}
