import ApusClientCache
import ApusClientCore
import ApusClientFormats
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
  private static let schema = Schema.load(
    sdl: """
      scalar Upload
      enum Color { RED }
      input PictureInput { name: String file: Upload }
      type Query { a(t: String): Int b(list: [PictureInput!], e: Color, n: Int): Int }
      type Mutation {
        add(t: String): Int upload(file: Upload!): Int uploads(files: [Upload!]!, t: String): Int
        picture(input: PictureInput!): Int login(password: String): Int
      }
      type Subscription { s(t: String): Int }
      """)

  /// A server, the environment of an explorer, and the request of a tab.
  private struct Bench {
    let server: ScriptedServer
    let folder: TemporaryFolder
    let environment: ExplorerEnvironment
    let draft: RequestDraft
    let request: RunRequest
    let kind: RequestKind

    init(_ kind: RequestKind) async throws {
      self.kind = kind
      server = try ScriptedServer { request, _ in
        if request.bodyText.contains("sha256Hash"), !request.bodyText.contains("\"query\"") {
          return .json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
        }
        guard request.bodyText.contains("subscription") else { return .json(#"{"data":{"a":1}}"#) }
        return .response(
          headers: [("Content-Type", "text/event-stream")],
          [.text("event: next\ndata: {\"data\":{\"s\":1}}\n\nevent: complete\ndata:\n\n")])
      }
      folder = try TemporaryFolder()
      try folder.write("bird.png", "picture")
      try folder.write("a b;c.txt", "text")
      var options = SubscriptionOptions()
      options.transport = .serverSentEvents
      var endpoint = LiveEnvironment.Endpoint(
        client: GraphQLClient(url: server.url, store: CacheStore(), subscriptions: options),
        fetchSchema: { _ in RequestMatrixTests.schema })
      endpoint.resolveHeader = { text in
        try text.resolved(environment: kind.environment) { (command) throws(SecretTextError) in
          command == "echo made" ? "made" : ""
        }
      }
      endpoint.environmentNames = Set(kind.definedNames.keys)
      endpoint.environmentValue = { kind.definedNames[$0] ?? "" }
      environment = LiveEnvironment(endpoint, example: "", secrets: SecretValues()).environment
      var draft = RequestDraft(
        url: server.url, query: kind.query, variables: kind.variables.replacing("FOLDER", with: folder.root))
      draft.extensions = DraftText(kind.extensions)
      draft.options = kind.options
      let lines = kind.headers.compactMap { HeaderLine($0) }
      draft.headers = try lines.map { .init(name: $0.name, value: try SecretText($0.value)) }
      self.draft = draft
      var request = RunRequest(
        id: 1, draft: draft, headers: TabHeaders(lines, for: Origin(url: server.url)))
      request.draft.headers = []
      request.folder = folder.root
      request.extensionsOrigin = Origin(url: server.url)
      self.request = request
      await environment.endpoint.loadSchema(.server([])) { _ in }
    }

    /// Runs the request and returns the last sent request, with the error of the run if there is one.
    func run() async -> (sent: SentRequest?, error: String?) {
      let error = Mutex<String?>(nil)
      let count = server.requests.count
      await environment.runs.start(request) { action in
        if case .run(_, .failed(let failure)) = action { error.withLock { $0 = failure.message } }
      }
      let sent = server.requests.count > count ? server.requests.last : nil
      return (sent.map { SentRequest($0, isSubscription: kind.isSubscription) }, error.withLock { $0 })
    }

    /// Executes a copy, and returns the sent request with the text of the copy. `execute` receives the copy and the environment in which
    /// the user runs it, and returns the messages of the program.
    func executed(
      _ form: RequestFormat, _ execute: (_ copy: String, _ environment: [String: String]) async throws -> String
    ) async throws -> (sent: SentRequest?, copy: String) {
      let copy = await environment.exchange.writeRequest(draft, form)
      let values = kind.environment.map { name, value in
        (
          name,
          copy.variablesInJSON.contains(name)
            ? String(JSONWriter.compact(JSONValue(value)).dropFirst().dropLast()) : value
        )
      }
      let count = server.requests.count
      let messages = try await execute(copy.text, Dictionary(uniqueKeysWithValues: values))
      let sent = server.requests.count > count ? server.requests.last : nil
      return (sent.map { SentRequest($0, isSubscription: kind.isSubscription) }, "\(copy.text)\n\(messages)")
    }
  }

  /// Runs a command in a shell with an environment.
  private static func shell(_ command: String, _ environment: [String: String]) async throws -> String {
    let exports = environment.map { "export \($0)='\($1.replacing("'", with: "'\\''"))'\n" }.joined()
    return try await ChildProcess.run("/bin/sh", ["-c", exports + command]).errors
  }

  @Test(arguments: RequestKind.all.indices)
  func `a run, a run again and executed copies send the same request`(index: Int) async throws {
    let kind = RequestKind.all[index]
    let bench = try await Bench(kind)
    let (sent, error) = await bench.run()
    let original = try #require(sent, "\(kind.name): \(error ?? "")")
    #expect(await bench.run().sent == original, "\(kind.name): run again")
    // The copy of a persisted query has its text too, as the run sends it after the server asked for it.
    let curl = try await bench.executed(.curlCommand) { text, environment in
      try await Self.shell(text.replacing("curl ", with: "curl -sS ", maxReplacements: 1), environment)
    }
    #expect(curl.sent == original, "\(kind.name): \(curl.copy)")
    Self.check(curl.copy, "copy as curl", kind)
    let file = try await bench.executed(.httpFile) { text, environment in
      try await HTTPFileExecutor.run(text, environment: environment, folder: bench.folder.root)
    }
    // HTTP files run no command.
    Self.check(file.copy, "copy as an HTTP file", kind)
    if !kind.hasCommand { #expect(file.sent == original, "\(kind.name): \(file.copy)") }
    let command = try await bench.executed(.apusCommand) { text, environment in
      let program = "'\(Checkout.apus)' query --subscription-transport sse"
      return try await Self.shell(text.replacing("apus query", with: program, maxReplacements: 1), environment)
    }
    if let option = kind.option { #expect(command.copy.contains(option), "\(kind.name): \(command.copy)") }
    #expect(command.sent == original, "\(kind.name): \(command.copy)")
    Self.check(command.copy, "copy as `apus`", kind)
  }

  @Test(arguments: RequestKind.all.indices)
  func `a tab, the history and a recording keep the request without its secrets`(index: Int) async throws {
    let kind = RequestKind.all[index]
    let bench = try await Bench(kind)
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
    var expected = kind.options
    expected.references = expected.references.map { .init(name: $0.name) }
    #expect(found.options == expected, "\(kind.name)")
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
    expected.options.references = expected.options.references.map { .init(name: $0.name) }
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
    #expect(texts == [[kind.query, kind.variables]], "\(kind.name)")
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
      let bench = try await Bench(kind)
      let (sent, error) = await bench.run()
      #expect(sent == nil && error?.contains("{{token}} has no value") == true, "\(place): \(error ?? "")")
      #expect(bench.server.requests.isEmpty)
    }
  }

  // MARK: The page

  private static let page = "\(Checkout.root)/Docs/Development/Requests.md"

  /// Kinds that a feature treats alike, with the text that its copies have.
  private struct Group: Sendable {
    let answer: String
    var piece = ""
    let includes: @Sendable (RequestKind) -> Bool

    init(_ answer: String, piece: String = "", _ includes: @escaping @Sendable (RequestKind) -> Bool = { _ in true }) {
      self.answer = answer
      self.piece = piece
      self.includes = includes
    }
  }

  private static let features: [(name: String, groups: [Group])] = [
    ("run, run again", [Group("the same request")]),
    (
      "copy as curl, executed",
      [
        Group("the same form (`-F operations`)", piece: "-F 'operations=") { $0.name.hasPrefix("upload") },
        Group("the same URL (`-G`)", piece: "curl -G ") { $0.options.usesGET },
        Group("the same request, with `-N`", piece: "curl -N ") { $0.isSubscription },
        Group("the same request, with the text beside the hash", piece: "sha256Hash") {
          $0.options.usesPersistedQueries
        },
        Group("the same request, with values of the environment", piece: "$") { !$0.environment.isEmpty },
        Group("the same request", piece: "--data-raw"),
      ]
    ),
    (
      "copy as an HTTP file, executed",
      [
        Group("the same form (`< path`)", piece: "\n< ") { $0.name.hasPrefix("upload") },
        Group("the same URL", piece: "GET http") { $0.options.usesGET },
        Group("the command as text, because HTTP files run none", piece: "$(") { $0.hasCommand },
        Group("the same request, with `{{NAME}}`", piece: ": {{") { !$0.environment.isEmpty && !$0.hasSecret },
        Group("the same request, with `{{NAME}}`", piece: "{{PASSWORD}}") { $0.hasSecret },
        Group(#"the same request, with `\{{`"#, piece: #"\{{x}}"#) { $0.name.contains("braces") },
        Group("the same request", piece: "POST http"),
      ]
    ),
    (
      "copy as `apus`, executed",
      [
        Group("the same form (`--upload`)", piece: "--upload ") { $0.name.hasPrefix("upload") },
        Group("the same URL (`--get`)", piece: "--get") { $0.options.usesGET },
        Group("the same request", piece: "apus query http"),
      ]
    ),
    (
      "compare with another endpoint",
      [Group("the request without its headers and extensions")]
    ),
    ("tab, save", [Group("the request")]),
    (
      "session",
      [
        Group("the request, `•••` for the secret") { $0.hasSecret },
        Group("the request, references without values") { !$0.options.references.isEmpty },
        Group("the request with its endpoint") { $0.isElsewhere },
        Group("the request with its file") { $0.file != nil },
        Group("the request"),
      ]
    ),
    (
      "history",
      [
        Group("the request, `•••` for the secret") { $0.hasSecret },
        Group("the request, references without values") { !$0.options.references.isEmpty }, Group("the request"),
      ]
    ),
    (
      "record, save the run",
      [Group("query and variables, `•••` for the secret") { $0.hasSecret }, Group("query and variables")]
    ),
  ]

  /// Checks that a copy has the text of its group.
  private static func check(_ copy: String, _ feature: String, _ kind: RequestKind) {
    let group = features.first { $0.name.hasPrefix(feature) }?.groups.first { $0.includes(kind) }
    #expect(copy.contains(group?.piece ?? "no group"), "\(feature), \(kind.name):\n\(copy)")
  }

  private static var document: String {
    var text = """
      # Requests in the features of the explorer

      This page is generated by `RequestMatrixTests`, which run each kind of request, run it again, execute its copies against a server
      that compares them with the run, and keep it in a tab, a file, the session, the history and a recording. `APUS_WRITE_DOCS=1 APUS_TESTS=ExplorerTests
      swift test --filter RequestMatrixTests` writes it again.

      | feature | answer | kinds |
      |---|---|---|

      """
    for feature in features {
      var left = RequestKind.all
      for group in feature.groups {
        let kinds = left.filter(group.includes)
        left.removeAll(where: group.includes)
        if !kinds.isEmpty {
          text += "| \(feature.name) | \(group.answer) | \(kinds.map(\.name).joined(separator: "; ")) |\n"
        }
      }
    }
    return text
  }

  /// Run with APUS_WRITE_DOCS=1 to update the page.
  @Test func `the page lists each kind in each feature`() throws {
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      try Self.document.write(toFile: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: Self.page, encoding: .utf8) == Self.document)
    for feature in Self.features {
      for kind in RequestKind.all {
        #expect(feature.groups.contains { $0.includes(kind) }, "\(feature.name), \(kind.name)")
      }
    }
  }
}
