import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusClientRequests
import ApusClientSubscriptions
import ApusExplorerCore
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusJSON
import ApusSecrets

/// Running operations, from the document to the last result.
extension LiveEnvironment {
  var runEnvironment: RunEnvironment {
    var environment = RunEnvironment()
    environment.start = { await self.run($0, $1) }
    environment.policyChanged = { id, policy in self.sessions.change(id) { $0.watchPolicy = policy } }
    environment.forget = { self.sessions.remove($0) }
    environment.loadPages = { await self.loadPages($0, $1, of: $2, $3) }
    environment.reread = { await self.reread($0, $1) }
    environment.refetch = { await self.refetch($0, $1) }
    environment.measureCacheUse = { await self.cacheUse(of: $0) }
    environment.findRecord = { await self.findRecord(of: $0, at: $1, $2) }
    environment.findPath = { await self.findPath(to: $1, in: $0) }
    environment.openWrite = { run, payload in
      guard let session = self.sessions[run] else { return nil }
      return self.log.number(ofPayload: payload, of: session).flatMap { self.log.opened($0) }
    }
    environment.save = { self.save(run: $0, to: $1) }
    return environment
  }

  /// Returns the options for a policy. Each payload is written after it has been shown. A cache-only run shows whatever
  /// the cache has.
  private static func options(_ policy: CachePolicy) -> RequestOptions {
    var options = RequestOptions(
      cachePolicy: policy, allowsPartialReads: !policy.usesNetwork, cacheWrites: .incremental)
    options.cacheWriteTiming = .afterResult
    return options
  }

  func run(_ given: RunRequest, _ send: ExplorerEnvironment.Send) async {
    if let number = given.observed { return await follow(number, as: given.id, send) }
    let operation: DynamicOperation
    let uploads: UploadFiles
    let references: ReferenceValues
    var request = given
    do throws(RunError) {
      references = try await referenceValues(of: given.draft, given.headers, at: endpoint)
      request.fill(references)
    } catch {
      return send(.run(given.id, .failed(error)))
    }
    let document = editors.shared.completing(request.draft.query.parsable, isForRun: true)
    if let refusal = endpoint.refusal { return send(.run(request.id, .failed(RunError(.document, refusal)))) }
    // Text that was filled in no longer knows its missing secrets.
    if endpoint.replay == nil, let secret = given.draft.missingSecret {
      let message = "Nothing was sent: the value of '\(secret)' is missing, because secrets are not saved"
      return send(.run(request.id, .failed(RunError(.document, message))))
    }
    do throws(RunError) {
      (operation, uploads) = try compile(request, document)
    } catch {
      return send(.run(request.id, .failed(error)))
    }
    if !uploads.requested.isEmpty { return send(.run(request.id, .uploadAsked(uploads.requested))) }
    var options = Self.options(request.draft.cachePolicy)
    if let seconds = request.draft.options.timeLimit {
      var timeouts = endpoint.client.timeouts
      timeouts.total = .seconds(seconds)
      options.timeouts = timeouts
    }
    do throws(RunError) {
      options.extensions = try extensions(of: request, for: endpoint)
    } catch {
      return send(.run(request.id, .failed(error)))
    }
    options.onError = request.draft.options.onError ?? endpoint.onError
    if operation.compiled.operationType == .subscription {
      options.replacingField = responseCredential.withLock { $0?.payloadField }
      do throws(RunError) {
        options.subscriptionURL = try subscriptionURL(of: request, for: endpoint)
      } catch {
        return send(.run(request.id, .failed(error)))
      }
    }
    do throws(EnvironmentError) {
      options.headers = try await resolved(request.headers, for: endpoint, references: references.all)
    } catch {
      return send(.run(request.id, .failed(RunError(.document, error.message))))
    }
    var session = RunSession(
      id: request.id, operation: operation, text: document, options: options, files: uploads.files,
      client: withResponseCredential(endpoint.client).sending(operation, with: request.draft.options),
      hasRenewableCredentials: endpoint.renewCredentials != nil,
      start: try? await store.snapshot())
    let typed = request.headers.filter { (try? SecretText($0.value))?.isLive == true }
    session.resolvedFields = endpoint.resolvedFields.union(typed.map { $0.name.lowercased() })
    if let credential = responseCredential.withLock({ $0 }) {
      session.resolvedFields.insert(credential.name.lowercased())
    }
    sessions.add(session)
    let compiled = operation.compiled
    send(
      .run(
        request.id,
        .started(
          OperationInfo(
            name: compiled.name, kind: compiled.operationType.rawValue,
            hidden: HiddenFields(of: compiled.selections), startedAt: .now))))
    await receive(request.id, options, send)
  }

