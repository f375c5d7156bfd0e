import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusTestSupport
import Testing

/// Recording a session to a file, and replaying it instead of a server.
@Suite(.timeLimit(.minutes(1))) struct RecordingScenarioTests {
  private struct NoSchema: Error, CustomStringConvertible { let description = "none" }

  private func explore(
    _ endpoint: LiveEnvironment.Endpoint, query: String, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let live = LiveEnvironment(endpoint)
    let environment = live.environment
    let state = ExplorerState(endpoint: "birds", query: query)
    let driver = await ExplorerDriver(state: state, environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  private func record(_ driver: ExplorerDriver) async {
    await driver.press("Ctrl-P")
    await driver.type("record incoming")
    await driver.press("Enter")
  }

  @Test func `a run can be saved after it ended`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("run.ndjson")
    let parts = ScriptedAnswer.multipart([
      .text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag"}},"hasNext":true}"#),
      .text(#"{"incremental":[{"label":"late","path":["bird"],"data":{"flights":12}}],"hasNext":false}"#),
    ])
    let server = try ScriptedServer([parts])
    let real = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: server.url, store: CacheStore()), fetchSchema: { _ in throw NoSchema() })
    try await explore(real, query: Self.bird) { driver in
      await driver.press("Ctrl-P")
      await driver.type("save the run")
      await driver.press("Enter")
      #expect(await driver.screen.contains("No operation has been run"))
      await driver.press("Esc F5 Ctrl-P")
      await driver.type("save the run")
      await driver.press("Enter Ctrl-U")
      await driver.type(file)
      await driver.press("Enter")
      #expect(await driver.screen.contains("Wrote \(file)"))
    }
    server.stop()
    let runs = try Recording(parsing: folder.bytes("run.ndjson")).runs
    #expect(runs.count == 1 && runs[0].draft.query.text == Self.bird)
    #expect(try folder.read("run.ndjson").contains(#""flights":12"#))
    #expect(try folder.mode(of: "run.ndjson") == 0o600)
  }

  private static let bird = #"{ bird { id name ... on Bird @defer(label: "late") { flights } } }"#
  private static let signIn = #"mutation SignIn { signIn(name: "ada", password: "hush") { token } }"#

  @Test func `a recorded session can be replayed`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("session.ndjson")
    let parts = ScriptedAnswer.multipart([
      .text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Dag"}},"hasNext":true}"#),
      .text(#"{"incremental":[{"label":"late","path":["bird"],"data":{"flights":12}}],"hasNext":false}"#),
    ])
    let server = try ScriptedServer([parts, .json(#"{"data":{"signIn":{"token":"hush"}}}"#), .json(#"{"data":{}}"#)])
    let real = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: server.url, store: CacheStore()), fetchSchema: { _ in throw NoSchema() })
    try await explore(real, query: Self.bird) { driver in
      await record(driver)
      await driver.press("Ctrl-U")
      await driver.type(file)
      await driver.press("Enter")
      #expect(await driver.lines[28].contains("● rec"))
      await driver.press("F5")
      await driver.press("Ctrl-T")
      await driver.paste(Self.signIn)
      await driver.press("F5")
      await record(driver)
      #expect(await driver.screen.contains("Recording finished: view it with apus replay"))
      #expect(await !driver.lines[28].contains("● rec"))
      await driver.press("F5")
    }
    server.stop()
    #expect(try !folder.read("session.ndjson").contains("hush"))
    #expect(try folder.mode(of: "session.ndjson") == 0o600)
    let runs = try Recording(parsing: folder.bytes("session.ndjson")).runs
    #expect(runs.map(\.draft.operationName) == [nil, "SignIn"])

    var recorded = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: "http://127.0.0.1:9/graphql", store: CacheStore()),
      fetchSchema: { _ in throw NoSchema() })
    let replay = Replay(runs, name: "session.ndjson", speed: 0)
    recorded.replay = replay
    #expect(replay.operations.first?.query.text == Self.bird)
    try await explore(recorded, query: replay.operations[0].query.text) { driver in
      await driver.press("F5")
      #expect(await driver.screen.contains(#"name: "Dag""#))
      #expect(await driver.screen.contains("flights: 12"))
      #expect(await driver.screen.contains("4 Deferred ●1"))
      #expect(await driver.screen.contains("2 payloads"))
      await driver.press("Ctrl-A")
      await driver.paste(replay.operations[1].query.text)
      await driver.press("F5")
      #expect(await driver.screen.contains(#"token: "•••""#))
      await driver.press("Ctrl-A")
      await driver.paste("{ other }")
      await driver.press("F5")
      #expect(await driver.screen.contains("session.ndjson has no response to this operation"))
    }
  }

  /// A recording of a pager, and of runs with other variables.
  private static let pages = #"""
    {"event":"request","atMs":0,"url":"u","operationName":null,"query":"query($n: Int) { birds(first: $n) { edges { node { name } } pageInfo { hasNextPage endCursor } } }","variables":{"n":1}}
    {"event":"part","atMs":1,"payload":{"data":{"birds":{"__typename":"C","edges":[{"node":{"__typename":"Bird","id":"1","name":"Dag"}}],"pageInfo":{"hasNextPage":true,"endCursor":"c1"}}}}}
    {"event":"end","atMs":1,"exitCode":0}
    {"event":"request","atMs":2,"url":"u","operationName":null,"query":"query($n: Int) { birds(first: $n) { edges { node { name } } pageInfo { hasNextPage endCursor } } }","variables":{"n":2},"run":1}
    {"event":"part","atMs":3,"payload":{"data":{"birds":{"edges":[{"node":{"name":"Two"}}],"pageInfo":{"hasNextPage":true,"endCursor":"c9"}}}},"run":1}
    {"event":"end","atMs":3,"exitCode":0,"run":1}
    {"event":"request","atMs":4,"url":"u","operationName":null,"query":"query($n: Int) { birds(first: $n, after: \"c1\") { edges { node { name } } pageInfo { hasNextPage endCursor } } }","variables":{"n":1},"page":true,"run":2}
    {"event":"part","atMs":5,"payload":{"data":{"birds":{"edges":[{"node":{"id":"2","name":"Nat"}}],"pageInfo":{"hasNextPage":false,"endCursor":"c2"}}}},"run":2}
    {"event":"end","atMs":5,"exitCode":0,"run":2}

    """#

  @Test func `a recording matches arguments variables and pages`() async throws {
    let replay = Replay(
      try Recording(parsing: Array(Self.pages.utf8)).runs, name: "session.ndjson", speed: 0)
    var recorded = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: "http://127.0.0.1:9/graphql", store: CacheStore()),
      fetchSchema: { _ in throw NoSchema() })
    recorded.replay = replay
    #expect(replay.operations.map(\.variables) == ["{\n  \"n\": 1\n}", "{\n  \"n\": 2\n}"])
    try await explore(recorded, query: replay.operations[0].query.text) { driver in
      func run(_ variables: String) async {
        await driver.press("Alt-2 Ctrl-A")
        await driver.paste(variables)
        await driver.press("F5")
      }
      await run(#"{"n": 2}"#)
      #expect(await driver.screen.contains(#"name: "Two""#))
      await run(#"{"n": 1}"#)
      #expect(await driver.screen.contains(#"name: "Dag""#))
      // Fields recorded for the cache are not shown.
      #expect(await !driver.screen.contains("id:"))
      await driver.press("Alt-n")
      #expect(await driver.screen.contains(#"name: "Dag""#))
      #expect(await driver.screen.contains(#"name: "Nat""#))
      await run(#"{"n": 3}"#)
      #expect(await driver.screen.contains("showing response 1 of 2"))
      #expect(await driver.screen.contains(#"name: "Dag""#))
      await run(#"{"n": 4}"#)
      #expect(await driver.screen.contains(#"name: "Two""#))
      await driver.press("Alt-n")
      #expect(await driver.screen.contains("session.ndjson does not have this page"))
    }
  }

  @Test func `pages are recorded with their own requests`() async throws {
    func page(_ name: String, _ cursor: String, hasNext: Bool) -> ScriptedAnswer {
      .json(
        #"{"data":{"birds":{"__typename":"C","edges":[{"__typename":"E","node":{"__typename":"Bird","name":"\#(name)"}}],"pageInfo":{"__typename":"P","hasNextPage":\#(hasNext),"endCursor":"\#(cursor)"}}}}"#
      )
    }
    let folder = try TemporaryFolder()
    let server = try ScriptedServer([page("Dag", "c1", hasNext: true), page("Nat", "c2", hasNext: false)])
    let real = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: server.url, store: CacheStore()), fetchSchema: { _ in throw NoSchema() })
    let query = "{ birds(first: 1) { edges { node { name } } pageInfo { hasNextPage endCursor } } }"
    try await explore(real, query: query) { driver in
      await record(driver)
      await driver.press("Ctrl-U")
      await driver.type(folder.path("session.ndjson"))
      await driver.press("Enter")
      await driver.press("F5")
      await driver.press("Alt-n")
      #expect(await driver.screen.contains(#"name: "Nat""#))
      await record(driver)
    }
    server.stop()
    let runs = try Recording(parsing: folder.bytes("session.ndjson")).runs
    #expect(runs.map(\.isPage) == [false, true])
    #expect(runs.last?.draft.query.text == query.replacing("first: 1", with: #"first: 1, after: "c1""#))
    var recorded = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: "http://127.0.0.1:9/graphql", store: CacheStore()),
      fetchSchema: { _ in throw NoSchema() })
    recorded.replay = Replay(runs, name: "session.ndjson", speed: 0)
    try await explore(recorded, query: query) { driver in
      await driver.press("F5")
      await driver.press("Alt-n")
      #expect(await driver.screen.contains(#"name: "Nat""#))
    }
  }

  @Test func `an unwritable recording file is reported`() async throws {
    let endpoint = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: "http://127.0.0.1:9/graphql", store: CacheStore()),
      fetchSchema: { _ in throw NoSchema() })
    try await explore(endpoint, query: "{ a }") { driver in
      await record(driver)
      await driver.press("Ctrl-U")
      await driver.type("/nowhere/at/all")
      await driver.press("Enter")
      #expect(await driver.screen.contains("cannot write /nowhere/at/all"))
      #expect(await driver.state.recordingPath == nil)
    }
  }
}
