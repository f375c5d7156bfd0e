import ApusJSON
import ApusPlatform
import ApusTestSupport
import Foundation
import Testing

/// The commands for documents, as editors and continuous integration use them.
@Suite(.timeLimit(.minutes(3))) struct DocumentCommandTests {
  private static let sdl = """
    type Query { bird(id: ID!): Bird birds(first: Int): [Bird!]! }
    "A bird." type Bird { id: ID! "What it is called." name: String! old: Int @deprecated(reason: "No.") }
    """

  private func folder(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", Self.sdl)
    for (name, text) in files { try folder.write(name, text) }
    return folder
  }

  @Test func `validate reports every error in every file`() async throws {
    let folder = try folder([
      "a.graphql": "{ birds { nam } }", "b.graphql": "{ birds {", "c.graphql": "{ birds { id } }",
    ])
    let files = ["a.graphql", "b.graphql", "c.graphql"].map(folder.path)
    let words = ["validate", "--schema", folder.path("schema.graphql")]
    let outcome = try await ChildProcess.run(Checkout.apus, words + ["--output", "json"] + files)
    #expect(outcome.exitCode == 1)
    let report = try JSONDocument(parsing: outcome.output).root
    #expect(report["valid"] == false)
    #expect(
      report["errors"]?[0] == [
        "severity": "error", "file": JSONValue(files[0]), "rule": "FieldsOnCorrectTypeRule",
        "message": "Cannot query field \"nam\" on type \"Bird\". Did you mean \"name\"?",
        "locations": [["line": 1, "column": 11]],
      ])
    #expect(report["errors"]?[1]?["rule"] == "SyntaxError")
    #expect(report["errors"]?.elements.contains { $0["file"]?.string == files[2] } == false)

    let text = try await ChildProcess.run(Checkout.apus, words + [files[0]])
    #expect(text.output.hasPrefix("\(files[0]):1:11: error: Cannot query field"))
    let good = try await ChildProcess.run(Checkout.apus, words + ["--output", "json", files[2]])
    #expect(good.output == "{\"valid\":true,\"errors\":[],\"warnings\":[]}\n")
    #expect(good.exitCode == 0)
  }

  private func validate(_ words: String...) async throws -> (exitCode: Int32, report: JSONValue) {
    let outcome = try await ChildProcess.run(Checkout.apus, ["validate", "--output", "json"] + words)
    return (outcome.exitCode, try JSONDocument(parsing: outcome.output).root)
  }

  @Test func `files share fragments, and names must be unique among them`() async throws {
    let folder = try folder([
      "a.graphql": "query A { birds { ...F } }", "b.graphql": "fragment F on Bird { id }",
      "c.graphql": "query A { birds { id } }",
    ])
    let schema = folder.path("schema.graphql")
    let (a, b, c) = (folder.path("a.graphql"), folder.path("b.graphql"), folder.path("c.graphql"))
    let good = try await validate("--schema", schema, a, b)
    #expect(good.exitCode == 0)
    #expect(good.report == ["valid": true, "errors": [], "warnings": []])
    #expect(try await validate("--schema", schema, a).report["errors"]?[0]?["rule"] == "KnownFragmentNamesRule")
    let twice = try await validate("--schema", schema, a, b, c)
    #expect(
      twice.report["errors"] == [
        [
          "severity": "error", "file": JSONValue(a), "rule": "UniqueOperationNamesRule",
          "message": "There can be only one operation named \"A\".",
          "locations": [["line": 1, "column": 7], ["line": 1, "column": 7, "file": JSONValue(c)]],
        ]
      ])
  }

  @Test func `type system files are validated together as a separate schema`() async throws {
    let folder = try folder(["more.graphql": "extend type Bird { mate: Brid }\nextend type Bird { id: ID! }"])
    let more = folder.path("more.graphql")
    let outcome = try await validate(folder.path("schema.graphql"), more)
    #expect(outcome.exitCode == 1)
    #expect(
      (outcome.report["errors"] ?? .null).elements.map { "\($0["rule"]?.string ?? "") \($0["message"]?.string ?? "")" }
        == [
          "UniqueFieldDefinitionNamesRule Field \"Bird.id\" can only be defined once.",
          "KnownTypeNamesRule Unknown type \"Brid\". Did you mean \"Bird\" or \"ID\"?",
        ])
    #expect(try await validate(folder.path("schema.graphql")).exitCode == 0)
  }

  @Test func `lints are warnings and do not change the exit code`() async throws {
    let folder = try folder(["q.graphql": "{ birds { old } }"])
    let words = ["--schema", folder.path("schema.graphql"), folder.path("q.graphql")]
    let linted = try await ChildProcess.run(Checkout.apus, ["validate", "--lint"] + words)
    #expect(linted.exitCode == 0)
    #expect(linted.output.hasSuffix("warning: The field Bird.old is deprecated. No. [NoDeprecatedCustomRule]\n"))
    #expect(try await ChildProcess.run(Checkout.apus, ["validate"] + words).output == "")
  }

  @Test func `an invalid schema is used with a warning`() async throws {
    let folder = try folder(["bad.graphql": "type Query { a: Int a: Int }", "q.graphql": "{ a }"])
    let printed = try await ChildProcess.apus("schema", folder.path("bad.graphql"))
    #expect(printed.exitCode == 0)
    #expect(printed.output == "type Query {\n  a: Int\n}\n")
    #expect(printed.errors.contains("bad.graphql:1:14: Field \"Query.a\" can only be defined once."))
    let validation = try await ChildProcess.apus(
      "validate", "--schema", folder.path("bad.graphql"), folder.path("q.graphql"))
    #expect(validation.exitCode == 0)
    #expect(validation.errors.contains("apus: warning: "))
  }

  @Test func `format rewrites files, and --check only lists them`() async throws {
    let folder = try folder(["q.graphql": "query  Q{birds{id # key\n name}}"])
    let file = folder.path("q.graphql")
    let check = try await ChildProcess.apus("format", "--check", file)
    #expect(check.exitCode == 1)
    #expect(check.output == file + "\n")
    #expect(try await ChildProcess.apus("format", file).exitCode == 0)
    let formatted = "query Q {\n  birds {\n    id # key\n    name\n  }\n}\n"
    #expect(try folder.read("q.graphql") == formatted)
    #expect(try await ChildProcess.apus("format", "--check", file).exitCode == 0)
    let process = try ChildProcess(Checkout.apus, ["format", "-"])
    process.write("{a}")
    #expect(await process.outcome().output == "{\n  a\n}\n")
  }

  @Test func `format does not change a file with syntax errors`() async throws {
    let folder = try folder(["q.graphql": "{ a "])
    let outcome = try await ChildProcess.apus("format", folder.path("q.graphql"))
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains("q.graphql:1:5: "))
    #expect(try folder.read("q.graphql") == "{ a ")
  }

  @Test func `complete and hover print JSON`() async throws {
    let folder = try folder(["q.graphql": "{\n  birds { na }\n}"])
    let words = ["--schema", folder.path("schema.graphql"), "--output", "json", folder.path("q.graphql")]
    let items = try await ChildProcess.run(Checkout.apus, ["complete", "--at", "2:13"] + words)
    let first = try JSONDocument(parsing: items.output).root["items"]?[0]
    #expect(
      first == [
        "label": "name", "kind": "field", "type": "String!", "documentation": "What it is called.",
        "insertText": "name", "deprecated": false,
      ])
    let hover = try await ChildProcess.run(Checkout.apus, ["hover", "--at", "2:4"] + words)
    #expect(
      try JSONDocument(parsing: hover.output).root["range"]
        == ["start": ["line": 2, "column": 3], "end": ["line": 2, "column": 8]])
    #expect(try await ChildProcess.run(Checkout.apus, ["hover", "--at", "1:1"] + words).output == "null\n")
    let wrong = try await ChildProcess.run(Checkout.apus, ["hover", "--at", "0"] + words)
    #expect(wrong.exitCode == 2)
  }

  @Test func `schema converts a file to SDL and introspection JSON`() async throws {
    let folder = try folder([:])
    let json = try await ChildProcess.apus("schema", folder.path("schema.graphql"), "--output", "json")
    #expect(try JSONDocument(parsing: json.output).root["__schema"]?["queryType"]?["name"] == "Query")
    try folder.write("introspection.json", json.output)
    let sdl = try await ChildProcess.apus("schema", folder.path("introspection.json"))
    #expect(sdl.output.contains("birds(first: Int): [Bird!]!"))
    #expect(sdl.output.contains("@deprecated(reason: \"No.\")"))
  }

  @Test func `schema prints one element by its coordinate`() async throws {
    let folder = try folder([:])
    func schema(_ words: String...) async throws -> ChildProcess.Outcome {
      try await ChildProcess.run(Checkout.apus, ["schema", folder.path("schema.graphql")] + words)
    }
    #expect(try await schema("Query.birds").output == "birds(first: Int): [Bird!]!\n")
    #expect(try await schema("Query.birds(first:)").output == "first: Int\n")
    #expect(try await schema("Bird").output.contains("name: String!"))
    #expect(try await schema("@skip(if:)", "--output", "json").output.contains("\"kind\": \"NON_NULL\""))
    let nothing = try await schema("Bird.nothing")
    #expect(nothing.exitCode == 1)
    #expect(nothing.errors.hasSuffix("schema.graphql: Bird.nothing: the type Bird has no member nothing\n"))
    let wrong = try await schema("Bird.")
    #expect(wrong.exitCode == 2)
    #expect(wrong.errors.contains("'Bird.' is not a schema coordinate, at 6: Expected Name, found <EOF>."))
  }

  @Test func `a file that is not text is rejected and unchanged`() async throws {
    let folder = try folder([:])
    let bytes: [UInt8] = Array("# caf".utf8) + [0xE9, 0x0A] + Array("query A { a(x:   1) }".utf8)
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path("latin.graphql")))
    for words in [["format"], ["format", "--check"], ["validate"], ["bundle"]] {
      let outcome = try await ChildProcess.run(Checkout.apus, words + [folder.path("latin.graphql")])
      #expect(outcome.exitCode == 5, "\(words)")
      #expect(outcome.errors.contains("the file is not UTF-8 text (at byte 5)"), "\(outcome.errors)")
    }
    #expect(try folder.bytes("latin.graphql") == bytes)
  }

  @Test func `formatting a symbolic link changes its target`() async throws {
    let folder = try folder(["t.graphql": "{a   }"])
    #expect(symlink("t.graphql", folder.path("l.graphql")) == 0)
    #expect(try await ChildProcess.run(Checkout.apus, ["format", folder.path("l.graphql")]).exitCode == 0)
    var status = stat()
    #expect(lstat(folder.path("l.graphql"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(try folder.read("t.graphql") == "{\n  a\n}\n")
  }

  @Test(.timeLimit(.minutes(1))) func `a pipe in a folder does not block`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.graphql", "query A { a }\n")
    #expect(mkfifo(folder.path("p.graphql"), 0o600) == 0)
    for words in [["validate"], ["bundle"], ["format", "--check"]] {
      _ = try await ChildProcess.run(Checkout.apus, words + [folder.path("")])
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [SIGINT, SIGTERM])
  func `the first signal ends a command that waits for input`(number: Int32) async throws {
    let process = try ChildProcess(Checkout.apus, ["validate", "-"])
    process.write("{ a ")
    process.signal(number)
    // The input stays open until the program has ended.
    process.waitBlocking()
    #expect(await process.outcome().exitCode == 128 + number)
  }
}
