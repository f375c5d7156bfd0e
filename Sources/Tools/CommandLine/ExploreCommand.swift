import ApusFormatting
import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusConfiguration
import ApusDemo
import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerNCurses
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerEnvironment
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON
import ApusPlatform
import ApusSecrets
import Synchronization

/// `apus URL` and `apus demo`: opens the explorer in the terminal and runs until the user quits.
struct ExploreCommand {
  private let reached: EndpointRequest.Reached
  private var endpoint: HTTPRequest { reached.request }
  private let subscriptions: SubscriptionOptions
  /// The document of `--file`, if it is a file that the tab can be saved to.
  private let file: CollectionFile?
  /// The document of `--file`, if it is a pipe or standard input.
  private let text: String
  private let example: String?
  /// The profile of the endpoint.
  private let profile: Profile?
  private let namedEndpoints: NamedEndpoints
  private var settings: Settings { namedEndpoints.settings }
  /// The resolved header values, which must not be written to any file.
  private let secrets: SecretValues
  /// An endpoint of an untrusted project file. The user must confirm it before anything is sent.
  private let untrusted: UntrustedEndpoint?
  private let schemaSource: String?
  private let themes: [ThemeLibrary.Entry]
  private let escapeDelay: Duration
  private let keys: KeysFile
  private let opened: EndpointSession
  private let recording = SessionRecording()
  private let warning: String?
  /// The reason why the session cannot be saved. It is reported again when the explorer ends.
  private let workspaceProblem: ConfigurationError?
  private let arguments: ParsedArguments
  private let store: CacheStore
  /// The cache file, for its notices about a damaged file.
  private let cacheFile: SQLiteNormalizedCache?
  private let log: ExplorerLog?
  /// A recording that replaces the server.
  private let replay: Replay?
  /// The application whose requests are shown.
  private let tap: Tap?

  /// Creates the command for an endpoint that the command line or `config.yml` names.
  init(_ arguments: ParsedArguments) throws(CommandError) {
    let namedEndpoints = try NamedEndpoints()
    let secrets = SecretValues()
    if arguments.operands.isEmpty, let file = arguments.value("db") {
      try self.init(
        arguments, endpoint: HTTPRequest(url: file), example: "# The cache in \(SingleLineText.line(file))\n",
        namedEndpoints: namedEndpoints, secrets: secrets, schemaSource: arguments.value("schema"), profile: nil,
        workspace: nil)
      return
    }
    guard let name = arguments.operands.first ?? (namedEndpoints.has("default") ? "default" : nil) else {
      try self.init(
        arguments, endpoint: HTTPRequest(url: ""), example: nil, namedEndpoints: namedEndpoints, secrets: secrets,
        schemaSource: nil,
        profile: nil, workspace: nil)
      return
    }
    // The headers of a tab belong to one endpoint. An endpoint with the same name in another project has a separate session.
    let workspace = namedEndpoints.workspaceName(of: name)
    let isNamed = !arguments.operands.isEmpty && arguments.namesPlainEndpoints
    if let untrusted = try namedEndpoints.untrusted(name, isNamed: isNamed) {
      try self.init(
        arguments, endpoint: HTTPRequest(url: untrusted.url), example: nil, namedEndpoints: namedEndpoints,
        secrets: secrets,
        schemaSource: arguments.value("schema"), profile: nil, workspace: workspace, untrusted: untrusted)
      return
    }
    let environment = arguments.environment
    let profile = try namedEndpoints.profile(named: name, isNamed: isNamed, environment: environment)
    guard profile != nil || name.contains("://") else { throw namedEndpoints.unknown(name) }
    let opened = EndpointSession()
    let reached = try EndpointRequest.reached(
      profile?.url ?? name, profile, arguments, secrets, memory: opened.signIns)
    try self.init(
      arguments, reached, example: nil, namedEndpoints: namedEndpoints, secrets: secrets,
      schemaSource: arguments.value("schema") ?? profile?.schema, profile: profile,
      workspace: workspace, opened: opened)
  }

  init(_ arguments: ParsedArguments, demo: DemoServer) throws(CommandError) {
    try self.init(
      arguments, endpoint: HTTPRequest(url: demo.url), example: DemoServer.exampleQuery,
      namedEndpoints: try NamedEndpoints(), secrets: SecretValues(), schemaSource: nil, profile: nil,
      workspace: nil)
  }

