import ApusAudit
import ApusClientAPI
import ApusClientNetwork
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusSecrets

/// Audits the endpoint that is open in the explorer.
struct ExplorerAudit: Sendable {
  let live: LiveEnvironment
  let secrets: SecretValues

  /// Sends each result when it is available, then the summary. A canceled run sends nothing more.
  func run(_ send: (AuditAction) -> Void) async {
    do {
      let subject = try live.auditSubject()
      var settings = AuditContext.Settings()
      settings.requestLimit = AuditProgress.requestLimit
      settings.subscriptions = subject.subscriptions
      if !subject.endpoint.isToLoopback { settings.rate = AuditCommand.politeRate }
      let context = AuditContext(
        endpoint: subject.endpoint, schema: subject.schema, settings: settings, transport: HTTPTransport(),
        authorize: { [live] in try await live.authorize(&$0) })
      let redactor = Redactor(values: secrets)
      let start = ContinuousClock.now
      send(.started(count: Audit.all.count))
      // The audits run one after the other.
      var next = Audit.all.dropFirst()
      if let first = Audit.all.first { send(.running(first.id)) }
      let results = try await AuditRun(Audit.all, in: context).results { result in
        guard !Task.isCancelled else { return }
        send(.finished(AuditRow(result.mapText(redactor.text), redactor)))
        if let audit = next.popFirst() { send(.running(audit.id)) }
      }
      guard !Task.isCancelled else { return }
      let report = AuditReport(
        url: subject.endpoint.redactedURL, results: results, requestCount: context.requestCount,
        duration: ContinuousClock.now - start, secrets: secrets)
      send(.ended(report.summary))
    } catch {
      if !Task.isCancelled { send(.ended("\(error)")) }
    }
  }
}

extension AuditRow {
  fileprivate init(_ result: AuditResult, _ redactor: Redactor) {
    let audit = result.audit
    self.init(
      id: audit.id, level: audit.level.rawValue, expectation: audit.expectation, source: "\(audit.source)",
      reason: audit.reason, outcome: result.outcome,
      exchanges: result.exchanges.map { AuditedExchange($0, redactor) })
  }
}

extension AuditedExchange {
  fileprivate init(_ exchange: Exchange, _ redactor: Redactor) {
    var request = ["\(exchange.request.method) \(exchange.request.redactedURL)"]
    request += exchange.requestFields.map { "\($0.name): \($0.value)" }
    if !exchange.requestBody.isEmpty { request += ["", redactor.text(exchange.requestBody)] }
    let type = exchange.contentType.isEmpty ? "no content type" : exchange.contentType
    self.init(
      request: request, response: exchange.failure.map { "\($0)" } ?? "status \(exchange.status), \(type)",
      proof: AuditReport.proofLine(exchange), reads: Self.reads(exchange, redactor))
  }

  /// Returns the reads with their times, split at the bytes that prove the finding.
  private static func reads(_ exchange: Exchange, _ redactor: Redactor) -> [Read] {
    let proof = exchange.proof ?? 0..<0
    var reads: [Read] = []
    var start = 0
    for read in exchange.reads {
      let range = start..<(start + read.bytes.count)
      let decisive = proof.clamped(to: range)
      let pieces =
        decisive.isEmpty
        ? [range] : [range.lowerBound..<decisive.lowerBound, decisive, decisive.upperBound..<range.upperBound]
      for piece in pieces where !piece.isEmpty {
        let bytes = read.bytes[(piece.lowerBound - start)..<(piece.upperBound - start)]
        let text = redactor.text(String(decoding: bytes.prefix(textLimit), as: UTF8.self))
        reads.append(Read(elapsed: read.elapsed, text: text, isProof: piece == decisive))
      }
      start = range.upperBound
    }
    // The redactor cannot find a secret that is split between pieces.
    let complete = redactor.text(String(decoding: exchange.body, as: UTF8.self))
    guard reads.map(\.text).joined() != complete, let last = reads.last, exchange.body.count <= textLimit else {
      return reads
    }
    return [Read(elapsed: last.elapsed, text: complete, isProof: exchange.proof != nil)]
  }

  /// The maximum number of bytes shown for one read.
  private static let textLimit = 20_000
}
