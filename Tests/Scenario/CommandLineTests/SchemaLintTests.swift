import ApusJSON
import ApusTestSupport
import Testing

/// `apus schema lint`: rules with options, output formats, and fixes.
@Suite(.timeLimit(.minutes(3))) struct SchemaLintTests {
  private static let sdl = """
    \"""The root.\"""
    type Query {
      \"""All.\"""
      birds: [Bird!]
    }

    # kept
    "A bird."
    type Bird {
      id: ID!
      Name: String @deprecated
    }

    """

  private func folder(_ files: [String: String] = [:]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", Self.sdl)
    for (name, text) in files { try folder.write(name, text) }
    return folder
  }

  private func lint(_ folder: TemporaryFolder, _ words: String...) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus, "schema", "lint"] + words, environment: folder.asHome)
  }

  @Test func `findings are printed one per line, and an error exits with 1`() async throws {
    let outcome = try await lint(try folder(), "schema.graphql")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output == """
        schema.graphql:8:1: error: This description should be a block string. [description-style]
        schema.graphql:11:3: error: The field Bird.Name should be in camelCase. [naming-convention]
        schema.graphql:11:16: error: Bird.Name is deprecated, and no reason is given. [require-deprecation-reason]

        """)
  }

  @Test func `the configuration sets rules and options`() async throws {
    let rules = """
      lint:
        description-style: off
        naming-convention:
          severity: warning
          fields: snake_case
        require-deprecation-reason: warning
      """
    let folder = try folder(["config/config.yml": rules, "lint.yml": "lint:\n  naming-convention: off\n"])
    let outcome = try await lint(folder, "schema.graphql")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.split(separator: "\n") == [
        "schema.graphql:11:3: warning: The field Bird.Name should be in snake_case. [naming-convention]",
        "schema.graphql:11:16: warning: Bird.Name is deprecated, and no reason is given. [require-deprecation-reason]",
      ])
    let other = try await lint(folder, "schema.graphql", "--config", "lint.yml")
    #expect(other.exitCode == 1)
    #expect(!other.output.contains("naming-convention"))
    #expect(other.output.contains("description-style"))
  }

  @Test(arguments: [
    (
      "lint:\n  naming-conventions: off\n",
      ":2:3: unknown rule 'naming-conventions'; did you mean naming-convention?"
    ),
    ("lint:\n  naming-convention: no\n", ":2:3: naming-convention must be off, warning or error, not 'no'"),
    (
      "lint:\n  description-style:\n    stile: block\n",
      ":3:5: description-style has no option 'stile'; did you mean style?"
    ),
    ("lint:\n  description-style:\n    style: long\n", ":3:5: style of description-style must be one of block, inline"),
    ("lint:\n  relay-page-info:\n    x: y\n", ":3:5: relay-page-info has no option 'x'; it has none"),
    ("rules: {}\n", ":1:1: a file for lints has no key 'rules'; the keys are lint"),
  ])
  func `a mistake in the rules is reported with its location`(rules: String, message: String) async throws {
    let outcome = try await lint(try folder(["lint.yml": rules]), "schema.graphql", "--config", "lint.yml")
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors == "apus: lint.yml\(message)\n")
  }

  @Test func `--fix applies certain fixes and keeps other findings`() async throws {
    let folder = try folder(["schema.graphql": Self.sdl + "type Old { a: Int }\n"])
    let outcome = try await lint(folder, "schema.graphql", "--fix")
    #expect(outcome.exitCode == 1)
    #expect(!outcome.output.contains("description-style"))
    #expect(try folder.read("schema.graphql") == Self.sdl.replacing("\"A bird.\"", with: "\"\"\"A bird.\"\"\""))
    let refused = try await lint(folder, "https://127.0.0.1:9/graphql", "--fix", "--timeout", "2")
    #expect(refused.exitCode == 3)
  }

  @Test func `several files form one schema`() async throws {
    let folder = try folder([
      "parts/a.graphql": "\"\"\"Q.\"\"\"\ntype Query {\n  \"\"\"A.\"\"\"\n  a: Bird\n}\n",
      "parts/b.graphql": "type Bird {\n  id: ID\n}\n",
    ])
    for words in [["parts"], ["parts/*.graphql"], ["parts/a.graphql", "parts/b.graphql"]] {
      let outcome = try await ChildProcess.run(
        "/usr/bin/env", ["-C", folder.root, Checkout.apus, "schema", "lint"] + words)
      #expect(
        outcome.output == "parts/b.graphql:1:6: error: The object Bird has no description. [require-description]\n")
    }
  }

  @Test func `findings are printed as JSON and as workflow commands`() async throws {
    let folder = try folder()
    let json = try JSONDocument(parsing: try await lint(folder, "schema.graphql", "--output", "json").output).root
    #expect(
      json["findings"]?[1] == [
        "severity": "error", "rule": "naming-convention", "message": "The field Bird.Name should be in camelCase.",
        "coordinate": "Bird.Name", "file": "schema.graphql", "line": 11, "column": 3, "fixable": false,
      ])
    #expect(json["findings"]?[0]?["fixable"] == true)
    let github = try await lint(folder, "schema.graphql", "--output", "github").output
    #expect(
      github.hasPrefix(
        "::error file=schema.graphql,line=8,col=1,title=description-style::This description should be a block string.\n"
      ))
  }
}
