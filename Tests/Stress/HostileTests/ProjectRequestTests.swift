import ApusTestSupport
import Foundation
import Testing

/// Commands send only those requests of a project's file that were in the list that the user agreed to. A canary server
/// records the requests with their headers.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProjectRequestTests {
  private static let value = "canary-0123456789abcdef"

  private let home: TemporaryFolder
  private let project: TemporaryFolder
  private let server: ScriptedServer

  init() throws {
    home = try TemporaryFolder()
    project = try TemporaryFolder()
    server = try ScriptedServer([.json(#"{"data":{"__typename":"Query","a":1}}"#)])
    try project.write(
      ".graphqlrc.yml",
      """
      projects:
        default:
          schema: [{ "\(server.url)?schema": { headers: { X-Schema: "${CANARY}" } } }]
          documents: query.graphql
          extensions:
            endpoints:
              api: { url: "\(server.url)?api", headers: { X-Api: "$CANARY" } }
              plain: "\(server.url)?plain"
            codegen: { output: out, headers: { X-Generate: "${CANARY}" } }
        other:
          schema: [{ "\(server.url)?other": { headers: { X-Other: "${CANARY:none}" } } }]
          documents: other.graphql
      """)
    try project.write("query.graphql", "query Q { a }\n")
    try project.write("other.graphql", "query R { a }\n")
  }

  private var environment: [String: String] {
    home.asHome.merging([
      "HOME": home.root, "CANARY": Self.value, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin",
    ]) { $1 }
  }

  private func run(_ words: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run("/usr/bin/env", ["-C", project.root] + words, environment: environment)
  }

  private func apus(_ words: String...) async throws -> ChildProcess.Outcome { try await run([Checkout.apus] + words) }

  private func terminal(rows: Int = 40) async throws -> TmuxSession {
    let session = try await TmuxSession(columns: 110, rows: rows, environment: environment, home: home)
    try await session.run("cd \(project.root)")
    return session
  }

  /// Commands that use endpoints of the file by themselves, and commands with an endpoint as argument.
  private static let commands: [[String]] = [
    ["validate", "query.graphql"], ["validate", "other.graphql"], ["validate"], ["coverage"],
    ["coverage", "query.graphql"], ["complete", "--at", "1:11", "query.graphql"],
    ["hover", "--at", "1:11", "query.graphql"], ["bundle"], ["generate"], ["generate", "default/api"],
    ["query", "default/api", "-q", "{ a }"], ["query", "other", "-q", "{ a }"], ["schema", "default/api"],
    ["schema", "lint", "other"], ["schema", "diff", "default/api", "other"],
    ["validate", "--schema", "other", "query.graphql"], ["serve", "--schema", "other", "--port", "0"],
  ]

  /// Starts the language server and returns when it has sent a message that contains `text`.
  private func languageServer(until text: String? = nil, requests count: Int? = nil) async throws {
    let process = try ChildProcess(
      "/usr/bin/env", ["-C", project.root, Checkout.apus, "lsp"], environment: environment)
    let messages = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":"file://"#
        + project.root + #""}}"#, #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
    ]
    func write(_ bodies: [String]) {
      process.write(bodies.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined())
    }
    write(messages)
    if let text {
      // A message's line ends with the header of the next one, so each request is sent twice.
      let question = #"{"jsonrpc":"2.0","id":2,"method":"workspace/symbol","params":{"query":""}}"#
      var isSaid = false
      while !isSaid, !Task.isCancelled {
        write([question, question])
        while let line = await process.nextLine() {
          isSaid = isSaid || line.contains(text)
          if line.contains("\"id\":2,") { break }
        }
      }
    }
    if let count { _ = try await server.request(count - 1) }
    process.signal(SIGTERM)
    _ = await process.outcome()
  }

  @Test func `no request of the file is sent before it is trusted`() async throws {
    for words in Self.commands {
      _ = try await run([Checkout.apus] + words)
      #expect(server.requests.isEmpty, "\(words)")
    }
    try await languageServer(until: "is not trusted")
    #expect(server.requests.isEmpty)
  }

  @Test func `every sent request was in the list`() async throws {
    let list = try await apus("trust", "--yes").output
    for words in Self.commands where words[0] != "serve" { _ = try await run([Checkout.apus] + words) }
    let count = server.requests.count
    try await languageServer(requests: count + 2)
    #expect(count >= Self.commands.count - 3)
    // The list as a set of requests: the URL, then one line for each header.
    let blocks = list.components(separatedBy: ". For ").dropFirst()
    for request in server.requests {
      let sent = request.headers.filter { $0.value.contains(Self.value) }.map(\.name)
      let wasShown = blocks.contains { block in
        block.contains("\(request.target)\n") && sent.allSatisfy { block.contains("\n     \($0): ") }
      }
      #expect(wasShown, "\(sent) to \(request.target) was not shown")
    }
    #expect(Set(server.requests.map(\.target)).isSuperset(of: ["/graphql?schema", "/graphql?api", "/graphql?other"]))
  }

  @Test func `the list is numbered and complete`() async throws {
    let long = String(repeating: "x", count: 3000)
    let headers = (1...60).map { "X-\($0): \(long)\($0)" }.joined(separator: ", ")
    try project.write("more.yml", "schema:\n  - \"\(server.url)?more\": { headers: { \(headers) } }\noutput: out\n")
    let list = try await apus("trust", "--show", "more.yml").output
    #expect(list.contains("  1. For ") && (1...60).allSatisfy { list.contains("X-\($0): \(long)\($0)\n") })
    let doctor = try await apus("doctor").output
    for part in ["?schema", "?api", "?plain", "?other", "X-Schema", "X-Api", "X-Generate", "X-Other", "CANARY"] {
      #expect(doctor.contains(part), "\(part)")
    }
    #expect(!doctor.contains(Self.value))
  }

  @Test func `credentials of the command line are not sent to endpoints that were not shown`() async throws {
    try home.write("netrc", "machine 127.0.0.1 login me password hush\n")
    for options in [["-H", "Authorization: hush"], ["-u", "me:hush"], ["--netrc-file", home.path("netrc")]] {
      let outcome = try await run([Checkout.apus, "query", "default/plain", "-q", "{ a }"] + options)
      #expect(outcome.exitCode == 5 && outcome.errors.contains("is not trusted"), "\(options)")
    }
    #expect(server.requests.isEmpty)
    _ = try await apus("trust", "--yes")
    #expect(try await apus("query", "default/plain", "-q", "{ a }", "-H", "Authorization: hush").exitCode == 0)
    #expect(server.requests.map { $0.header("Authorization") } == ["hush"])
  }

  // MARK: Generate

  @Test func `headers of one schema URL are not sent to another`() async throws {
    try project.write(
      "apus-generate.yml",
      """
      schema:
        - "\(server.url)?one": { headers: { X-One: "${CANARY}" } }
        - "\(server.url)?two": { headers: { X-Two: "${CANARY}" } }
      documents: query.graphql
      output: out
      """)
    _ = try await apus("trust", "--yes", "apus-generate.yml")
    _ = try await apus("generate")
    _ = try await apus("generate", "\(server.url)?three")
    _ = try await apus("generate", "\(server.url)?one")
    let sent = server.requests.map { request in
      request.target + request.headers.filter { $0.value.contains(Self.value) }.map(\.name).joined()
    }
    #expect(Set(sent) == ["/graphql?oneX-One", "/graphql?three", "/graphql?one"])
  }

  @Test func `a schema URL without headers is not requested before the file is trusted`() async throws {
    try project.write(
      "apus-generate.yml", "schema: \"\(server.url)?plain\"\ndocuments: query.graphql\noutput: out\n")
    let outcome = try await apus("generate")
    #expect(outcome.exitCode == 5 && outcome.errors.contains("is not trusted"), "\(outcome.errors)")
    #expect(server.requests.isEmpty)
    _ = try await apus("trust", "--yes", "apus-generate.yml")
    _ = try await apus("generate")
    #expect(!server.requests.isEmpty)
  }

  // MARK: The answer

  @Test(arguments: [
    "echo n | apus trust", "echo y | apus trust", "yes | apus trust", "apus trust </dev/null", "apus trust 2>&1 <&-",
  ])
  func `an answer that was not typed on a terminal means no`(line: String) async throws {
    let script = line.replacingOccurrences(of: "apus", with: Checkout.apus)
    let outcome = try await run(["/bin/sh", "-c", script])
    #expect(outcome.exitCode == 1 && (outcome.errors + outcome.output).contains("--yes"), "\(outcome.errors)")
    #expect(try await apus("query", "default/api", "-q", "{ a }").exitCode == 5)
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    ("", "n", "rc=1"), ("", "", "rc=1"), ("", "yess", "rc=1"), ("", "y", "rc=0"), ("", "YES", "rc=0"),
    ("2>err", nil, "rc=1"), ("| cat; set -- 7", "y", "?other"),
  ])
  func `the answer is read from the terminal`(redirection: String, answer: String?, result: String) async throws {
    let session = try await terminal()
    try await session.run("\(Checkout.apus) trust \(redirection); echo r''c=$?")
    if let answer {
      try await session.wait(for: "[y/N]")
      try await session.readQuestion()
      if !answer.isEmpty { try await session.send(answer) }
      try await session.type("Enter")
    }
    try await session.wait(for: result)
    if redirection.isEmpty || answer == nil {
      let isTrusted = try await apus("query", "default/api", "-q", "{ a }").exitCode == 0
      #expect(isTrusted == (result == "rc=0"))
    }
  }

  @Test func `the explorer accepts yes only after the end of the list was visible`() async throws {
    let session = try await terminal(rows: 16)
    try await session.run("\(Checkout.apus) default/api")
    let first = try await session.wait(for: "scroll to the end: ")
    try await session.type("y", "y", "NPage")
    try await session.wait("the next page") { $0.contains("Question") && $0 != first }
    #expect(server.requests.isEmpty)
    try await session.type("End")
    try await session.wait("the end") { $0.contains("Question") && !$0.contains("scroll to the end") }
    #expect(try await apus("query", "default/api", "-q", "{ a }").exitCode == 5)
    try await session.answer("y")
    #expect(try await server.request().header("X-Api") == Self.value)
    try await session.type("C-q")
    // The entire file was shown.
    #expect(try await apus("query", "other", "-q", "{ a }").exitCode == 0)
  }
}
