import ApusConfiguration
import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerText
import ApusTestSupport
import Foundation
import Testing

/// The files of tabs: paths in the home folder, line ends, the file of the command line, and sessions that are not saved.
@Suite(.timeLimit(.minutes(1))) struct FilesOfTabsTests {
  // MARK: The home folder

  /// The dialogs that take the name of a file, and the names in the effects of accepting it.
  @Test(arguments: [
    LinePopup.Purpose.fileName, .responseFile, .recordingFile, .trafficFile, .runFile, .schemaFile,
    .cacheFile(isWritable: false), .cacheFile(isWritable: true),
  ])
  func `a dialog replaces the tilde by the home folder`(purpose: LinePopup.Purpose) {
    func paths(_ typed: String) -> String {
      var state = BirdStation.state(after: BirdStation.running + [.run(1, .trafficObserved(Traffic()))])
      state.homeFolder = "/home/ada"
      var popup = LinePopup(purpose, text: typed)
      let result = popup.perform(.popupAccept, in: state)
      return "\(result)"
    }
    #expect(paths("~/birds.graphql").contains("/home/ada/birds.graphql"))
    #expect(!paths("~/birds.graphql").contains("~"))
    for name in ["~ada/birds.graphql", "birds~/a.graphql", "/tmp/~/a.graphql"] {
      #expect(paths(name).contains(name), "\(name)")
    }
  }

  @Test func `the Vim commands for files replace the tilde by the home folder`() {
    var state = BirdStation.state()
    state.homeFolder = "/home/ada"
    state.typing.vim = VimState()
    let opened = commandLine("e ~/a.graphql", &state)
    #expect(opened.contains(.file(.open("/home/ada/a.graphql"))), "\(opened)")
    let saved = commandLine("w ~/b", &state)
    #expect("\(saved)".contains("/home/ada/b.graphql"), "\(saved)")
  }

  /// Returns the effects of a command on Vim's command line.
  private func commandLine(_ command: String, _ state: inout ExplorerState) -> [Effect] {
    state.popups.present(Popup(PalettePopup(in: state, isCommandLine: true)))
    return update(&state, .textTyped(command)) + update(&state, .commandInvoked(.popupAccept))
  }

  // MARK: Line ends

  @Test func `saving keeps the line ends of each file`() throws {
    let folder = try TemporaryFolder()
    let store = CollectionStore(folder: folder.root)
    try folder.write("birds.graphql", "{\r\n  birds\r\n}\r\n")
    try folder.write("birds.variables.json", "{\n  \"n\": 1\n}\n")
    let file = try store.read("birds.graphql")
    #expect(file.savedQuery == "{\n  birds\n}\n")
    guard
      case .saved(let saved) = try store.write(
        file, query: "{\n  birds\n  stations\n}\n", variables: "{\n  \"n\": 2\n}\n", overwrites: false)
    else { throw Unexpected.change }
    #expect(saved == (try store.read("birds.graphql")))
    #expect(try folder.read("birds.graphql") == "{\r\n  birds\r\n  stations\r\n}\r\n")
    #expect(try folder.read("birds.variables.json") == "{\n  \"n\": 2\n}\n")
    // The file is unchanged, so saving again overwrites nothing of another program.
    guard case .saved = try store.write(saved, query: "{ a }\n", variables: "", overwrites: false) else {
      throw Unexpected.change
    }
    #expect(try folder.read("birds.graphql") == "{ a }\r\n")
  }

  @Test func `a copy under another name has the line ends of its origin, also in its variables`() throws {
    let folder = try TemporaryFolder()
    let store = CollectionStore(folder: folder.root)
    try folder.write("birds.graphql", "{\r\n  birds\r\n}\r\n")
    var copy = CollectionFile(path: "copy.graphql", savedQuery: "", savedVariables: "")
    copy.lineEnd = try store.read("birds.graphql").lineEnd
    _ = try store.write(copy, query: "{\n  birds\n}\n", variables: "{\n}\n", overwrites: false)
    #expect(try folder.read("copy.graphql") == "{\r\n  birds\r\n}\r\n")
    #expect(try folder.read("copy.variables.json") == "{\r\n}\r\n")
  }

  @Test func `a file that another program changed is not overwritten, whatever its line ends`() throws {
    let folder = try TemporaryFolder()
    let store = CollectionStore(folder: folder.root)
    try folder.write("birds.graphql", "{ a }\r\n")
    let file = try store.read("birds.graphql")
    try folder.write("birds.graphql", "{ b }\r\n")
    guard case .changedOutside = try store.write(file, query: "{ c }\n", variables: "", overwrites: false) else {
      throw Unexpected.change
    }
    #expect(try folder.read("birds.graphql") == "{ b }\r\n")
  }

  @Test func `a file with CRLF has no unsaved changes when it is opened`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("birds.graphql", "{\r\n  birds\r\n}\r\n")
    var state = ExplorerState(endpoint: "birds")
    state.start(with: nil, try CollectionStore(folder: folder.root).read("birds.graphql"), query: "")
    #expect(!state.tabs.isUnsaved(0))
    #expect(state.tab.editors.query.text == "{\n  birds\n}\n")
  }

  // MARK: The file of the command line

  private static var file: CollectionFile {
    CollectionFile(path: "birds.graphql", savedQuery: "query Birds { birds }", savedVariables: #"{"n": 1}"#)
  }

  @Test func `the document of the command line belongs to its file`() {
    var state = ExplorerState(endpoint: "birds")
    state.start(with: nil, Self.file, query: "")
    #expect(state.tabs.all.count == 1)
    #expect(state.tabs.shown.file == Self.file)
    #expect(state.tab.editors.variables.text == #"{"n": 1}"#)
    _ = update(&state, .textTyped("#"))
    #expect(state.tabs.isUnsaved(0))
    #expect("\(update(&state, .commandInvoked(.saveFile)))".contains("birds.graphql"))
  }

  @Test func `a session that has the file's tab shows it, and another one gets a new tab`() {
    var with = ExplorerState(endpoint: "birds")
    with.start(with: nil, Self.file, query: "")
    _ = update(&with, .commandInvoked(.newTab))
    let session = SavedSession(with)
    var restored = ExplorerState(endpoint: "birds")
    restored.start(with: session, Self.file, query: "")
    #expect(restored.tabs.all.count == 2)
    #expect(restored.tabs.shown.file?.path == "birds.graphql")
    var other = ExplorerState(endpoint: "birds")
    other.start(
      with: session, CollectionFile(path: "stations.graphql", savedQuery: "{ stations }", savedVariables: ""), query: ""
    )
    #expect(other.tabs.all.count == 3)
    #expect(other.tabs.shown.file?.path == "stations.graphql")
  }

  // MARK: Sessions

  @Test func `quitting a session that is not saved asks before typed text is lost`() {
    var state = BirdStation.state()
    state.isUnsavedSession = true
    _ = update(&state, .commandInvoked(.quit))
    #expect(state.isQuitting, "Nothing was typed")

    state = BirdStation.state()
    state.isUnsavedSession = true
    _ = update(&state, .textTyped("#"))
    _ = update(&state, .commandInvoked(.quit))
    #expect(!state.isQuitting)
    let question = state.popups.last?.state as? ConfirmationPopup
    #expect(question?.question == "Quit and lose the text of the tab?" || question?.question.contains("Birds") == true)
    _ = update(&state, .quitConfirmed)
    #expect(state.isQuitting)

    // The same question is not asked twice.
    state = BirdStation.state()
    state.isUnsavedSession = true
    _ = update(&state, .textTyped("#"))
    _ = update(&state, .commandInvoked(.quit))
    _ = update(&state, .commandInvoked(.quit))
    #expect(!state.isQuitting && state.popups.all.count == 1)

    // A saved session loses nothing.
    state = BirdStation.state()
    _ = update(&state, .textTyped("#"))
    _ = update(&state, .commandInvoked(.quit))
    #expect(state.isQuitting)
  }

  @Test func `text that is saved in a file is not lost`() {
    var state = ExplorerState(endpoint: "birds")
    state.isUnsavedSession = true
    state.start(with: nil, Self.file, query: "")
    _ = update(&state, .textTyped("#"))
    _ = update(
      &state,
      .file(
        .saved(
          tab: state.tabs.shown.id,
          CollectionFile(
            path: "birds.graphql", savedQuery: state.tab.editors.query.text, savedVariables: #"{"n": 1}"#))))
    _ = update(&state, .commandInvoked(.quit))
    #expect(state.isQuitting)
  }

  @Test func `the session that was used last is restored`() throws {
    let home = try TemporaryFolder()
    let folders = UserFolders(environment: home.asHome)
    func save(_ store: SessionStore, _ query: String) throws {
      var tab = SavedSession.Tab(id: 1)
      tab.name = query
      store.scheduleSave(SavedSession(tabs: [tab]))
      store.finish()
    }
    func restored() throws -> String? {
      let store = try SessionStore.open("birds", in: folders, delay: .zero)
      #expect(!store.isBesideAnother)
      defer { store.finish() }
      return store.restore()?.tabs.first?.name
    }
    do {
      let first = try SessionStore.open("birds", in: folders, delay: .zero)
      let second = try SessionStore.open("birds", in: folders, delay: .zero)
      #expect(second.isBesideAnother && !first.isBesideAnother)
      try save(first, "first")
      try age(first.folder)
      try save(second, "second")
    }
    #expect(try restored() == "second")
    for name in try home.files(in: "state/workspaces") where name.hasSuffix("~2/workspace.json") {
      try age(home.path("state/workspaces/\(name)"), by: 100)
    }
    #expect(try restored() == "first")
  }

  /// Sets the time of a session to the past.
  private func age(_ path: String, by seconds: TimeInterval = 50) throws {
    let file = path.hasSuffix("workspace.json") ? path : path + "/workspace.json"
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: file)
  }

  private enum Unexpected: Error { case change }
}
