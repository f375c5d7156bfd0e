import ApusTestSupport
import Foundation
import Testing

/// An environment file in a cloned repository provides values and has no other effect.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EnvironmentFileTests {
  private let home: TemporaryFolder
  private let clone: TemporaryFolder
  private let server: ScriptedServer

  init() throws {
    home = try TemporaryFolder()
    clone = try TemporaryFolder()
    server = try ScriptedServer([.json(#"{"data":{"__typename":"Query","a":1}}"#)])
    try clone.write("schema.graphql", "type Query { a: Int }\n")
    try clone.write("query.graphql", "{ a }\n")
    try clone.write("apus-generate.yml", "schema: schema.graphql\ndocuments: query.graphql\noutput: out\n")
    try clone.write("pwn.sh", "touch \(clone.path("PWNED"))\n")
    let profile = "{ url: \"\(server.url)\", headers: { X: \"$(touch \(clone.path("PWNED")))\" } }"
    for folder in ["own", "own/apus"] {
      try clone.write(
        "\(folder)/config.yml", "profiles: { default: \(profile), nosuch: \(profile) }\n")
    }
    let own = ["CONFIG", "DATA", "STATE", "CACHE"].map { "APUS_\($0)_HOME" }
    let shared = ["CONFIG", "DATA", "STATE", "CACHE"].map { "XDG_\($0)_HOME" }
    let shells = ["ENV", "BASH_ENV", "ZDOTDIR", "PAGER", "APUS_PAGER", "EDITOR", "BROWSER", "SMUGGLED"]
    let proxies = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    let lines =
      (own + shared + ["HOME"]).map { "\($0)=\(clone.path("own"))" } + shells.map { "\($0)=\(clone.path("pwn.sh"))" }
      + proxies.map { "\($0)=\(server.url)" } + ["FORCE_COLOR=1", "PATH=\(clone.root)", "LD_PRELOAD=pwn.so"]
    try clone.write("clone.env", lines.joined(separator: "\n") + "\n")
  }

  /// Runs a command in the clone, without variables of the shell that would override the file's.
  private func apus(_ words: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", clone.root, Checkout.apus] + words,
      environment: ["HOME": home.root, "PATH": "/usr/bin:/bin"])
  }

  private var isHarmed: Bool { FileManager.default.fileExists(atPath: clone.path("PWNED")) }

  private static let commands: [[String]] = [
    ["query", "nosuch", "-q", "{ a }"], ["query", "default", "-q", "{ a }"], ["schema", "nosuch"],
    ["schema", "diff", "nosuch", "schema.graphql"], ["schema", "lint", "nosuch"],
    ["validate", "--schema", "nosuch", "query.graphql"], ["coverage", "--schema", "nosuch", "query.graphql"],
    ["complete", "--schema", "nosuch", "--at", "1:1", "query.graphql"],
    ["hover", "--schema", "nosuch", "--at", "1:1", "query.graphql"], ["generate", "nosuch"],
    ["serve", "--schema", "nosuch", "--port", "0"], ["lsp", "--schema", "nosuch"],
  ]

  @Test(arguments: commands) func `an environment file cannot select a configuration`(words: [String]) async throws {
    let outcome = try await apus(words + ["--env-file", "clone.env"])
    #expect(!isHarmed, "\(outcome.errors)")
    #expect(server.requests.isEmpty)
  }

  @Test func `an environment file cannot set a proxy`() async throws {
    let outcome = try await apus([
      "query", "http://api.invalid/graphql", "-q", "{ a }", "-H", "Authorization: Bearer hush-hush", "--env-file",
      "clone.env",
    ])
    #expect(outcome.exitCode == 3)
    #expect(server.requests.isEmpty)
  }

  @Test func `an environment file cannot add trust`() async throws {
    try clone.write(".graphqlrc.yml", "schema: [{ \"\(server.url)\": { headers: { X-Key: \"${CANARY}\" } } }]\n")
    // Another user, who filled the clone, trusts the file.
    let theirs = try await ChildProcess.run(
      "/usr/bin/env", ["-C", clone.root, Checkout.apus, "trust", "--yes"],
      environment: ["HOME": home.root, "APUS_DATA_HOME": clone.path("own")])
    #expect(theirs.exitCode == 0, "\(theirs.errors)")
    let outcome = try await apus(["query", "default", "-q", "{ a }", "--env-file", "clone.env"])
    #expect(outcome.exitCode == 5, "\(outcome.errors)")
    #expect(server.requests.isEmpty)
  }

  /// Both a named file and the one next to `config.yml`.
  @Test(arguments: [true, false]) func `commands in the configuration do not receive the variables`(
    isNamed: Bool
  ) async throws {
    try home.write(
      ".config/apus/config.yml",
      """
      profiles:
        birds:
          url: \(server.url)
          headers: { X-Command: "$(echo \\"${SMUGGLED:-clean}\\")", X-Value: "$SMUGGLED" }
      """)
    if !isNamed { try home.write(".config/apus/.env", try clone.read("clone.env")) }
    let outcome = try await apus(
      ["query", "birds", "-q", "{ a }", "-u", "me:$SMUGGLED"] + (isNamed ? ["--env-file", "clone.env"] : []))
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(!outcome.output.contains("\u{1B}"), "FORCE_COLOR is a setting")
    let request = try await server.request()
    #expect(request.header("X-Command") == "clean")
    #expect(request.header("X-Value") == clone.path("pwn.sh"))
    let user = Data("me:\(clone.path("pwn.sh"))".utf8).base64EncodedString()
    #expect(request.header("Authorization") == "Basic \(user)")
    #expect(!isHarmed)
  }

  @Test func `a file of variables that cannot be read stops no command`() async throws {
    try home.write(".config/apus/.env/inside", "")
    let outcome = try await apus(["query", server.url, "-q", "{ a }"])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("/.env: its variables are not used"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("$NAMED", "value"), ("Bearer ${NAMED}", "Bearer value"), ("$5", "$5"), ("$$NAMED", "$NAMED"),
    ("$(echo $NAMED)", "$(echo $NAMED)"), ("${NAMED", "${NAMED"),
  ])
  func `a typed header expands defined variables`(typed: String, sent: String) async throws {
    try clone.write("values.env", "NAMED=value\n")
    let outcome = try await apus([
      "query", server.url, "-q", "{ a }", "--env-file", "values.env", "-H", "X-Typed: \(typed)",
    ])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try await server.request().header("X-Typed") == sent)
  }

  @Test(arguments: ["$NONE", "$NAMED $NONE"])
  func `a typed header with an undefined variable stops the command`(typed: String) async throws {
    try clone.write("values.env", "NAMED=value\n")
    let outcome = try await apus([
      "query", server.url, "-q", "{ a }", "--env-file", "values.env", "-H", "X-Typed: \(typed)",
    ])
    #expect(outcome.exitCode == 2 && outcome.errors.contains("NONE"), "\(outcome.errors)")
    #expect(server.requests.isEmpty)
  }

  @Test func `a header file is sent unchanged`() async throws {
    try clone.write("values.env", "NAMED=value\n")
    try clone.write("headers.txt", "X-Typed: $NAMED\n")
    _ = try await apus(["query", server.url, "-q", "{ a }", "--env-file", "values.env", "-H", "@headers.txt"])
    #expect(try await server.request().header("X-Typed") == "$NAMED")
  }
}
