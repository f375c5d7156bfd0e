import ApusTestSupport
import Foundation
import Testing

/// `apus lsp` with real editors, and the behavior of its process.
@Suite(.timeLimit(.minutes(3))) struct EditorSessionTests {
  /// Creates a project about birds.
  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(".git/HEAD", "")
    try folder.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: '*.graphql'\n")
    try folder.write(
      "schema.graphql",
      """
      type Query { birds(first: Int): [Bird!]! }
      type Bird {
        id: ID!
        "What it is called."
        name: String!
      }

      """)
    try folder.write("parts.graphql", "fragment Parts on Bird { id }\n")
    try folder.write("other.graphql", "query Other { birds { ...Parts } }\n")
    return folder
  }

  /// Runs a session in a project's folder.
  private func session(_ words: [String]) async throws -> ChildProcess.Outcome {
    let folder = try project()
    let environment = [
      "APUS_SERVER": Checkout.apus, "APUS_WORKSPACE": folder.root, "HOME": folder.path("home"),
    ]
    return try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root] + words, environment: environment.merging(folder.asHome) { $1 })
  }

  private static let scripts = "\(Checkout.root)/Tests/Scenario/Editors"

  @Test func `Neovim edits with the language server`() async throws {
    let outcome = try await session(["nvim", "--headless", "-u", "NONE", "-c", "luafile \(Self.scripts)/neovim.lua"])
    #expect(outcome.exitCode == 0, "\(outcome.output) \(outcome.errors)")
    #expect((outcome.output + outcome.errors).contains("ok stopped"))
  }

  @Test func `Emacs edits with the language server`() async throws {
    let outcome = try await session(["emacs", "-Q", "--batch", "-l", "\(Self.scripts)/eglot.el"])
    #expect(outcome.exitCode == 0, "\(outcome.output) \(outcome.errors)")
    #expect(outcome.output.contains("ok stopped"))
  }

  @Test func `every message conforms to the types of the protocol`() async throws {
    let python = "\(Checkout.root)/.test-servers/editors/bin/python"
    try #require(
      FileManager.default.isExecutableFile(atPath: python), "no \(python); run ./install.sh test, which puts it there")
    let outcome = try await session([
      python, "-m", "pytest", "-q", "--no-header", "-c", "/dev/null", "--rootdir", Self.scripts, "-p",
      "no:cacheprovider", "-W", "ignore", "\(Self.scripts)/test_protocol.py",
    ])
    #expect(outcome.exitCode == 0, "\(outcome.output) \(outcome.errors)")
  }

  // MARK: The process

  private func framed(_ bodies: String...) -> String {
    bodies.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined()
  }

  private static let initialize = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#
  private static let shutdown = #"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#
  private static let exit = #"{"jsonrpc":"2.0","method":"exit"}"#

  @Test func `the process exits with the code of the protocol`() async throws {
    let good = try ChildProcess(Checkout.apus, ["lsp", "--stdio"])
    good.write(framed(Self.initialize, Self.shutdown, Self.exit))
    let outcome = await good.outcome()
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("Content-Length: "))
    #expect(outcome.output.hasSuffix(#"{"jsonrpc":"2.0","id":2,"result":null}"#))
    #expect(outcome.errors.isEmpty)
    let rude = try ChildProcess(Checkout.apus, ["lsp"])
    rude.write(framed(Self.initialize, Self.exit))
    #expect(await rude.outcome().exitCode == 1)
    let gone = try ChildProcess(Checkout.apus, ["lsp"])
    gone.write(framed(Self.initialize))
    #expect(await gone.outcome().exitCode == 1)
  }

  @Test func `an invalid message is answered, and the next one is read`() async throws {
    let process = try ChildProcess(Checkout.apus, ["lsp"])
    process.write("X: 1\r\n\r\n" + framed("{", Self.initialize, Self.shutdown, Self.exit))
    let outcome = await process.outcome()
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.components(separatedBy: #""code":-32700"#).count == 3)
    let endless = try ChildProcess(Checkout.apus, ["lsp"])
    endless.write(String(repeating: "x", count: 100_000))
    #expect(await endless.outcome().exitCode == 1)
  }

  @Test func `a signal ends the language server`() async throws {
    let process = try ChildProcess(Checkout.apus, ["lsp"])
    process.write(framed(Self.initialize))
    #expect(await process.nextLine()?.hasPrefix("Content-Length: ") == true)
    process.signal(SIGTERM)
    // The input stays open, because its end would also end the server.
    while await process.nextLine() != nil {}
    #expect(await process.outcome().exitCode == 143)
  }

  /// The project's file names an endpoint that the user has not allowed.
  @Test(.timeLimit(.minutes(2))) func `the endpoint of an untrusted project receives no request`() async throws {
    let server = try ScriptedServer([])
    let folder = try project()
    try folder.write(".graphqlrc.yml", "schema: \(server.url)\ndocuments: '*.graphql'\n")
    let process = try ChildProcess(Checkout.apus, ["lsp"], environment: folder.asHome)
    let initialize =
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":"file://"#
      + folder.root + #""}}"#
    process.write(framed(initialize, #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#))
    await read(process, until: "is not trusted")
    process.write(framed(Self.shutdown, Self.exit))
    #expect(await process.outcome().exitCode == 0)
    #expect(server.requests.isEmpty)
  }

  @Test(.timeLimit(.minutes(2))) func `a mutation is not run on a production profile`() async throws {
    let server = try ScriptedServer([.json(#"{"errors":[{"message":"no introspection"}]}"#)])
    let folder = try TemporaryFolder()
    try folder.write("config/config.yml", "profiles:\n  live:\n    url: \(server.url)\n    production: true\n")
    let environment = folder.asHome.merging(["APUS_CONFIG_HOME": folder.path("config")]) { $1 }
    let process = try ChildProcess(Checkout.apus, ["lsp", "--schema", "live"], environment: environment)
    let document = #"{"uri":"file://"# + folder.root + #"/m.graphql""#
    process.write(
      framed(
        Self.initialize, #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
        #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":"# + document
          + #","languageId":"graphql","version":1,"text":"mutation Ring { ring }"}}}"#,
        #"{"jsonrpc":"2.0","id":7,"method":"workspace/executeCommand","params":{"command":"apus.run","arguments":["#
          + #"{"textDocument":"# + document + #"},"position":{"line":0,"character":12}}]}}"#))
    await read(process, until: "live is production: run this mutation in the explorer, which asks first")
    process.write(framed(Self.shutdown, Self.exit))
    #expect(await process.outcome().exitCode == 0)
    #expect(!server.requests.contains { $0.bodyText.contains("Ring") })
  }

  /// Reads the output of the server until it contains the text, and sends requests to cause more output.
  private func read(_ process: ChildProcess, until mark: String) async {
    // The line of a message ends with the header of the next one, so send two requests at a time.
    var number = 10
    var reported = ""
    while !reported.contains(mark), !Task.isCancelled {
      let requests = (number..<number + 2).map {
        "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"workspace/symbol\",\"params\":{\"query\":\"\"}}"
      }
      process.write(framed(requests[0], requests[1]))
      while let line = await process.nextLine() {
        reported += line
        if line.contains("\"id\":\(number),") { break }
      }
      number += 2
    }
  }
}
