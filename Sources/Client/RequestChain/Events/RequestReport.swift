import ApusClientAPI
import ApusClientNetwork

/// Where a request tells what happens to it: its monitor keeps what went over the wire, those who listen to its client hear
/// of everything.
struct RequestReport: Sendable {
  let monitor: RequestMonitor
  /// Nil where nobody listened when the request began.
  let events: RequestEvents?

  func sent(_ http: HTTPRequest, attempt: Int) {
    monitor.begin(attempt: attempt, requestByteCount: http.bodyByteCount)
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

  /// A part; it is made for the monitor alone, which may not want it.
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

  /// Returns the response's head; until it has arrived, the monitor is notified how far the upload is.
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
