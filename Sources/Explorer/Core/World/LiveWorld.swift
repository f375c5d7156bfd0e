import ClientAPI
import ClientCache
import ClientCore
import ClientFormats
import ClientOperation
import ClientPagination
import ClientRequestChain
import GraphQLLanguage
import GraphQLLanguageService
import GraphQLSchema
import JSON
import Secrets
import Synchronization

/// The world as it is: a client that reaches the endpoint, the cache, and the texts read with the endpoint's schema.
///
/// A part of a response is shown first and written to the cache after, in a task of its own, so that neither drawing it
/// nor the part behind it waits for the cache.
package final class LiveWorld: Sendable {
  /// What is remembered of a run, to read it again, to fetch it again, and to page on.
  struct LiveRun: Sendable {
    let id: Int
    let operation: DynamicOperation
    /// The newest result of the operation itself.
    var result: GraphQLResult<JSONValue>?
    /// What is shown: the result's data with the pages that were loaded behind it.
    var data: JSONValue?
    /// Who loads the pages of each list that was paged, by the list's place.
    var pagers: [ResponsePath: LivePager] = [:]
    /// The pages that were loaded, in the order in which they were merged.
    var pages: [LoadedPage] = []
    var options = LiveWorld.options
    /// The document as it was asked for, with the fragments of other files.
    var text = ""
    /// What goes along with it.
    var files: [GraphQLFile] = []
  }

  /// The endpoint in use: a client for it, and where its schema comes from.
  package struct Endpoint: Sendable {
    package var client: GraphQLClient
    /// A schema that is at hand already, and a word on it, its age.
    package var keptSchema: @Sendable () async -> (schema: Schema, note: String)?
    package var fetchSchema: @Sendable () async throws -> Schema
    /// The schema as it was before it changed last, and a word on when that was.
    package var earlierSchema: @Sendable () async -> (schema: Schema, age: String)? = { nil }
    /// Answers in the server's place, where what was recorded is shown again.
    package var replay: Replay?
    /// How its objects get their keys in the cache.
    package var keys: CacheKeyResolver
    /// What a header's value stands for; takes its time where a command gives it.
    package var resolveHeader: @Sendable (SecretText) async throws -> String = { $0.description }
    /// Why nothing is sent to it: the person has not allowed it yet.
    package var refusal: String?

    package init(
      client: GraphQLClient, keys: CacheKeyResolver = CacheKeyResolver(),
      keptSchema: @escaping @Sendable () async -> (schema: Schema, note: String)? = { nil },
      fetchSchema: @escaping @Sendable () async throws -> Schema
    ) {
      self.client = client
      self.keys = keys
      self.keptSchema = keptSchema
      self.fetchSchema = fetchSchema
    }
  }

  private let endpoint: Mutex<Endpoint>
  var client: GraphQLClient { endpoint.withLock { $0.client } }
  var replay: Replay? { endpoint.withLock { $0.replay } }
  let store: CacheStore
  /// What the store keeps fields by, beyond what a schema says.
  private let policies: CachePolicies
  private let example: String?
  /// What headers resolved to: it is in no recording.
  private let secrets: SecretValues
  /// Where the documents lie.
  private let folder: String
  let texts: TextService
  let filtering: ResponseFiltering
  /// The newest runs, the last one last: each tab goes on with its own.
  private let runs = Mutex<[LiveRun]>([])
  private static let runLimit = 24
  let past = Mutex(CachePast())
  let log = WriteLog()
  private let foreign = Mutex<LookedAt?>(nil)
  private let undos = Mutex<[Undo]>([])
  private let recording = Mutex<RecordingFile?>(nil)
  var recordingFile: RecordingFile? { recording.withLock { $0 } }

  var newestRun: LiveRun? { runs.withLock { $0.last } }

  /// The other program's cache that is looked at.
  var lookedAt: LookedAt? { foreign.withLock { $0 } }
  /// The cache that the inspector shows.
  var inspected: CacheStore { lookedAt?.store ?? store }
  func look(at other: LookedAt?) { foreign.withLock { $0 = other } }

  func takeUndo() -> Undo? { undos.withLock { $0.popLast() } }
  func pushUndo(_ undo: Undo) { undos.withLock { $0 = Array($0.suffix(31)) + [undo] } }

  /// A run, if it is still remembered.
  func run(_ id: Int) -> LiveRun? {
    runs.withLock { $0.last { $0.id == id } }
  }

  func changeRun(_ id: Int, _ change: (inout LiveRun) -> Void) {
    runs.withLock { runs in
      guard let place = runs.lastIndex(where: { $0.id == id }) else { return }
      change(&runs[place])
    }
  }

  /// `schema` asks the server for its schema, or reads it from a file; `example` is the query to open with, and
  /// without one it is made from the schema. `filterProgram` is what filters are run
  /// in; without one, the running program itself.
  package convenience init(
    client: GraphQLClient, store: CacheStore, example: String? = nil, filterProgram: String? = nil,
    schema: @escaping @Sendable () async throws -> Schema
  ) {
    self.init(
      Endpoint(client: client, fetchSchema: schema), store: store, example: example, filterProgram: filterProgram)
  }

  package init(
    _ endpoint: Endpoint, store: CacheStore, example: String? = nil, filterProgram: String? = nil,
    secrets: SecretValues = SecretValues(), folder: String = ".", documents: @escaping @Sendable () -> [String] = { [] }
  ) {
    self.secrets = secrets
    self.folder = folder
    texts = TextService(documents: documents)
    self.endpoint = Mutex(endpoint)
    filtering = ResponseFiltering(program: filterProgram)
    self.store = store
    policies = store.policies
    store.use(endpoint.keys, policies)
    self.example = example
  }

  /// Goes to another endpoint: what the cache holds is of the one before.
  package func connect(_ endpoint: Endpoint) async {
    self.endpoint.withLock { $0 = endpoint }
    texts.schema = nil
    texts.earlierSchema = nil
    runs.withLock { $0 = [] }
    store.use(endpoint.keys, policies)
    look(at: nil)
    _ = try? await store.clear()
  }

  package var world: ExplorerWorld {
    var world = ExplorerWorld()
    world.loadSchema = { await self.loadSchema($0) }
    world.run = { await self.run($0, $1) }
    world.viewPart = { run, part in self.past.withLock { $0.view(part, of: run) } }
    world.loadPages = { await self.loadPages($0, $1, of: $2, $3) }
    world.offerPaging = { self.texts.offerPaging($0, at: $1) }
    world.filter = { await self.filtering.filter($0, $1) }
    world.writeFile = { Self.write($1, to: $0) }
    world.openLink = { await Link.open($0) }
    world.record = { self.record(to: $0) }
    world.readAgain = { await self.readAgain($0, $1) }
    world.fetchAgain = { await self.fetchAgain($0, $1) }
    world.analyse = { self.texts.analyse($0, version: $1) }
    world.analyseVariables = { self.texts.analyseVariables($0, version: $1, query: $2, offset: $3) }
    world.complete = { self.texts.complete($0, at: $1) }
    world.completeVariables = { self.texts.completeVariables($0, at: $1, query: $2, offset: $3) }
    world.answer = { await self.answer($0) }
    world.fillForm = { self.texts.rows(of: $0) }
    world.format = { self.texts.format($0) }
    world.listRecords = { await self.listRecords($0, $1) }
    world.openRecord = { await self.openRecord($0) }
    world.previewEdit = { await self.preview($0) }
    world.editCache = { try await self.perform($0) }
    world.openCache = { await self.openCache($0) }
    world.openWriteOfPart = { self.log.number(ofPart: $0).flatMap { self.log.opened($0) } }
    world.listWrites = { self.log.lines }
    world.openWrite = { self.log.opened($0) }
    world.openWriteOf = { record, field in
      self.log.number(ofLastWriteTo: record, field: field).flatMap { self.log.opened($0) }
    }
    world.wait = { try? await Task.sleep(for: $0) }
    return world
  }

  // MARK: Running

  /// What a person runs goes to the server; the cache is written here, part by part.
  static let options = RequestOptions(cachePolicy: .networkOnly, cacheWrites: .never)

  private func run(_ request: RunRequest, _ send: ExplorerWorld.Send) async {
    let operation: DynamicOperation
    let uploads: UploadFiles
    let document = texts.shared.completing(request.text, isForRun: true)
    let endpoint = endpoint.withLock { $0 }
    if let refusal = endpoint.refusal { return send(.runFailed(request.id, RunFailure(.document, refusal))) }
    do throws(RunFailure) {
      (operation, uploads) = try compile(request, document)
    } catch {
      return send(.runFailed(request.id, error))
    }
    if !uploads.asked.isEmpty { return send(.uploadAsked(request.id, uploads.asked)) }
    var options = LiveWorld.options
    for header in request.headers {
      do {
        let text = try SecretText(header.value)
        let value = try await endpoint.resolveHeader(text)
        secrets.add(header: header.name, value, isLive: text.isLive)
        options.headers.add(name: header.name, value: value)
      } catch {
        return send(.runFailed(request.id, RunFailure(.document, "The header \(header.name): \(error)")))
      }
    }
    let started = LiveRun(id: request.id, operation: operation, options: options, text: document, files: uploads.files)
    runs.withLock { $0 = Array($0.suffix(Self.runLimit - 1)) + [started] }
    past.withLock { $0 = CachePast(run: request.id) }
    let compiled = operation.compiled
    send(
      .runStarted(
        request.id,
        RunningOperation(
          name: compiled.name, kind: compiled.operationType.rawValue,
          hidden: HiddenFields(of: compiled.selections))))
    await receive(operation, run: request.id, send)
  }

  func receive(_ operation: DynamicOperation, run id: Int, _ send: ExplorerWorld.Send) async {
    var options = self.run(id)?.options ?? LiveWorld.options
    let traffic = TrafficNotes()
    let recorded = recordingFile?.begin(
      url: client.shownURL, operationName: operation.compiled.name,
      query: self.run(id)?.text ?? operation.compiled.documentText, variables: operation.variables)
    let monitor = RequestMonitor(keepsParts: false) { observation in
      traffic.note(observation)
      recorded?.note(observation)
    }
    options.monitor = monitor
    let files = self.run(id)?.files ?? []
    let replay = replay
    let results =
      switch operation.compiled.operationType {
      case _ where replay != nil: replayed(operation, replay, send)
      case _ where !files.isEmpty: client.upload(operation: operation, files: files, options: options)
      case .query: client.fetch(query: operation, options: options)
      case .mutation: client.perform(mutation: operation, options: options)
      case .subscription: client.subscribe(subscription: operation, options: options)
      }
    async let told: Void = tell(traffic, of: monitor, run: id, send)
    let backlog = Backlog()
    let (shown, queue) = AsyncStream.makeStream(of: Delivery.self)
    async let written: Void = writeAll(shown, of: operation, run: id, send)
    let failure: (any Error)?
    do {
      for try await result in results {
        let receipt = await backlog.receipt(for: result.byteCount)
        changeRun(id) { run in
          run.result = result
          run.data = result.data
          run.pagers = [:]
          run.pages = []
        }
        send(.resultReceived(id, RunResult(result, lists: await lists(of: operation, in: result.data))))
        send(.deliveryTaken(receipt))
        queue.yield(Delivery(result: result, receipt: receipt))
      }
      failure = nil
    } catch {
      failure = error
    }
    queue.finish()
    await written
    traffic.finish()
    await told
    recorded?.end(
      error: Task.isCancelled ? "cancelled" : failure.map { "\($0)" },
      exitCode: Task.isCancelled ? 130 : failure.map(GraphQLClientError.exitCode(for:)) ?? 0)
    // The person who cancelled knows.
    guard !Task.isCancelled, !(failure is CancellationError) else { return }
    send(failure.map { .runFailed(id, RunFailure($0)) } ?? .runCompleted(id))
  }

  private func replayed(
    _ operation: DynamicOperation, _ replay: Replay?, _ send: ExplorerWorld.Send
  ) -> AsyncThrowingStream<GraphQLResult<JSONValue>, any Error> {
    do {
      guard let answer = try replay?.answer(to: operation) else { throw CancellationError() }
      if let note = answer.note { send(.answerNoted(note)) }
      return answer.results
    } catch {
      return .finished(throwing: error)
    }
  }

  /// A result on its way to the cache.
  private struct Delivery: Sendable {
    let result: GraphQLResult<JSONValue>
    let receipt: DeliveryReceipt
  }

  /// Tells what goes over the wire as it goes: the newest state of it, each time the one before has been looked at.
  private func tell(
    _ notes: TrafficNotes, of monitor: RequestMonitor, run id: Int, _ send: ExplorerWorld.Send
  ) async {
    let backlog = Backlog(countLimit: 1)
    for await _ in notes.news {
      let receipt = await backlog.receipt(for: 0)
      var traffic = notes.traffic
      traffic.format = monitor.facts.agreedFormat
      send(.trafficObserved(id, traffic))
      send(.deliveryTaken(receipt))
    }
  }

  /// Writes each part to the cache in its turn, beside the parts that are drawn meanwhile.
  private func writeAll(
    _ deliveries: AsyncStream<Delivery>, of operation: DynamicOperation, run id: Int, _ send: ExplorerWorld.Send
  ) async {
    for await delivery in deliveries {
      await write(delivery.result, of: operation.compiled, variables: operation.variables)
      withExtendedLifetime(delivery.receipt) {}
      if let snapshot = try? await store.snapshot() { past.withLock { $0.add(snapshot, to: id) } }
      send(.cacheChanged(touchesRun: false))
    }
  }

  private func compile(
    _ request: RunRequest, _ text: String
  ) throws(RunFailure) -> (DynamicOperation, UploadFiles) {
    let document = Document(parsing: text)
    if let problem = document.diagnostics.first {
      let place = document.source.location(at: problem.range.lowerBound)
      throw RunFailure(.document, "Line \(place.line), column \(place.column): \(problem.message)")
    }
    guard let chosen = LanguageService(document: document, schema: nil).operation(at: request.offset) else {
      throw RunFailure(.document, "There is no operation to run")
    }
    let variables = try variables(request.variables)
    let uploads = try UploadFiles(
      of: chosen, variables: variables, request, schema: texts.schema, folder: folder(of: request))
    do throws(CompileError) {
      let compiled = try CompiledOperation.compile(
        document, operationName: chosen.name?.value, schema: texts.schema,
        options: store.resolver.compileOptions)
      return (DynamicOperation(compiled: compiled, variables: variables), uploads)
    } catch {
      throw RunFailure(.document, "\(error)")
    }
  }

  private func folder(of request: RunRequest) -> String {
    if request.folder.hasPrefix("/") { return request.folder }
    return request.folder.isEmpty ? folder : "\(folder)/\(request.folder)"
  }

  private func variables(_ text: String) throws(RunFailure) -> JSONValue {
    guard !text.allSatisfy(\.isWhitespace) else { return .object([]) }
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONDocument(parsing: Array(text.utf8)).root
    } catch {
      throw RunFailure(.variables, "The variables are not JSON: \(error)")
    }
    guard value.kind == .object else { throw RunFailure(.variables, "The variables must be a JSON object") }
    return value
  }

  // MARK: Recording

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

  /// First the schema that is kept, if any, then the server's in its place.
  private func loadSchema(_ send: ExplorerWorld.Send) async {
    let endpoint = endpoint.withLock { $0 }
    if let refusal = endpoint.refusal { return send(.schemaFailed(refusal)) }
    let kept = await endpoint.keptSchema()
    if let kept {
      use(kept.schema, send)
      send(.schemaNoted(kept.note))
    }
    do {
      let schema = try await endpoint.fetchSchema()
      use(schema, send)
      send(.schemaNoted(nil))
      guard let kept else { return }
      let count = SchemaChanges(from: kept.schema, to: schema).count
      guard count > 0 else { return }
      texts.earlierSchema = (kept.schema, kept.note)
      send(.schemaChanged(count))
    } catch {
      if kept == nil { return send(.schemaFailed("\(error)")) }
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
    send(.schemaLoaded(typeCount: types, example: example ?? ExampleQuery.derive(from: schema)))
  }
}

extension RunResult {
  init(_ result: GraphQLResult<JSONValue>, lists: [PagedList]) {
    self.init(
      data: result.data, errors: result.errors, fragments: result.fragments, changedPaths: result.changedPaths,
      isComplete: result.response == .complete, isFromCache: result.source == .cache, part: result.part,
      elapsed: result.elapsed, byteCount: result.byteCount, lists: lists, extensions: result.extensions)
  }
}

extension RunFailure: Error {
  /// Errors of the client are one line each already.
  init(_ error: any Error) {
    switch error as? GraphQLClientError {
    case .network?: self.init(.network, "\(error)")
    case .status?: self.init(.server, "\(error)")
    default: self.init(.response, "\(error)")
    }
  }
}
