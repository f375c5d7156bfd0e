import ApusConfiguration
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusJSON
import ApusSQLite
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusExplorerPersistence

@Suite(.timeLimit(.minutes(1))) struct HistoryTests {
  private let home: TemporaryFolder
  private let store: HistoryStore

  init() throws {
    home = try TemporaryFolder()
    store = HistoryStore(folders: UserFolders(environment: home.asHome), now: { 1_000_000 })
  }

  private func entry(_ operation: String, _ query: String, variables: String = "", response: String? = nil)
    -> HistoryEntry
  {
    HistoryEntry(
      endpoint: "https://birds.example/graphql", operation: operation, query: query, variables: variables,
      status: .complete, elapsed: .milliseconds(12), byteCount: 320, response: response.map(BirdStation.json))
  }

  private func found(_ text: String) async throws -> [String] { try await store.search(text).map(\.operation) }

  @Test func `every search word must match the operation, newest entry first`() async throws {
    try await store.record(entry("query Ringed", "query Ringed { ringedBirds { id } }"))
    try await store.record(
      entry("query Stations", "query Stations { stations { name } }", variables: #"{"near": "Falsterbo"}"#))
    try await store.record(entry("mutation Ring", "mutation Ring { ring(id: 1) { id } }"))
    #expect(try await found("") == ["mutation Ring", "query Stations", "query Ringed"])
    #expect(try await found("edBir") == ["query Ringed"])
    #expect(try await found("falster name") == ["query Stations"])
    #expect(try await found("id ring") == ["mutation Ring", "query Ringed"])
    #expect(try await found("\"quoted\" OR *") == [])
  }

  /// SQLite does not wait for a lock while it switches a file to write-ahead logging.
  @Test func `a new history locked by another explorer opens when the lock is released`() async throws {
    try UserFile.makePrivateFolder(home.path("data"))
    try await withCheckedThrowingContinuation { locked in
      startThread { [home] in
        let other = Result {
          let other = try SQLiteConnection(path: home.path("data/history.sqlite"))
          try other.execute("BEGIN IMMEDIATE")
          return other
        }
        locked.resume(with: other.map { _ in })
        // A statement that takes some time.
        try? other.get().execute(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT count(*) FROM n;
          COMMIT
          """)
      }
    }
    try await store.record(entry("query A", "query A { a }"))
    #expect(try await found("") == ["query A"])
  }

  @Test func `an entry is returned with its response`() async throws {
    try await store.record(entry("query A", "query A { a }", response: #"{"a": 1.50}"#))
    let id = try #require(try await store.search("").first).id
    let back = try #require(try await store.entry(id))
    #expect(back.response == BirdStation.json(#"{"a": 1.50}"#))
    #expect(back.elapsed == .milliseconds(12))
    #expect(back.time == 1_000_000)
  }

  @Test func `a history of an earlier version can be read and extended`() async throws {
    try UserFile.makePrivateFolder(home.path("data"))
    let old = try SQLiteConnection(path: home.path("data/history.sqlite"))
    try old.execute(
      """
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY, time INTEGER NOT NULL, endpoint TEXT NOT NULL, operation TEXT NOT NULL,
        query TEXT NOT NULL, variables TEXT NOT NULL, status TEXT NOT NULL, errors INTEGER NOT NULL,
        microseconds INTEGER NOT NULL, bytes INTEGER NOT NULL, response BLOB);
      INSERT INTO entries VALUES (1, 5, 'e', 'query Old', 'query Old { a }', '', 'complete', 0, 7, 8, '{"a":1}');
      """)
    var newer = entry("query New", "query New { b }")
    newer.cachePolicy = .cacheFirst
    try await store.record(newer)
    #expect(try await store.search("").map(\.cachePolicy) == [.cacheFirst, .networkOnly])
    #expect(try await store.entry(1)?.response == BirdStation.json(#"{"a":1}"#))
  }

  @Test func `an entry has the options of its request, and opens with them`() async throws {
    var sent = entry("query A", "query A { a }")
    sent.profile = "staging"
    sent.options = RunOptions(usesGET: true, usesPersistedQueries: true)
    sent.extensions = #"{"trace":true,"token":"hunter2"}"#
    try await store.record(sent)
    try await store.record(entry("query A", "query A { a }"))
    let found = try await store.search("")
    #expect(found.map(\.profile) == [nil, "staging"])
    #expect(found.map(\.options) == [RunOptions(), sent.options])
    let saved = try #require(try await store.entry(found[1].id))
    #expect(saved.extensions.contains("trace") && !saved.extensions.contains("hunter2"))
    // Runs that were sent differently are separate rows.
    #expect(HistoryFold.folds(of: found, matching: "").count == 2)

    var state = ExplorerState(endpoint: sent.endpoint)
    sent.profile = nil
    sent.extensions = #"{"trace":true}"#
    _ = update(&state, .history(.opened(sent, .open)))
    #expect(state.tabs.count == 1 && state.tab.runOptions == sent.options)
    #expect(state.tab.extensions.text == sent.extensions && !state.areExtensionsWithheld)
    // The same document with other options is another request.
    _ = update(&state, .history(.opened(entry("query A", "query A { a }"), .open)))
    #expect(state.tabs.count == 2 && state.tab.runOptions.isDefault && state.tab.extensions.text.isEmpty)
    var effects = update(&state, .history(.opened(sent, .runAgain)))
    #expect(state.tabs.count == 3)
    let request = effects.lazy.compactMap { if case .run(let request) = $0 { request } else { nil } }.first
    #expect(request?.options == sent.options && request?.extensions == sent.extensions)
    effects = update(&state, .run(1, .completed))
    let recorded = effects.lazy.compactMap { if case .recordHistory(let entry) = $0 { entry } else { nil } }.first
    #expect(recorded?.options == sent.options && recorded?.extensions == sent.extensions)
  }

  @Test func `secrets are not stored in the history`() async throws {
    try await store.record(
      entry(
        "mutation SignIn", #"mutation SignIn { signIn(name: "ada", password: "hunter2") { token } }"#,
        variables: #"{"apiKey": "hunter2", "first": 2}"#, response: #"{"signIn": {"token": "hunter2", "name": "ada"}}"#)
    )
    let bytes = try home.files(in: "data").map { try home.bytes("data/\($0)") }.reduce([], +)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("hunter2"))
    let stored = try #require(try await store.search("signIn").first)
    #expect(stored.query.contains("ada"))
    #expect(try home.mode(of: "data/history.sqlite") == 0o600)
  }

  @Test func `the history popup searches, opens, repeats and compares runs`() async throws {
    try await store.record(entry("query Old", "query Old { station }", response: #"{"station": "Falsterbo"}"#))
    try await store.record(entry("query New", "query New { bird }", response: #"{"station": "Ottenby"}"#))
    var environment = ExplorerEnvironment()
    environment.attachHistory(in: store)
    environment.run = { request, send in
      send(.run(request.id, .started(OperationInfo(name: "Old", kind: "query"))))
      send(.run(request.id, .resultReceived(RunResult(data: BirdStation.json(#"{"station": "Ottenby"}"#)))))
      send(.run(request.id, .completed))
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "https://birds.example/graphql"), environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    await driver.press("Alt-H")
    #expect(await driver.lines.contains { $0.contains("query New") })
    await driver.type("old")
    #expect(await driver.lines.contains { $0.contains("query Old") && $0.contains("{ station }") })
    #expect(await !driver.lines.contains { $0.contains("query New") })
    await driver.press("Ctrl-R")
    #expect(await driver.state.tab.editors.query.text == "query Old { station }")
    #expect(await driver.state.tab.response.run?.phase == .complete)
    await driver.press("Alt-H")
    await driver.type("old falsterbo")
    #expect(await driver.screen.contains("No matches"))
    for _ in 0..<10 { await driver.press("Backspace") }
    // The repeated run is the newest entry; the one below it had another response.
    await driver.press("Down Ctrl-D")
    #expect(await driver.screen.contains("1 difference"))
    #expect(await driver.screen.contains(#""Falsterbo" → "Ottenby""#))
    await driver.quit()
  }

  @Test func `repeating a run of another endpoint needs confirmation`() async throws {
    try await store.record(entry("query Old", "query Old { station }"))
    let ran = Mutex<[String]>([])
    var environment = ExplorerEnvironment()
    environment.attachHistory(in: store)
    environment.run = { request, send in
      ran.withLock { $0.append(request.text) }
      send(.run(request.id, .started(OperationInfo(name: "Old", kind: "query"))))
      send(.run(request.id, .completed))
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "https://production.example/graphql"), environment: environment, width: 100,
      height: 30)
    await driver.waitForIdle()
    await driver.press("Alt-H")
    await driver.press("Ctrl-R")
    #expect(await driver.screen.contains("Run the operation on https://production.example/graphql?"))
    #expect(await driver.screen.contains("https://birds.example/graphql"))
    #expect(ran.withLock { $0 }.isEmpty)
    await driver.press("n")
    #expect(ran.withLock { $0 }.isEmpty)
    await driver.press("Alt-H")
    await driver.press("Ctrl-R")
    await driver.press("y")
    #expect(ran.withLock { $0 } == ["query Old { station }"])
    #expect(await driver.state.tab.editors.query.text == "query Old { station }")
    await driver.quit()
  }

  @Test func `a run that is recorded later appears in the open popup`() async throws {
    try await store.record(entry("query Oldest", "query Oldest { station }"))
    try await store.record(entry("query Old", "query Old { station }"))
    let (gate, opener) = AsyncStream<Void>.makeStream()
    var environment = ExplorerEnvironment()
    environment.attachHistory(in: store)
    let record = environment.recordHistory
    environment.recordHistory = { entry in
      for await _ in gate { break }
      await record(entry)
    }
    environment.run = { request, send in
      send(.run(request.id, .started(OperationInfo(name: "New", kind: "query"))))
      send(.run(request.id, .resultReceived(RunResult(data: BirdStation.json(#"{"bird": "Swift"}"#)))))
      send(.run(request.id, .completed))
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "birds", query: "query New { bird }"), environment: environment, width: 100,
      height: 30)
    await driver.waitForScreen("New")
    await driver.pressAndGoOn("F5 Alt-H")
    await driver.waitForScreen("query Oldest")
    #expect(await shown(driver) == ["query Old", "query Oldest"])
    await driver.pressAndGoOn("Down")
    opener.yield()
    opener.finish()
    await driver.waitForIdle()
    #expect(await shown(driver) == ["query New", "query Old", "query Oldest"])
    // The selection stays on the same run.
    guard let picker = await driver.state.popups.last?.state as? PickerPopup else {
      Issue.record("no history")
      return
    }
    #expect(picker.selected?.title == "query Oldest")
    await driver.quit()
  }

  /// Returns the runs in the popup.
  @ScreenActor private func shown(_ driver: ExplorerDriver) -> [String] {
    guard let picker = driver.state.popups.last?.state as? PickerPopup else { return [] }
    return picker.shown.map(\.title)
  }
}