  /// Resolves the headers of a tab for a request and registers the values as secrets. Every request with a tab's
  /// headers gets them here; headers of another server are refused.
  func resolved(
    _ lines: TabHeaders, for endpoint: Endpoint, references: [String: String] = [:]
  ) async throws(EnvironmentError) -> HTTPHeaders {
    var headers = HTTPHeaders()
    guard !lines.isEmpty, endpoint.replay == nil else { return headers }
    guard let origin = endpoint.origin, lines.origin == origin else {
      throw EnvironmentError(
        "Nothing was sent: the headers belong to another server than \(endpoint.client.redactedURL)")
    }
    for line in lines {
      do {
        let text = try SecretText(line.value).filled(references)
        let value = try await endpoint.resolveHeader(text)
        secrets.add(header: line.name, value, isLive: text.isLive)
        headers.add(name: line.name, value: value)
      } catch {
        throw EnvironmentError("Header \(line.name): \(error)")
      }
    }
    return headers
  }

  /// Runs a session's operation and sends its results as they arrive.
  func receive(_ id: Int, _ options: RequestOptions, _ send: ExplorerEnvironment.Send) async {
    guard let session = sessions[id] else { return }
    let operation = session.operation
    secrets.add(document: session.text, variables: operation.variables, extensions: options.extensions)
    let traffic = TrafficRecorder()
    let exchange = SavedExchange()
    sessions.change(id) { $0.exchange = exchange }
    let recording = RunRecorder {
      [recordingFile, url = session.client.redactedURL, policy = options.cachePolicy, onError = options.onError] in
      recordingFile?.startRequest(
        url: url, operationName: operation.compiled.name, query: session.text, variables: operation.variables,
        cachePolicy: policy, onError: onError)
    }
    let monitor = RequestMonitor(
      keepsParts: false,
      onRequest: { [secrets] in
        traffic.record($0, secrets, resolved: session.resolvedFields)
      }
    ) { [secrets] observation in
      if case .head(let head) = observation {
        for cookie in head.headers.values(of: "Set-Cookie") { secrets.add(setCookie: cookie) }
      }
      traffic.record(observation)
      recording.record(observation)
      exchange.record(observation)
    }
    let request = RequestID()
    var options = options
    options.monitor = monitor
    options.requestID = request
    if session.isQuery { options.watch = session.watch }
    sessions.change(id) { $0.begin(request) }
    async let sentTraffic: Void = sendTraffic(traffic, of: monitor, run: id, send)
    let backlog = FlowControl()
    var newest = PageableListCache()
    let failure: (any Error)?
    do {
      let results = results(of: operation, by: session.client, options, files: session.files) { note in
        send(.run(id, .noted(note)))
      }
      for try await result in results {
        let receipt = await backlog.receipt(for: result.byteCount)
        sessions.change(id) { $0.receive(result, of: request) }
        if newest.mustLook(after: result) { newest.lists = await lists(of: operation, in: result.data) }
        var shown = RunResult(result, lists: newest.lists)
        if result.source == .cache, result.completeness == .partial { shown.missing = await missing(in: result, id) }
        send(.run(id, .resultReceived(shown)))
        send(.receiptReleased(receipt))
      }
      failure = nil
    } catch {
      failure = error
    }
    traffic.finish()
    await sentTraffic
    let error = Task.isCancelled ? "canceled" : failure.map { "\($0)" }
    let exitCode = Task.isCancelled ? 130 : failure.map(GraphQLClientError.exitCode(for:)) ?? 0
    recording.end(error: error, exitCode: exitCode)
    exchange.end(error: error, exitCode: exitCode)
    // A user who cancels needs no message.
    if !Task.isCancelled, !(failure is CancellationError) {
      let readsCache = options.cachePolicy.readsCacheFirst || options.cachePolicy.fallsBackToCache
      if session.isQuery, readsCache, options.refetchDepth == 0 {
        send(.run(id, .cacheUseFound(await cacheUse(of: id))))
      }
      var failed = failure.map { RunError($0) }
      if session.hasRenewableCredentials, case GraphQLClientError.status(let status)? = failure, status.code == 401 {
        failed?.message += "; \(Self.renewalAdvice)"
      }
      send(failed.map { .run(id, .failed($0)) } ?? .run(id, .completed))
      requestSignIn(after: failure, send)
      if session.hasRenewableCredentials, sessions[id]?.isRejected(withStatus: traffic.traffic.failedStatus) == true {
        send(.run(id, .noted("The server rejects the credentials; \(Self.renewalAdvice)")))
      }
      if let problem = session.client.transport.endpoint.connection.cookieProblems?.takeUnreported() {
        send(.run(id, .noted("The cookies were not saved: \(SingleLineText.line(problem))")))
      }
    }
    finish(id, send)
  }

