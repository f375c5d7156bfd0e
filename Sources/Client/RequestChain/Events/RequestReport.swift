import ApusClientAPI
import ApusClientNetwork

/// The destination of a request's events: its monitor, which records the bytes on the wire, and the client's listeners.
struct RequestReport: Sendable {
  let monitor: RequestMonitor
  /// Nil if there were no listeners when the request started.
  let events: RequestEvents?

  func sent(_ http: HTTPRequest, attempt: Int) {
    monitor.begin(attempt: attempt, http)
    events?.tell(
      .sent(
        ClientEvent.Sent(
          method: http.method, url: http.shownURL, headers: http.headers.shown, byteCount: http.bodyByteCount)))
  }

  func received(_ head: HTTPHead) {
    monitor.received(head)
    events?.tell(
      .responded(ClientEvent.Responded(status: head.status, version: head.version, headers: head.headers.shown)),
      at: head.arrivalInstant)
  }

  /// Records a part. The part is created only if the monitor keeps it.
  func add(_ part: @autoclosure () -> RequestMonitor.RawPart, byteCount: Int, at arrival: ClockInstant) {
    monitor.add(part())
    events?.received(byteCount: byteCount, at: arrival)
  }

  func ended(_ timings: HTTPTimings) {
    monitor.ended(timings)
    events?.tell(.ended(timings))
  }

  func enter(_ subscription: SubscriptionState) {
    monitor.enter(subscription)
    events?.tell(.connection(subscription))
  }

  func emitted<Data: Sendable>(_ result: GraphQLResult<Data>) {
    monitor.update { $0.resultCount += 1 }
    events?.tell(
      .emitted(
        ClientEvent.Emitted(
          part: result.part, source: result.source, response: result.response, errorCount: result.errors.count)))
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
