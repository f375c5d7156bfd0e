import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientNetwork
import ApusClientOperation
import ApusClientPagination
import ApusClientRequestChain
import ApusClientRequests
import ApusClientResultExecution
import ApusClientSubscriptions
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON
import ApusSecrets

/// `apus query`: runs one operation and prints its results.
struct QueryCommand: Sendable {
  private let endpoint: HTTPRequest
  private let subscriptions: SubscriptionOptions
  /// Values that must not be recorded or printed.
  private let secrets = StandardStreams.secrets
  /// The cache file, if there is one. Fields that are added to the operation for the cache are removed from the output.
  private let database: String?
  private let arguments: ParsedArguments
  private let document: Document
  private let variables: JSONValue
  private let singleVariables: [VariableArgument]
  private let features: RequestFeatures
  private let options: RequestOptions
  private let files: [GraphQLFile]
  private let printer: ResultPrinter
  private let maximumResults: Int?
  private let recordingPath: String?
  /// Whether to load all pages of the result's list, and the maximum number of pages.
  private let allPages: Bool
  private let pageLimit: Int?

  init(_ arguments: ParsedArguments) throws(CommandError) {
    let reached = try EndpointRequest.reached(arguments.operands[0], arguments, secrets: secrets)
    var endpoint = reached.request
    if arguments.has("verbose") { endpoint.connection.trace = TransportOptions.trace(hiding: secrets) }
    self.endpoint = endpoint
    let profile = try EndpointRequest.profile(named: arguments.operands[0], arguments)
    subscriptions = try TransportOptions.subscriptions(
      arguments, profile: profile, reached.renewable, secrets: secrets)
    database = arguments.value("db")
    if let database { try CacheFile.check(database) }
    let isForCache =
      arguments.value("cache-policy") != nil || arguments.has("partial") || arguments.has("cache-control")
    guard database != nil || !isForCache else {
      throw .usage("--cache-policy, --cache-control and --partial need --db FILE", command: "query")
    }
    self.arguments = arguments
    document = try Self.document(arguments)
    let (values, environment) = (secrets, profile)
    func filled(_ text: String, _ syntax: TemplateText.Syntax) throws(CommandError) -> String {
      try ProfileReferences.filled(text, syntax, environment, arguments, values)
    }
    variables = try Self.object("variables", arguments) { (text) throws(CommandError) in try filled(text, .json) }
    singleVariables = try arguments.values("var").map { (word) throws(CommandError) in
      try VariableArgument(try filled(word, .plain))
    }
    var features = RequestFeatures()
    features.renewableHeaders = reached.renewable
    features.usesGET = arguments.has("get")
    if arguments.has("persisted") { features.persistedQueries = PersistedQueryOptions() }
    if let retries = try arguments.count("retry"), retries > 0 { features.retry = RetryPolicy() }
    self.features = features
    files = try TransportOptions.files(arguments)
    recordingPath = arguments.value("record")
    var options = RequestOptions(cachePolicy: .networkOnly, cacheWrites: .never)
    if database != nil {
      options.cachePolicy = arguments.choice("cache-policy", default: CachePolicy.cacheFirst)
      options.cacheWrites = .whenComplete
    }
    options.incremental = arguments.choice("incremental", default: IncrementalDelivery.automatic)
    options.allowsPartialReads = arguments.has("partial")
    options.extensions = try Self.object("extensions", arguments) { (text) throws(CommandError) in
      try filled(text, .json)
    }
    options.onError =
      arguments.value("on-error").flatMap { ErrorBehavior(rawValue: $0) } ?? profile?.errorBehavior
    if let retries = try arguments.count("retry") { options.maximumRetries = retries }
    self.options = options
    printer = ResultPrinter(
      format: arguments.choice("output", default: ResultFormat.json),
      filter: arguments.value("jq").map { ResultFilter($0) }, isRaw: arguments.has("raw-output"))
    if arguments.has("raw-output"), arguments.value("jq") == nil {
      throw .usage("--raw-output needs --jq", command: "query")
    }
    maximumResults = try arguments.count("max-results")
    allPages = arguments.has("all-pages")
    pageLimit = try arguments.count("page-limit")
    if pageLimit == 0 { throw .usage("--page-limit takes a number of one or more", command: "query") }
    if pageLimit != nil, !allPages { throw .usage("--page-limit needs --all-pages", command: "query") }
    if maximumResults == 0 { throw .usage("--max-results takes a number of one or more", command: "query") }
  }

