import ApusClientAPI
import ApusClientFormats
import ApusClientNetwork
import ApusClientTraffic
import ApusExplorerEnvironment
import ApusFormatting
import ApusJSON
import ApusSecrets

/// Prints the operations of an application or hands them to the explorer, and records them, with their secrets redacted.
struct TapOutput: Sendable {
  enum Destination: Sendable {
    case lines(TapCommand.Form)
    case explorer(ObservedTraffic)
  }

  /// The redaction of a running operation.
  private struct Redaction {
    let secrets: SecretValues
    let redactor: Redactor
  }

  private let destination: Destination
  private let url: String
  private let secretPlaces: (@Sendable (_ document: String) -> SecretPlaces)?
  private let start = ContinuousClock.now
  private var recorder: TrafficRecorder?
  private var redactions: [Int: Redaction] = [:]
  private var otherCount = 0
  private var unknownCount = 0

  /// - Parameter secretPlaces: Returns the places of a document that the schema marks as secret.
  init(
    to destination: Destination, url: String, secretPlaces: (@Sendable (_ document: String) -> SecretPlaces)?
  ) {
    (self.destination, self.url, self.secretPlaces) = (destination, url, secretPlaces)
  }

  /// Records each operation to a folder, too.
  mutating func record(to folder: String) throws(CommandError) {
    do throws(TrafficRecorder.WriteError) {
      recorder = try TrafficRecorder(folder: folder, url: url)
    } catch {
      throw .file("\(error)")
    }
  }

  /// Prints and records a report. Returns `false` if nothing more can be printed.
  mutating func receive(_ report: TrafficReport) throws(CommandError) -> Bool {
    let redaction = redaction(for: report)
    do throws(TrafficRecorder.WriteError) {
      try recorder?.receive(report, secrets: redaction.secrets)
    } catch {
      throw .file("\(error)")
    }
    if case .other = report { otherCount += 1 }
    if case .ended(let request) = report {
      redactions[request.number] = nil
      if recorder != nil, request.document == nil { unknownCount += 1 }
    }
    switch destination {
    case .explorer(let observed):
      observed.receive(report, redaction.redactor)
      return true
    case .lines(.ndjson):
      guard let line = TapLine(redactor: redaction.redactor, start: start).object(report) else { return true }
      return StandardStreams.output(line: line)
    case .lines(.table):
      guard let line = TapRow(redactor: redaction.redactor).text(report) else { return true }
      return StandardStreams.show(lines: [line])
    }
  }

  /// Prints the numbers of requests that are not shown, and shows a failure in the explorer, which continues.
  func finish(_ failure: CommandError?) {
    if case .explorer(let observed) = destination, let failure {
      return observed.fail("No more requests are forwarded: \(failure.message)")
    }
    if otherCount > 0 {
      StandardStreams.narrate(
        "apus: forwarded \(DisplayFormat.plural(otherCount, "request that is", "requests that are")) not GraphQL")
    }
    if unknownCount > 0 {
      StandardStreams.narrate(
        "apus: did not record \(DisplayFormat.plural(unknownCount, "request")): only a hash or id was sent, not the document"
      )
    }
  }

  /// Returns the redaction of a report's operation, which begins with it.
  private mutating func redaction(for report: TrafficReport) -> Redaction {
    let request: TrafficRequest
    switch report {
    case .began(let began):
      let secrets = SecretValues()
      secrets.setPlaces(for: url, secretPlaces)
      for field in began.headers.fields { secrets.add(header: field.name, field.value, isLive: false) }
      let redaction = Redaction(
        secrets: secrets,
        redactor: Redactor(values: secrets, document: began.document ?? "", variables: began.parameters.variables))
      redactions[began.number] = redaction
      return redaction
    case .hint(let running, _), .responded(let running, _, _), .part(let running, _, _), .payload(let running, _),
      .changed(let running, _, _), .held(let running, _), .ended(let running):
      request = running
    case .conflict, .other: return Redaction(secrets: SecretValues(), redactor: Redactor())
    }
    return redactions[request.number] ?? Redaction(secrets: SecretValues(), redactor: Redactor())
  }
}

/// The lines of `--output ndjson`.
private struct TapLine {
  let redactor: Redactor
  let start: ContinuousClock.Instant

  /// Returns the object of a report; `nil` if it has none.
  func object(_ report: TrafficReport) -> JSONValue? {
    switch report {
    case .began(let request): began(request)
    case .hint(_, let hint): self.hint(hint)
    case .payload(_, let payload): self.payload(payload)
    case .held(let request, let elapsed): held(request, elapsed)
    case .ended(let request): ended(request)
    case .other(let method, let path, let status):
      .object([
        ("event", "other"), ("method", JSONValue(method)), ("path", JSONValue(redactor.text(path))),
        ("status", status.map { JSONValue($0) } ?? .null),
      ])
    case .conflict(let conflict):
      .object([
        ("event", "conflict"), ("operations", .array([conflict.first, conflict.second].map(text))),
        ("field", text(conflict.field)), ("message", text(conflict.description)),
      ])
    case .responded, .part, .changed: nil
    }
  }

  private func began(_ request: TrafficRequest) -> JSONValue {
    .object([
      ("event", "request"), ("request", JSONValue(request.number)),
      ("atMs", start.duration(to: request.time).roundedMilliseconds),
      ("transport", JSONValue(request.transport.rawValue)),
      ("method", JSONValue(request.method)), ("path", JSONValue(redactor.text(request.path))),
      ("client", text(request.client)),
      ("operationName", request.operationName.map { JSONValue(redactor.name($0)) } ?? .null),
      ("operationType", request.type.map { JSONValue("\($0)") } ?? .null),
      ("query", request.document.map { JSONValue(redactor.document($0)) } ?? .null),
      ("documentId", text(request.parameters.documentID)),
      ("variables", redactor.json(request.parameters.variables, areVariables: true)),
      ("problem", text(request.problem)),
    ])
  }

