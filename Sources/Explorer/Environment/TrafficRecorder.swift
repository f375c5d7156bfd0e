import ApusClientImports
import ApusClientNetwork
import ApusClientRequestChain
import ApusExplorerCore
import ApusJSON
import ApusSecrets
import Synchronization

extension Traffic {
  /// Records a request before it is sent, with its secrets masked.
  mutating func record(_ request: HTTPRequest, at elapsed: Duration, _ secrets: SecretValues, resolved: Set<String>) {
    let body = request.body.flatMap { try? JSONDocument(parsing: $0).root } ?? Self.parameters(inURL: request.url)
    let query = body["query"]?.string ?? ""
    let redactor = Redactor(values: secrets, document: query, variables: body["variables"] ?? .null)
    let headers = request.headers.fields.map {
      "\($0.name): \($0.isSecret(to: redactor, resolved) ? Redactor.mark : $0.value)"
    }
    var members = body.kind == .object ? body.members.filter { $0.key != "query" }.map { ($0.key, $0.value) } : []
    members.removeAll { $0.1.kind == .object && $0.1.count == 0 }
    var shown = [Request.Member("query", redactor.document(query))]
    shown += members.map { name, value in
      Request.Member(name, value.string.map(redactor.text) ?? JSONWriter.pretty(redactor.json(value)))
    }
    if request.upload != nil { shown = [Request.Member("body", "a multipart form with the operation and its files")] }
    add(Request(method: request.method, url: request.redactedURL, headers: headers, members: shown, elapsed: elapsed))
  }

  /// Returns the parameters of a GraphQL request by GET (GraphQL over HTTP, section 6.2), such as
  /// `?query=%7Bbirds%7Bid%7D%7D`, as the members of a body.
  private static func parameters(inURL url: String) -> JSONValue {
    guard let mark = url.firstIndex(of: "?") else { return .null }
    let names: Set<String> = ["query", "operationName", "variables", "extensions"]
    let fields = URLQuery.fields(url[url.index(after: mark)...].prefix { $0 != "#" }).filter { names.contains($0.name) }
    return .object(
      fields.map { field in
        let isText = field.name == "query" || field.name == "operationName"
        let json = isText ? nil : try? JSONDocument(parsing: field.value).root
        return (field.name, json ?? JSONValue(field.value))
      })
  }

  /// Records an observation.
  ///
  /// - Parameter elapsed: The time since the run began.
  mutating func record(_ observation: RequestMonitor.Observation, at elapsed: Duration) {
    switch observation {
    case .sent(let progress):
      upload = Upload(sentByteCount: progress.sentByteCount, totalByteCount: progress.totalByteCount)
    case .subscription(let state): enter(state, at: elapsed)
    case .head(let head):
      status = "HTTP/\(head.version) \(head.status)"
      failedStatus = head.isSuccess ? nil : head.status
      headers = head.headers.fields.map { "\($0.name): \($0.value)" }
    case .part(let part):
      let (text, isCut) = Self.laidOut(part.body)
      add(
        Part(
          headers: part.headers.fields.map { "\($0.name): \($0.value)" }, text: text, isCut: isCut,
          byteCount: part.body.count, elapsed: part.elapsed), at: elapsed)
    case .fellBack(let reason): failure = "\(reason)"
    case .ended(let timings):
      connection = facts(of: timings)
      certificate = timings.certificate.map(Self.facts) ?? []
      phases = [
        ("queue", timings.queue), ("DNS", timings.nameLookup), ("connect", timings.connect),
        ("TLS", timings.tls ?? .zero),
        ("sent", timings.request), ("first byte", timings.firstByte), ("last byte", timings.lastByte),
      ].filter { $0.1 > .zero }.map { Phase(name: $0.0, end: $0.1) }
    }
  }

  private func facts(of timings: HTTPTimings) -> [Fact] {
    let origin = timings.isConnectionReused ? "reused from an earlier request" : "opened for this request"
    var facts = [Fact("connection", origin)]
    if let version = status?.split(separator: " ").first { facts.append(Fact("protocol", String(version))) }
    if !timings.remoteAddress.isEmpty {
      let isLong = timings.remoteAddress.contains(":")
      let host = isLong ? "[\(timings.remoteAddress)]" : timings.remoteAddress
      facts.append(Fact("address", timings.remotePort > 0 ? "\(host):\(timings.remotePort)" : host))
    }
    if let proxy = timings.proxy { facts.append(Fact("proxy", proxy)) }
    if timings.tls != nil, timings.isConnectionReused {
      facts.append(Fact("TLS", "negotiated when the connection was opened"))
    }
    return facts
  }

  private static func facts(of certificate: ServerCertificate) -> [Fact] {
    [
      Fact("session", certificate.session), Fact("subject", certificate.subject), Fact("names", certificate.names),
      Fact("issuer", certificate.issuer),
      Fact("valid from", certificate.validFrom), Fact("valid until", certificate.validUntil),
      Fact("signature", certificate.signature),
    ].filter { !$0.value.isEmpty }
  }

  /// Formats a body: JSON with one value per line, anything else unchanged. Long JSON is truncated to whole lines.
  private static func laidOut(_ body: [UInt8]) -> (text: String, isCut: Bool) {
    // Formatting a larger body would delay reading from the network.
    guard body.count <= 16 * shownBytes, let root = try? JSONDocument(parsing: body).root else {
      return (String(decoding: body.prefix(shownBytes), as: UTF8.self), body.count > shownBytes)
    }
    let text = JSONWriter.prettyBytes(root)
    guard text.count > shownBytes else { return (String(decoding: text, as: UTF8.self), false) }
    let head = text.prefix(shownBytes)
    let end = head.lastIndex(of: UInt8(ascii: "\n")) ?? head.endIndex
    return (String(decoding: head[..<end], as: UTF8.self), true)
  }
}

/// The traffic of a run, recorded by the network side, with a notification for each change.
final class TrafficRecorder: Sendable {
  private let state = Mutex(Traffic())
  private let start = ContinuousClock.now
  /// Changes that have not been observed are combined into one notification.
  let news: AsyncStream<Void>
  private let changed: AsyncStream<Void>.Continuation

  init() {
    (news, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  var traffic: Traffic { state.withLock { $0 } }

  func record(_ observation: RequestMonitor.Observation) {
    let elapsed = ContinuousClock.now - start
    state.withLock { $0.record(observation, at: elapsed) }
    changed.yield()
  }

  func record(_ request: HTTPRequest, _ secrets: SecretValues, resolved: Set<String>) {
    let elapsed = ContinuousClock.now - start
    state.withLock { $0.record(request, at: elapsed, secrets, resolved: resolved) }
    changed.yield()
  }

  func finish() { changed.finish() }
}
