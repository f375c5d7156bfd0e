import ApusJSON
import ApusTestSupport
import Testing

/// The output of `apus validate` for build servers and code scanners, and its limits.
@Suite(.timeLimit(.minutes(3))) struct FindingFormatTests {
  private func folder(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "schema.graphql", "type Query { a: Int old: Int @deprecated birds(first: Int): [Bird] }\ntype Bird { b: Bird }\n")
    for (name, text) in files { try folder.write(name, text) }
    return folder
  }

  private func validate(_ folder: TemporaryFolder, _ words: String...) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus, "validate", "--schema", "schema.graphql"] + words)
  }

  @Test func `SARIF contains each finding with its location`() async throws {
    let folder = try folder(["a b.graphql": "query A { x }", "c.graphql": "query A { old }"])
    let outcome = try await validate(folder, "--output", "sarif", "--lint", "a b.graphql", "c.graphql")
    #expect(outcome.exitCode == 1)
    let report = try JSONDocument(parsing: outcome.output).root
    #expect(report["version"] == "2.1.0")
    let results = try #require(report["runs"]?[0]?["results"])
    #expect(
      results.elements.map { "\($0["level"]?.string ?? "") \($0["ruleId"]?.string ?? "")" } == [
        "error UniqueOperationNamesRule", "error FieldsOnCorrectTypeRule", "warning NoDeprecatedCustomRule",
      ])
    let place = results[0]?["locations"]?[0]?["physicalLocation"]
    #expect(place?["artifactLocation"] == ["uri": "a%20b.graphql"])
    #expect(place?["region"] == ["startLine": 1, "startColumn": 7])
    #expect(
      results[0]?["relatedLocations"]?[0]?["physicalLocation"]?["artifactLocation"] == ["uri": "c.graphql"])
    #expect(report["runs"]?[0]?["tool"]?["driver"]?["rules"].map { Array($0.elements).count } == 3)
  }

  /// A name in a document or of a file cannot end one command and begin another.
  @Test func `names cannot forge workflow commands`() async throws {
    let name = "a%,\n::error::b.graphql"
    let folder = try folder([name: "query A { zzz }"])
    let outcome = try await validate(folder, "--output", "github", name)
    #expect(
      outcome.output
        == "::error file=a%25%2C%0A%3A%3Aerror%3A%3Ab.graphql,line=1,col=11,title=FieldsOnCorrectTypeRule::"
        + "Cannot query field \"zzz\" on type \"Query\".\n")
  }

  @Test func `JUnit has a test case for each finding and each file without findings`() async throws {
    let folder = try folder(["a.graphql": "{ zzz }", "b.graphql": "{ a }", "<&\".graphql": "query Q { a "])
    let outcome = try await validate(folder, "--output", "junit", "a.graphql", "b.graphql", "<&\".graphql")
    #expect(
      outcome.output.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"3\" failures=\"2\" errors=\"0\">\n"))
    #expect(outcome.output.contains("<testcase classname=\"b.graphql\" name=\"apus validate\"/>"))
    #expect(outcome.output.contains("classname=\"&lt;&amp;&quot;.graphql\" name=\"SyntaxError at 1:13\""))
    #expect(
      outcome.output.contains(
        "<failure type=\"FieldsOnCorrectTypeRule\" "
          + "message=\"Cannot query field &quot;zzz&quot; on type &quot;Query&quot;.\">"))
    let check = try ChildProcess(
      "/usr/bin/env",
      ["python3", "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parseString(sys.stdin.buffer.read())"])
    check.write(outcome.output)
    #expect(await check.outcome().exitCode == 0)
  }

  /// Descriptions and deprecation reasons are untrusted text.
  @Test(arguments: [
    ["schema", "diff", "schema.graphql", "evil.graphql"],
    ["schema", "diff", "schema.graphql", "evil.graphql", "--output", "markdown"],
    ["schema", "diff", "schema.graphql", "evil.graphql", "--output", "json"],
    ["schema", "diff", "schema.graphql", "evil.graphql", "--output", "sarif"],
    ["schema", "lint", "evil.graphql"], ["schema", "lint", "evil.graphql", "--output", "github"],
    ["schema", "lint", "evil.graphql", "--output", "junit"], ["coverage", "--schema", "evil.graphql", "q.graphql"],
    ["coverage", "--schema", "evil.graphql", "q.graphql", "--output", "markdown"],
    ["validate", "--lint", "--schema", "evil.graphql", "q.graphql", "--output", "github"],
    ["validate", "--lint", "--schema", "evil.graphql", "q.graphql"],
  ])
  func `descriptions and reasons do not control the terminal`(words: [String]) async throws {
    let escape = "\\u001b[2J\\u202e\\n"
    let folder = try folder([
      "q.graphql": "query Q { a }",
      "evil.graphql":
        "\"\(escape)\" type Query { \"\(escape)\" a: Int @deprecated(reason: \"r\(escape)\") x: S } "
        + "\"d\(escape)\" scalar S @specifiedBy(url: \"\(escape)\")",
    ])
    let outcome = try await ChildProcess.run("/usr/bin/env", ["-C", folder.root, Checkout.apus] + words)
    #expect([0, 1].contains(outcome.exitCode), "\(outcome.errors)")
    #expect(!outcome.output.isEmpty)
    for text in [outcome.output, outcome.errors] {
      #expect(
        !text.unicodeScalars.contains {
          $0 == "\u{1B}" || $0 == "\u{202E}" && !words.contains("json") && !words.contains("sarif")
        })
    }
  }

  @Test func `an operation beyond a limit is an error`() async throws {
    let folder = try folder([
      "a.graphql": "query A { birds(first: 2) { ...F } }",
      "f.graphql": "fragment F on Bird { x: b { y: b { b { __typename } } } }",
    ])
    let within = try await validate(
      folder, "--max-depth", "4", "--max-aliases", "2", "--max-complexity", "40", "a.graphql", "f.graphql")
    #expect(within.output == "")
    let beyond = try await validate(
      folder, "--max-depth", "3", "--max-aliases", "1", "--max-complexity", "39", "a.graphql", "f.graphql")
    #expect(beyond.exitCode == 1)
    #expect(
      beyond.output.split(separator: "\n") == [
        "a.graphql:1:1: error: The query \"A\" is 4 fields deep; 3 are allowed. [MaxDepthRule]",
        "a.graphql:1:1: error: The query \"A\" has 2 aliases; 1 are allowed. [MaxAliasesRule]",
        "a.graphql:1:1: error: The query \"A\" costs 40; 39 is allowed. [MaxComplexityRule]",
      ])
    let small = try await validate(
      folder, "--max-complexity", "39", "--list-size", "2", "a.graphql", "f.graphql")
    #expect(small.exitCode == 0)
  }
}
