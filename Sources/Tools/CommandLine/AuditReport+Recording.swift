import ApusAudit
import ApusClientFormats
import ApusClientIncremental
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusJSON
import ApusSecrets

/// The recordings of a report. `apus replay` runs each of them as the client would have received it.
extension AuditReport {
  /// Returns a recording of the exchanges that prove a finding; `nil` if it contains a secret that cannot be removed.
  func recording(of finding: AuditResult) -> [UInt8]? {
    var bytes: [UInt8] = []
    for (run, exchange) in finding.exchanges.enumerated() {
      for (event, elapsed) in [request(of: exchange), head(of: exchange)] + Self.response(of: exchange) {
        guard let line = Recording.line(event, at: elapsed, run: run, redactor: redactor) else { return nil }
        bytes += line
      }
    }
    return bytes
  }

  private typealias TimedEvent = (event: Recording.Event, elapsed: Duration)

  private func request(of exchange: Exchange) -> TimedEvent {
    let body = exchange.request.body.flatMap { try? JSONDocument(parsing: $0).root }
    let name = body?["operationName"]?.string
    let text = body?["query"]?.string
    let variables = body?["variables"].flatMap { $0.kind == .object ? $0 : nil } ?? .object([])
    let isValid = text.map { Self.isValid($0, named: name) } ?? false
    // A recording needs an operation; the request that was sent is in the comment.
    let sent = "\(exchange.request.method) \(SingleLineText.line(text ?? exchange.requestBody))"
    return (
      .request(
        url: exchange.request.redactedURL, operationName: isValid ? name : nil,
        query: DraftText(isValid ? text ?? "" : "# The request: \(sent)\n{ __typename }"), variables: variables,
        references: nil, isPage: false, cachePolicy: .networkOnly, onError: nil), .zero
    )
  }

  private static func isValid(_ text: String, named name: String?) -> Bool {
    let document = Document(parsing: text)
    return document.diagnostics.isEmpty && (try? CompiledOperation.compile(document, operationName: name)) != nil
  }

  private func head(of exchange: Exchange) -> TimedEvent {
    (
      .head(status: exchange.status, contentType: exchange.contentType, format: nil),
      exchange.reads.first?.elapsed ?? exchange.duration
    )
  }

  /// Returns the parts of a response with their times, and its end. A body without parts is one part, however many reads
  /// it took.
  private static func response(of exchange: Exchange) -> [TimedEvent] {
    if exchange.status == 101 { return messages(of: exchange) + [end(of: exchange, violation: nil)] }
    guard var reader = PartSplitter(exchange.mediaType) else {
      let body = exchange.reads.isEmpty ? [] : [(Recording.Event.part(exchange.body), exchange.duration)]
      return body + [end(of: exchange, violation: nil)]
    }
    var events: [TimedEvent] = []
    do throws(MultipartError) {
      for read in exchange.reads {
        for part in try reader.receive(read.bytes) { events.append((.part(part.body), read.elapsed)) }
      }
    } catch {
      return events + [end(of: exchange, violation: "\(error)")]
    }
    // Text after the last delimiter counts only if it is complete JSON.
    if let part = reader.finish(), (try? JSONDocument(parsing: part.body)) != nil {
      events.append((.part(part.body), exchange.duration))
    }
    // A body without a part is recorded whole.
    if events.isEmpty, !exchange.reads.isEmpty { events.append((.part(exchange.body), exchange.duration)) }
    return events + [end(of: exchange, violation: reader.isClosed ? nil : "the recording ends before the last part")]
  }

  /// Returns the messages of a WebSocket: payloads as parts, others as states, which a replay passes over.
  private static func messages(of exchange: Exchange) -> [TimedEvent] {
    exchange.reads.map { read in
      let message = try? JSONDocument(parsing: read.bytes).root
      let type = message?["type"]?.string ?? "message"
      if ["next", "data"].contains(type), let payload = message?["payload"], payload.kind == .object {
        return (.part(JSONWriter.compactBytes(payload)), read.elapsed)
      }
      return (.state(type, reason: String(decoding: read.bytes, as: UTF8.self)), read.elapsed)
    }
  }

  private static func end(of exchange: Exchange, violation: String?) -> TimedEvent {
    if let failure = exchange.failure { return (.end(error: "\(failure)", exitCode: 3), exchange.duration) }
    if exchange.omittedByteCount > 0 {
      let omission = "the last \(exchange.omittedByteCount) bytes of the response were not kept"
      return (.end(error: omission, exitCode: 4), exchange.duration)
    }
    return (.end(error: violation, exitCode: violation == nil ? 0 : 4), exchange.duration)
  }
}
