import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import ApusJSON

/// A running operation of an application: its facts so far, and the merging of its response.
struct TrackedOperation {
  private(set) var request: TrafficRequest
  private var observer: OperationObserver?
  /// The reason why the response cannot be merged any further.
  private var failure: String?
  /// The reason why no result had data so far, as for a failed request; `nil` before the first one, and after one with data.
  private var absence: String?
  private var hasData = false
  /// The bytes of the payloads that the result consists of: of all, or of the last one of a subscription.
  private(set) var keptByteCount = 0

  init(_ request: TrafficRequest, document: String?, url: String, cache: ShadowCache) {
    self.request = request
    self.request.document = document
    guard let document else {
      self.request.problem = "the text of the document is not known, only its hash or id was sent"
      return
    }
    do throws(CompileError) {
      let observer = try OperationObserver(request.parameters, document: document, url: url, cache: cache)
      self.request.compiled = observer.compiled
      self.request.cacheRequest = observer.requestID
      self.request.type = observer.compiled.operationType
      self.request.operationName = request.parameters.operationName ?? observer.compiled.name
      self.observer = observer
    } catch {
      self.request.problem = "\(error)"
    }
  }

  mutating func responded(status: Int?) { request.status = status }

  mutating func add(change: String) { request.changes.append(change) }

  mutating func add(hints: [TrafficHint]) { request.hints += hints }

  mutating func held(_ count: Int) { request.heldCount = count }

  mutating func add(byteCount: Int) { request.byteCount += byteCount }

  mutating func setProblem(_ problem: String) {
    if request.problem == nil { request.problem = problem }
    (observer, keptByteCount) = (nil, 0)
  }

  /// Processes a part of the response.
  mutating func receive(
    _ part: ResponseReader.Part, of head: HTTPHead, at time: ContinuousClock.Instant, isWhole: Bool = false
  ) async -> [TrafficReport] {
    let elapsed = request.time.duration(to: time)
    request.firstPayload = request.firstPayload ?? elapsed
    request.lastPayload = elapsed
    request.payloadCount += 1
    if observer != nil { keptByteCount = part.body.count + (request.type == .subscription ? 0 : keptByteCount) }
    var reports: [TrafficReport] = [.part(request, part.body, elapsed: elapsed)]
    if let outcome = await observer?.receive(part, of: head, elapsed: elapsed, isWhole: isWhole) {
      reports += take(outcome, elapsed)
    }
    return reports
  }

  /// Ends the operation.
  ///
  /// - Parameters:
  ///   - head: The head of a response of several parts, whose pending fragments are settled.
  ///   - isClosed: Whether the server announced the end of the parts.
  mutating func end(
    _ end: TrafficEvent.End, at time: ContinuousClock.Instant, settling head: HTTPHead? = nil, isClosed: Bool = false
  ) async -> [TrafficReport] {
    var reports: [TrafficReport] = []
    let cause: String? =
      switch end {
      case .complete: nil
      case .cancelled: "the application canceled the request"
      case .failed(let reason): reason
      }
    if let head, let outcome = await observer?.finish(head, failure: cause, isClosed: isClosed) {
      reports += take(outcome, request.time.duration(to: time))
    }
    switch end {
    case .cancelled: request.state = .cancelled
    case .failed(let reason): request.state = .failed(reason)
    case .complete: request.state = (failure ?? absence).map { .failed($0) } ?? .complete
    }
    request.duration = request.time.duration(to: time)
    request.heldCount = 0
    return reports + [.ended(request)]
  }

  private mutating func take(_ outcome: OperationObserver.Outcome, _ elapsed: Duration) -> [TrafficReport] {
    if let reason = outcome.failure { failure = failure ?? reason }
    return outcome.payloads.map { payload in
      note(payload.result)
      request.errorCount = payload.result.errors.count
      request.effect.new += payload.effect.new
      request.effect.changed += payload.effect.changed
      return .payload(
        request,
        TrafficPayload(request: request.number, result: payload.result, elapsed: elapsed, effect: payload.effect))
    }
  }

  private mutating func note(_ result: GraphQLResult<JSONValue>) {
    if result.data?.isNull == false { hasData = true }
    let reason = result.errors.first.map { ": \($0.message)" } ?? ""
    absence = hasData ? nil : "the response has no data\(reason)"
  }
}