  private static let renewalAdvice =
    "\"\(Command.renewCredentialsTitle)\" (Ctrl-P) runs the credentials command again"

  /// Ends one task of a run. Cache changes by others that arrived in the meantime are now processed.
  func finish(_ id: Int, _ send: ExplorerEnvironment.Send) {
    if sessions.change(id, { $0.end() }) == true { send(.cacheChanged(runs: [id])) }
  }

  /// Returns the results of an operation, from the client or from a recording. The client belongs to the run, so that
  /// its headers are never sent to another endpoint.
  func results(
    of operation: DynamicOperation, by client: GraphQLClient, _ options: RequestOptions, files: [GraphQLFile] = [],
    isPage: Bool = false, onNote: (String) -> Void = { _ in }
  ) -> GraphQLClient.Results<JSONValue> {
    if let replay {
      do {
        let answer = try replay.answer(to: operation, isPage: isPage, options, store)
        if let note = answer.note { onNote(note) }
        return answer.results
      } catch {
        return .finished(throwing: error)
      }
    }
    if !files.isEmpty { return client.upload(operation: operation, files: files, options: options) }
    return switch operation.compiled.operationType {
    case .query: client.fetch(query: operation, options: options)
    case .mutation: client.perform(mutation: operation, options: options)
    case .subscription: client.subscribe(subscription: operation, options: options)
    }
  }

  /// Sends the latest traffic, each time after the previous update has been processed.
  private func sendTraffic(
    _ notes: TrafficRecorder, of monitor: RequestMonitor, run id: Int, _ send: ExplorerEnvironment.Send
  ) async {
    let backlog = FlowControl(countLimit: 1)
    for await _ in notes.news {
      let receipt = await backlog.receipt(for: 0)
      var traffic = notes.traffic
      traffic.format = monitor.facts.agreedFormat
      send(.run(id, .trafficObserved(traffic)))
      send(.receiptReleased(receipt))
    }
  }

  private func compile(
    _ request: RunRequest, _ text: String
  ) throws(RunError) -> (DynamicOperation, UploadFiles) {
    let document = Document(parsing: text)
    if let problem = document.diagnostics.first {
      let location = document.source.location(at: problem.range.lowerBound)
      throw RunError(.document, "Line \(location.line), column \(location.column): \(problem.message)")
    }
    guard let chosen = LanguageService(document: document, schema: nil).operation(at: request.offset) else {
      throw RunError(.document, "The document has no operation")
    }
    if chosen.name == nil, document.operations.count > 1 {
      throw RunError(
        .document, "An anonymous operation must be the only one in the document: name it or move it to its own tab")
    }
    let variables = try object(request.draft.variables.parsable, of: "variables")
    let uploads = try UploadFiles(
      of: chosen, variables: variables, request, schema: editors.schema, folder: folder(of: request))
    let operation: DynamicOperation
    do throws(CompileError) {
      let compiled = try CompiledOperation.compile(
        document, operationName: chosen.name?.value, schema: editors.schema,
        options: store.resolver.compileOptions)
      operation = DynamicOperation(compiled: compiled, variables: variables)
    } catch {
      throw RunError(.document, "\(error)")
    }
    if endpoint.replay == nil, let secret = operation.missingSecret(declaredIn: text) {
      throw RunError(.variables, "Nothing was sent: add the secret '\(secret)' to the variables")
    }
    return (operation, uploads)
  }

