import ApusClientAPI
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientRequests
import ApusClientTraffic
import ApusExplorerCore
import ApusGraphQLLanguage
import ApusJSON
import ApusSecrets

/// A request of an application with its response so far: its row, its traffic, and the result of each payload.
struct StoredExchange: Sendable {
  /// The maximum number of results; the oldest are dropped first, as in the history of a run.
  private static let resultLimit = 1200
  /// The maximum length of a text in a row.
  private static let textLimit = 200
  /// The size of the largest document that is formatted, in bytes.
  private static let formattedLimit = 256 << 10
  /// Fields that describe the body or the connection, or that the client sets for its own request.
  private static let ownFields: Set<String> = [
    "accept", "connection", "keep-alive", "origin", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    "user-agent",
  ]

  private(set) var request: TrafficRequest
  private(set) var row: ObservedRequest
  private(set) var traffic = Traffic()
  /// The traffic for a recording; `nil` if parts of it are no longer stored.
  private(set) var recording: SavedExchange? = SavedExchange()
  private(set) var hasEnded = false
  private var stored: [RunResult] = []
  /// The number of dropped results.
  private var firstResult = 0
  private let redactor: Redactor
  private let requestSize: Int
  private var responseSize = 0

  /// - Parameter redactor: Redacts the secrets of the request.
  init(_ request: TrafficRequest, _ redactor: Redactor) {
    (self.request, self.redactor) = (request, redactor)
    let elapsed = request.time.duration(to: .now)
    func shown(_ text: String) -> String { SingleLineText.line(redactor.text(text), limit: Self.textLimit) }
    row = ObservedRequest(
      number: request.number, time: ClockTime.now.advanced(by: .zero - elapsed),
      operation: request.operationName.map { SingleLineText.line(redactor.name($0), limit: Self.textLimit) }
        ?? request.parameters.documentID.map { SingleLineText.line($0, limit: 12) } ?? "anonymous")
    row.client = request.client.map(shown) ?? ""
    row.target = shown("\(request.method) \(request.path)")
    row.type = request.type.map { "\($0)" } ?? ""
    requestSize =
      (request.document?.utf8.count ?? 0) + JSONWriter.compactBytes(request.parameters.variables).count
    addRequestToTraffic()
    update(request)
  }

  /// The number of bytes of the request and of the stored parts.
  var byteCount: Int { requestSize + responseSize }

  /// Returns the results from an index on, and the index after them. Dropped results are left out.
  func results(from index: Int) -> (results: ArraySlice<RunResult>, end: Int) {
    (stored.dropFirst(max(0, index - firstResult)), firstResult + stored.count)
  }

  // MARK: Reports

  /// Takes the facts of a report.
  mutating func update(_ request: TrafficRequest) {
    self.request = request
    switch request.state {
    case .running: row.state = .running
    case .complete: row.state = .complete
    case .cancelled: row.state = .cancelled
    case .failed(let reason):
      row.state = .failed(SingleLineText.line(redactor.text(reason), limit: Self.textLimit))
    }
    (row.status, row.duration) = (request.status, request.duration)
    (row.firstPayload, row.lastPayload) = (request.firstPayload, request.lastPayload)
    (row.payloadCount, row.errorCount) = (request.payloadCount, request.errorCount)
    row.heldCount = request.heldCount
    row.byteCount = request.byteCount
    (row.newRecords, row.changedRecords) = (request.effect.new, request.effect.changed)
    row.changes = request.changes
    row.problem = request.problem.map { SingleLineText.line(redactor.text($0), limit: Self.textLimit) }
  }

  mutating func responded(_ head: HTTPHead, at elapsed: Duration) { record(.head(head), at: elapsed) }

  mutating func receive(_ body: [UInt8], at elapsed: Duration) {
    responseSize += body.count
    record(.part(RequestMonitor.RawPart(headers: [:], body: body, elapsed: elapsed)), at: elapsed)
  }

