import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientNetwork
import ApusClientSubscriptions
import ApusExplorerCore
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusSecrets
import Synchronization

/// The live environment: the client for the endpoint, its cache, and language services that use the endpoint's schema.
///
/// Runs go through the client as in any application: the client reads the cache according to the run's policy and
/// writes the results. Each payload is displayed first and written afterwards, so that neither drawing nor the next
/// payload waits for the cache. Cache changes are reported only by the store's observation.
package final class LiveEnvironment: Sendable {
  /// The current endpoint: its client and the source of its schema.
  package struct Endpoint: Sendable {
    /// The client for the endpoint, which uses the explorer's store.
    package var client: GraphQLClient
    /// Returns a stored schema with a note about its age.
    package var keptSchema: @Sendable () async -> (schema: Schema, note: String)?
    /// Fetches the schema with a tab's headers in addition to the endpoint's own.
    package var fetchSchema: @Sendable (HTTPHeaders) async throws -> Schema
    /// Saves a fetched schema; returns the reason why it was not saved, if any.
    package var saveSchema: @Sendable (Schema) -> String? = { _ in nil }
    /// Reads a schema from a file that the user chose.
    package var readSchema: @Sendable (String) async throws -> Schema = {
      throw EnvironmentError("\($0) cannot be read here")
    }
    /// Returns the schema before its last change, with the time of that change.
    package var earlierSchema: @Sendable () async -> (schema: Schema, age: String)? = { nil }
    /// Replays recorded responses instead of contacting the server.
    package var replay: Replay?
    /// The requests of an application that the explorer shows.
    package var observed: ObservedTraffic?
    /// Determines the cache keys of the endpoint's objects.
    package var keys: CacheKeyResolver
    /// Resolves a header value; running a command for it takes time.
    package var resolveHeader: @Sendable (SecretText) async throws -> String = { $0.description }
    /// The names in the profile's environment, which are references in double braces.
    package var environmentNames: Set<String> = []
    /// Resolves a name of the profile's environment.
    package var environmentValue: @Sendable (String) async throws -> String = {
      throw EnvironmentError("no profile defines \($0)")
    }
    /// Reruns the commands that supply credentials; nil if no command does.
    package var renewCredentials: (@Sendable () async throws -> Void)?
    /// Adds the current credentials of the profile to a request that does not go through the client.
    package var authorize: @Sendable (inout HTTPHeaders) async throws -> Void = { _ in }
    /// Signs in with the user's help, and returns a message about the result; nil if the endpoint has no sign-in.
    package var signIn: (@Sendable (_ show: @escaping @Sendable (SignInStep) -> Void) async throws -> String)?
    /// Removes the tokens of the sign-in, and returns a message about it.
    package var signOut: (@Sendable () async throws -> String)?
    /// The profile that the endpoint comes from, with its header fields.
    package var profile: (name: String, fields: [HTTPHeaders.Field])?
    /// The lowercased names of header fields whose values came from the environment or a command.
    package var resolvedFields: Set<String> = []
    /// The options for subscriptions of the profile or the command line, for audits and copies.
    package var subscriptions = SubscriptionOptions()
    /// This URL as the profile or the command line has it, with its references.
    package var writtenSubscriptionURL: String?
    /// The options for subscriptions that the user typed, by name.
    package var subscriptionOptions: [(name: String, value: String)] = []
    /// The `onError` parameter of the profile, for tabs without one.
    package var onError: ErrorBehavior?
    /// The reason why nothing is sent to the endpoint: the user has not allowed it yet.
    package var refusal: String?
    /// The origin of the endpoint; `nil` if the URL does not identify one unambiguously.
    var origin: Origin? { Origin(url: client.url) }

    package init(
      client: GraphQLClient, keys: CacheKeyResolver = CacheKeyResolver(),
      keptSchema: @escaping @Sendable () async -> (schema: Schema, note: String)? = { nil },
      fetchSchema: @escaping @Sendable (HTTPHeaders) async throws -> Schema
    ) {
      self.client = client
      self.keys = keys
      self.keptSchema = keptSchema
      self.fetchSchema = fetchSchema
    }
  }

  let endpoint: Endpoint
  var client: GraphQLClient { endpoint.client }
  var replay: Replay? { endpoint.replay }
  let store: CacheStore
  /// The store's cache policies before a schema extends them.
  private let policies: CachePolicies
  private let example: String?
  /// The resolved header values, which never appear in a recording.
  let secrets: SecretValues
  /// The folder of the documents.
  let folder: String
  let editors: EditorService
  let filtering: ResponseFilterService
  let sessions = RunSessions()
  let log = WriteLog()
  private let observation = Mutex<CacheObservation?>(nil)
  private let listener = Mutex<Listener?>(nil)
  private let externalSession = Mutex<ExternalCacheSession?>(nil)
  /// The header that was taken from a response.
  let responseCredential = Mutex<ResponseCredential?>(nil)
  private let undos = Mutex<[UndoStep]>([])
  private let recording: SessionRecording
  var recordingFile: RecordingFile? { recording.file }

  /// The external cache that is open, if any.
  var openedCache: ExternalCacheSession? { externalSession.withLock { $0 } }
  /// The cache that the inspector shows.
  var inspected: CacheStore { openedCache?.store ?? store }
  func inspect(at other: ExternalCacheSession?) { externalSession.withLock { $0 = other } }

  func popUndo() -> UndoStep? { undos.withLock { $0.popLast() } }
  func pushUndo(_ undo: UndoStep) { undos.withLock { $0 = Array($0.suffix(31)) + [undo] } }

  /// Receives actions that no request caused. It is a struct because a closure stored directly in a `Mutex` gains
  /// another reabstraction thunk on each access, until a call overflows the stack.
  private struct Listener {
    let send: ExplorerEnvironment.Send
  }

  func send(_ action: Action) { listener.withLock { $0 }?.send(action) }

  /// Creates an environment for one client.
  ///
  /// - Parameters:
  /// - example: The query to open with; by default it is derived from the schema.
  /// - filterProgram: The program that runs filters; by default the running program itself.
  /// - schema: Fetches the schema from the server or reads it from a file.
  package convenience init(
    client: GraphQLClient, example: String? = nil, filterProgram: String? = nil,
    schema: @escaping @Sendable () async throws -> Schema
  ) {
    self.init(
      Endpoint(client: client, fetchSchema: { _ in try await schema() }), example: example, filterProgram: filterProgram
    )
  }

  /// Creates an environment for an endpoint. The cache is the one of the endpoint's client; without one, nothing is
  /// stored and the inspector is empty. The recording is shared by the environments of one explorer.
  package init(
    _ endpoint: Endpoint, example: String? = nil, filterProgram: String? = nil,
    secrets: SecretValues = SecretValues(), recording: SessionRecording = SessionRecording(), folder: String = ".",
    documents: @escaping @Sendable () -> [String] = { [] }
  ) {
    self.secrets = secrets
    self.recording = recording
    self.folder = folder
    editors = EditorService(documents: documents)
    self.endpoint = endpoint
    filtering = ResponseFilterService(program: filterProgram)
    store = endpoint.client.store ?? CacheStore()
    policies = store.policies
    store.configure(endpoint.keys, policies)
    self.example = example
    let observation = observe(store)
    self.observation.withLock { $0 = observation }
  }

  /// Returns the endpoint's request, its options for subscriptions, and the schema, for an audit.
  package func auditSubject() throws -> (endpoint: HTTPRequest, subscriptions: SubscriptionOptions, schema: Schema?) {
    if replay != nil { throw EnvironmentError("a recording has no server to audit") }
    if let refusal = endpoint.refusal { throw EnvironmentError(refusal) }
    var subscriptions = endpoint.subscriptions
    subscriptions.replacingField = responseCredential.withLock { $0?.payloadField }
    return (client.transport.endpoint, subscriptions, editors.schema)
  }

  /// Adds the current credentials to a request that does not go through the client.
  package func authorize(_ headers: inout HTTPHeaders) async throws {
    if let credential = responseCredential.withLock({ $0 }) {
      headers[credential.name] = try await credential.value(isRejected: false)
    }
    try await endpoint.authorize(&headers)
  }

  package var environment: ExplorerEnvironment { environment(extending: ExplorerEnvironment()) }

  /// Returns an environment with the functions of this endpoint, and otherwise those of another environment.
  package func environment(extending environment: ExplorerEnvironment) -> ExplorerEnvironment {
    var environment = environment
    environment.runs = runEnvironment
    environment.text = editors.environment
    environment.text.answer = { await self.answer($0) }
    environment.cache = cacheEnvironment
    environment.listen = { send in self.listener.withLock { $0 = Listener(send: send) } }
    environment.endpoint.loadSchema = { await self.loadSchema($0, $1) }
    environment.endpoint.renewCredentials = { await self.renewCredentials() }
    environment.endpoint.useValue = { self.use($0, at: $1, ofRun: $2) }
    environment.endpoint.signIn = { await self.signIn($0) }
    environment.endpoint.signOut = { await self.signOut($0) }
    environment.reading.filter = { await self.filtering.filter($0, $1) }
    environment.reading.openLink = { await LinkOpener.open($0) }
    environment.exports.writeFile = { Self.write($1, to: $0) }
    environment.exports.hideSecrets = { [secrets] in Redactor(values: secrets).text($0) }
    environment.exports.record = { self.record(to: $0) }
    environment.useExchangeFormats(secrets: secrets)
    environment.exchange.writeRequest = { self.write($0, as: $1) }
    return environment
  }

  private func renewCredentials() async -> Action {
    if let credential = responseCredential.withLock({ $0 }) {
      do {
        _ = try await credential.value(isRejected: true)
        return .credentialsRenewed
      } catch {
        return .operationFailed("\(error)")
      }
    }
    guard let renew = endpoint.renewCredentials else {
      return .operationFailed("This endpoint's credentials do not come from a command")
    }
    do {
      try await renew()
      return .credentialsRenewed
    } catch {
      return .operationFailed("\(error)")
    }
  }

  // MARK: Recording

  private func record(to path: String?) -> Action {
    do {
      if let path { try recording.begin(path, secrets) } else { try recording.end() }
      return .recordingChanged(path)
    } catch {
      return .operationFailed("\(error)")
    }
  }

  // MARK: The schema

  private func loadSchema(_ request: SchemaRequest, _ send: ExplorerEnvironment.Send) async {
    switch request {
    case .server(let headers): await loadSchema(of: endpoint, headers, send)
    case .file(let path):
      do {
        let schema = try await endpoint.readSchema(path)
        if Task.isCancelled { return }
        use(schema, send)
        send(.schema(.noted("from \(SingleLineText.line(path))")))
      } catch {
        send(.schema(.failed("\(error)")))
      }
    }
  }

  /// Loads the stored schema, if any, and then replaces it with the server's.
  private func loadSchema(of endpoint: Endpoint, _ headers: TabHeaders, _ send: ExplorerEnvironment.Send) async {
    if let refusal = endpoint.refusal { return send(.schema(.failed(refusal))) }
    let saved = await endpoint.keptSchema()
    if Task.isCancelled { return }
    if let saved {
      use(saved.schema, send)
      send(.schema(.noted(saved.note)))
    }
    do {
      var headers = try await resolved(headers, for: endpoint)
      if let credential = responseCredential.withLock({ $0 }) {
        headers[credential.name] = try await credential.value(isRejected: false)
      }
      let schema = try await endpoint.fetchSchema(headers)
      // The endpoint has changed since the request began.
      if Task.isCancelled { return }
      use(schema, send)
      send(.schema(.noted(nil)))
      if let refusal = endpoint.saveSchema(schema) { send(.operationFailed("Note: \(refusal)")) }
      guard let saved else { return }
      let count = SchemaChangesPage(from: saved.schema, to: schema).count
      guard count > 0 else { return }
      editors.earlierSchema = (saved.schema, saved.note)
      send(.schema(.changed(count)))
    } catch {
      // Another request has replaced this one.
      if Task.isCancelled { return }
      if saved == nil {
        send(.schema(.failed("\(error)")))
      } else {
        send(.operationFailed("Using an older schema: \(error)"))
      }
      requestSignIn(after: error, send)
    }
  }

  /// Answers a question. The earlier schema is read only when it is first needed.
  private func answer(_ question: LanguageServiceRequest) async -> LanguageServiceAction {
    if case .schemaPage(.changes) = question, editors.earlierSchema == nil {
      editors.earlierSchema = await endpoint.earlierSchema()
    }
    return editors.answer(question)
  }

  private func use(_ schema: Schema, _ send: ExplorerEnvironment.Send) {
    editors.schema = schema
    secrets.setPlaces(for: endpoint.client.url, schema.secretPlaces)
    var (keys, policies) = (endpoint.keys, self.policies)
    keys.addKeyFields(from: schema)
    policies.addPolicies(from: schema)
    store.configure(keys, policies)
    let types = schema.types.count { !$0.name.hasPrefix("__") }
    send(.schema(.loaded(typeCount: types, example: example ?? ExampleQuery.derive(from: schema))))
  }
}
