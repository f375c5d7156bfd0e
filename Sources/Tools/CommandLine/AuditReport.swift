import ApusAudit
import ApusClientFormats
import ApusClientNetwork
import ApusConfiguration
import ApusGraphQLLanguage
import ApusJSON
import ApusSecrets

/// The results of an audit run, sorted for readers: failures by level, then the rest.
struct AuditReport {
  let url: String
  let results: [AuditResult]
  let requestCount: Int
  let duration: Duration
  private let redactor: Redactor

  init(
    url: String, results: [AuditResult], requestCount: Int, duration: Duration,
    secrets: SecretValues = StandardStreams.secrets
  ) {
    let redactor = Redactor(values: secrets)
    self.url = url
    // A server may repeat a secret that it was sent.
    self.results = results.map { $0.mapText(redactor.text) }
    self.requestCount = requestCount
    self.duration = duration
    self.redactor = redactor
  }

  func failures(_ level: AuditLevel) -> [AuditResult] {
    results.filter { $0.audit.level == level && $0.outcome.isFailure }
  }

  /// The failures of MUST, then of SHOULD, then the unsteady results.
  var findings: [AuditResult] {
    AuditLevel.allCases.flatMap(failures) + results.filter { if case .unsteady = $0.outcome { true } else { false } }
  }

  /// The findings grouped by cause: findings about the same response are in one group, with the most severe one first.
  var causes: [[AuditResult]] {
    var causes: [[AuditResult]] = []
    for finding in findings {
      let exchange = finding.outcome.exchanges?.first
      let index = causes.firstIndex { cause in
        guard let exchange, let other = cause[0].outcome.exchanges?.first else { return false }
        return exchange.isSameResponse(as: other)
      }
      if let index { causes[index].append(finding) } else { causes.append([finding]) }
    }
    return causes
  }

  func count(_ isCounted: (AuditOutcome) -> Bool) -> Int { results.count { isCounted($0.outcome) } }

  var summary: String {
    let passed = count { if case .passed = $0 { true } else { false } }
    let inapplicable = count { if case .notApplicable = $0 { true } else { false } }
    let (causes, findings) = (causes.count, findings.count)
    let grouping = causes < findings ? " for \(causes) \(causes == 1 ? "cause" : "causes")" : ""
    return "\(failures(.must).count) MUST and \(failures(.should).count) SHOULD failed\(grouping), \(passed) passed, "
      + "\(inapplicable) not applicable (\(requestCount) requests, \(SingleLineText.milliseconds(duration)))"
  }

  // MARK: Files

  /// Writes the report, and a recording for each finding with an exchange. Replaces the files of an earlier report.
  func write(to folder: String) throws(CommandError) {
    do throws(ConfigurationError) {
      try UserFile.makePrivateFolder(folder)
      try UserFile.replace("\(folder)/report.json", with: JSONWriter.prettyBytes(json))
      for finding in findings {
        guard let bytes = recording(of: finding) else { continue }
        try UserFile.replace("\(folder)/\(finding.audit.id).ndjson", with: bytes)
      }
    } catch {
      throw .file("\(error)")
    }
  }

  /// Returns a recording of the exchanges that prove a finding, in the format of `apus replay`.
  private func recording(of finding: AuditResult) -> [UInt8]? {
    guard let exchanges = finding.outcome.exchanges, !exchanges.isEmpty else { return nil }
    var bytes: [UInt8] = []
    for (run, exchange) in exchanges.enumerated() {
      func add(_ event: Recording.Event, _ elapsed: Duration) {
        bytes += Recording.line(event, at: elapsed, run: run, redactor: redactor)
      }
      let body = exchange.request.body.flatMap { try? JSONDocument(parsing: $0).root }
      add(
        .request(
          url: exchange.request.redactedURL, operationName: body?["operationName"]?.string,
          query: document(of: exchange), variables: body?["variables"] ?? .object([]), isPage: false,
          cachePolicy: .networkOnly), .zero)
      add(
        .head(status: exchange.status, contentType: exchange.contentType, format: nil),
        exchange.reads.first?.elapsed ?? exchange.duration)
      for read in exchange.reads { add(.part(read.bytes), read.elapsed) }
      add(.end(error: exchange.failure.map { "\($0)" }, exitCode: exchange.failure == nil ? 0 : 3), exchange.duration)
    }
    return bytes
  }

