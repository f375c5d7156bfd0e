import ApusClientRequests
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import ApusJSON
import ApusTestSupport
import Foundation
import Synchronization
import Testing

/// Saved sessions: the explorer is opened and closed repeatedly with the same user folders.
@Suite(.timeLimit(.minutes(1))) struct WorkspaceTests {
  private let home: TemporaryFolder
  private var folders: UserFolders { UserFolders(environment: home.asHome) }

  init() throws {
    home = try TemporaryFolder()
  }

  private func open(
    _ name: String = "birds", query: String = "", result: RunResult = BirdStation.third,
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let store = try SessionStore.open(name, in: folders, delay: .zero)
    var environment = ExplorerEnvironment()
    environment.saveSession { store }
    environment.text.analyse = { EditorService().analyse($0, version: $1) }
    environment.endpoint.loadSchema = { $1(.schema(.loaded(typeCount: 31, example: nil))) }
    environment.runs.start = { request, send in
      send(.run(request.id, .started(BirdStation.operation)))
      send(.run(request.id, .resultReceived(result)))
      send(.run(request.id, .completed))
    }
    environment.runs.measureCacheUse = { _ in Self.cacheUse }
    var state = ExplorerState(endpoint: name, themes: ["Apus dark", "Apus light"])
    if let workspace = store.restore() { state.open(workspace, query: query) }
    let driver = await ExplorerDriver(state: state, environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  private static let cacheUse = CacheUsage(
    fromCache: 2,
    misses: [
      CacheUsage.Miss(
        path: ["bird", "age"], record: "Bird:1", field: "age", reason: "the record does not have the field",
        hasRecord: true)
    ])

  @Test(arguments: ["state/workspaces", "state", "folder", "folder/workspace.json"])
  func `a session that others may write to is refused with a fix`(place: String) throws {
    let folder = try SessionStore.open("birds", in: folders, delay: .zero).folder
    try "{}".write(toFile: "\(folder)/workspace.json", atomically: false, encoding: .utf8)
    let path =
      place.hasPrefix("folder")
      ? folder + place.dropFirst("folder".count) : folders.state + place.dropFirst("state".count)
    chmod(path, 0o777)
    let error = #expect(throws: ConfigurationError.self) { try SessionStore.open("birds", in: folders, delay: .zero) }
    #expect(error?.message.contains("chmod go-w \(path)") == true, "\(error as Any)")
    chmod(path, 0o700)
    _ = try SessionStore.open("birds", in: folders, delay: .zero)
  }

  @Test func `cache misses are restored`() async throws {
    let partial = RunResult(data: BirdStation.json(#"{"bird":{"id":"1"}}"#), missing: [["bird", "age"]])
    try await open(result: partial) { driver in
      await driver.paste("{ bird { id age } }")
      await driver.press("F5")
      #expect(await driver.lines.contains { $0.contains("age") && $0.contains("not in the cache") })
    }
    try await open { driver in
      #expect(await driver.lines.contains { $0.contains("age") && $0.contains("not in the cache") })
      await driver.press("Alt-u")
      #expect(await driver.screen.contains("2 fields from the cache, 1 missing in the cache"))
      #expect(await driver.screen.contains("the record does not have the field"))
    }
  }

  @Test func `the sort order and the filter of the deferred pane are restored`() async throws {
    try await open { driver in
      await driver.paste("{ birds { id } }")
      await driver.press("F5")
      await driver.press("Alt-4 s s S /")
      await driver.type("lost")
      await driver.press("Enter")
      #expect(await driver.state.tab.response.shownDeliveryCount == 1)
    }
    try await open { driver in
      let response = await driver.state.tab.response
      let listing = response.deferredListing
      #expect(listing.order == .time && listing.isReversed && listing.filter == "lost" && !listing.isFiltering)
      #expect(response.fragments.count == 2 && response.shownDeliveryCount == 1)
    }
  }

  @Test func `undo history folds and wrapping are restored`() async throws {
    try await open { driver in
      await driver.paste("query A {\n  a {\n    b\n  }\n}")
      await driver.press("Ctrl-End")
      await driver.type("#end")
      await driver.press("Alt-z")
    }
    try await open { driver in
      #expect(await driver.state.tab.editors.query.wraps)
      await driver.press("Ctrl-Z")
      #expect(await driver.state.tab.editors.query.text == "query A {\n  a {\n    b\n  }\n}")
      await driver.press("Ctrl-Z")
    }
    try await open { driver in
      #expect(await driver.state.tab.editors.query.text.isEmpty)
      await driver.press("Ctrl-Y Ctrl-Y")
      #expect(await driver.state.tab.editors.query.text.hasSuffix("}#end"))
    }
  }

  @Test func `an undo history of another document is discarded`() async throws {
    try await open { driver in await driver.paste("query A { a }") }
    let store = try SessionStore.open("birds", in: folders, delay: .zero)
    let file = "\(store.folder)/workspace.json"
    let text = try #require(try UserFile.read(file).map { String(decoding: $0, as: UTF8.self) })
    try UserFile.replace(file, with: text.replacing(#""text": "query A { a }""#, with: #""text": "{ b }""#).utf8)
    store.finish()
    try await open { driver in
      await driver.press("Ctrl-Z Ctrl-Z")
      #expect(await driver.state.tab.editors.query.text == "{ b }")
    }
  }

  @Test func `the request options of each tab are kept`() async throws {
    try await open { driver in
      for option in ["get", "persisted", "onError"] {
        await driver.press("Ctrl-P")
        await driver.type("request options")
        await driver.press("Enter")
        await driver.type(option)
        await driver.press("Enter")
      }
      await driver.type("HALT")
      await driver.press("Enter")
      await driver.press("Ctrl-T")
    }
    try await open { driver in
      #expect(await driver.state.tab.runOptions.isDefault)
      await driver.press("Ctrl-PageUp")
      var options = RunOptions(usesGET: true, usesPersistedQueries: true)
      options.onError = .halt
      #expect(await driver.state.tab.runOptions == options)
    }
  }

  @Test func `cache policies of tabs are restored`() async throws {
    try await open { driver in
      await driver.press("Alt-c")
      await driver.type("cache first")
      await driver.press("Enter Ctrl-T")
    }
    try await open { driver in
      #expect(await driver.state.tab.cachePolicy == .networkOnly)
      await driver.press("Ctrl-PageUp")
      #expect(await driver.state.tab.cachePolicy == .cacheFirst)
    }
  }

  @Test func `editors cursors panes and tabs are restored`() async throws {
    var before: [String] = []
    try await open { driver in
      await driver.paste("query Birds { station { name } }")
      await driver.press("Left Left Left")
      await driver.press("Alt-2")
      await driver.type("{ \"first\": 2")
      await driver.press("Ctrl-T")
      await driver.paste("query Other { a }\n")
      await driver.press("Ctrl-P")
      await driver.type("rename the tab")
      await driver.press("Enter")
      await driver.type("Second")
      await driver.press("Enter Alt-6")
      await driver.type("X-Station: falsterbo")
      before = await driver.lines
    }
    try await open { driver in
      #expect(await driver.lines == before)
      await driver.press("Ctrl-PageUp")
      let state = await driver.state
      #expect(state.tab.editors.query.text == "query Birds { station { name } }")
      #expect(state.tab.editors.query.cursor == TextPosition(0, 29))
      #expect(state.tab.editors.variables.text == "{ \"first\": 2}")
    }
  }

  @Test func `responses folds and scroll positions are restored`() async throws {
    var before: [String] = []
    try await open { driver in
      await driver.paste("{ station { name } }")
      await driver.press("F5")
      await driver.press("Alt-3 Down Down Left Down Enter End")
      before = await driver.lines
    }
    try await open { driver in
      // Pageable lists and arrival times are known only for a run, not for a restored response.
      let rows = { (lines: [String]) in
        lines.prefix { !$0.contains("4 Deferred") }.map { $0.dropFirst(45).replacing("  ↓", with: "") }
          .filter { !$0.contains("3 Response") }
      }
      #expect(rows(await driver.lines) == rows(before))
      #expect(await driver.state.screen.focus == .response)
    }
  }

  @Test func `typed text is saved before the explorer quits`() async throws {
    try await open { driver in
      await driver.type("query A")
      // Reads the folder from outside, as after the process was killed.
      let folder = home.path("state/workspaces")
      try await waitUntil { try home.files(in: "state/workspaces").contains { $0.hasSuffix("workspace.json") } }
      let file = try #require(try home.files(in: "state/workspaces").first { $0.hasSuffix("workspace.json") })
      try await waitUntil { (try? home.read("state/workspaces/\(file)"))?.contains("query A") == true }
      #expect(try home.mode(of: "state/workspaces/\(file)") == 0o600, "\(folder)")
    }
  }

  @Test func `two explorers use separate saved sessions`() async throws {
    try await open { first in
      await first.type("query First")
      try await open { second in
        #expect(await second.state.tab.editors.query.buffer.isEmpty)
        await second.type("query Second")
      }
    }
    try await open { #expect(await $0.state.tab.editors.query.text == "query First") }
  }

  @Test func `a second explorer of an endpoint is detected`() throws {
    let stores = try ["birds", "birds", "fish"].map { try SessionStore.open($0, in: folders) }
    #expect(stores.map(\.isBesideAnother) == [false, true, false])
  }

  @Test func `a query from the command line opens another tab`() async throws {
    try await open { await $0.type("query First") }
    try await open(query: "{ named }") { driver in
      #expect(await driver.state.tab.editors.query.text == "{ named }")
      #expect(await driver.state.tabs.all.count == 2)
    }
  }

  @Test func `an unreadable session file is renamed`() async throws {
    try await open { await $0.type("query First") }
    let name = try #require(try home.files(in: "state/workspaces").first { $0.hasSuffix("workspace.json") })
    try home.write("state/workspaces/\(name)", "{ not json")
    try await open { #expect(await $0.state.tab.editors.query.buffer.isEmpty) }
    #expect(try home.files(in: "state/workspaces").contains { $0.hasSuffix("workspace.unreadable.json") })
  }

  @Test(arguments: [0, 1, 2, 4, 99])
  func `a session of another format version stays in place, and is not saved over`(_ version: Int) async throws {
    try await open { await $0.type("query First") }
    let name = try #require(try home.files(in: "state/workspaces").first { $0.hasSuffix("workspace.json") })
    let text = try home.read("state/workspaces/\(name)").replacing("\"version\": 3", with: "\"version\": \(version)")
    try home.write("state/workspaces/\(name)", text)
    let store = try SessionStore.open("birds", in: folders, delay: .zero)
    #expect(store.restore() == nil)
    store.scheduleSave(SavedSession(tabs: [SavedSession.Tab(id: 1)]))
    store.finish()
    #expect(try home.read("state/workspaces/\(name)") == text)
    #expect(
      store.problem?.message
        == "another version of Apus wrote it (format \(version)); move it away to save tabs again")
  }

  @Test func `a failed save is reported immediately and at the end`() async throws {
    let store = try SessionStore.open("birds", in: folders, delay: .zero)
    // A folder in place of the file makes writing fail, as a full disk would.
    try UserFile.makeFolder("\(store.folder)/workspace.json")
    var environment = ExplorerEnvironment()
    environment.saveSession { store }
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: "birds"), environment: environment, width: 100, height: 30)
    // The next key would remove the message.
    await driver.type("{")
    await driver.waitForScreen("▲ Cannot save the session: ")
    await driver.quit()
    #expect(store.problem?.file.hasSuffix("workspace.json") == true)
  }

  @Test func `titles of background tabs are restored`() async throws {
    try await open { driver in
      await driver.paste("query Birds { a }")
      await driver.press("Ctrl-T")
      await driver.paste("query Stations { a }")
      #expect(await driver.lines[0].contains("1 Birds  2 Stations"))
    }
    try await open { driver in
      #expect(await driver.lines[0].contains("1 Birds  2 Stations"))
    }
  }

  @Test func `a save in progress completes before quitting`() async throws {
    let saved = Mutex<String?>(nil)
    var environment = ExplorerEnvironment()
    environment.files.save = { _, file, query, _, _ in
      // Simulates a slow disk.
      for _ in 0..<2000 { await Task.yield() }
      saved.withLock { $0 = query }
      return .operationFailed("")
    }
    let driver = await ExplorerDriver(state: ExplorerState(endpoint: "birds"), environment: environment)
    await driver.paste("{ a }")
    await driver.press("Ctrl-S")
    await driver.type("birds")
    await driver.pressWithoutWaiting("Enter")
    await driver.quit()
    #expect(saved.withLock { $0 } == "{ a }")
  }

  @Test func `a closed tab can be reopened`() async throws {
    try await open { driver in
      await driver.type("{ a")
      await driver.press("Alt-x")
      #expect(await driver.state.tab.editors.query.buffer.isEmpty)
      #expect(await driver.state.tabs.all.count == 1)
      await driver.press("Ctrl-P")
      await driver.type("reopen")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "{ a}")
    }
  }

  @Test func `a run continues in a background tab`() async throws {
    var state = BirdStation.state(after: BirdStation.running)
    _ = update(&state, .commandInvoked(.newTab))
    #expect(state.tab.response.run == nil)
    let effects = update(&state, .run(1, .resultReceived(BirdStation.third)))
    #expect(effects.isEmpty)
    _ = update(&state, .run(1, .completed))
    #expect(state.tab.response.run == nil)
    _ = update(&state, .commandInvoked(.previousTab))
    #expect(state.tab.response.run?.phase == .complete)
    #expect(state.tab.response.run?.payloadCount == 3)
  }
}