  init(replaying arguments: ParsedArguments) throws(CommandError) {
    let file = arguments.operands[0]
    let replay = Replay(
      try ReplayCommand.runs(of: file), name: file, speed: try ReplayCommand.speed(arguments))
    try self.init(
      arguments, endpoint: HTTPRequest(url: file), example: nil, namedEndpoints: try NamedEndpoints(),
      secrets: SecretValues(),
      schemaSource: nil, profile: nil, workspace: nil, replay: replay)
  }

  /// Shows the requests of an application to its server. The session is not saved, because it may have the application's data.
  init(_ arguments: ParsedArguments, _ command: TapCommand, _ tap: Tap, _ opened: EndpointSession) throws(CommandError)
  {
    try self.init(
      arguments, command.reached, example: nil, namedEndpoints: try NamedEndpoints(), secrets: StandardStreams.secrets,
      schemaSource: nil, profile: command.profile, workspace: nil, opened: opened, tap: tap)
  }

  private init(
    _ arguments: ParsedArguments, endpoint: HTTPRequest, example: String?, namedEndpoints: NamedEndpoints,
    secrets: SecretValues, schemaSource: String?, profile: Profile?, workspace: String?, replay: Replay? = nil,
    untrusted: UntrustedEndpoint? = nil
  ) throws(CommandError) {
    try self.init(
      arguments, EndpointRequest.Reached(request: endpoint), example: example, namedEndpoints: namedEndpoints,
      secrets: secrets,
      schemaSource: schemaSource, profile: profile, workspace: workspace, replay: replay, untrusted: untrusted)
  }

  private init(
    _ arguments: ParsedArguments, _ reached: EndpointRequest.Reached, example: String?, namedEndpoints: NamedEndpoints,
    secrets: SecretValues, schemaSource: String?, profile: Profile?, workspace: String?, replay: Replay? = nil,
    untrusted: UntrustedEndpoint? = nil, opened: EndpointSession = EndpointSession(), tap: Tap? = nil
  ) throws(CommandError) {
    self.opened = opened
    self.tap = tap
    self.arguments = arguments
    self.secrets = secrets
    self.untrusted = untrusted
    self.namedEndpoints = namedEndpoints
    let settings = namedEndpoints.settings
    self.replay = replay
    self.reached = reached
    subscriptions = try TransportOptions.subscriptions(
      arguments, profile: profile, reached.renewable, secrets: secrets)
    reached.signIn?.notes.hold()
    (store, cacheFile) =
      if let tap { (tap.store, nil) } else { try replay == nil ? Self.store(arguments) : (CacheStore(), nil) }
    log = try arguments.value("log").map { (path) throws(CommandError) in
      guard let log = ExplorerLog(path: path, secrets: secrets) else {
        throw .file("cannot write the log \(path)")
      }
      log.log("\(HelpText.version)")
      return log
    }
    self.example = example
    self.schemaSource = schemaSource
    self.profile = profile
    file = arguments.value("file").flatMap { path in
      let isFile = path != "-" && (try? LocalFile.readRegular(path)) != nil
      return isFile ? try? CollectionStore(folder: HostSystem.workingFolder).read(path) : nil
    }
    let piped =
      try file == nil ? arguments.value("file").map { (path) throws(CommandError) in try LocalFile.read(path) } : nil
    text = String(decoding: piped ?? [], as: UTF8.self)
    let library = ThemeLibrary()
    var mistakes = settings.problems.map { "\($0)" } + library.problems
    if let named = arguments.value("theme") {
      themes = try library.entries(first: named)
    } else {
      do throws(CommandError) {
        themes = try library.entries(first: profile?.theme ?? settings.theme)
      } catch {
        themes = library.entries
        mistakes.append(error.message)
      }
    }
    // The demo API always starts with an empty session; other endpoints restore theirs.
    let (store, warning, problem) = arguments.has("fresh") ? (nil, nil, nil) : Self.workspace(workspace, secrets)
    opened.keep(in: store)
    if !reached.request.url.isEmpty {
      opened.open(
        reached.request.url, profile: profile?.name ?? untrusted?.endpoint.name, takesOptions: untrusted == nil)
    }
    workspaceProblem = problem
    let keysFile: KeysFile
    do throws(ConfigurationError) {
      keysFile = try KeysFile.load()
    } catch {
      throw .file("\(error)")
    }
    keys = keysFile
    mistakes += (keysFile.problems + keysFile.notes).map { "\($0)" }
    self.warning =
      warning ?? Self.words(for: mistakes)
      ?? (reached.request.url.isEmpty ? namedEndpoints.projectProblem.map { "\($0)" } : nil)
    escapeDelay = .milliseconds(try arguments.count("escape-delay") ?? settings.escapeDelay ?? 25)
  }

