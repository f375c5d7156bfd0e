import ApusTestSupport
import Testing

/// Several endpoints in one explorer: the options of the command line, the cache file, names of one endpoint, and a
/// project's endpoint whose URL has changed.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct EndpointSessionTests {
  private let home: TemporaryFolder
  private let first: ScriptedServer
  private let second: ScriptedServer

  init() throws {
    home = try TemporaryFolder()
    first = try Self.server(named: "first")
    second = try Self.server(named: "second")
  }

  private static let introspection =
    #"{"data":{"__schema":{"queryType":{"name":"Query"},"directives":[],"types":["#
    + #"{"kind":"OBJECT","name":"Query","interfaces":[],"fields":[{"name":"server","args":[],"isDeprecated":false,"#
    + #""type":{"kind":"SCALAR","name":"String"}}]},{"kind":"SCALAR","name":"String"}]}}}"#

  /// A server whose data is its name.
  private static func server(named name: String) throws -> ScriptedServer {
    try ScriptedServer { request, _ in
      .json(request.bodyText.contains("__schema") ? introspection : #"{"data":{"server":"\#(name)"}}"#)
    }
  }

  private func open(_ line: String) async throws -> TmuxSession {
    let session = try await TmuxSession(columns: 130, rows: 32, home: home)
    try await session.run(line)
    try await session.wait("the schema") { $0.contains(" types ") }
    return session
  }

  /// Goes to an endpoint in the shown tab, and waits for its title.
  private func go(to word: String, as title: String? = nil, _ session: TmuxSession) async throws {
    try await session.type("M-s")
    try await session.wait(for: "Open an endpoint")
    try await session.send(word)
    try await session.wait(for: word)
    try await session.type("Enter")
    let requested = "apus \(title ?? word)"
    let deadline = ContinuousClock.now + .seconds(60)
    while try await session.state("#{pane_title}") != requested {
      let screen = try await session.screen()
      try #require(ContinuousClock.now < deadline, "no title \(requested): \(screen)")
    }
  }

  /// Waits until the session is saved.
  private func quit(_ session: TmuxSession) async throws {
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("1 Query") }
  }

  private func run(_ name: String, _ session: TmuxSession) async throws {
    try await session.type("F5")
    try await session.wait(for: "server: \"\(name)\"")
  }

  private static func runs(at server: ScriptedServer) -> [ScriptedServer.Request] {
    server.requests.filter { !$0.bodyText.contains("__schema") }
  }

  @Test func `a header of the command line stays with its server`() async throws {
    try home.write(
      "config/config.yml",
      """
      profiles:
        plain: \(first.url)
        signed:
          url: \(first.url)
          headers:
            X-Signed: signed
      """)
    let session = try await open("\(Checkout.apus) \(first.url) -H 'X-Planted: planted'")
    try await run("first", session)
    try await go(to: second.url, session)
    try await run("second", session)
    // The first endpoint was closed, and is opened by another form of its URL.
    let other = first.url.replacing("http:", with: "HTTP:")
    try await go(to: "\(other)#part", as: other, session)
    try await run("first", session)
    // A profile without headers is the same endpoint; one with headers has its own credentials.
    for name in ["plain", "signed"] {
      try await go(to: second.url, session)
      try await run("second", session)
      try await go(to: name, as: "\(name) \(first.url)", session)
      try await run("first", session)
    }
    #expect(Self.runs(at: first).map { $0.header("X-Planted") } == ["planted", "planted", "planted", nil])
    #expect(!second.requests.contains { $0.header("X-Planted") != nil })
    try await session.type("C-q")
  }

  @Test func `a profile, its URL and another form of the URL are one endpoint`() async throws {
    try home.write(
      "config/config.yml",
      """
      profiles:
        plain:
          url: \(first.url)
        signed:
          url: \(first.url)
          headers:
            X-Planted: planted
      """)
    let session = try await open("\(Checkout.apus) \(first.url) --fresh")
    try await run("first", session)
    let titles = [first.url.replacing("http:", with: "HTTP:") + "#part": first.url, "plain": "plain \(first.url)"]
    for (word, title) in titles.sorted(by: { $0.key < $1.key }) {
      try await session.type("C-t")
      try await go(to: word, as: title, session)
      try await session.wait("the endpoint") { $0.contains(first.url) && !$0.contains("Going to") }
      // The response that another tab has in the cache.
      try await session.type("M-5")
      try await session.wait(for: "QUERY_ROOT")
    }
    let screen = try await session.screen()
    #expect(!screen.split(separator: "\n")[0].contains("127.0.0.1"), "tabs of one endpoint have no label: \(screen)")
    // Headers make another endpoint of a URL.
    try await session.type("C-t")
    try await go(to: "signed", as: "signed \(first.url)", session)
    try await session.wait("the labels") { $0.split(separator: "\n")[0].contains("signed") }
    try await session.send("{ server")
    try await run("first", session)
    #expect(Self.runs(at: first).map { $0.header("X-Planted") } == [nil, "planted"])
    try await session.type("C-q")
  }

  @Test func `a mistake in config.yml does not prevent another profile from being opened`() async throws {
    try home.write(
      "config/config.yml", "profiles:\n  broken:\n    address: \(second.url)\n  good:\n    url: \(first.url)\n")
    let session = try await open("\(Checkout.apus) good")
    try await session.wait(for: "Skipped: ")
    try await run("first", session)
    try await session.type("C-q")
  }

  @Test func `the cache file is for the endpoint of the command line only`() async throws {
    let file = home.path("birds.db")
    let session = try await open("\(Checkout.apus) \(first.url) --db \(file)")
    try await run("first", session)
    try await go(to: second.url, session)
    try await session.wait(for: "its cache is in memory")
    try await run("second", session)
    try await go(to: first.url, session)
    try await session.type("M-5")
    try await session.wait(for: "QUERY_ROOT")
    try await session.type("C-q")
    let shown = try await ChildProcess.run(Checkout.apus, ["cache", "show", "QUERY_ROOT", "--db", file])
    #expect(shown.output.contains("first") && !shown.output.contains("second"), "\(shown.output)\(shown.errors)")
  }

  @Test func `a restored endpoint of a trusted project is not opened at another URL`() async throws {
    let project = try TemporaryFolder()
    try project.write(".git/HEAD", "")
    func configure(path: String) throws {
      try project.write(
        ".graphqlrc.yml",
        """
        schema: schema.graphql
        extensions:
          endpoints:
            dev:
              url: http://127.0.0.1:${PLANTED_PORT}\(path)
              headers:
                X-Planted: planted
        """)
    }
    try configure(path: "/graphql")
    try project.write("schema.graphql", "type Query { server: String }")
    let third = try Self.server(named: "third")
    let folder = "cd \(project.root) && PLANTED_PORT="
    let explore = "\(Checkout.apus) \(first.url)"
    var environment = home.asHome
    environment["PLANTED_PORT"] = "\(second.port)"
    let trusted = try await ChildProcess.run(
      "/usr/bin/env", ["-C", project.root, Checkout.apus, "trust", "--yes"], environment: environment)
    #expect(trusted.exitCode == 0, "\(trusted.errors)")
    var session = try await open("\(folder)\(second.port) \(explore)")
    try await session.type("C-t")
    try await go(to: "dev", as: "dev \(second.url)", session)
    try await session.send("{ server")
    try await run("second", session)
    try await quit(session)
    // A variable leads to another server.
    session = try await open("\(folder)\(third.port) \(explore)")
    try await session.type("C-PPage")
    try await session.wait(for: "another URL now; choose it again (Alt-s)")
    try await session.type("F5")
    try await session.wait(for: "another URL now; choose it again (Alt-s)")
    #expect(third.requests.isEmpty)
    try await quit(session)
    // The file has changed.
    try configure(path: "/other")
    session = try await open("\(folder)\(second.port) \(explore)")
    let before = second.requests.count
    try await session.type("C-PPage")
    try await session.wait(for: "Trust ")
    #expect(second.requests.count == before && third.requests.isEmpty)
    try await session.type("C-q")
  }
}
