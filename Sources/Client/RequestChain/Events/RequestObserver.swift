import ApusASCII
import ApusClientAPI
import ApusClientNetwork

/// The destination of a request's events: its monitor, which records the bytes on the wire, and the client's listeners.
struct RequestObserver: Sendable {
  let monitor: RequestMonitor
  /// Nil if there were no listeners when the request started.
  let events: RequestEventEmitter?

  func sent(_ http: HTTPRequest, attempt: Int) {
    monitor.begin(attempt: attempt, http)
    guard let events else { return }
    events.emit(
      .sent(
        ClientEvent.SentRequest(
          method: http.method, url: events.listeners.shownURL(of: http), headers: http.headers.shown,
          byteCount: http.bodyByteCount)))
  }

  func received(_ head: HTTPHead) {
    monitor.received(head)
    events?.emit(
      .responded(ClientEvent.ResponseHead(status: head.status, version: head.version, headers: head.headers.shown)),
      at: head.arrivalInstant)
  }

  /// Records a part. The part is created only if the monitor keeps it.
  func add(_ part: @autoclosure () -> RequestMonitor.RawPart, byteCount: Int, at arrival: ClockInstant) {
    monitor.add(part())
    events?.received(byteCount: byteCount, at: arrival)
  }

  func ended(_ timings: HTTPTimings) {
    monitor.ended(timings)
    events?.emit(.ended(timings))
  }

  func enter(_ subscription: SubscriptionState) {
    if monitor.enter(subscription) { events?.emit(.connection(subscription)) }
  }

  func emitted<Data: Sendable>(_ result: GraphQLResult<Data>) {
    monitor.update { $0.resultCount += 1 }
    events?.emit(
      .emitted(
        ClientEvent.EmittedResult(
          part: result.payloadIndex, source: result.source, response: result.completeness,
          errorCount: result.errors.count, errorCode: result.errors.lazy.compactMap(Self.code).first)))
  }

  /// Returns the code of an error if it is a name, which cannot hold values that were sent.
  private static func code(of error: GraphQLError) -> String? {
    guard let code = error.extensions?["code"]?.string, (1...64).contains(code.utf8.count) else { return nil }
    let isName = code.utf8.allSatisfy { $0.isNameByte || "-.:".utf8.contains($0) }
    return isName ? code : nil
  }

  /// Returns the response's head. Until it has arrived, the monitor is notified of the progress of an upload.
  func head(of stream: HTTPResponseStream) async throws -> HTTPHead {
    while let event = try await stream.next() {
      switch event {
      case .sent(let progress): monitor.sent(progress)
      case .head(let head):
        received(head)
        return head
      case .bytes, .end: break
      }
    }
    throw GraphQLClientError.noResult
  }
}
