import ApusClientRequests
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusJSON
import ApusRawDatabase
import ApusSQLite
import ApusSecrets
import ApusTestSupport
import Foundation
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
      operation: operation,
      request: RequestDraft(url: "https://birds.example/graphql", query: query, variables: variables),
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

  @Test func `a cleared history has no text in its files and records again`() async throws {
    for number in 1...3 { try await store.record(entry("query Q\(number)", "query Q\(number) { clandestine }")) }
    #expect(try await store.clear() == 3)
    #expect(try await found("") == [])
    #expect(try await found("clandestine") == [])
    #expect(try await store.endpoints().isEmpty)
    for name in try home.files(in: "data") where name.hasPrefix("history") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: home.path("data/\(name)")))
      #expect(bytes.range(of: Data("clandestine".utf8)) == nil, "\(name)")
      #expect(bytes.range(of: Data("cla".utf8)) == nil, "\(name)")
    }
    try await store.record(entry("query Later", "query Later { a }"))
    #expect(try await found("") == ["query Later"])
  }

  @Test(arguments: [true, false]) func `runs are recorded unless the history is off`(records: Bool) async throws {
    var environment = ExplorerEnvironment()
    environment.attachHistory(in: store, records: records)
    await environment.history.record(entry("query A", "query A { a }"))
    #expect(try await found("") == (records ? ["query A"] : []))
    #expect(await environment.history.clear() == (records ? 1 : 0))
  }

  @Test func `a history locked by another program opens when the lock is released`() async throws {
    try await store.record(entry("query A", "query A { a }"))
    try await withCheckedThrowingContinuation { locked in
      startThread { [home] in
        let other = Result {
          let other = try RawDatabase(home.path("data/history.sqlite"))
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
    let again = HistoryStore(folders: UserFolders(environment: home.asHome), now: { 1_000_000 })
    try await again.record(entry("query B", "query B { b }"))
    #expect(try await found("") == ["query B", "query A"])
  }

  /// An earlier version that was killed may have left an empty file.
  @Test func `an empty file becomes a history`() async throws {
    try home.write("data/history.sqlite", "")
    try await store.record(entry("query A", "query A { a }"))
    #expect(try await found("") == ["query A"])
    #expect(try home.files(in: "data").filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == ["history.sqlite"])
  }

  @Test func `a history that others may write to is refused with a fix`() async throws {
    try await store.record(entry("query A", "query A { a }"))
    chmod(home.path("data/history.sqlite"), 0o666)
    let again = HistoryStore(folders: UserFolders(environment: home.asHome), now: { 1_000_000 })
    let error = await #expect(throws: SQLiteError.self) { try await again.search("") }
    #expect(error?.message.contains("chmod go-w \(home.path("data/history.sqlite"))") == true)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func `a history of another user is refused with a fix`() async throws {
    try await store.record(entry("query A", "query A { a }"))
    chown(home.path("data/history.sqlite"), 65534, 65534)
    let again = HistoryStore(folders: UserFolders(environment: home.asHome), now: { 1_000_000 })
    let error = await #expect(throws: SQLiteError.self) { try await again.search("") }
    #expect(error?.message.contains("sudo chown 0 \(home.path("data/history.sqlite"))") == true)
  }

  @Test func `a rollback journal beside the history is refused and stays`() async throws {
    try await store.record(entry("query A", "query A { a }"))
    try home.write("data/history.sqlite-journal", "journal")
    let again = HistoryStore(folders: UserFolders(environment: home.asHome), now: { 1_000_000 })
    let error = await #expect(throws: SQLiteError.self) { try await again.search("") }
    #expect(error?.message.contains("history.sqlite-journal") == true)
    #expect(try home.read("data/history.sqlite-journal") == "journal")
  }

  @Test func `an entry is returned with its response`() async throws {
    try await store.record(entry("query A", "query A { a }", response: #"{"a": 1.50}"#))
    let id = try #require(try await store.search("").first).id
    let back = try #require(try await store.entry(id))
    #expect(back.response == BirdStation.json(#"{"a": 1.50}"#))
    #expect(back.elapsed == .milliseconds(12))
    #expect(back.time == 1_000_000)
  }

  @Test func `a history of another version is refused and left alone`() async throws {
    try UserFile.makePrivateFolder(home.path("data"))
    let old = try RawDatabase(home.path("data/history.sqlite"))
    try old.execute(
      """
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY, time INTEGER NOT NULL, endpoint TEXT NOT NULL, operation TEXT NOT NULL,
        query TEXT NOT NULL, variables TEXT NOT NULL, status TEXT NOT NULL, errors INTEGER NOT NULL,
        microseconds INTEGER NOT NULL, bytes INTEGER NOT NULL, response BLOB);
      INSERT INTO entries VALUES (1, 5, 'e', 'query Old', 'query Old { a }', '', 'complete', 0, 7, 8, '{"a":1}');
      """)
    let before = try home.bytes("data/history.sqlite")
    let error = await #expect(throws: SQLiteError.self) { try await store.record(entry("query A", "query A { a }")) }
    #expect(error?.message == "another version of Apus wrote it; move it away")
    await #expect(throws: SQLiteError.self) { try await store.search("") }
    #expect(try home.bytes("data/history.sqlite") == before)
  }

  @Test func `a history with the columns in another order, and without places of secrets, is used`() async throws {
    try UserFile.makePrivateFolder(home.path("data"))
    try RawDatabase(home.path("data/history.sqlite")).execute(
      """
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY, time INTEGER NOT NULL, endpoint TEXT NOT NULL, operation TEXT NOT NULL, policy TEXT,
        query TEXT NOT NULL, variables TEXT NOT NULL, status TEXT NOT NULL, errors INTEGER NOT NULL, profile TEXT,
        microseconds INTEGER NOT NULL, bytes INTEGER NOT NULL, response BLOB, extensions TEXT, options TEXT);
      """)
    try await store.record(entry("query A", "query A { a }", response: #"{"a":1}"#))
    #expect(try await store.search("").map(\.operation) == ["query A"])
    #expect(try await store.entry(1)?.response == BirdStation.json(#"{"a":1}"#))
  }

  @Test func `an entry has the URL of subscriptions without its secrets`() async throws {
    var sent = entry("subscription A", "subscription A { a }")
    sent.request.options.subscriptionURL = "wss://me:hunter2@ws.example/a?key=hunter2&mode=x"
    try await store.record(sent)
    let found = try #require(try await store.search("").first?.request)
    #expect(found.options.subscriptionURL == "wss://•••@ws.example/a?key=•••&mode=x")
    #expect(found.options.subscriptionOrigin == Origin(url: found.url))
  }

  @Test func `an entry has the options of its request, and opens with them`() async throws {
    var sent = entry("query A", "query A { a }")
    sent.profile = "staging"
    sent.request.options = RunOptions(usesGET: true, usesPersistedQueries: true)
    sent.request.options.onError = .null
    sent.request.extensions = #"{"trace":true,"token":"hunter2"}"#
    try await store.record(sent)
    try await store.record(entry("query A", "query A { a }"))
    let found = try await store.search("")
    #expect(found.map(\.profile) == [nil, "staging"])
    #expect(found.map(\.request.options) == [RunOptions(), sent.request.options])
    let saved = try #require(try await store.entry(found[1].id))
    #expect(saved.request.extensions.text.contains("trace") && !saved.request.extensions.text.contains("hunter2"))
    // Runs that were sent differently are separate rows.
    #expect(HistoryFold.folds(of: found, matching: "").count == 2)

    var state = ExplorerState(endpoint: sent.endpoint)
    sent.profile = nil
    sent.request.extensions = #"{"trace":true}"#
    _ = update(&state, .history(.opened(sent, .open)))
    #expect(state.tabs.count == 1 && state.tab.runOptions == sent.request.options)
    #expect(state.tab.extensions.draft == sent.request.extensions && !state.areExtensionsWithheld)
    // The same document with other options is another request.
    _ = update(&state, .history(.opened(entry("query A", "query A { a }"), .open)))
    #expect(state.tabs.count == 2 && state.tab.runOptions.isDefault && state.tab.extensions.text.isEmpty)
    var effects = update(&state, .history(.opened(sent, .runAgain)))
    #expect(state.tabs.count == 3)
    let request = effects.lazy.compactMap { if case .run(_, .start(let request)) = $0 { request } else { nil } }.first
    #expect(request?.draft.options == sent.request.options && request?.draft.extensions == sent.request.extensions)
    effects = update(&state, .run(1, .completed))
    let recorded = effects.lazy.compactMap { if case .history(.record(let entry)) = $0 { entry } else { nil } }.first
    #expect(
      recorded?.request.options == sent.request.options && recorded?.request.extensions == sent.request.extensions)
  }

  /// A change of an entry, and whether the entry is another row then.
  private static let changes: [(name: String, isOther: Bool, change: @Sendable (inout HistoryEntry) -> Void)] = [
    ("endpoint", true, { $0.request.url = "https://other.example/graphql" }),
    ("query", true, { $0.request.query = "query A { b }" }),
    ("variables", true, { $0.request.variables = #"{"a":1}"# }),
    ("extensions", true, { $0.request.extensions = #"{"a":1}"# }),
    ("cache policy", true, { $0.request.cachePolicy = .cacheFirst }),
    ("profile", true, { $0.profile = "staging" }),
    ("GET", true, { $0.request.options.usesGET = true }),
    ("persisted query", true, { $0.request.options.usesPersistedQueries = true }),
    ("onError", true, { $0.request.options.onError = .null }),
    ("URL of subscriptions", true, { $0.request.options.subscriptionURL = "wss://ws.example" }),
    ("status", true, { $0.status = .failed }),
    ("number of errors", true, { $0.errorCount = 1 }),
    ("size", true, { $0.byteCount = 321 }),
    ("time", false, { $0.time = 2_000_000 }),
    ("duration", false, { $0.elapsed = .seconds(9) }),
    ("number", false, { $0.id = 7 }),
  ]

  @Test func `runs that differ in one member of their key are separate rows`() {
    let first = entry("query A", "query A { a }")
    for (name, isOther, change) in Self.changes {
      var second = first
      change(&second)
      let folds = HistoryFold.folds(of: [second, first, second], matching: "")
      #expect(folds.map(\.count) == (isOther ? [2, 1] : [3]), "\(name)")
      #expect(folds.first?.newest == second, "\(name)")
    }
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
    #expect(stored.request.query.text.contains("ada"))
    #expect(try home.mode(of: "data/history.sqlite") == 0o600)
  }

  @Test func `the history popup searches, opens, repeats and compares runs`() async throws {
    try await store.record(entry("query Old", "query Old { station }", response: #"{"station": "Falsterbo"}"#))
    try await store.record(entry("query New", "query New { bird }", response: #"{"station": "Ottenby"}"#))
    var environment = ExplorerEnvironment()
    environment.attachHistory(in: store)
    environment.runs.start = { request, send in
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
    environment.runs.start = { request, send in
      ran.withLock { $0.append(request.draft.query.text) }
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
    let record = environment.history.record
    environment.history.record = { entry in
      for await _ in gate { break }
      await record(entry)
    }
    environment.runs.start = { request, send in
      send(.run(request.id, .started(OperationInfo(name: "New", kind: "query"))))
      send(.run(request.id, .resultReceived(RunResult(data: BirdStation.json(#"{"bird": "Swift"}"#)))))
      send(.run(request.id, .completed))
    }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "birds", query: "query New { bird }"), environment: environment, width: 100,
      height: 30)
    await driver.waitForScreen("New")
    await driver.pressWithoutWaiting("F5 Alt-H")
    await driver.waitForScreen("query Oldest")
    #expect(await shown(driver) == ["query Old", "query Oldest"])
    await driver.pressWithoutWaiting("Down")
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
