import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientNetwork
import ApusExplorerCore
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
    /// Reads a schema from a file that the user chose.
    package var readSchema: @Sendable (String) async throws -> Schema = {
      throw EnvironmentError("\($0) cannot be read here")
    }
    /// Returns the schema before its last change, with the time of that change.
    package var earlierSchema: @Sendable () async -> (schema: Schema, age: String)? = { nil }
    /// Replays recorded responses instead of contacting the server.
    package var replay: Replay?
    /// Determines the cache keys of the endpoint's objects.
    package var keys: CacheKeyResolver
    /// Resolves a header value; running a command for it takes time.
    package var resolveHeader: @Sendable (SecretText) async throws -> String = { $0.description }
    /// Reruns the commands that supply credentials; nil if no command does.
    package var renewCredentials: (@Sendable () async throws -> Void)?
    /// The profile that the endpoint comes from, with its header fields.
    package var profile: (name: String, fields: [HTTPHeaders.Field])?
    /// The lowercased names of header fields whose values came from the environment or a command.
    package var resolvedFields: Set<String> = []
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
  private let foreign = Mutex<ExternalCacheSession?>(nil)
  private let undos = Mutex<[UndoStep]>([])
  private let recording: SessionRecording
  var recordingFile: RecordingFile? { recording.file }

  /// The external cache that is open, if any.
  var openedCache: ExternalCacheSession? { foreign.withLock { $0 } }
  /// The cache that the inspector shows.
  var inspected: CacheStore { openedCache?.store ?? store }
  func inspect(at other: ExternalCacheSession?) { foreign.withLock { $0 = other } }

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

  /// Returns the endpoint's request and the schema, for an audit.
  package func auditSubject() throws -> (endpoint: HTTPRequest, schema: Schema?) {
    if replay != nil { throw EnvironmentError("a recording has no server to audit") }
    if let refusal = endpoint.refusal { throw EnvironmentError(refusal) }
    return (client.transport.endpoint, editors.schema)
  }

  package var environment: ExplorerEnvironment { environment(extending: ExplorerEnvironment()) }

  /// Returns an environment with the functions of this endpoint, and otherwise those of another environment.
  package func environment(extending environment: ExplorerEnvironment) -> ExplorerEnvironment {
    var environment = environment
    environment.loadSchema = { await self.loadSchema($0, $1) }
    environment.run = { await self.run($0, $1) }
    environment.listen = { send in self.listener.withLock { $0 = Listener(send: send) } }
    environment.renewCredentials = { await self.renewCredentials() }
    environment.forgetRun = { self.sessions.remove($0) }
    environment.loadPages = { await self.loadPages($0, $1, of: $2, $3) }
    environment.offerPaging = { self.editors.offerPaging($0, at: $1) }
    environment.filter = { await self.filtering.filter($0, $1) }
    environment.writeFile = { Self.write($1, to: $0) }
    environment.useExchangeFormats(secrets: secrets)
    environment.writeRequest = { self.write($0, as: $1) }
    environment.openLink = { await LinkOpener.open($0) }
    environment.saveRun = { self.save(run: $0, to: $1) }
    environment.record = { self.record(to: $0) }
    environment.readAgain = { await self.readAgain($0, $1) }
    environment.measureCacheUse = { await self.cacheUse(of: $0) }
    environment.fetchAgain = { await self.fetchAgain($0, $1) }
    environment.analyse = { self.editors.analyse($0, version: $1) }
    environment.analyseVariables = { self.editors.analyseVariables($0, version: $1, query: $2, offset: $3) }
    environment.complete = { self.editors.complete($0, at: $1) }
    environment.completeVariables = { self.editors.completeVariables($0, at: $1, query: $2, offset: $3) }
    environment.answer = { await self.answer($0) }
    environment.fillForm = { self.editors.rows(of: $0) }
    environment.format = { self.editors.format($0) }
    environment.listRecords = { await self.listRecords($0) }
    environment.openRecord = { await self.openRecord($0, at: $1) }
    environment.findRecord = { await self.findRecord(of: $0, at: $1, $2) }
    environment.findPlace = { await self.findPlace(of: $0, in: $1) }
    environment.previewEdit = { await self.preview($0) }
    environment.editCache = { try await self.perform($0) }
    environment.openCache = { await self.openCache($0) }
    environment.openWriteOfPart = { self.log.number(ofPart: $0, run: $1).flatMap { self.log.opened($0) } }
    environment.listWrites = { self.log.lines }
    environment.openWrite = { self.log.opened($0) }
    environment.openWriteOf = { record, field in
      self.log.number(ofLastWriteTo: record, field: field).flatMap { self.log.opened($0) }
    }
    environment.wait = { try? await Task.sleep(for: $0) }
    return environment
  }

  private func renewCredentials() async -> Action {
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

  private func save(run id: Int, to path: String) -> Action {
    guard let session = sessions[id], let exchange = session.exchange else {
      return .operationFailed("The run is no longer stored: run the operation again")
    }
    return exchange.save(session, to: path, secrets)
  }

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
      let schema = try await endpoint.fetchSchema(try await resolved(headers, for: endpoint))
      // The endpoint has changed since the request began.
      if Task.isCancelled { return }
      use(schema, send)
      send(.schema(.noted(nil)))
      guard let saved else { return }
      let count = SchemaChangesPage(from: saved.schema, to: schema).count
      guard count > 0 else { return }
      editors.earlierSchema = (saved.schema, saved.note)
      send(.schema(.changed(count)))
    } catch {
      // Another request has replaced this one.
      if Task.isCancelled { return }
      if saved == nil { return send(.schema(.failed("\(error)"))) }
      send(.operationFailed("Using an older schema: \(error)"))
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
    var (keys, policies) = (endpoint.keys, self.policies)
    keys.addKeyFields(from: schema)
    policies.addPolicies(from: schema)
    store.configure(keys, policies)
    let types = schema.types.count { !$0.name.hasPrefix("__") }
    send(.schema(.loaded(typeCount: types, example: example ?? ExampleQuery.derive(from: schema))))
  }
}