  /// Returns the operation to run. Errors that need no schema are reported before the schema is fetched, so that nothing is
  /// sent.
  private func operation(_ keys: inout CacheConfiguration) async throws(CommandError) -> DynamicOperation {
    let plain = try compiled(schema: nil, keys)
    try check(plain)
    let plainVariables = try VariableArgument.add(singleVariables, to: variables, of: plain, schema: nil)
    try await printer.filter?.check()
    guard let source = arguments.value("schema") else {
      return DynamicOperation(compiled: plain, variables: plainVariables)
    }
    let schema = try await SchemaSource.load(source, arguments)
    secrets.setPlaces(for: source, schema.secretPlaces)
    if document.diagnostics.isEmpty, let problem = Validator.validate(document, schema: schema).first {
      let place = problem.locations.first.map { ":\($0.line):\($0.column)" } ?? ""
      throw CommandError(exitCode: .resultErrors, message: "\(document.source.name)\(place): \(problem.message)")
    }
    keys.adopt(schema)
    do throws(CommandError) {
      let variables = try VariableArgument.add(singleVariables, to: variables, of: plain, schema: schema)
      return DynamicOperation(compiled: try compiled(schema: schema, keys), variables: variables)
    } catch {
      throw CommandError(exitCode: afterFetching(error.exitCode), message: error.message)
    }
  }

  /// Returns the exit code after the schema was fetched: 2 would mean that nothing was sent.
  private func afterFetching(_ code: ExitCode) -> ExitCode {
    guard code == .usageError, let source = arguments.value("schema"), !SchemaSource.isFile(source) else { return code }
    return .resultErrors
  }

  private func compiled(schema: Schema?, _ keys: CacheConfiguration) throws(CommandError) -> CompiledOperation {
    do throws(CompileError) {
      return try CompiledOperation.compile(
        document, operationName: arguments.value("operation"), schema: schema,
        options: database == nil ? CompileOptions() : keys.resolver.compileOptions)
    } catch {
      switch error {
      case .severalOperations where document.hasErrors, .noOperation where document.hasErrors:
        throw CommandError(exitCode: .resultErrors, message: syntaxError)
      case .syntax where document.source.bytes.allSatisfy { $0 <= 0x20 }:
        throw CommandError(
          exitCode: .resultErrors,
          message: "\(document.source.name) is empty; write an operation such as '{ __typename }'")
      case .unknownOperation, .severalOperations:
        throw CommandError(exitCode: .usageError, message: "\(error) (--operation NAME)")
      case .syntax, .invalid, .noOperation, .noFragment, .severalFragments, .unknownFragment, .fragmentCycle, .tooDeep:
        throw CommandError(exitCode: .resultErrors, message: "\(document.source.name): \(error)")
      }
    }
  }

  /// The first syntax error of the document.
  private var syntaxError: String {
    let place = document.diagnostics.first.map { document.source.location(at: $0.range.lowerBound) }
    return "\(document.source.name): syntax error at \(place?.line ?? 1):\(place?.column ?? 1): "
      + (document.diagnostics.first?.message ?? "")
  }

