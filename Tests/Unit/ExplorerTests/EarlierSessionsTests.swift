import ApusConfiguration
import ApusExplorerCore
import ApusExplorerPersistence
import ApusTestSupport
import Foundation
import Testing

/// The list of earlier sessions, and the completion of paths in input lines.
@Suite(.timeLimit(.minutes(1))) struct EarlierSessionsTests {
  private func session(_ names: [String]) -> SavedSession {
    SavedSession(
      tabs: names.enumerated().map { index, name in
        var tab = SavedSession.Tab(id: index + 1)
        tab.name = name
        return tab
      })
  }

  @Test func `sessions that no explorer uses are listed and opened`() async throws {
    let home = try TemporaryFolder()
    let folders = UserFolders(environment: home.asHome)
    func open(_ names: [String]) throws -> SessionStore {
      let store = try SessionStore.open("birds", in: folders, delay: .zero)
      store.scheduleSave(session(names))
      return store
    }
    // Three explorers at once, of which the first two end.
    let stores = [try open(["first", "all"]), try open(["second"]), try open(["third"])]
    for store in stores.prefix(2) { store.finish() }
    var environment = ExplorerEnvironment()
    environment.saveSession { stores[2] }
    let items = await environment.sessions.list()
    #expect(Set(items.map(\.title)) == ["first, all", "second"])
    let item = try #require(items.first { $0.title == "first, all" })
    #expect(item.detail == "2 tabs")
    let found = try #require(await environment.sessions.open(item.id))
    var state = ExplorerState(endpoint: "https://birds.example/graphql")
    _ = update(&state, .session(.opened(found)))
    #expect(state.tabs.all.map(\.name) == [nil, "first", "all"] && state.tabs.shownIndex == 1)
    #expect(Set(state.tabs.all.map(\.id)).count == 3)
    // The list leaves out the session of this explorer.
    environment.saveSession { stores[0] }
    #expect(await environment.sessions.list().map(\.title) == ["second"])
    stores[2].finish()
  }

  /// A tab has its response only if both files are of the same run, in the explorer's own session and in an earlier one.
  @Test func `sessions have the saved responses of their runs`() async throws {
    let home = try TemporaryFolder()
    let folders = UserFolders(environment: home.asHome)
    let earlier = try SessionStore.open("birds", in: folders, delay: .zero)
    var saved = session(["run", "other run", "lost", "none"])
    for index in 0..<3 { saved.tabs[index].response = SavedResponse(run: index + 1, data: .object([("a", 1)])) }
    earlier.scheduleSave(saved)
    earlier.finish()
    let second = try #require(try home.files(in: "").first { $0.hasSuffix("/response-2.json") })
    try home.write(second, try home.read(second).replacing("\"run\":2", with: "\"run\":9"))
    try FileManager.default.removeItem(atPath: home.path(second.replacing("response-2", with: "response-3")))
    let opened = try SessionStore.open("birds", in: folders, delay: .zero)
    #expect(opened.restore()?.tabs.map(\.response?.run) == [1, nil, nil, nil])
    let other = try SessionStore.open("birds", in: folders, delay: .zero)
    opened.finish()
    var environment = ExplorerEnvironment()
    environment.saveSession { other }
    let item = try #require(await environment.sessions.list().first)
    let found = try #require(await environment.sessions.open(item.id))
    #expect(found.tabs.map(\.response?.run) == [1, nil, nil, nil])
    #expect(found.tabs[0].response?.data?.description == #"{"a":1}"#)
    other.finish()
  }

  @Test(arguments: [
    ("", ["bird.png", "birds/"]), ("bi", ["bird.png", "birds/"]), ("bird.", ["bird.png"]),
    ("birds/", ["birds/a b.txt"]),
    (".", [".hidden"]), ("x", []), ("none/", []), ("BI", []),
  ])
  func `paths continue a typed one`(typed: String, expected: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write("bird.png", "")
    try folder.write("birds/a b.txt", "")
    try folder.write(".hidden", "")
    var environment = ExplorerEnvironment()
    environment.openFiles(in: CollectionStore(folder: folder.root))
    #expect(await environment.files.complete(typed) == expected)
    let whole = await environment.files.complete("\(folder.root)/\(typed)")
    #expect(whole == expected.map { "\(folder.root)/\($0)" })
  }

  @Test(arguments: [
    ("bi", ["bird.png", "birds/"], "bird"), ("bird.", ["bird.png"], "bird.png"), ("x", [], "x"),
    ("other", ["bird.png"], "bi"),
  ])
  func `Tab continues a path as far as all files agree`(asked: String, found: [String], text: String) {
    var state = ExplorerState(endpoint: "https://birds.example/graphql")
    _ = update(&state, .commandInvoked(.importRequest))
    _ = update(&state, .textTyped(asked == "other" ? "bi" : asked))
    let effects = update(&state, .commandInvoked(.completePath))
    #expect(effects.contains(.file(.complete(asked == "other" ? "bi" : asked))))
    _ = update(&state, .file(.pathsFound(found, typed: asked)))
    #expect((state.popups.last?.state as? LinePopup)?.text == text)
  }
}