  mutating func receive(_ payload: TrafficPayload) {
    var result = RunResult(payload.result, lists: [])
    result.elapsed = payload.elapsed
    stored.append(result)
    guard stored.count > Self.resultLimit else { return }
    let count = Self.resultLimit / 10
    stored.removeFirst(count)
    firstResult += count
  }

  mutating func receive(_ hint: TrafficHint) {
    row.hint = SingleLineText.line(redactor.text(hint.description), limit: Self.textLimit)
  }

  mutating func end() {
    hasEnded = true
    let failure: String? =
      switch request.state {
      case .running, .complete: nil
      case .cancelled: "the application canceled the request"
      case .failed(let reason): reason
      }
    recording?.end(
      error: failure, exitCode: failure != nil ? 3 : request.errorCount > 0 ? 1 : 0, at: request.duration ?? .zero)
  }

  private mutating func record(_ observation: RequestMonitor.Observation, at elapsed: Duration) {
    traffic.record(observation, at: elapsed)
    recording?.record(observation, at: elapsed)
  }

  /// Drops everything except the request and the newest result.
  mutating func keepNewest() {
    guard responseSize > 0 else { return }
    firstResult += max(0, stored.count - 1)
    stored = stored.suffix(1)
    (responseSize, recording) = (0, nil)
  }

  // MARK: Opening in a tab

  /// The name of the operation; `nil` if it has none.
  var operationName: String? { request.operationName.map(redactor.name) }

  /// The reason why the response is not shown as data, or why it is not complete.
  var failure: RunError? {
    switch request.state {
    case .failed(let reason): RunError(.network, redactor.text(reason))
    case .cancelled: RunError(.network, "The application canceled the request", summary: "canceled by the application")
    case .running, .complete: request.problem.map { RunError(.response, redactor.text($0)) }
    }
  }

  /// Adds the secrets of the request's headers to others, because they are shown and saved together from now on.
  func addSecrets(to others: SecretValues) {
    for field in request.headers.fields { others.add(header: field.name, field.value, isLive: false) }
  }

  /// The request for a tab: formatted, with references in place of secrets, without its URL. Its headers are
  /// for no server until the user decides.
  var draft: RequestDraft {
    let document = request.document ?? ""
    let query = redactor.draft(document: DraftText(Self.formatted(document)))
    let variables = request.parameters.variables
    let text = variables.count == 0 ? "" : JSONWriter.pretty(variables)
    var draft = RequestDraft(query: query, variables: redactor.draft(variables: DraftText(text)))
    draft.headers = request.headers.fields.filter { field in
      let name = field.name.lowercased()
      return !RequestDraft.isOfTheBody(name) && !Self.ownFields.contains(name) && !name.hasPrefix("sec-")
    }.map { RequestDraft.Header(name: $0.name, untrusted: $0.value) }
    draft.operationName = request.parameters.operationName
    return draft
  }

  /// Returns the formatted document; one with errors is unchanged.
  private static func formatted(_ text: String) -> String {
    guard text.utf8.count <= formattedLimit, case let document = Document(parsing: text), document.diagnostics.isEmpty
    else { return text }
    var formatted = Formatter.format(document)
    while formatted.last?.isNewline ?? false { formatted.removeLast() }
    return formatted
  }

  private mutating func addRequestToTraffic() {
    let headers = request.headers.fields.map { field in
      "\(field.name): \(field.isSecret(to: redactor, []) ? Redactor.mark : field.value)"
    }
    var members = request.document.map { [Traffic.Request.Member("query", redactor.document($0))] } ?? []
    if let id = request.parameters.documentID { members.append(.init("id", redactor.text(id))) }
    if let name = request.parameters.operationName { members.append(.init("operationName", redactor.name(name))) }
    let variables = redactor.json(request.parameters.variables, areVariables: true)
    if variables.count > 0 { members.append(.init("variables", JSONWriter.pretty(variables))) }
    traffic.add(
      Traffic.Request(
        method: request.method, url: redactor.text(request.path), headers: headers, members: members, elapsed: .zero))
  }
}