  private func hint(_ hint: TrafficHint) -> JSONValue {
    .object([
      ("event", "hint"), ("request", JSONValue(hint.request)), ("kind", JSONValue(hint.kind.rawValue)),
      ("running", hint.running.map { JSONValue($0) } ?? .null), ("message", JSONValue(hint.description)),
    ])
  }

  private func payload(_ payload: TrafficPayload) -> JSONValue {
    let line = redactor.json(payload.result.lineObject, keepsTypes: true)
    let members = line.members.filter { $0.key != "source" }.map { name, value in
      (name, name == "elapsedMs" ? payload.elapsed.roundedMilliseconds : value)
    }
    return .object(
      [("event", "payload"), ("request", JSONValue(payload.request))] + members + [("cache", effect(payload.effect))])
  }

  private func held(_ request: TrafficRequest, _ elapsed: Duration) -> JSONValue {
    .object([
      ("event", "held"), ("request", JSONValue(request.number)), ("elapsedMs", elapsed.roundedMilliseconds),
      ("payloads", JSONValue(request.heldCount)),
    ])
  }

  private func ended(_ request: TrafficRequest) -> JSONValue {
    func milliseconds(_ duration: Duration?) -> JSONValue { duration?.roundedMilliseconds ?? .null }
    let reason: String? = if case .failed(let reason) = request.state { reason } else { nil }
    return .object([
      ("event", "end"), ("request", JSONValue(request.number)), ("state", JSONValue(request.state.name)),
      ("status", request.status.map { JSONValue($0) } ?? .null), ("durationMs", milliseconds(request.duration)),
      ("firstPayloadMs", milliseconds(request.firstPayload)), ("lastPayloadMs", milliseconds(request.lastPayload)),
      ("payloads", JSONValue(request.payloadCount)), ("errors", JSONValue(request.errorCount)),
      ("bytes", JSONValue(request.byteCount)), ("cache", effect(request.effect)), ("reason", text(reason)),
      ("problem", text(request.problem)), ("changed", .array(request.changes.map { JSONValue($0) })),
    ])
  }

  private func effect(_ effect: CacheEffect) -> JSONValue {
    .object([("new", JSONValue(effect.new)), ("changed", JSONValue(effect.changed))])
  }

  private func text(_ text: String?) -> JSONValue { text.map { JSONValue(redactor.text($0)) } ?? .null }
}

/// The lines of `--output table`: one for each payload, and one for the end of an operation.
private struct TapRow {
  let redactor: Redactor

  /// Returns the line of a report; `nil` if it has none.
  func text(_ report: TrafficReport) -> String? {
    switch report {
    case .began(let request): columns(request, "sent", "\(request.method) \(request.path)", request.client ?? "")
    case .hint(let request, let hint): columns(request, "hint", hint.description)
    case .payload(let request, let payload): self.payload(request, payload)
    case .held(let request, _): held(request)
    case .ended(let request): ended(request)
    case .conflict(let conflict): "      conflict: \(SingleLineText.line(redactor.text(conflict.description)))"
    case .other, .responded, .part, .changed: nil
    }
  }

  private func payload(_ request: TrafficRequest, _ payload: TrafficPayload) -> String {
    let result = payload.result
    let pending = result.fragments.count { $0.state.isPending }
    return columns(
      request, "payload \(result.payloadIndex)", "+" + DisplayFormat.duration(payload.elapsed),
      result.completeness.rawValue,
      pending > 0 ? "\(pending) pending" : "", errors(result.errors.count), records(payload.effect))
  }

  private func held(_ request: TrafficRequest) -> String? {
    guard request.heldCount > 0 else { return nil }
    return columns(request, "held", "\(DisplayFormat.plural(request.heldCount, "payload")) to release")
  }

  private func ended(_ request: TrafficRequest) -> String {
    let reason: String = if case .failed(let reason) = request.state { reason } else { "" }
    return columns(
      request, request.state.name, request.duration.map(DisplayFormat.duration) ?? "",
      request.status.map(String.init) ?? "", DisplayFormat.plural(request.payloadCount, "payload"),
      DisplayFormat.bytes(request.byteCount), errors(request.errorCount), records(request.effect), reason,
      request.problem ?? "", request.changes.isEmpty ? "" : "changed: \(request.changes.joined(separator: ", "))")
  }

  private func errors(_ count: Int) -> String { count > 0 ? DisplayFormat.plural(count, "error") : "" }

  private func records(_ effect: CacheEffect) -> String {
    effect.new + effect.changed == 0 ? "" : "\(effect.new) new, \(effect.changed) changed"
  }

  private func columns(_ request: TrafficRequest, _ words: String...) -> String {
    let number = String(request.number)
    let name = [request.type.map { "\($0)" }, request.operationName.map { redactor.name($0) }].compactMap(\.self)
    let operation =
      name.isEmpty
      ? request.parameters.documentID.map { String($0.prefix(12)) } ?? "anonymous" : name.joined(separator: " ")
    let rest = words.filter { !$0.isEmpty }.map { SingleLineText.line(redactor.text($0)) }
    return String(repeating: " ", count: max(0, 4 - number.count)) + number + "  "
      + operation.padded(to: 30) + "  " + (rest.first ?? "").padded(to: 10) + "  "
      + rest.dropFirst().joined(separator: "  ")
  }
}