  /// Describes the first mistake in the user's files and the number of others; `nil` if there is none.
  private static func words(for mistakes: [String]) -> String? {
    guard let first = mistakes.first else { return nil }
    let rest = mistakes.count - 1
    let more = rest > 0 ? "; and \(DisplayFormat.plural(rest, "more mistake")) ('apus doctor' lists them)" : ""
    return "Skipped: \(SingleLineText.line(first, limit: 300))\(more)"
  }

  /// Runs the explorer on this thread, which must be the main thread.
  func run() throws(CommandError) -> ExitCode {
    let failure = Mutex<CommandError?>(nil)
    ScreenLoop.shared.run { [self] in
      do throws(NCursesError) {
        try await explore()
      } catch {
        failure.withLock { $0 = CommandError(exitCode: .usageError, message: "\(error)") }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    if let number = NCursesTerminal.endSignal { return ExitCode(endSignal: number) }
    opened.stop()
    if let problem = opened.workspace?.problem ?? workspaceProblem {
      throw .file("cannot save the session: \(problem)")
    }
    return .success
  }

  @ScreenActor
  private func explore() async throws(NCursesError) {
    var options = NCursesTerminal.Options(environment: ProcessEnvironment.variables)
    options.escapeDelay = escapeDelay
    options.asksForBackground = choosesTheme
    let terminal = try NCursesTerminal(options)
    defer { terminal.restore() }
    var first = connection(reached, subscriptions, schemaSource, profile, store)
    // An endpoint opened later asks its own question.
    if let untrusted { first.refusal = untrusted.refusal }
    let services = services
    let restored = opened.workspace?.restore(files: CollectionStore(folder: HostSystem.workingFolder))
    var configuration = ExplorerConfiguration(
      endpoint: endpoint.redactedURL, environment: environment(for: first, example: example, services),
      query: file?.savedQuery ?? text, variables: file?.savedVariables ?? "",
      themes: themes.map { entry in
        ThemeChoice(name: entry.title, variant: entry.variant) { [capabilities = terminal.capabilities, settings] in
          entry.theme(capabilities, settings.hasHighContrast ? .high : .normal)
        }
      },
      keys: keys, workspace: restored,
      profiles: settings.profiles.map(choice) + namedEndpoints.projectEndpoints.map(choice) + [.demo],
      profile: profile.map(choice) ?? untrusted.map { choice($0.endpoint) },
      hint: restored == nil && settings.showsHints ? Self.hint : nil)
    configuration.wholeURL = endpoint.url.isEmpty ? nil : endpoint.url
    if !endpoint.url.isEmpty, untrusted == nil {
      configuration.identity = identity(reached, profile, schemaSource, takesOptions: true)
    }
    configuration.unopened = environment(for: unopened, example: nil, services)
    configuration.file = file
    configuration.homeFolder = UserFolders.home
    configuration.isFresh = arguments.has("fresh")
    configuration.log = log
    configuration.notifiesAfter = settings.notifiesAfter.map { .seconds($0) }
    configuration.showsGhostText = settings.showsGhostText
    configuration.warning = await cacheFile?.notices.first ?? warning ?? terminal.note
    configuration.question = untrusted?.confirmation
    configuration.recorded = replay?.operations ?? []
    configuration.requests = tap.map { RequestsFeature(url: $0.running.url, rules: $0.rules) }
    await Explorer.run(configuration: configuration, backend: terminal)
    terminal.restore()
    await opened.closeSubscriptions()
  }

  /// Returns a cache in memory or the cache of the named file. Without an endpoint the file is another program's and is
  /// read-only unless `--writable` is given.
  private static func store(
    _ arguments: ParsedArguments
  ) throws(CommandError) -> (CacheStore, SQLiteNormalizedCache?) {
    guard let file = arguments.value("db") else {
      if arguments.has("cache-control") { throw .usage("--cache-control needs --db FILE", command: "explore") }
      return (CacheStore(), nil)
    }
    let isLook = arguments.operands.isEmpty
    if isLook, access(file, F_OK) != 0 { throw .file("cannot read \(file): No such file or directory") }
    if isLook {
      try CacheFile.check(file, isWriting: false)
      if try LocalFile.first(of: file) == UInt8(ascii: "{") { return (try imported(file), nil) }
    }
    try CacheFile.check(file, isWriting: !isLook || arguments.has("writable"))
    do {
      let cache = try SQLiteNormalizedCache(
        path: file, memoryLimit: 256 << 20, isReadOnly: isLook && !arguments.has("writable"))
      let policies = CachePolicies(obeysCacheControl: arguments.has("cache-control"))
      return (CacheStore(cache: cache, policies: policies), cache)
    } catch {
      throw .file("\(error)")
    }
  }

  private static func imported(_ file: String) throws(CommandError) -> CacheStore {
    do {
      let json = try JSONDocument(parsing: try LocalFile.read(file)).root
      return CacheStore(cache: try InMemoryNormalizedCache(importing: json))
    } catch let failure as CommandError {
      throw failure
    } catch {
      throw .file("\(file): \(error)")
    }
  }

  /// Opens the saved session. If nothing can be saved, for example because the disk is full, the explorer starts anyway and
  /// shows a warning.
  private static func workspace(
    _ name: String?, _ secrets: SecretValues
  ) -> (SessionStore?, warning: String?, problem: ConfigurationError?) {
    guard let name else { return (nil, nil, nil) }
    do throws(ConfigurationError) {
      let store = try SessionStore.open(name, secrets: secrets)
      return (store, store.isBesideAnother ? "Another explorer is open here, so this one has separate tabs" : nil, nil)
    } catch {
      return (nil, ExplorerEnvironment.notKept(error), error)
    }
  }

  /// Whether the terminal's background selects the theme, because none is configured.
  private var choosesTheme: Bool {
    arguments.value("theme") == nil && profile?.theme == nil && settings.theme == nil
  }

  private static let hint = "F1 shows every key, Ctrl-P every command (set hints: false to hide)"

  // MARK: Endpoints

  /// The environment without an endpoint: what all endpoints share.
  private var services: ExplorerEnvironment {
    var services = ExplorerEnvironment()
    services.saveSession { [opened] in opened.workspace }
    services.attachHistory(
      in: HistoryStore(secrets: secrets, now: HostSystem.now), records: settings.recordsHistory)
    services.openFiles(in: CollectionStore(folder: HostSystem.workingFolder))
    services.exchange.putOnClipboard = { await ClipboardWriter.copy($0) }
    services.wait = { try? await Task.sleep(for: $0) }
    if let tap { services.requests = tap.requests }
    return services
  }

  private func environment(
    for endpoint: LiveEnvironment.Endpoint, example: String?, _ services: ExplorerEnvironment
  ) -> ExplorerEnvironment {
    let live = LiveEnvironment(
      endpoint, example: example, secrets: secrets, recording: recording,
      documents: { CollectionStore(folder: HostSystem.workingFolder).documents(except: nil) })
    var environment = live.environment(extending: services)
    environment.endpoint.audit = { [secrets] send in await ExplorerAudit(live: live, secrets: secrets).run(send) }
    environment.endpoint.connect = { [self] word, url in await connect(word, restoring: url, services) }
    environment.endpoint.trustProject = { [self] project, name in await trust(project, name, services) }
    return environment
  }

  /// An endpoint that refuses every request.
  private var unopened: LiveEnvironment.Endpoint {
    var endpoint = LiveEnvironment.Endpoint(
      client: GraphQLClient(endpoint: HTTPRequest(url: "")),
      fetchSchema: { _ in throw CommandError.file("the endpoint is not open") })
    endpoint.refusal = "The endpoint of this tab is not open: choose it again (Alt-s)"
    return endpoint
  }

  private func choice(_ endpoint: GraphQLConfig.Endpoint) -> EndpointChoice {
    EndpointChoice(name: endpoint.name, url: HTTPRequest(url: endpoint.url.source).redactedURL, origin: "project")
  }

  private func choice(_ profile: Profile) -> EndpointChoice {
    var choice = EndpointChoice(
      name: profile.name, url: HTTPRequest(url: profile.url).redactedURL, isProduction: profile.isProduction,
      origin: "profile", theme: profile.theme.flatMap { name in themes.first { $0.name == name }?.title },
      renewsCredentials: profile.hasCommandCredentials || profile.authentication?.isSignIn == true,
      takesSignIn: profile.authentication?.isSignIn == true)
    choice.environmentNames = Set(profile.environment.map(\.name))
    return choice
  }

  /// Returns a number that the endpoint shares with those that send the same requests.
  private func identity(
    _ reached: EndpointRequest.Reached, _ profile: Profile?, _ schema: String?, takesOptions: Bool
  ) -> Int {
    opened.identity(
      of: EndpointSettings(
        reached.request, profile, schema: schema,
        takesSubscriptionOptions: takesOptions && !typedSubscriptionOptions.isEmpty))
  }

  /// The options for subscriptions on the command line.
  private var typedSubscriptionOptions: [(name: String, value: String)] {
    CommandTable.subscription.compactMap { option in arguments.value(option.name).map { (option.name, $0) } }
  }

  /// Opens an endpoint by its name or URL. If it is the first one of this run, its saved session is restored. The options of
  /// the command line are for the first one, and so for each at its origin without other credentials. The cache file and
  /// the schema are for the first one only.
  ///
  /// - Parameter restoring: The URL that the endpoint had in a saved session; nil if the user named the endpoint.
  private func connect(_ word: String, restoring url: String?, _ services: ExplorerEnvironment) async -> EndpointAnswer
  {
    let savedURL = url
    let isFirst = !opened.isOpen
    do throws(CommandError) {
      // The file may have been trusted or changed in the meantime.
      let namedEndpoints = try NamedEndpoints()
      let isNamed = savedURL == nil && (arguments.namesPlainEndpoints || !opened.mayBeFirst(named: word))
      if let untrusted = try namedEndpoints.untrusted(word, isNamed: isNamed) {
        return .confirmationRequested(untrusted.confirmation)
      }
      let profile = try namedEndpoints.profile(named: word, isNamed: isNamed, environment: arguments.environment)
      let isDemo = profile == nil && word == EndpointChoice.demo.name
      let url = try isDemo ? await opened.demoURL() : EndpointArgument.complete(word, arguments.command)
      guard profile != nil || url.contains("://") else { throw namedEndpoints.unknown(word) }
      if let savedURL, namedEndpoints.projectEndpoint(named: word) != nil, profile.map(choice)?.url != savedURL {
        return .operationFailed(
          "The project's endpoint '\(SingleLineText.line(word))' is another URL now; choose it again (Alt-s)")
      }
      let target = profile?.url ?? url
      let takesOptions = !isDemo && opened.takesOptions(target, profile)
      let isNamedFirst = !isDemo && opened.isFirst(target, profile)
      let reached: EndpointRequest.Reached
      if takesOptions {
        reached = try EndpointRequest.reached(target, profile, arguments, secrets, memory: opened.signIns)
      } else if let profile {
        reached = try EndpointRequest.reached(profile, arguments.environment, secrets, memory: opened.signIns)
      } else {
        reached = EndpointRequest.Reached(request: EndpointRequest.request(to: url, secrets))
      }
      reached.signIn?.notes.hold()
      let request = reached.request
      let subscriptions =
        takesOptions
        ? try TransportOptions.subscriptions(arguments, profile: profile, reached.renewable, secrets: secrets)
        : try TransportOptions.subscriptions(of: profile, reached.renewable, arguments, secrets: secrets)
      let usesFile = arguments.has("db") && isNamedFirst
      let schema = (isNamedFirst ? arguments.value("schema") : nil) ?? profile?.schema
      let environment = environment(
        for: connection(
          reached, subscriptions, schema, profile, usesFile ? store : CacheStore(), takesOptions: takesOptions),
        example: nil, services)
      var choice =
        profile.map(choice) ?? EndpointChoice(name: isDemo ? word : request.redactedURL, url: request.redactedURL)
      if profile == nil { choice.wholeURL = request.url }
      choice.identity = identity(reached, profile, schema, takesOptions: takesOptions)
      // The records in the named file belong to one endpoint and must not be mixed with another's.
      if let file = arguments.value("db"), !usesFile {
        choice.note = "its cache is in memory, not in \(SingleLineText.line(file))"
      }
      // The demo API always starts with an empty session.
      if isFirst, !isDemo, !arguments.has("fresh") {
        opened.keep(in: Self.workspace(namedEndpoints.workspaceName(of: profile == nil ? url : word), secrets).0)
      }
      opened.open(request.url, profile: profile?.name, takesOptions: !isDemo)
      return .connected(
        choice, isFirst ? opened.workspace?.restore(files: CollectionStore(folder: HostSystem.workingFolder)) : nil,
        environment)
    } catch {
      return .operationFailed(error.message)
    }
  }

  /// Handles the user's consent: trusts the project's file if it is still the one in the question.
  private func trust(_ project: String, _ name: String, _ services: ExplorerEnvironment) async -> EndpointAnswer {
    do {
      guard let file = try NamedEndpoints().project?.file, file.digest == project else {
        return .operationFailed("The project's file has changed and is not trusted; choose the endpoint again")
      }
      _ = try TrustStore().add(file, shown: try TrustPrompt(file).requests)
    } catch {
      return .operationFailed("\(error)")
    }
    return await connect(name, restoring: nil, services)
  }

  /// Returns an endpoint with its schema and with its profile's values for headers typed in the explorer.
  private func connection(
    _ reached: EndpointRequest.Reached, _ subscriptions: SubscriptionOptions, _ source: String?, _ profile: Profile?,
    _ store: CacheStore, takesOptions: Bool = true
  ) -> LiveEnvironment.Endpoint {
    var live = opened(reached, subscriptions, source, profile, store)
    if takesOptions { live.subscriptionOptions = typedSubscriptionOptions }
    live.profile = profile.map { ($0.name, reached.profileFields) }
    live.onError = profile?.errorBehavior
    live.subscriptions = subscriptions
    let typed = takesOptions ? arguments.value("subscription-url") : nil
    live.writtenSubscriptionURL = typed ?? profile?.subscriptionURL
    live.resolvedFields = reached.resolvedFields
    if let renewable = reached.renewable {
      live.renewCredentials = { try await renewable.renew() }
      live.authorize = { try await renewable.authorize(&$0) }
    }
    if let signIn = reached.signIn {
      let explorer = ExplorerSignIn(signIn: signIn)
      live.signIn = { try await explorer.run($0) }
      live.signOut = { try await explorer.signOut() }
    }
    live.readSchema = { [arguments] file in try await SchemaSource.load(file, arguments) }
    live.resolveHeader = { [environment = arguments.environment] text in
      try await CommandOutput.beside { run in
        try profile?.resolved(text, process: environment, run: run) ?? text.resolved(environment: environment, run: run)
      }
    }
    live.environmentNames = Set(profile?.environment.map(\.name) ?? [])
    live.environmentValue = { [environment = arguments.environment] name in
      try await CommandOutput.beside { run in
        try profile?.resolved(SecretText(parts: [.variable(name)]), process: environment, run: run) ?? ""
      }
    }
    if reached.request.url.isEmpty { live.refusal = ConnectionFeature.noEndpoint }
    return live
  }

  /// Returns an endpoint with its schema: from a file if one is named, else from the server, with the saved schema until the
  /// server answers.
  private func opened(
    _ reached: EndpointRequest.Reached, _ subscriptions: SubscriptionOptions, _ source: String?, _ profile: Profile?,
    _ store: CacheStore
  ) -> LiveEnvironment.Endpoint {
    let (arguments, endpoint) = (arguments, reached.request)
    var features = RequestFeatures()
    features.renewableHeaders = reached.renewable
    let client = GraphQLClient(endpoint: endpoint, store: store, subscriptions: subscriptions, features: features)
    self.opened.add(client)
    let keys = CacheConfiguration(settings.cacheKeys(for: profile)).resolver
    if let tap, store === tap.store { return tap.endpoint(client) }
    if let replay {
      var live = LiveEnvironment.Endpoint(
        client: client,
        fetchSchema: { _ in
          throw CommandError.file("a recording has no schema; F5 replays it with its timing")
        })
      live.replay = replay
      return live
    }
    if source == nil, arguments.operands.isEmpty, arguments.value("db") == endpoint.url {
      return LiveEnvironment.Endpoint(
        client: client,
        fetchSchema: { _ in throw CommandError.file("only a cache is open; name a URL to run operations") })
    }
    if let source {
      let root = source == profile?.schema ? profile.flatMap(namedEndpoints.root) : nil
      return LiveEnvironment.Endpoint(
        client: client, keys: keys, fetchSchema: { _ in try await SchemaSource.load(source, arguments, in: root) })
    }
    let saved = SchemaStore(endpoint: endpoint.redactedURL, secrets: secrets)
    var live = LiveEnvironment.Endpoint(
      client: client, keys: keys,
      keptSchema: {
        saved.load().map { ($0.schema, "seen \(RelativeAge.words(since: $0.savedAt, now: HostSystem.now()))") }
      },
      fetchSchema: { headers in
        switch await SchemaLoader(client: client, headers: headers).load() {
        case .loaded(let schema, _): return schema
        case .unavailable(let error): throw error
        }
      })
    live.saveSchema = { saved.write($0) ? nil : SchemaStore.refusal }
    live.earlierSchema = {
      saved.loadEarlier().map { ($0.schema, "since \(RelativeAge.words(since: $0.savedAt, now: HostSystem.now()))") }
    }
    return live
  }
}
