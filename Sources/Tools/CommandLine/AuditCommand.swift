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
    settings.rate = try arguments.count("rate")
    for file in arguments.values("operation") {
      settings.operations.append(String(decoding: try LocalFile.text(file), as: UTF8.self))
    }
    self.settings = settings
  }

  private static func groups(_ arguments: ParsedArguments) throws(CommandError) -> Set<AuditGroup> {
    let words = arguments.values("only")
    return words.isEmpty ? Set(AuditGroup.allCases) : Set(words.compactMap(AuditGroup.init))
  }

  func run() async throws(CommandError) -> ExitCode {
    let endpoint = try EndpointRequest.request(for: arguments.operands[0], arguments)
    let schema = try await schema(endpoint)
    var settings = settings
    if settings.rate == nil, !endpoint.isToLoopback { settings.rate = Self.politeRate }
    let context = AuditContext(endpoint: endpoint, schema: schema, settings: settings, transport: HTTPTransport())
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
    } catch is CancellationError {
      throw CommandError(exitCode: .interrupted, message: "interrupted")
    } catch {
      throw CommandError(exitCode: .networkError, message: "\(error)")
    }
    try requireAnswers(context)
    let report = AuditReport(
      url: endpoint.redactedURL, results: results, requestCount: context.requestCount,
      duration: ContinuousClock.now - start)
    if let folder = arguments.value("report") { try report.write(to: folder) }
    format.print(report)
    return report.failures(.must).isEmpty ? .success : .resultErrors
  }

  /// The maximum requests per second for a server on another machine.
  static let politeRate = 10

  private func schema(_ endpoint: HTTPRequest) async throws(CommandError) -> Schema? {
    if let source = arguments.value("schema") { return try await SchemaSource.load(source, arguments) }
    do throws(CommandError) {
      return try await SchemaSource.fetch(endpoint)
    } catch {
      if error.exitCode == .interrupted { throw error }
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