  /// Returns the document of the request. If it is not valid, returns a minimal document with the request in a comment, so
  /// that the recording can be replayed.
  private func document(of exchange: Exchange) -> String {
    let text = exchange.request.body.flatMap { try? JSONDocument(parsing: $0).root }?["query"]?.string
    if let text, Document(parsing: text).diagnostics.isEmpty, !text.isEmpty { return text }
    let request = "\(exchange.request.method) \(SingleLineText.line(text ?? exchange.requestBody))"
    return "# The request: \(request)\n{ __typename }"
  }

  // MARK: Forms

  var json: JSONValue {
    [
      "url": JSONValue(url), "requests": JSONValue(requestCount),
      "elapsedMs": JSONValue(Int(duration / .milliseconds(1))),
      "audits": .array(auditsJSON),
    ]
  }

  private var auditsJSON: [JSONValue] {
    var leading: [String: String] = [:]
    for cause in causes { for result in cause.dropFirst() { leading[result.audit.id] = cause[0].audit.id } }
    return results.map { json($0, sameResponseAs: leading[$0.audit.id]) }
  }

  private func json(_ result: AuditResult, sameResponseAs leading: String?) -> JSONValue {
    let audit = result.audit
    var members: [(String, JSONValue)] = [
      ("id", JSONValue(audit.id)), ("level", JSONValue(audit.level.rawValue)),
      ("outcome", JSONValue(result.outcome.word)), ("expected", JSONValue(audit.expectation)),
      ("source", JSONValue("\(audit.source)")), ("affects", JSONValue(audit.reason)),
    ]
    if let text = result.outcome.text { members.append(("found", JSONValue(text))) }
    if let leading { members.append(("sameResponseAs", JSONValue(leading))) }
    if let exchanges = result.outcome.exchanges { members.append(("exchanges", .array(exchanges.map(json)))) }
    return .object(members)
  }

  private func json(_ exchange: Exchange) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("method", JSONValue(exchange.request.method)), ("url", JSONValue(exchange.request.redactedURL)),
      ("headers", .object(exchange.requestFields.map { ($0.name, JSONValue($0.value)) })),
      ("body", JSONValue(redactor.text(exchange.requestBody))), ("status", JSONValue(exchange.status)),
      ("contentType", JSONValue(exchange.contentType)),
    ]
    if let proof = exchange.proof {
      members.append(("proof", ["offset": JSONValue(proof.lowerBound), "length": JSONValue(proof.count)]))
    }
    return .object(members)
  }

  /// Describes the location of the bytes that prove a finding, in one line.
  static func proofLine(_ exchange: Exchange) -> String {
    guard let proof = exchange.proof else { return "the status and headers of the response" }
    let time = exchange.proofTime.map { ", received after \(SingleLineText.milliseconds($0))" } ?? ""
    return "\(proof.lowerBound) to \(proof.upperBound) of the body\(time)"
  }

  /// Describes the request in one line: method, headers and body.
  func requestLine(_ exchange: Exchange) -> String {
    let fields = exchange.requestFields.map { "\($0.name): \($0.value)" }
    let words = ([exchange.request.method] + fields + [exchange.requestBody]).filter { !$0.isEmpty }
    return SingleLineText.line(redactor.text(words.joined(separator: "; ")), limit: 400)
  }
}

extension Exchange {
  /// Whether two findings are about the same response. Always `false` for WebSockets, whose exchanges are connections.
  fileprivate func isSameResponse(as other: Exchange) -> Bool {
    status != 101 && request == other.request && status == other.status && body == other.body
  }
}

extension AuditOutcome {
  /// The outcome as one word.
  var word: String {
    switch self {
    case .passed: "passed"
    case .failed: "failed"
    case .unsteady: "unsteady"
    case .notApplicable: "notApplicable"
    case .reported: "reported"
    }
  }

  /// The finding, or the reason why the audit does not apply.
  var text: String? {
    switch self {
    case .passed: nil
    case .failed(let found, _), .unsteady(let found, _): found
    case .notApplicable(let reason): reason
    case .reported(let text): text
    }
  }

  var exchanges: [Exchange]? {
    switch self {
    case .failed(_, let exchanges), .unsteady(_, let exchanges): exchanges
    case .passed, .notApplicable, .reported: nil
    }
  }
}
