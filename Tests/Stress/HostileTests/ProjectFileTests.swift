import ApusExplorerCore
import ApusExplorerPersistence
import ApusTestSupport
import Foundation
import Testing

/// Files that a project names or that a search finds. Files outside the project are neither read nor written, and no
/// file blocks the program.
@Suite(.timeLimit(.minutes(3)))
struct ProjectFileTests {
  /// The parent folder: `p` is the project, and `out` is outside of it.
  private let place: TemporaryFolder
  private static let secret = "query Secret { secretField }"

  init() throws {
    place = try TemporaryFolder()
    try place.write("out/secret.graphql", Self.secret)
    try place.write("out/schema.graphql", "type Query{secretField:Int}")
    try place.write("p/a.graphql", "query A{a}")
    try place.write("p/schema.graphql", "type Query { a: Int, b: Int }\n")
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: place.path(name), withDestinationPath: target)
  }

  /// Runs `apus` in the project. A program that blocks on a pipe ends with exit code 124.
  private func apus(_ words: String..., in folder: String = "p") async throws -> ChildProcess.Outcome {
    let process = try ChildProcess(
      "/usr/bin/timeout", ["20", "/usr/bin/env", "-C", place.path(folder), Checkout.apus] + words,
      environment: place.asHome.merging(["HOME": place.path("home"), "PATH": "/usr/bin:/bin"]) { $1 })
    return await process.outcome()
  }

  /// Whether nothing outside the project was changed.
  private func outsideIsAsItWas() throws -> Bool {
    try place.read("out/secret.graphql") == Self.secret && place.read("out/schema.graphql").hasPrefix("type Query{")
      && place.files(in: "out").sorted() == ["schema.graphql", "secret.graphql"]
  }

  // MARK: Links

  private func plantLinks(toRoot: Bool = true) throws {
    try link("p/far.graphql", to: "../out/secret.graphql")
    try link("p/folder", to: "../out")
    if toRoot { try link("p/root", to: "/") }
    try link("p/loop", to: ".")
    try link("p/itself.graphql", to: "itself.graphql")
  }

  @Test(arguments: [".", "**/*.graphql", "{.,folder}/*.graphql", "./"])
  func `formatting a folder does not follow links out of it`(word: String) async throws {
    try plantLinks()
    let outcome = try await apus("format", word)
    #expect(try outsideIsAsItWas(), "\(outcome)")
    #expect(try place.read("p/a.graphql") == "query A {\n  a\n}\n")
    let checked = try await apus("format", "--check", word)
    #expect(!checked.output.contains("secret"), "\(checked)")
  }

  @Test func `links out of a folder are reported, one per line`() async throws {
    try plantLinks()
    let outcome = try await apus("format", ".")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("apus: far.graphql: it is outside \(place.root)/p and is not used: ") })
    #expect(lines.contains { $0.hasPrefix("apus: root: links to folders are not followed: ") })
    #expect(lines.count == 4, "\(outcome.errors)")
  }

  @Test func `no command follows links out of a folder`() async throws {
    try plantLinks()
    for words in [
      ["validate", "."], ["validate", "--schema", "schema.graphql", "."], ["bundle", "."],
      ["coverage", "--schema", "schema.graphql", "."],
      ["schema", "diff", "schema.graphql", "schema.graphql", "--documents", "."],
      ["schema", "lint", "."], ["schema", "lint", "--fix", "."],
      ["coverage", "--schema", "schema.graphql", "**/*.graphql"],
    ] {
      let process = try ChildProcess(
        "/usr/bin/timeout", ["20", "/usr/bin/env", "-C", place.path("p"), Checkout.apus] + words,
        environment: place.asHome)
      let outcome = await process.outcome()
      #expect(
        outcome.exitCode != 124 && !(outcome.output + outcome.errors).contains("secretField"), "\(words) \(outcome)")
      #expect(try outsideIsAsItWas(), "\(words)")
    }
  }

  @Test func `a file that the user names may be anywhere`() async throws {
    #expect(try await apus("format", "../out/secret.graphql").exitCode == 0)
    #expect(try place.read("out/secret.graphql") == "query Secret {\n  secretField\n}\n")
    #expect(try await apus("format", "--check", "../out").output == "../out/schema.graphql\n")
  }

  @Test func `an import does not read or write through links`() async throws {
    try place.write("p/b/One.bru", "post {\n  url: http://127.0.0.1:1/graphql\n}\n\nbody:graphql {\n  { a }\n}\n")
    try place.write(
      "out/Two.bru", "post {\n  url: http://127.0.0.1:1/graphql\n}\n\nbody:graphql {\n  { secretField }\n}\n")
    try link("p/b/Two.bru", to: "../../out/Two.bru")
    let outcome = try await apus("import", "b", "--to", "to")
    #expect(outcome.exitCode == 1 && outcome.errors.contains("Two.bru"))
    #expect(try place.files(in: "p/to").contains("One.graphql"))
    #expect(try !place.files(in: "p/to").contains("Two.graphql"))
  }

  // MARK: Patterns of a configuration

  private static let patterns = [
    "../out/*.graphql", "../out/secret.graphql", "folder/**/*.graphql", "folder/secret.graphql", "far.graphql",
    "../out",
    "folder", "{../out,folder}/*.graphql", "loop/../../out/*.graphql", "/OUT/secret.graphql", "/OUT/**",
  ]

  private static let forms = [
    (".graphqlrc.yml", "schema: schema.graphql\ndocuments: ['PATTERN', a.graphql]\n"),
    ("package.json", "{\"graphql\": {\"schema\": \"schema.graphql\", \"documents\": [\"PATTERN\", \"a.graphql\"]}}"),
    ("graphql.config.toml", "schema = 'schema.graphql'\ndocuments = ['PATTERN', 'a.graphql']\n"),
  ]

  @Test(arguments: patterns) func `documents outside the project are not used`(pattern: String) async throws {
    try plantLinks()
    let pattern = pattern.replacingOccurrences(of: "/OUT", with: place.path("out"))
    for (name, text) in Self.forms {
      try place.write("p/\(name)", text.replacingOccurrences(of: "PATTERN", with: pattern))
      for words in [["validate"], ["format"], ["bundle"], ["coverage"], ["complete", "--at", "1:9", "a.graphql"]] {
        let process = try ChildProcess(
          "/usr/bin/timeout", ["20", "/usr/bin/env", "-C", place.path("p"), Checkout.apus] + words,
          environment: place.asHome)
        let outcome = await process.outcome()
        #expect(
          outcome.exitCode == 0 && !(outcome.output + outcome.errors).contains("secretField"),
          "\(name) \(words) \(outcome)")
      }
      #expect(try outsideIsAsItWas(), "\(name)")
      try FileManager.default.removeItem(atPath: place.path("p/\(name)"))
    }
  }

  @Test(arguments: ["../out/schema.graphql", "folder/schema.graphql", "folder/*.graphql", "/OUT/schema.graphql"])
  func `a schema outside the project is not used`(pattern: String) async throws {
    try plantLinks()
    let pattern = pattern.replacingOccurrences(of: "/OUT", with: place.path("out"))
    try place.write("p/.graphqlrc.yml", "schema: '\(pattern)'\ndocuments: a.graphql\n")
    try place.write("p/a.graphql", "query A { secretField }\n")
    for command in ["validate", "coverage"] {
      let outcome = try await apus(command)
      #expect(outcome.exitCode == 5 && outcome.errors.contains("it is outside \(place.root)/p"), "\(outcome)")
    }
    let items = try await apus("complete", "--at", "1:11", "a.graphql")
    #expect(items.exitCode == 0 && !items.output.contains("secretField"))
  }

  @Test func `a project may use files of its repository but none above it`() async throws {
    try place.make("p/.git")
    try place.write(
      "p/web/.graphqlrc.yml", "schema: ../schema.graphql\ndocuments: ['*.graphql', ../../out/*.graphql]\n")
    try place.write("p/web/q.graphql", "query Q { nothing }\n")
    let outcome = try await apus("validate", in: "p/web")
    #expect(outcome.exitCode == 1 && outcome.output.contains("Cannot query field \"nothing\""), "\(outcome)")
    #expect(!outcome.output.contains("secretField"))
    #expect(outcome.errors.contains("out/*.graphql") || outcome.errors.contains("it is outside"), "\(outcome)")
  }

  @Test(arguments: [
    "schema: ../out/schema.graphql\ndocuments: a.graphql\n", "schema: folder/schema.graphql\ndocuments: a.graphql\n",
    "schema: schema.graphql\ndocuments: [a.graphql, ../out/secret.graphql]\n",
    "schema: schema.graphql\ndocuments: '**/*.graphql'\n",
    "schema: schema.graphql\ndocuments: folder/*.graphql\n",
  ])
  func `generated code uses no files outside the project`(configuration: String) async throws {
    try plantLinks()
    try place.write("p/apus-generate.yml", configuration + "output: Out\n")
    let outcome = try await apus("generate")
    #expect(outcome.exitCode == 1 && outcome.errors.contains("it is outside \(place.root)/p"), "\(outcome)")
    #expect(try place.files(in: "p/Out").isEmpty)
  }

  // MARK: Names

  @Test func `a sibling that differs only in normalization is neither read nor written`() async throws {
    try place.write("caf\u{E9}/s.graphql", "type Query { a: Int }\n")
    try place.write("caf\u{E9}/a.graphql", "query A { a }\n")
    try place.write("cafe\u{301}/b.graphql", "query B{b}")
    try place.write(
      "caf\u{E9}/apus-generate.yml", "schema: s.graphql\ndocuments: a.graphql\noutput: ../cafe\u{301}/Out\n")
    let generated = try await apus("generate", in: "caf\u{E9}")
    #expect(generated.exitCode == 1 && generated.errors.contains("it is outside the project"), "\(generated)")
    try place.write(
      "caf\u{E9}/.graphqlrc.yml", "schema: s.graphql\ndocuments: ['../cafe\u{301}/*.graphql', a.graphql]\n")
    #expect(try await apus("format", in: "caf\u{E9}").exitCode == 0)
    #expect(try place.files(in: "cafe\u{301}") == ["b.graphql"])
    #expect(try place.read("cafe\u{301}/b.graphql") == "query B{b}")
  }

  @Test func `two documents whose names differ only in normalization are both used`() async throws {
    for name in ["caf\u{E9}", "cafe\u{301}"] { try place.write("p/n/\(name).graphql", "{a}") }
    #expect(try await apus("format", "--check", "n").output.split(separator: "\n").count == 2)
  }

  @Test func `a document with a line feed in its name is reported on one line`() async throws {
    try link("p/a\n::error::b.graphql", to: "../out/secret.graphql")
    let outcome = try await apus("format", ".")
    #expect(outcome.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("apus: ") }, "\(outcome.errors)")
  }

  // MARK: Pipes, devices and large files

  @Test(arguments: ["pipe.graphql", "directory.graphql", "device.graphql", "sparse.graphql"])
  func `pipes, folders, devices and very large files are rejected without blocking`(name: String) async throws {
    mkfifo(place.path("p/pipe.graphql"), 0o600)
    try place.make("p/directory.graphql")
    try link("p/device.graphql", to: "/dev/zero")
    try place.writeZeros("p/sparse.graphql", count: 3 << 30)
    try place.write("p/.graphqlrc.yml", "schema: schema.graphql\ndocuments: ['\(name)', a.graphql]\n")
    for words in [
      ["validate"], ["bundle"], ["format", "--check"], ["coverage"], ["complete", "--at", "1:9", "a.graphql"],
      ["hover", "--at", "1:9", "a.graphql"], ["schema", "lint"],
    ] {
      // Enough memory for small files only.
      let process = try ChildProcess(
        "/usr/bin/timeout",
        [
          "20", "/usr/bin/env", "-C", place.path("p"), "/bin/sh", "-c", "ulimit -d 400000; exec \"$0\" \"$@\"",
          Checkout.apus,
        ]
          + words, environment: place.asHome)
      let outcome = await process.outcome()
      #expect([0, 1, 2, 5].contains(outcome.exitCode), "\(words) \(outcome)")
    }
    try place.write("p/apus-generate.yml", "schema: schema.graphql\ndocuments: ['\(name)']\noutput: Out\n")
    // A folder name means the documents in it; this folder is empty.
    #expect(try await apus("generate").exitCode == (name == "directory.graphql" ? 0 : 1))
    try place.write("p/.graphqlrc.yml", "schema: '\(name)'\ndocuments: a.graphql\n")
    #expect(try await apus("validate").exitCode == 5)
  }

  // MARK: Files of other users

  @Test func `generated code uses no files writable by other users`() async throws {
    try place.write("p/apus-generate.yml", "schema: schema.graphql\ndocuments: a.graphql\noutput: Out\n")
    chmod(place.path("p"), 0o777)
    let open = try await apus("generate")
    #expect(open.exitCode == 5 && open.errors.contains("is world-writable"), "\(open)")
    chmod(place.path("p"), 0o755)
    chmod(place.path("p/a.graphql"), 0o666)
    let document = try await apus("generate")
    #expect(document.exitCode == 1 && document.errors.contains("is world-writable"), "\(document)")
    chmod(place.path("p/a.graphql"), 0o644)
    #expect(try await apus("generate").exitCode == 0)
    // Only root can change a file's owner.
    guard geteuid() == 0 else { return }
    for name in ["apus-generate.yml", "schema.graphql", "a.graphql"] {
      chown(place.path("p/\(name)"), 1, 1)
      let outcome = try await apus("generate")
      #expect(outcome.exitCode != 0 && outcome.errors.contains("belongs to another user"), "\(name) \(outcome)")
      chown(place.path("p/\(name)"), 0, 0)
    }
  }

  // MARK: The language server

  /// Returns the server's messages for a client that opens the project and sends requests, up to the response to
  /// request 3.
  private func editor(_ requests: String...) async throws -> String {
    let process = try ChildProcess(
      "/usr/bin/env", ["-C", place.path("p"), Checkout.apus, "lsp"], environment: place.asHome)
    func send(_ json: String) {
      let json = json.replacingOccurrences(of: "URI", with: "file://\(place.path("p"))")
      process.write("Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
    }
    let messages =
      [
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"workspaceFolders":[{"uri":"URI","name":"p"}]}}"#,
        #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
      ] + requests
    messages.forEach(send)
    var text = ""
    while !text.contains("\"id\":3,") {
      // The last message does not end with a line feed, but the response to this request starts with some.
      send(#"{"jsonrpc":"2.0","id":9,"method":"none"}"#)
      text += try #require(await process.nextLine()) + "\n"
    }
    send(#"{"jsonrpc":"2.0","method":"exit"}"#)
    return text + (await process.outcome().output)
  }

  private static let symbols = #"{"jsonrpc":"2.0","id":2,"method":"workspace/symbol","params":{"query":""}}"#

  @Test(arguments: ["", "documents: '**/*.graphql'\n"], [true, false])
  func `the language server does not follow links out of the project`(
    configuration: String, hasLinkToRoot: Bool
  ) async throws {
    try plantLinks(toRoot: hasLinkToRoot)
    if !configuration.isEmpty { try place.write("p/.graphqlrc.yml", configuration) }
    try place.write("p/a.graphql", "query A { ...F }\nfragment F on Query { a }\n")
    try place.write("out/secret.graphql", "query Secret { ...F }\n")
    let open =
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"URI/a.graphql","languageId":"graphql","version":1,"text":"query A { ...F }\nfragment F on Query { a }\n"}}}"#
    let rename =
      #"{"jsonrpc":"2.0","id":3,"method":"textDocument/rename","params":{"textDocument":{"uri":"URI/a.graphql"},"position":{"line":1,"character":9},"newName":"G"}}"#
    let text = try await editor(open, Self.symbols, rename)
    #expect(text.contains("\"newText\":\"G\"") && !text.contains("Secret"), "\(text)")
    #expect(!text.contains("/out/secret.graphql\""), "\(text)")
  }

  @Test func `a file that is replaced by a link is not read`() async throws {
    try place.write("p/.graphqlrc.yml", "documents: '*.graphql'\n")
    try link("p/new.graphql", to: "../out/secret.graphql")
    let changed =
      #"{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[{"uri":"URI/new.graphql","type":1},{"uri":"URI/../out/secret.graphql","type":1}]}}"#
    let text = try await editor(changed, Self.symbols.replacing("\"id\":2", with: "\"id\":3"))
    #expect(text.contains("\"name\":\"A\"") && !text.contains("\"name\":\"Secret\""), "\(text)")
  }

  // MARK: The explorer

  @Test func `the explorer does not follow links out of its folder`() throws {
    try plantLinks()
    let store = CollectionStore(folder: place.path("p"))
    #expect(store.files().map(\.id) == ["a.graphql", "schema.graphql"])
    #expect(!store.documents(except: nil).contains { $0.contains("secret") })
    #expect(throws: (any Error).self) { try store.read("far.graphql") }
    let file = CollectionFile(path: "far.graphql", savedQuery: Self.secret, savedVariables: "")
    #expect(throws: (any Error).self) { try store.write(file, query: "{ a }", variables: "", overwrites: true) }
    #expect(throws: (any Error).self) { try store.export("x", to: "folder/x.graphql", overwrites: true) }
    #expect(try outsideIsAsItWas())
    // A path given by the user may be outside.
    #expect(try store.read("../out/secret.graphql").savedQuery == Self.secret)
  }
}
