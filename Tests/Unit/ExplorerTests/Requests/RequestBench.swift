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

/// A server, the environment of an explorer, and the request of a tab.
struct RequestBench {
  private static let schema = Schema.load(
    sdl: """
      scalar Upload
      enum Color { RED }
      input PictureInput { name: String file: Upload }
      type Query { a(t: String, in: PictureInput): Int b(list: [PictureInput!], e: Color, n: Int): Int }
      type Mutation {
        add(t: String): Int upload(file: Upload!): Int uploads(files: [Upload!]!, t: String): Int
        picture(input: PictureInput!): Int login(password: String): Int
        locked(file: Upload!, password: String): Int
      }
      type Subscription { s(t: String): Int }
      """)

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
      fetchSchema: { _ in RequestBench.schema })
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
    draft.options.subscriptionURL = kind.options.subscriptionURL.replacing("SERVER", with: server.url)
    if !draft.options.subscriptionURL.isEmpty { draft.options.subscriptionOrigin = Origin(url: server.url) }
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
  func run() async -> (sent: SentRequest?, error: String?) { await run(request) }

  private func run(_ request: RunRequest) async -> (sent: SentRequest?, error: String?) {
    let error = Mutex<String?>(nil)
    let count = server.requests.count
    await environment.runs.start(request) { action in
      if case .run(_, .failed(let failure)) = action { error.withLock { $0 = failure.message } }
    }
    let sent = server.requests.count > count ? server.requests.last : nil
    return (sent.map { SentRequest($0, isSubscription: kind.isSubscription) }, error.withLock { $0 })
  }

  /// The request as a tab gives it to a copy.
  private var copied: RequestDraft {
    let redactor = Redactor(document: draft.query.text, references: draft.declaredNames)
    return draft.inserting(draft.plainValues(headers: kind.headers.joined(separator: "\n"), redactor))
  }

  /// Imports a copy, gives its references the values of the environment, and runs it. `notes` lists parts that are not imported.
  func importedAndRun(
    _ form: RequestFormat, named name: String
  ) async throws -> (sent: SentRequest?, notes: String) {
    let copy = await environment.exchange.writeRequest(copied, form).text
    var collection = ImportedCollection()
    try collection.add(UntrustedText(copy), named: name)
    let imported = ImportedRequests(collection)
    var draft = try #require(imported.requests.first?.draft, "\(copy)")
    for (index, reference) in draft.options.references.enumerated() {
      draft.options.references[index].value = kind.environment[reference.name]
    }
    if kind.isSubscription {
      (draft.options.subscriptionURL, draft.options.subscriptionOrigin) = (draft.url, Origin(url: server.url))
    }
    let lines = draft.headers.compactMap { HeaderLine("\($0.name): \($0.value.source)") }
    var request = self.request
    request.headers = TabHeaders(lines, for: Origin(url: server.url))
    request.draft = draft
    request.draft.headers = []
    let (sent, error) = await run(request)
    return (sent, ([copy, error ?? ""] + imported.leftOut).joined(separator: "\n"))
  }

  /// Executes a copy, and returns the sent request with the text of the copy. `execute` receives the copy and the environment in which
  /// the user runs it, and returns the messages of the program.
  func executed(
    _ form: RequestFormat, _ execute: (_ copy: String, _ environment: [String: String]) async throws -> String
  ) async throws -> (sent: SentRequest?, copy: String) {
    let copy = await environment.exchange.writeRequest(copied, form)
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