  private func folder(of request: RunRequest) -> String {
    if request.folder.hasPrefix("/") { return request.folder }
    return request.folder.isEmpty ? folder : "\(folder)/\(request.folder)"
  }

  /// Returns the extensions of a request; extensions of another server are refused.
  private func extensions(of request: RunRequest, for endpoint: Endpoint) throws(RunError) -> JSONValue {
    guard request.draft.extensions.isEmpty || endpoint.replay != nil || request.extensionsOrigin == endpoint.origin
    else {
      let url = endpoint.client.redactedURL
      throw RunError(.document, "Nothing was sent: the extensions belong to another server than \(url)")
    }
    return try object(request.draft.extensions.parsable, of: "extensions")
  }

  /// Returns the tab's URL of subscriptions, `nil` for that of the endpoint; one of another server is refused.
  private func subscriptionURL(of request: RunRequest, for endpoint: Endpoint) throws(RunError) -> String? {
    let options = request.draft.options
    guard !options.subscriptionURL.isEmpty, endpoint.replay == nil else { return nil }
    guard options.subscriptionOrigin == endpoint.origin else {
      throw RunError(
        .document,
        "Nothing was sent: the URL of subscriptions belongs to another server than \(endpoint.client.redactedURL); "
          + "change it in the request options")
    }
    guard !options.subscriptionURL.contains(Redactor.mark) else {
      throw RunError(
        .document, "Nothing was sent: the URL of subscriptions lacks a secret, which was not saved; enter it again")
    }
    if let name = TemplateText.openName(inHostOf: options.subscriptionURL) {
      throw RunError(
        .variables,
        "Nothing was sent: {{\(name)}} of the URL of subscriptions has no value; define it in the environment of a profile"
      )
    }
    guard WebURL.isServer(options.subscriptionURL) else {
      throw RunError(
        .variables, "Nothing was sent: the URL of subscriptions must begin with https://, http://, wss:// or ws://")
    }
    secrets.add(url: options.subscriptionURL)
    return options.subscriptionURL
  }

  /// Parses a JSON object, which may have comments and trailing commas; `name` identifies it in error messages.
  private func object(_ text: String, of name: String) throws(RunError) -> JSONValue {
    guard !text.allSatisfy(\.isWhitespace) else { return .object([]) }
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONDocument(parsingRelaxed: text).root
    } catch {
      throw RunError(.variables, "The \(name) are not JSON: \(error)")
    }
    guard value.kind == .object else { throw RunError(.variables, "The \(name) must be a JSON object") }
    return value
  }

  private func save(run id: Int, to path: String) -> Action {
    guard let session = sessions[id], let exchange = session.exchange else {
      return .operationFailed("The run is no longer stored: run the operation again")
    }
    return exchange.save(session, to: path, secrets)
  }
}

extension GraphQLClient {
  /// The client, or one that sends an operation in another form.
  fileprivate func sending(_ operation: DynamicOperation, with options: RunOptions) -> GraphQLClient {
    guard options.usesGET || options.usesPersistedQueries else { return self }
    return changingFeatures { features in
      features.usesGET = options.usesGET
      features.persistedQueries = options.usesPersistedQueries ? PersistedQueryOptions() : nil
    }
  }
}

/// The pageable lists of the latest result that was searched. If many payloads arrive in quick succession, only some
/// are searched, always including the first and the last.
private struct PageableListCache {
  var lists: [PagedList] = []
  private var lastLook: ContinuousClock.Instant?

  mutating func mustLook(after result: GraphQLResult<JSONValue>) -> Bool {
    let now = ContinuousClock.now
    if result.completeness == .partial, result.payloadIndex > 0, let lastLook, now - lastLook < .milliseconds(50) {
      return false
    }
    lastLook = now
    return true
  }
}
