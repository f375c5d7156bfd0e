import ApusAudit
import ApusClientNetwork
import ApusGraphQLSchema
import ApusPlatform

/// `apus audit`: checks a server's HTTP, incremental delivery and subscriptions against the specifications.
struct AuditCommand: Sendable {
  let arguments: ParsedArguments
  private let format: AuditFormat
  private let audits: [Audit]
  private let settings: AuditContext.Settings

  init(_ arguments: ParsedArguments) throws(CommandError) {
    self.arguments = arguments
    format = arguments.choice("output", default: AuditFormat.text)
    let groups = try Self.groups(arguments)
    audits = Audit.all.filter { groups.contains($0.group) }
    var settings = AuditContext.Settings()
    if let limit = try arguments.count("limit") { settings.requestLimit = limit }
    if settings.requestLimit == 0 { throw .usage("--limit takes a number of one or more", command: "audit") }
    settings.rate = try arguments.count("rate")
    for file in arguments.values("operation") {
      let text = String(decoding: try LocalFile.text(file), as: UTF8.self)
      StandardStreams.secrets.add(document: text)
      settings.operations.append(text)
    }
    self.settings = settings
  }

  private static func groups(_ arguments: ParsedArguments) throws(CommandError) -> Set<AuditGroup> {
    let words = arguments.values("only")
    return words.isEmpty ? Set(AuditGroup.allCases) : Set(words.compactMap(AuditGroup.init))
  }

  func run() async throws(CommandError) -> ExitCode {
    let reached = try EndpointRequest.reached(arguments.operands[0], arguments)
    let schema = try await schema(reached)
    let endpoint = reached.request
    var settings = settings
    let profile = try EndpointRequest.profile(named: arguments.operands[0], arguments)
    settings.subscriptions = try TransportOptions.subscriptions(
      arguments, profile: profile, reached.renewable, secrets: StandardStreams.secrets)
    TransportOptions.narrateHeaders(of: endpoint, settings.subscriptions)
    if settings.rate == nil, !endpoint.isToLoopback { settings.rate = Self.politeRate }
    let context = AuditContext(
      endpoint: endpoint, schema: schema, settings: settings, transport: HTTPTransport(),
      authorize: { try await reached.renewable?.authorize(&$0) })
    let start = ContinuousClock.now
    var done = 0
    let results: [AuditResult]
    do {
      results = try await AuditRun(audits, in: context).results { result in
        done += 1
        if StandardStreams.errorIsTerminal {
          StandardStreams.narrate(
            progress: "\(done) of \(audits.count): \(result.audit.id)", isLast: done == audits.count)
        }
      }
    } catch {
      if let failure = CommandError(error) { throw failure }
      throw CommandError(exitCode: .networkError, message: "\(error)")
    }
    try requireAnswers(context)
    if let reason = context.refusal { StandardStreams.narrate("apus: the audit stopped early: \(reason)") }
    let dropped = context.exchanges.count { !$0.hasBody }
    if dropped > 0 {
      StandardStreams.narrate(
        "apus: \(dropped) of \(context.exchanges.count) responses were too large to keep, so the audits of every response "
          + "did not examine them")
    }
    let report = AuditReport(
      url: endpoint.redactedURL, results: results, requestCount: context.requestCount,
      duration: ContinuousClock.now - start)
    if let folder = arguments.value("report") { try report.write(to: folder) }
    format.print(report)
    return report.failures(.must).isEmpty ? .success : .resultErrors
  }

  /// The maximum requests per second for a server on another machine.
  static let politeRate = 10

  private func schema(_ reached: EndpointRequest.Reached) async throws(CommandError) -> Schema? {
    if let source = arguments.value("schema") { return try await SchemaSource.load(source, arguments) }
    do throws(CommandError) {
      return try await SchemaSource.fetch(reached)
    } catch {
      if error.exitCode == .interrupted || reached.signIn != nil && error.exitCode == .usageError { throw error }
      StandardStreams.narrate("apus: the schema is unknown, so some audits do not apply: \(error.message)")
      return nil
    }
  }

  /// Throws if the server never answered, because then nothing was audited.
  private func requireAnswers(_ context: AuditContext) throws(CommandError) {
    guard let first = context.exchanges.first, context.exchanges.allSatisfy({ $0.head == nil }),
      let failure = first.failure
    else { return }
    throw CommandError(exitCode: .networkError, message: "\(failure)")
  }
}
