import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientImports
import ApusClientRequests
import ApusClientSubscriptions
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusSecrets
import ApusTestSupport
import Foundation
import Synchronization
import Testing

@testable import ApusExplorerPersistence

/// Each kind of request in each feature that sends, copies or keeps it. The copies are executed against a server that compares
/// them with the original run.
@Suite(.timeLimit(.minutes(3))) struct RequestMatrixTests {
  /// Runs a command in a shell with an environment.
  private static func shell(_ command: String, _ environment: [String: String]) async throws -> String {
    let exports = environment.map { "export \($0)='\($1.replacing("'", with: "'\\''"))'\n" }.joined()
    return try await ChildProcess.run("/bin/sh", ["-c", exports + command]).errors
  }

  @Test(arguments: RequestKind.all.indices)
  func `a run, a run again and executed copies send the same request`(index: Int) async throws {
    let kind = RequestKind.all[index]
    let bench = try await RequestBench(kind)
    let (sent, error) = await bench.run()
    let original = try #require(sent, "\(kind.name): \(error ?? "")")
    #expect(await bench.run().sent == original, "\(kind.name): run again")
    // The copy of a persisted query has its text too, as the run sends it after the server asked for it.
    let curl = try await bench.executed(.curlCommand) { text, environment in
      try await Self.shell(text.replacing("curl ", with: "curl -sS ", maxReplacements: 1), environment)
    }
    #expect(curl.sent == original, "\(kind.name): \(curl.copy)")
    RequestMatrix.check(curl.copy, "copy as curl", kind)
    let file = try await bench.executed(.httpFile) { text, environment in
      try await HTTPFileExecutor.run(text, environment: environment, folder: bench.folder.root)
    }
    // HTTP files run no command.
    RequestMatrix.check(file.copy, "copy as an HTTP file", kind)
    if !kind.hasCommand { #expect(file.sent == original, "\(kind.name): \(file.copy)") }
    let command = try await bench.executed(.apusCommand) { text, environment in
      let program = "'\(Checkout.apus)' query --subscription-transport sse"
      return try await Self.shell(text.replacing("apus query", with: program, maxReplacements: 1), environment)
    }
    if let option = kind.option { #expect(command.copy.contains(option), "\(kind.name): \(command.copy)") }
    #expect(command.sent == original, "\(kind.name): \(command.copy)")
    RequestMatrix.check(command.copy, "copy as `apus`", kind)
  }

  @Test(arguments: RequestKind.all.indices)
  func `an export that is imported again sends the same request`(index: Int) async throws {
    let kind = RequestKind.all[index]
    let bench = try await RequestBench(kind)
    let original = try #require(await bench.run().sent, "\(kind.name)")
    let curl = try await bench.importedAndRun(.curlCommand, named: "copy.sh")
    let file = try await bench.importedAndRun(.httpFile, named: "copy.http")
    #expect(curl.sent == original, "\(kind.name): \(curl.notes)")
    if kind.hasCommand {
      #expect(file.sent?.description.contains("x-kind: $(echo made)") == true, "\(file.notes)")
    } else {
      #expect(file.sent == original, "\(kind.name): \(file.notes)")
    }
  }

  @Test(arguments: RequestKind.all.indices)
  func `a tab, the history and a recording keep the request without its secrets`(index: Int) async throws {
    let kind = RequestKind.all[index]
    let bench = try await RequestBench(kind)
    var plain = bench.draft
    #expect(TabContent(plain).draft.options.onError == kind.options.onError)
    plain.url = ""
    plain.headers = []
    #expect(TabContent(plain).draft == plain, "\(kind.name)")
    let home = try TemporaryFolder()
    let store = HistoryStore(folders: UserFolders(environment: home.asHome), secrets: SecretValues(), now: { 1 })
    try await store.record(
      HistoryEntry(operation: "Q", request: bench.draft, status: .complete, elapsed: .zero, byteCount: 1, response: nil)
    )
    let found = try #require(try await store.entry(1)?.request)
    #expect(found.query == bench.draft.query && found.extensions == bench.draft.extensions)
    #expect(found.options == bench.draft.options.storing(kind.storedValues), "\(kind.name)")
    let isSecret = kind.hasSecret
    #expect(found.variables.text.contains("hush") == false && (found.variables == bench.draft.variables) == !isSecret)
    let path = home.path("run.ndjson")
    let file = try RecordingFile(path, secrets: SecretValues())
    let variables = try JSONDocument(parsing: bench.draft.variables.text).root
    let run = file.startRequest(
      url: bench.server.url, operationName: nil, query: kind.query, variables: variables, onError: kind.options.onError)
    run.end(error: nil, exitCode: 0)
    let recorded = try #require(try Recording(parsing: Array(try Data(contentsOf: URL(filePath: path)))).runs.first)
    #expect(recorded.draft.query.text == kind.query && recorded.draft.options.onError == kind.options.onError)
  }

  /// Returns an explorer with the request in a tab, and the session as another explorer restores it.
  private func saved(_ kind: RequestKind, _ draft: RequestDraft) throws -> (
    state: ExplorerState, restored: ExplorerState
  ) {
    let endpoint = "https://birds.example/graphql"
    var state = ExplorerState(endpoint: endpoint)
    if kind.isElsewhere {
      let url = "https://other.example/graphql"
      _ = update(&state, .commandInvoked(.newTab))
      let effects = update(&state, .endpointConfirmed(url, tab: state.tabs.shown.id))
      let id = effects.compactMap { if case .at(let id, .endpoint(.connect)) = $0 { id } else { nil } }.first
      _ = update(&state, .from(try #require(id), .connected(EndpointChoice(name: url, url: url), nil)))
    }
    var content = TabContent(draft)
    content.editors.headers.setText(kind.headers.joined(separator: "\n"))
    state.tab = content
    if let file = kind.file {
      state.tabs.all[state.tabs.shownIndex].file = CollectionFile(
        path: file, savedQuery: draft.query.text, savedVariables: draft.variables.text)
    }
    let folders = UserFolders(environment: try TemporaryFolder().asHome)
    let store = try SessionStore.open("birds", in: folders, delay: .zero)
    store.scheduleSave(SavedSession(state))
    store.finish()
    let again = try SessionStore.open("birds", in: folders, delay: .zero)
    var restored = ExplorerState(endpoint: endpoint)
    restored.open(try #require(again.restore()), query: "")
    again.finish()
    if kind.isElsewhere { restored.tabs.shownIndex = 1 }
    return (state, restored)
  }

  @Test(arguments: RequestKind.all.indices)
  func `a session and a saved file have the request without its secrets`(index: Int) throws {
    let kind = RequestKind.all[index]
    var draft = RequestDraft(query: DraftText(kind.query), variables: DraftText(kind.variables))
    draft.extensions = DraftText(kind.extensions)
    draft.options = kind.options
    var (state, restored) = try saved(kind, draft)
    var expected = state.tab.draft
    expected.options = expected.options.storing(kind.storedValues)
    let isSecret = kind.hasSecret
    if isSecret { expected.variables = restored.tab.draft.variables }
    #expect(restored.tab.draft == expected, "\(kind.name)")
    #expect(restored.tab.draft.variables.isComplete != isSecret)
    #expect(restored.tab.editors.headers.text == kind.headers.joined(separator: "\n"))
    #expect(restored.tabs.shown.file?.path == kind.file)
    #expect(restored.connection.endpoint.contains("other") == kind.isElsewhere)
    // A file has the texts as they were typed.
    _ = update(&state, .commandInvoked(.saveFileAs))
    _ = update(&state, .textTyped("saved.graphql"))
    let effects = update(&state, .commandInvoked(.popupAccept))
    let texts = effects.compactMap { effect -> [String]? in
      if case .file(.save(_, _, let query, let variables, _)) = effect { [query, variables] } else { nil }
    }
    let plain = draft.inserting(kind.storedValues)
    #expect(texts == [[plain.query.text, plain.variables.text]], "\(kind.name)")
  }

  @Test(arguments: RequestKind.all.indices)
  func `a comparison runs the same request on the other endpoint without headers`(index: Int) throws {
    let kind = RequestKind.all[index]
    var draft = RequestDraft(query: DraftText(kind.query), variables: DraftText(kind.variables))
    draft.options = kind.options
    let (url, other) = ("https://birds.example/graphql", "https://other.example/graphql")
    var state = ExplorerState(endpoint: url)
    state.tab = TabContent(draft)
    func sent(_ effects: [Effect]) -> RunRequest? {
      effects.lazy.compactMap { effect in
        if case .run(_, .start(let request)) = effect { request } else { nil }
      }.first
    }
    _ = update(&state, .commandInvoked(.runOnOtherEndpoint))
    _ = update(&state, .textTyped(other))
    let here = try #require(sent(update(&state, .commandInvoked(.popupAccept))), "\(kind.name)")
    _ = update(&state, .run(here.id, .resultReceived(BirdStation.initial)))
    let effects = update(&state, .run(here.id, .completed))
    let id = effects.compactMap { if case .at(let id, .endpoint(.connect)) = $0 { id } else { nil } }.first
    let opened = Action.from(try #require(id), .connected(EndpointChoice(name: other, url: other), nil))
    let there = try #require(sent(update(&state, opened)), "\(kind.name)")
    #expect(there.draft == here.draft && there.headers.isEmpty, "\(kind.name)")
  }

  @Test func `a reference without a value stops the run before anything is sent`() async throws {
    for place in ["query", "variables", "headers"] {
      let kind = RequestKind(place) { kind in
        kind.options.references = [.init(name: "token")]
        if place == "query" { kind.query = "{ a(t: \"{{token}}\") }" }
        kind.variables = place == "variables" ? #"{"t":"{{token}}"}"# : "{}"
        if place == "headers" { kind.headers = ["X-Kind: {{token}}"] }
      }
      let bench = try await RequestBench(kind)
      let (sent, error) = await bench.run()
      #expect(sent == nil && error?.contains("{{token}} has no value") == true, "\(place): \(error ?? "")")
      #expect(bench.server.requests.isEmpty)
    }
  }

  // MARK: The page

  /// Run with APUS_WRITE_DOCS=1 to update the page.
  @Test func `the page lists each kind in each feature`() throws {
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      try RequestMatrix.document.write(toFile: RequestMatrix.page, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: RequestMatrix.page, encoding: .utf8) == RequestMatrix.document)
    for feature in RequestMatrix.features {
      for kind in RequestKind.all {
        #expect(feature.groups.contains { $0.includes(kind) }, "\(feature.name), \(kind.name)")
      }
    }
  }
}