  private static func document(_ arguments: ParsedArguments) throws(CommandError) -> Document {
    switch (arguments.value("query"), arguments.value("file")) {
    case (let text?, nil): return Document(parsing: text, name: "--query")
    case (nil, let file?): return try LocalFile.document(file)
    case (nil, nil):
      let bytes = StandardStreams.inputIsPiped ? try LocalFile.read("-") : []
      guard !bytes.isEmpty else {
        throw .usage("the document is missing: use --query TEXT, --file FILE or standard input", command: "query")
      }
      return Document(parsing: bytes, name: "standard input")
    default: throw .usage("use either --query or --file, not both", command: "query")
    }
  }

  private static func object(
    _ option: String, _ arguments: ParsedArguments, _ filled: (String) throws(CommandError) -> String
  ) throws(CommandError) -> JSONValue {
    guard let text = arguments.value(option) else { return .object([]) }
    return try JSONArgument.read(text, option: option, command: "query", filled)
  }

  /// Prints each result when it arrives, or the last one at the end.
  func run() async throws(CommandError) -> ExitCode {
    var rules = database == nil ? CacheConfiguration() : try CacheConfiguration(for: arguments.operands.first)
    rules.obeysCacheControl = arguments.has("cache-control")
    let operation = try await operation(&rules)
    if let secret = operation.missingSecret(declaredIn: document.text) {
      throw .usage(
        "the secret '\(secret)', which the document names, is missing: pass it with --var or --variables",
        command: "query")
    }
    let client = GraphQLClient(
      endpoint: endpoint, store: try await store(rules), subscriptions: subscriptions, features: features)
    let file = try recordingPath.map { (path) throws(CommandError) in
      do throws(RecordingFile.WriteError) { return try RecordingFile(path, secrets: secrets) } catch {
        throw .file("\(error)")
      }
    }
    secrets.add(
      document: operation.compiled.documentText, variables: operation.variables, extensions: options.extensions)
    let recording = file?.startRequest(
      url: client.redactedURL, operationName: operation.compiled.name, query: operation.compiled.documentText,
      variables: operation.variables, onError: options.onError)
    var options = options
    let printsHead = arguments.has("include")
    options.monitor = RequestMonitor(keepsParts: false) { observation in
      TransportOptions.narrate(observation)
      if case .head(let head) = observation {
        TransportOptions.takeCookies(of: head, into: secrets)
        if printsHead { TransportOptions.printHead(head, hiding: secrets) }
      }
      recording?.record(observation)
    }
    var printing = printer.printing(of: operation.compiled.operationType, maximum: maximumResults)
    if database != nil {
      printing.hidesAddedFields(of: SelectionPlan(operation: operation.compiled, variables: operation.variables))
    }
    var failure: (any Error)?
    do {
      if allPages {
        try await loadAllPages(of: operation, options, client, &printing)
      } else {
        try await withTaskCancellationHandler {
          for try await result in results(of: operation, options, client) {
            guard await printing.receive(result) else { break }
          }
        } onCancel: {
          // The loop may be waiting for the reader of its output.
          Task { await client.closeSubscriptions() }
        }
      }
      try Task.checkCancellation()
      // Without the network, missing data will not arrive later.
      if !options.cachePolicy.usesNetwork, !options.allowsPartialReads, let place = printing.pendingPlace {
        throw GraphQLClientError.cacheMiss(missing: [place])
      }
    } catch {
      failure = error
    }
    // An interrupted command prints no partial response that could be mistaken for a complete one.
    if !(failure is CancellationError) { await printing.finish() }
    // The server learns of the end before the program ends.
    await client.closeSubscriptions()
    failure = failure ?? printing.failure
    if failure == nil, let head = options.monitor?.facts.head, !head.isSuccess {
      StandardStreams.narrate("apus: HTTP \(head.status) from \(SingleLineText.line(head.url)) (response above)")
    }
    let ending = failure.map { commandFailure($0, after: printing.count) }
    let code = ending?.exitCode ?? (printing.hasErrors ? .resultErrors : .success)
    recording?.end(error: failure.map { "\($0)" }, exitCode: code.rawValue)
    do throws(RecordingFile.WriteError) { try file?.check() } catch { throw .file("\(error)") }
    if let ending { throw ending }
    return code
  }

