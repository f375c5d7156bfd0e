import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientNetwork
import ApusExplorerCore
import ApusGraphQLSchema
import ApusSecrets
import Synchronization

/// The world as it is: a client that reaches the endpoint and has the cache, and the texts read with the endpoint's schema.
///
/// A run goes through the client like any application's: the client reads the cache as the run's policy says, and writes
/// what came to it. A part of a response is shown first and written after, so that neither drawing it nor the part behind
/// it waits for the cache. What changed in the cache is known from the store's own telling alone.
package final class LiveWorld: Sendable {
  /// The endpoint in use: a client for it, and where its schema comes from.
  package struct Endpoint: Sendable {
    /// With the explorer's store.
    package var client: GraphQLClient
    /// A schema that is at hand already, and a word on it, its age.
    package var keptSchema: @Sendable () async -> (schema: Schema, note: String)?
    /// Asks for the schema with the headers of a tab beside the endpoint's own.
    package var fetchSchema: @Sendable (HTTPHeaders) async throws -> Schema
    /// Reads a schema from a file that the person names.
    package var readSchema: @Sendable (String) async throws -> Schema = {
      throw WorldFailure("\($0) cannot be read here")
    }
    /// The schema as it was before it changed last, and a word on when that was.
    package var earlierSchema: @Sendable () async -> (schema: Schema, age: String)? = { nil }
    /// Answers in the server's place, where what was recorded is shown again.
    package var replay: Replay?
    /// How its objects get their keys in the cache.
    package var keys: CacheKeyResolver
    /// What a header's value stands for; takes its time where a command gives it.
    package var resolveHeader: @Sendable (SecretText) async throws -> String = { $0.description }
    /// Runs the commands again that give the credentials; nil where none does.
    package var renewCredentials: (@Sendable () async throws -> Void)?
    /// The profile that it is of, and the header fields that come from it.
    package var profile: (name: String, fields: [HTTPHeaders.Field])?
    /// The header fields, by their names in lower case, whose values came from the environment or a command.
    package var resolvedFields: Set<String> = []
    /// Why nothing is sent to it: the person has not allowed it yet.
    package var refusal: String?
    /// The server that is spoken to; `nil` for a URL that names none beyond doubt.
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

  let endpoint: Mutex<Endpoint>
  var client: GraphQLClient { endpoint.withLock { $0.client } }
  var replay: Replay? { endpoint.withLock { $0.replay } }
  let store: CacheStore
  /// What the store keeps fields by, beyond what a schema says.
  private let policies: CachePolicies
  private let example: String?
  /// What headers resolved to: it is in no recording.
  let secrets: SecretValues
  /// Where the documents lie.
  let folder: String
  let texts: TextService
  let filtering: ResponseFiltering
  let sessions = RunSessions()
  let log = WriteLog()
  private let observation = Mutex<CacheObservation?>(nil)
  private let listener = Mutex<Listener?>(nil)
  private let foreign = Mutex<OpenedCache?>(nil)
  private let undos = Mutex<[Undo]>([])
  private let recording = Mutex<RecordingFile?>(nil)
  var recordingFile: RecordingFile? { recording.withLock { $0 } }

  /// The other program's cache that is looked at.
  var openedCache: OpenedCache? { foreign.withLock { $0 } }
  /// The cache that the inspector shows.
  var inspected: CacheStore { openedCache?.store ?? store }
  func look(at other: OpenedCache?) { foreign.withLock { $0 = other } }

  func takeUndo() -> Undo? { undos.withLock { $0.popLast() } }
  func pushUndo(_ undo: Undo) { undos.withLock { $0 = Array($0.suffix(31)) + [undo] } }

  /// Who is told what happens without having been asked for. A type of its own, for a function that stands in a generic
  /// place itself is wrapped once more whenever it is lent out, until the stack does not hold the calls.
  private struct Listener {
    let send: ExplorerWorld.Send
  }

  func tell(_ action: Action) { listener.withLock { $0 }?.send(action) }

  /// `schema` asks the server for its schema, or reads it from a file; `example` is the query to open with, and
  /// without one it is made from the schema. `filterProgram` is what filters are run
  /// in; without one, the running program itself.
  package convenience init(
    client: GraphQLClient, example: String? = nil, filterProgram: String? = nil,
    schema: @escaping @Sendable () async throws -> Schema
  ) {
    self.init(
      Endpoint(client: client, fetchSchema: { _ in try await schema() }), example: example, filterProgram: filterProgram
    )
  }

  /// The cache is that of the endpoint's client; without one, nothing is kept and the inspector is empty.
  package init(
    _ endpoint: Endpoint, example: String? = nil, filterProgram: String? = nil,
    secrets: SecretValues = SecretValues(), folder: String = ".", documents: @escaping @Sendable () -> [String] = { [] }
  ) {
    self.secrets = secrets
    self.folder = folder
    texts = TextService(documents: documents)
    self.endpoint = Mutex(endpoint)
    filtering = ResponseFiltering(program: filterProgram)
    store = endpoint.client.store ?? CacheStore()
    policies = store.policies
    store.use(endpoint.keys, policies)
    self.example = example
    let observation = observe(store)
    self.observation.withLock { $0 = observation }
  }

  /// The request that reaches the endpoint and the schema, for an audit.
  package func auditSubject() throws -> (endpoint: HTTPRequest, schema: Schema?) {
    if replay != nil { throw WorldFailure("a recording has no server to audit") }
    if let refusal = endpoint.withLock({ $0.refusal }) { throw WorldFailure(refusal) }
    return (client.transport.endpoint, texts.schema)
  }

  /// Whether no endpoint is open yet.
  package var isUnopened: Bool { client.shownURL.isEmpty }

  /// Goes to another endpoint, whose client has the same store: what that holds is of the one before.
  package func connect(_ endpoint: Endpoint) async {
    self.endpoint.withLock { $0 = endpoint }
    texts.schema = nil
    texts.earlierSchema = nil
    sessions.removeAll()
    store.use(endpoint.keys, policies)
    look(at: nil)
    _ = try? await store.clear()
  }

  package var world: ExplorerWorld {
    var world = ExplorerWorld()
    world.loadSchema = { await self.loadSchema($0, $1) }
    world.run = { await self.run($0, $1) }
    world.listen = { send in self.listener.withLock { $0 = Listener(send: send) } }
    world.renewCredentials = { await self.renewCredentials() }
    world.forgetRun = { self.sessions.remove($0) }
    world.loadPages = { await self.loadPages($0, $1, of: $2, $3) }
    world.offerPaging = { self.texts.offerPaging($0, at: $1) }
    world.filter = { await self.filtering.filter($0, $1) }
    world.writeFile = { Self.write($1, to: $0) }
    world.useExchangeFormats(secrets: secrets)
    world.writeRequest = { self.write($0, as: $1) }
    world.openLink = { await LinkOpener.open($0) }
    world.saveRun = { self.save(run: $0, to: $1) }
    world.record = { self.record(to: $0) }
    world.readAgain = { await self.readAgain($0, $1) }
    world.measureCacheUse = { await self.cacheUse(of: $0) }
    world.fetchAgain = { await self.fetchAgain($0, $1) }
    world.analyse = { self.texts.analyse($0, version: $1) }
    world.analyseVariables = { self.texts.analyseVariables($0, version: $1, query: $2, offset: $3) }
    world.complete = { self.texts.complete($0, at: $1) }
    world.completeVariables = { self.texts.completeVariables($0, at: $1, query: $2, offset: $3) }
    world.answer = { await self.answer($0) }
    world.fillForm = { self.texts.rows(of: $0) }
    world.format = { self.texts.format($0) }
    world.listRecords = { await self.listRecords($0) }
    world.openRecord = { await self.openRecord($0, at: $1) }
    world.findRecord = { await self.findRecord(of: $0, at: $1, $2) }
    world.findPlace = { await self.findPlace(of: $0, in: $1) }
    world.previewEdit = { await self.preview($0) }
    world.editCache = { try await self.perform($0) }
    world.openCache = { await self.openCache($0) }
    world.openWriteOfPart = { self.log.number(ofPart: $0, run: $1).flatMap { self.log.opened($0) } }
    world.listWrites = { self.log.lines }
    world.openWrite = { self.log.opened($0) }
    world.openWriteOf = { record, field in
      self.log.number(ofLastWriteTo: record, field: field).flatMap { self.log.opened($0) }
    }
    world.wait = { try? await Task.sleep(for: $0) }
    return world
  }

  private func renewCredentials() async -> Action {
    guard let renew = endpoint.withLock({ $0.renewCredentials }) else {
      return .operationFailed("No command gives the credentials of this endpoint")
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
      return .operationFailed("This run is not remembered any more: run it again")
    }
    return exchange.save(session, to: path, secrets)
  }

  private func record(to path: String?) -> Action {
    guard let path else {
      let file = recording.withLock { file in
        defer { file = nil }
        return file
      }
      do {
        try file?.check()
      } catch {
        return .operationFailed("\(error)")
      }
      return .recordingChanged(nil)
    }
    do {
      let file = try RecordingFile(path, secrets: secrets)
      recording.withLock { $0 = file }
      return .recordingChanged(path)
    } catch {
      return .operationFailed("\(error)")
    }
  }

  // MARK: The schema

  private func loadSchema(_ request: SchemaRequest, _ send: ExplorerWorld.Send) async {
    let endpoint = endpoint.withLock { $0 }
    switch request {
    case .server(let headers): await loadSchema(of: endpoint, headers, send)
    case .file(let path):
      do {
        let schema = try await endpoint.readSchema(path)
        if Task.isCancelled { return }
        use(schema, send)
        send(.schema(.noted("from \(PlainText.line(path))")))
      } catch {
        send(.schema(.failed("\(error)")))
      }
    }
  }

  /// First the schema that is kept, if any, then the server's in its place.
  private func loadSchema(of endpoint: Endpoint, _ headers: TabHeaders, _ send: ExplorerWorld.Send) async {
    if let refusal = endpoint.refusal { return send(.schema(.failed(refusal))) }
    let kept = await endpoint.keptSchema()
    if Task.isCancelled { return }
    if let kept {
      use(kept.schema, send)
      send(.schema(.noted(kept.note)))
    }
    do {
      let schema = try await endpoint.fetchSchema(try await resolved(headers, for: endpoint))
      // It is of the endpoint before.
      if Task.isCancelled { return }
      use(schema, send)
      send(.schema(.noted(nil)))
      guard let kept else { return }
      let count = SchemaChanges(from: kept.schema, to: schema).count
      guard count > 0 else { return }
      texts.earlierSchema = (kept.schema, kept.note)
      send(.schema(.changed(count)))
    } catch {
      // Another one is asked for by now.
      if Task.isCancelled { return }
      if kept == nil { return send(.schema(.failed("\(error)"))) }
      send(.operationFailed("The schema is an older one: \(error)"))
    }
  }

  /// What the schema was before is read only when somebody asks.
  private func answer(_ question: WritingQuestion) async -> WritingAnswer {
    if case .schemaPage(.changes) = question, texts.earlierSchema == nil {
      texts.earlierSchema = await endpoint.withLock { $0 }.earlierSchema()
    }
    return texts.answer(question)
  }

  private func use(_ schema: Schema, _ send: ExplorerWorld.Send) {
    texts.schema = schema
    var (keys, policies) = (endpoint.withLock { $0.keys }, self.policies)
    keys.adopt(schema)
    policies.adopt(schema)
    store.use(keys, policies)
    let types = schema.types.count { !$0.name.hasPrefix("__") }
    send(.schema(.loaded(typeCount: types, example: example ?? ExampleQuery.derive(from: schema))))
  }
}
