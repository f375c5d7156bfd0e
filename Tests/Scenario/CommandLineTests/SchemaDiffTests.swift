import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// `apus schema diff`, as pipelines use it.
@Suite(.timeLimit(.minutes(3))) struct SchemaDiffTests {
  private static let old = """
    type Query { bird(id: ID!): Bird birds(first: Int): [Bird!]! }
    "A bird." type Bird { id: ID! name: String weight: Int sex: Sex }
    enum Sex { MALE FEMALE }

    """
  private static let new = """
    type Query { bird(id: ID!): Bird birds(first: Int): [Bird!]! }
    "One | <bird> @all." type Bird { id: ID! name: String! sex: Sex }
    enum Sex { MALE FEMALE UNKNOWN }

    """

  private func folder(_ files: [String: String] = [:]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("old.graphql", Self.old)
    try folder.write("new.graphql", Self.new)
    for (name, text) in files { try folder.write(name, text) }
    return folder
  }

  private func diff(_ folder: TemporaryFolder, _ words: String...) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus, "schema", "diff"] + words, environment: folder.asHome)
  }

  @Test func `changes are listed one per line, most critical first`() async throws {
    let outcome = try await diff(try folder(), "old.graphql", "new.graphql")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.split(separator: "\n") == [
        "breaking: Field Bird.weight was removed. [FIELD_REMOVED]",
        "dangerous: Enum value Sex.UNKNOWN was added. [VALUE_ADDED_TO_ENUM]",
        "safe: Description of Bird has changed to \"One | <bird> @all.\". [DESCRIPTION_CHANGED]",
        "safe: Field Bird.name changed type from String to String!. [FIELD_CHANGED_KIND_SAFE]",
      ])
    #expect(outcome.errors == "apus: 1 breaking, 1 dangerous, 2 safe\n")
  }

  private static let verdicts: [(words: [String], code: Int32)] = [
    ([], 0), (["--fail-on", "breaking"], 1), (["--fail-on", "dangerous"], 1),
  ]

  @Test(arguments: verdicts)
  func `the exit code depends on --fail-on`(words: [String], code: Int32) async throws {
    let folder = try folder()
    let forth = try await ChildProcess.run(
      Checkout.apus, ["schema", "diff", folder.path("old.graphql"), folder.path("new.graphql")] + words)
    #expect(forth.exitCode == code)
    let same = try await diff(folder, "old.graphql", "old.graphql", "--fail-on", "dangerous")
    #expect(same.exitCode == 0)
    #expect(same.errors == "apus: no changes\n")
  }

  @Test func `a dangerous change is not breaking`() async throws {
    let folder = try folder(["more.graphql": Self.old.replacing("FEMALE", with: "FEMALE UNKNOWN")])
    #expect(try await diff(folder, "old.graphql", "more.graphql", "--fail-on", "breaking").exitCode == 0)
    #expect(try await diff(folder, "old.graphql", "more.graphql", "--fail-on", "dangerous").exitCode == 1)
  }

  @Test func `JSON contains each change with its old and new value`() async throws {
    let outcome = try await diff(try folder(), "old.graphql", "new.graphql", "--output", "json")
    let changes = try JSONDocument(parsing: outcome.output).root["changes"]
    #expect(
      changes?[0] == [
        "criticality": "breaking", "type": "FIELD_REMOVED", "coordinate": "Bird.weight",
        "message": "Field Bird.weight was removed.", "old": "Int",
      ])
    #expect(changes?[3]?["old"] == "String")
    #expect(changes?[3]?["new"] == "String!")
  }

  @Test func `with documents only changes that affect them are breaking`() async throws {
    let folder = try folder([
      "src/light.graphql": "query Light { birds { name ...F } }", "src/f.graphql": "fragment F on Bird { id }",
      "heavy.graphql": "query Heavy { bird(id: 1) { weight sex } }",
    ])
    let words = ["old.graphql", "new.graphql", "--fail-on", "dangerous", "--documents"]
    let light = try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus, "schema", "diff"] + words + ["src"])
    #expect(light.exitCode == 0)
    #expect(
      light.output.contains("not used: Field Bird.weight was removed. [FIELD_REMOVED, breaking for others]\n"))
    let heavy = try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus, "schema", "diff"] + words + ["*.graphql"])
    #expect(heavy.exitCode == 1)
    #expect(heavy.output.hasPrefix("breaking: Field Bird.weight was removed. [FIELD_REMOVED] (used by Heavy)\n"))
    let json = try await diff(
      folder, "old.graphql", "new.graphql", "--documents", "src", "--documents", "heavy.graphql", "--output", "json")
    let change = try JSONDocument(parsing: json.output).root["changes"]?[0]
    #expect(change?["operations"] == ["Heavy"])
    #expect(change?["otherwise"] == nil)
  }

  @Test func `Markdown escapes untrusted text`() async throws {
    let outcome = try await diff(try folder(), "old.graphql", "new.graphql", "--output", "markdown")
    #expect(outcome.output.hasPrefix("### Schema changes: 1 breaking, 1 dangerous, 2 safe\n\n#### Breaking\n\n"))
    #expect(outcome.output.contains("| `Bird.weight` | Field Bird.weight was removed. |\n"))
    #expect(outcome.output.contains("\"One \\| &lt;bird&gt; &#64;all.\""))
  }

  @Test func `SARIF locates changes in the newer file`() async throws {
    let outcome = try await diff(try folder(), "old.graphql", "new.graphql", "--output", "sarif")
    let run = try JSONDocument(parsing: outcome.output).root["runs"]?[0]
    #expect(run?["tool"]?["driver"]?["name"] == "apus")
    let results = run?["results"]
    #expect(results?[0]?["ruleId"] == "FIELD_REMOVED")
    #expect(results?[0]?["level"] == "error")
    #expect(
      results?[1]?["locations"]?[0]?["physicalLocation"] == [
        "artifactLocation": ["uri": "new.graphql"], "region": ["startLine": 3, "startColumn": 24],
      ])
  }

  @Test func `a server is compared with a file`() async throws {
    let server = try ChildProcess(Checkout.apus, ["serve"])
    let url = try #require(await server.nextLine())
    let folder = try folder()
    try folder.write("server.graphql", try await ChildProcess.apus("schema", url).output)
    #expect(
      try await diff(folder, "server.graphql", String(url.dropFirst("http://".count))).errors
        == "apus: no changes\n")
    server.signal(SIGTERM)
  }

  // MARK: Git

  private func repository() async throws -> TemporaryFolder {
    let folder = try folder(["sub/schema.graphql": Self.old])
    for words in [
      ["init", "-q"], ["add", "sub"],
      ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one", "--no-gpg-sign"],
    ] {
      let outcome = try await ChildProcess.run("/usr/bin/env", ["git", "-C", folder.root] + words)
      try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }
    try folder.write("sub/schema.graphql", Self.new)
    return folder
  }

  @Test func `a git revision is compared with a file`() async throws {
    let folder = try await repository()
    for source in ["HEAD:sub/schema.graphql", "HEAD:./sub/schema.graphql", ":sub/schema.graphql"] {
      let outcome = try await diff(folder, source, "sub/schema.graphql")
      #expect(outcome.errors == "apus: 1 breaking, 1 dangerous, 2 safe\n", "\(source)")
    }
    let sarif = try await diff(folder, "sub/schema.graphql", "HEAD:./sub/schema.graphql", "--output", "sarif")
    #expect(sarif.output.contains("\"uri\": \"sub/schema.graphql\""))
    let missing = try await diff(folder, "HEAD:nothing.graphql", "sub/schema.graphql")
    #expect(missing.exitCode == 5)
    #expect(missing.errors.hasPrefix("apus: git cannot find 'HEAD:nothing.graphql' (exit code 128)"))
  }

  /// The name is a single argument for git, and commands in the repository's configuration are not run.
  @Test func `a repository runs no commands, and a name is not an option`() async throws {
    let folder = try await repository()
    let program = folder.path("program")
    try folder.write("program", "#!/bin/sh\ntouch '\(folder.path("ran"))'\ncat \"$@\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let settings = [
      "core.fsmonitor", "core.pager", "core.sshCommand", "diff.own.textconv", "diff.external", "core.editor",
      "filter.own.smudge", "filter.own.clean",
    ]
    for setting in settings {
      _ = try await ChildProcess.run("/usr/bin/env", ["git", "-C", folder.root, "config", setting, program])
    }
    for (name, value) in [
      ("extensions.partialClone", "origin"), ("core.repositoryformatversion", "1"),
      ("remote.origin.url", "ssh://127.0.0.1/x"), ("remote.origin.promisor", "true"),
      ("protocol.ssh.allow", "always"),
    ] {
      _ = try await ChildProcess.run("/usr/bin/env", ["git", "-C", folder.root, "config", name, value])
    }
    try folder.write(".gitattributes", "*.graphql diff=own filter=own\n")
    #expect(try await diff(folder, "HEAD:sub/schema.graphql", "sub/schema.graphql").exitCode == 0)
    // A missing object would be fetched.
    let absent = String(repeating: "1", count: 40)
    #expect(try await diff(folder, "\(absent):sub/schema.graphql", "sub/schema.graphql").exitCode == 5)
    let option = try await diff(folder, "--", "--textconv:schema.graphql", "sub/schema.graphql")
    #expect(option.exitCode == 5)
    #expect(option.errors.contains("cannot read --textconv:schema.graphql"))
    #expect(try !folder.files(in: "").contains("ran"))
  }

  // MARK: Wrong usage

  @Test(arguments: [
    (["diff", "a.graphql"], "apus: NEW is missing (see 'apus help schema diff')\n"),
    (
      ["diff", "a.graphql", "b.graphql", "--fail-on", "safe"],
      "apus: --fail-on must be one of breaking, dangerous, not 'safe' (see 'apus help schema diff')\n"
    ),
  ])
  func `wrong usage names the command of two words`(words: [String], line: String) async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, ["schema"] + words)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors == line)
  }

  @Test func `commands of two words have help`() async throws {
    for command in ["diff", "lint"] {
      let help = try await ChildProcess.apus("help", "schema", command)
      #expect(help.exitCode == 0)
      #expect(help.output.contains("Usage: apus schema \(command) "))
      #expect(try await ChildProcess.apus("schema", command, "--help").output == help.output)
    }
  }
}