  /// Throws if the options do not fit the operation, before anything is sent to the server.
  private func check(_ operation: CompiledOperation) throws(CommandError) {
    let type = operation.operationType
    if arguments.has("get") { try checkGET(of: type) }
    if arguments.has("persisted"), type == .subscription {
      throw .usage("--persisted is for queries and mutations; this is a subscription", command: "query")
    }
    if allPages, type != .query { throw .usage("--all-pages is for queries; this is a \(type)", command: "query") }
    if allPages, !PageableListFinder.selectsList(operation) {
      throw .usage(
        "--all-pages: the operation has no list to page through: select 'pageInfo { hasNextPage endCursor }' next to a "
          + "connection's edges, or pass offset, skip or page to a list", command: "query")
    }
    if allPages, arguments.has("persisted"), let variable = PageableListFinder.sharedVariable(in: operation) {
      throw .usage(
        "--all-pages: $\(variable) has several uses, so that the other pages need another document, which --persisted "
          + "does not allow; use a separate variable for each list", command: "query")
    }
    guard !files.isEmpty else { return }
    if allPages || type == .subscription {
      throw .usage("--upload is for one query or mutation, without pages or events", command: "query")
    }
    for file in files {
      let name = file.variablePath.prefix { $0 != "." }
      guard !operation.variableDefinitions.contains(where: { $0.name == name }) else { continue }
      throw .usage(
        "--upload \(file.variablePath)=…: the operation has no variable $\(name)", command: "query")
    }
  }

  private func checkGET(of type: CompiledOperation.OperationType) throws(CommandError) {
    switch (type, subscriptions.transport) {
    case (.query, _), (.subscription, .automatic), (.subscription, .serverSentEvents), (.subscription, .multipart):
      break
    case (.subscription, .webSocket), (.subscription, .legacyWebSocket):
      throw .usage(
        "--get is for requests over HTTP; this subscription is sent over a WebSocket (--subscription-transport sse or "
          + "multipart)", command: "query")
    case (.mutation, _):
      throw .usage("--get is for queries, and for subscriptions over HTTP; this is a mutation", command: "query")
    }
  }

  private func loadAllPages(
    of operation: DynamicOperation, _ options: RequestOptions, _ client: GraphQLClient,
    _ printing: inout ResultPrinter.Printing
  ) async throws {
    var pages = PagedQuery(client: client, operation: operation, options: options, pageLimit: pageLimit)
    try await pages.run(&printing)
  }

  private func results(
    of operation: DynamicOperation, _ options: RequestOptions, _ client: GraphQLClient
  ) -> GraphQLClient.Results<JSONValue> {
    if operation.compiled.operationType == .subscription {
      TransportOptions.narrateHeaders(of: endpoint, subscriptions)
      return client.subscribe(subscription: operation, options: options)
    }
    return files.isEmpty
      ? client.fetch(query: operation, options: options)
      : client.upload(operation: operation, files: files, options: options)
  }

  private func store(_ rules: CacheConfiguration) async throws(CommandError) -> CacheStore? {
    guard let database else { return nil }
    return try await CacheFile.open(database, mode: .write, rules: rules)
  }

  private func commandFailure(_ error: any Error, after count: Int) -> CommandError {
    if let failure = CommandError(error) {
      return CommandError(
        exitCode: count == 0 ? failure.exitCode : failure.exitCode.afterData, message: failure.message)
    }
    let code = ExitCode(rawValue: GraphQLClientError.exitCode(for: error)) ?? .networkError
    let saved = count == 0 ? "" : " (earlier results are printed)"
    return CommandError(
      exitCode: count == 0 ? afterFetching(code) : code.afterData, message: "\(error)\(saved)")
  }
}
