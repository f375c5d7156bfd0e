import ApusAudit
import ApusClientAPI
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
  let redactor: Redactor

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
    AuditLevel.allCases.flatMap(failures) + results.filter(\.outcome.isUnsteady)
  }

  /// The findings grouped by cause: findings about the same response are in one group, with the most severe one first.
  var causes: [[AuditResult]] {
    var causes: [[AuditResult]] = []
    for finding in findings {
      let exchange = finding.exchanges.first
      let index = causes.firstIndex { cause in
        guard let exchange, let other = cause[0].exchanges.first else { return false }
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
      try UserFile.makeFolder(folder)
      try write(redactor.written(JSONWriter.prettyBytes(json)), to: "report.json", in: folder)
      for finding in findings where !finding.exchanges.isEmpty {
        try write(recording(of: finding), to: "\(finding.audit.id).ndjson", in: folder)
      }
    } catch {
      throw .file("\(error)")
    }
  }

  /// - Parameter bytes: `nil` if they contain a secret that cannot be removed.
  private func write(_ bytes: [UInt8]?, to name: String, in folder: String) throws(ConfigurationError) {
    // The user named the folder, not the target of a link in it.
    if let link = UserFile.link(below: folder, to: name) {
      throw ConfigurationError(file: link, "it is a symbolic link; reports are not written through links")
    }
    guard let bytes else {
      throw ConfigurationError(file: "\(folder)/\(name)", "a secret in a response cannot be removed from it")
    }
    try UserFile.replace("\(folder)/\(name)", with: bytes)
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
    if let text = result.outcome.found { members.append(("found", JSONValue(text))) }
    if let leading { members.append(("sameResponseAs", JSONValue(leading))) }
    if result.outcome.isFailure || result.outcome.isUnsteady {
      members.append(("exchanges", .array(result.exchanges.map(json))))
    }
    return .object(members)
  }

  private func json(_ exchange: Exchange) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("method", JSONValue(exchange.request.method)), ("url", JSONValue(exchange.request.redactedURL)),
      ("headers", .object(exchange.requestFields.map { ($0.name, JSONValue(redactor.text($0.value))) })),
      ("body", JSONValue(redactor.text(exchange.requestBody))), ("status", JSONValue(exchange.status)),
      ("contentType", JSONValue(redactor.text(exchange.contentType))),
    ]
    if let proof = exchange.proof {
      members.append(("proof", ["offset": JSONValue(proof.lowerBound), "length": JSONValue(proof.count)]))
    }
    return .object(members)
  }

  /// Describes the location of the bytes that prove a finding, in one line: `120 to 131 of the body`.
  static func proofLine(_ exchange: Exchange) -> String {
    guard let proof = exchange.proof else { return "the status and headers of the response" }
    let time = exchange.proofTime.map { ", received after \(SingleLineText.milliseconds($0))" } ?? ""
    return "\(proof.lowerBound) to \(proof.upperBound) of the body\(time)"
  }

  /// Describes the request in one line: method, headers and body, such as
  /// `POST; Accept: */*; {"query":"{ __typename }"}`.
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
