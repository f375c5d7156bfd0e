import ApusTestSupport
import Foundation
import Testing

/// In a folder with untrusted files, no action of the user runs commands of the folder or sends anything without
/// consent.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostileFolderTests {
  private let hostile: HostileFolder

  init() throws {
    hostile = try HostileFolder()
  }

  /// All subcommands, with the names of the project's endpoints as arguments.
  private static let commands: [[String]] =
    [
      ["--version"], ["--help"], ["help", "--manual"], ["help", "trust"], ["doctor"], ["themes"],
      ["completions", "profiles"], ["completions", "themes"], ["completions", "bash"], ["completions", "zsh"],
      ["completions", "fish"], ["format", "--check", "query.graphql"], ["validate", "query.graphql"],
      ["validate", "--schema", "schema.graphql", "query.graphql"], ["schema", "schema.graphql"], ["generate"],
      ["schema", "diff", "schema.graphql", "HEAD:schema.graphql", "--documents", "."], ["bundle"], ["coverage"],
      ["schema", "lint", "schema.graphql", "--output", "github"], ["coverage", "query.graphql"],
      ["generate", "default"], ["cache", "stats", "--db", "notes.txt"], ["replay", "session.ndjson", "--speed", "0"],
      ["trust", "--show"], ["trust", "--show", "apus-generate.yml"], ["trust", "--remove"], [], ["demo"],
      ["--db", "notes.txt"], ["serve", "--schema", "default"], ["query", "nothing", "-q", "{ a }"],
      ["lsp"],
    ]
    + ["default", "command", "header", "value", "named"].flatMap { name in
      [
        [name], ["query", name, "-q", "{ a }"], ["schema", name], ["validate", "--schema", name, "query.graphql"],
        ["query", name, "--schema", name, "-f", "query.graphql", "--variables", "@query.variables.json"],
        ["schema", "diff", name, "schema.graphql"], ["schema", "lint", name], ["coverage", "--schema", name, "."],
        ["complete", "--schema", name, "--at", "1:1", "query.graphql"],
        ["hover", "--schema", name, "--at", "1:1", "query.graphql"], ["generate", name], ["lsp", "--schema", name],
      ]
    }

  @Test(arguments: commands) func `no command runs or sends anything from the folder`(words: [String]) async throws {
    for folder in ["", "deep/er"] {
      _ = try await hostile.apus(words, in: folder)
      #expect(hostile.harm() == [])
    }
    #expect(hostile.server.requests.isEmpty, "none of these may be requested")
    #expect(try hostile.project.read("notes.txt") == "the person's own notes\n")
  }

  @Test func `a rejection contains advice`() async throws {
    let outcome = try await hostile.apus(["query", "default", "-q", "{ a }"])
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("run 'apus trust' to review and allow its requests"))
  }

  @Test func `a named endpoint without headers is requested`() async throws {
    #expect(try await hostile.apus(["query", "plain", "-q", "{ a }"]).exitCode == 0)
    #expect(hostile.server.requests.count == 1)
    #expect(hostile.harm() == [])
  }

  @Test func `a trusted file sends the headers that were shown, until it is changed`() async throws {
    let shown = try await hostile.apus(["trust", "--show"])
    #expect(shown.output.contains("Authorization: Bearer ${CANARY}") && shown.output.contains(hostile.server.url))
    #expect(try await hostile.apus(["query", "default", "-q", "{ a }"]).exitCode == 5)
    #expect(try await hostile.apus(["trust", "--yes"]).exitCode == 0)
    #expect(try await hostile.apus(["query", "default", "-q", "{ a }"]).exitCode == 0)
    #expect(hostile.server.requests.map { $0.header("Authorization") } == ["Bearer \(HostileFolder.value)"])
    // Commands are not run even now.
    for name in ["command", "header"] {
      let outcome = try await hostile.apus(["query", name, "-q", "{ a }"])
      #expect(outcome.exitCode == 5 && outcome.errors.contains("commands in a project's file are never run"))
    }
    try hostile.project.write(
      ".graphqlrc.yml", try hostile.project.read(".graphqlrc.yml").replacingOccurrences(of: "X-Key", with: "Y-Key"))
    #expect(try await hostile.apus(["query", "default", "-q", "{ a }"]).exitCode == 5)
    #expect(hostile.server.requests.count == 1)
    #expect(!FileManager.default.fileExists(atPath: hostile.project.path("PWNED")))
  }

  @Test func `removed trust has no effect`() async throws {
    _ = try await hostile.apus(["trust", "--yes"])
    #expect(try await hostile.apus(["trust", "--remove"]).exitCode == 0)
    #expect(try await hostile.apus(["query", "default", "-q", "{ a }"]).exitCode == 5)
    #expect(hostile.server.requests.isEmpty)
  }

  @Test func `endpoints in a world-writable folder are ignored`() async throws {
    chmod(hostile.project.root, 0o777)
    let outcome = try await hostile.apus(["query", "plain", "-q", "{ a }"])
    #expect(outcome.exitCode == 2 && outcome.errors.contains("is world-writable"))
    #expect(try await hostile.apus(["trust"]).exitCode == 5)
    #expect(try await hostile.apus(["completions", "profiles"]).output.isEmpty)
    #expect(hostile.server.requests.isEmpty)
  }

  // MARK: Completion

  @Test(arguments: [
    ["apus", ""], ["apus", "query", ""], ["apus", "--theme", ""], ["apus", "trust", ""], ["apus", "schema", "$"],
  ])
  func `bash completes without running anything`(words: [String]) async throws {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    // The completion is inserted into a command line, as Enter would do.
    let script = """
      source <(apus completions bash); COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _apus
      for reply in "${COMPREPLY[@]}"; do eval "printf '%s\\n' $reply"; done
      """
    let outcome = try await hostile.run(["/bin/bash", "--norc", "--noprofile", "-c", script])
    #expect(outcome.exitCode == 0 && !outcome.output.isEmpty)
    #expect(hostile.harm() == [])
    #expect(hostile.server.requests.isEmpty)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/fish")))
  func `fish completes without running anything`() async throws {
    for line in ["apus ", "apus query ", "apus trust ", "apus --theme "] {
      let script = "apus completions fish | source; complete -C '\(line)'"
      let outcome = try await hostile.run(["/usr/bin/fish", "--no-config", "-c", script])
      #expect(!outcome.output.isEmpty)
      #expect(hostile.harm() == [])
    }
    #expect(hostile.server.requests.isEmpty)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/zsh")))
  func `zsh completes without running anything`() async throws {
    let session = try await hostile.terminal()
    try await session.run("PS1='% ' exec zsh -f")
    try await session.run("export PATH=\(Checkout.products):$PATH")
    try await session.run(
      "autoload -U compinit; compinit -u -d \(hostile.home.path("dump")); source <(apus completions zsh); compdef _apus apus; echo re''ady"
    )
    try await session.wait(for: "ready")
    try await session.send("apus query pla\t")
    try await session.wait(for: "apus query plain")
    // The name that contains a command is completed as one word, and Enter does not run it.
    try await session.type("C-u")
    try await session.send("echo do''ne; : apus query \\$\t")
    try await session.type("Enter")
    try await session.wait(for: "done")
    #expect(hostile.harm() == [])
    #expect(hostile.server.requests.isEmpty)
  }

  // MARK: The explorer

  @Test func `the explorer prompts once, and no sends nothing`() async throws {
    let session = try await hostile.terminal()
    try await session.run("\(Checkout.apus)")
    let screen = try await session.wait(for: "Authorization: Bearer ${CANARY}")
    #expect(screen.contains("Authorization: Bearer ${CANARY}") && screen.contains(hostile.server.url))
    try await session.type("n")
    try await session.send("{ a }")
    try await session.type("F5")
    try await session.wait(for: "is not trusted")
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("1 Query") }
    #expect(hostile.harm() == [])
    #expect(hostile.server.requests.isEmpty)
  }

  @Test func `yes sends to the endpoint and is remembered`() async throws {
    let session = try await hostile.terminal()
    try await session.run("\(Checkout.apus)")
    try await session.wait(for: "scroll to the end")
    try await session.type("End")
    try await session.answer("y")
    #expect(try await hostile.server.request().header("Authorization") == "Bearer \(HostileFolder.value)")
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("1 Query") }
    try await session.run("clear; \(Checkout.apus)")
    try await session.wait(for: "1 Query")
    _ = try await hostile.server.request(1)
    #expect(try await !session.screen().contains("Trust "))
    try await session.type("C-q")
    #expect(!FileManager.default.fileExists(atPath: hostile.project.path("PWNED")))
  }

  @Test func `headers typed for one project are not sent by another of the same name`() async throws {
    let session = try await hostile.terminal()
    try await session.run("\(Checkout.apus) plain")
    try await session.wait(for: "1 Query")
    try await session.type("M-6")
    try await session.send("X-Mine: $CANARY")
    try await session.type("M-1")
    try await session.send("{ __typename }")
    try await session.type("F5")
    var index = 0
    while try await hostile.server.request(index).header("X-Mine") != HostileFolder.value { index += 1 }
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("1 Query") }
    let other = try ScriptedServer([.json(#"{"data":{"__typename":"Query"}}"#)])
    try hostile.project.write("other/.graphqlrc.yml", "projects: { plain: { schema: \"\(other.url)\" } }\n")
    try await session.run("clear; cd other; \(Checkout.apus) plain")
    try await session.wait(for: "1 Query")
    try await session.type("M-1")
    try await session.send("{ __typename }")
    try await session.type("F5")
    _ = try await other.request(1)
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("1 Query") }
    #expect(other.requests.allSatisfy { $0.header("X-Mine") == nil })
  }

  @Test func `typing at the prompt is not consent`() async throws {
    let session = try await hostile.terminal()
    try await session.run("\(Checkout.apus)")
    try await session.wait(for: "Trust ")
    try await session.send("query y { a }")
    try await session.wait(for: "query y")
    #expect(hostile.server.requests.isEmpty)
    try await session.type("C-q")
  }

  @Test(arguments: ["demo", "http://127.0.0.1:9/graphql", "--db notes.txt"])
  func `an explorer of another endpoint runs nothing from the folder`(words: String) async throws {
    let session = try await hostile.terminal()
    try await session.run("\(Checkout.apus) \(words); echo en''ded")
    try await session.wait("the explorer, or its refusal") { $0.contains("1 Query") || $0.contains("ended") }
    try await session.type("F5", "C-q")
    try await session.wait(for: "ended")
    #expect(hostile.harm() == [])
    #expect(hostile.server.requests.isEmpty)
    #expect(try hostile.project.read("notes.txt") == "the person's own notes\n")
  }

  // MARK: Files given by mistake

  @Test(arguments: ["", "--writable", "http://127.0.0.1:9/graphql"])
  func `a file that is not a cache is not changed`(options: String) async throws {
    // Another program's corrupt database, which must not be renamed.
    let database = "SQLite format 3\u{0}" + String(repeating: "x", count: 9000)
    try hostile.project.write("other.sqlite", database)
    for (file, reason) in [
      ("notes.txt", "is not a cache file"), ("other.sqlite", "not an Apus cache"),
    ] {
      let session = try await hostile.terminal()
      try await session.run("\(Checkout.apus) \(options) --db \(file); echo en''ded")
      let screen = try await session.wait(for: "ended")
      // Without options the file is opened for reading only, and SQLite refuses it.
      #expect(screen.contains(options.isEmpty ? "is damaged: file is not a database" : reason), "\(screen)")
      let before = file == "notes.txt" ? "the person's own notes\n" : database
      #expect(try hostile.project.read(file) == before)
    }
    #expect(try hostile.project.files(in: "").filter { $0.contains("damaged") } == [])
  }
}
