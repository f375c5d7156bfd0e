import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusClientOperation
import ApusClientResultExecution
import ApusGraphQLMediaTypes
import ApusJSON
import Synchronization

/// Parses each part, merges it into the result so far, and makes the typed result.
///
/// When the response ends with something still open, the open fragments are settled in one more result (its part
/// number is that of the last payload) before the error ends the stream.
public final class JSONParsingInterceptor: RequestChainInterceptor {
  private struct State {
    var attempt = 0
    var merger: IncrementalMerger?
    var checker: ResponseChecker?
    var isComplete = false
    /// The response is over; what comes now belongs to another, which an interceptor in front asked for as well.
    var isOver = false
    var payloadCount = 0
    /// The entries of earlier events that broke the protocol.
    var violations: [IncrementalError] = []

    /// Every entry so far that broke the protocol.
    var allViolations: [IncrementalError] { violations + (merger?.violations ?? []) }
  }

  private let registry: PartReaderRegistry
  private let state = Mutex(State())

  /// An interceptor for one request, whose state it keeps; `registry` says who reads the parts.
  public init(registry: PartReaderRegistry = .standard) {
    self.registry = registry
  }

  /// Makes the result of a part; lets pass what has not been taken apart yet.
  ///
  /// - Throws: `GraphQLClientError`: `brokenJSON`, `jsonBeyondLimit` or `notGraphQL` where the part cannot be read,
  ///   `status` where the server says so too, `brokenProtocol` where a part does not follow from those before it, or
  ///   nothing came; what the operation's `makeData(from:)` throws; the error that the response ended by. `incomplete`
  ///   comes behind the last result, where parts that were announced did not.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let response else { return .proceed(request: request, response: nil) }
    return switch response.body {
    case .stream: .proceed(request: request, response: response)
    case .part(let part): try parsed(part, request, response)
    case .end(let error): try finish(error, request, response)
    }
  }

  private func parsed<Operation: GraphQLOperation>(
    _ part: ResponsePart, _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) throws -> RequestChain.NextAction<Operation> {
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = if let parsed = part.json { parsed } else { try JSONDocument(parsing: part.body).root }
    } catch {
      return try settled(before: unreadable(part, response.head, error), request, response)
    }
    let isSubscription = request.compiled.operationType == .subscription
    switch registry.reader(for: part, isSubscription: isSubscription).payload(of: json) {
    case .heartbeat:
      if part.isWholeBody(under: response.head) { throw notGraphQL(json, part, response.head) }
      return part.isWhole ? try finish(nil, request, response) : .endBranch
    case .fatal(let errors):
      // The server keeps to the protocol, and ends the operation, as it can over a WebSocket.
      let result = GraphQLResult<Operation.Data>(
        data: nil, errors: errors, part: state.withLock { $0.payloadCount },
        elapsed: request.startInstant.duration(to: part.arrivalInstant), byteCount: part.body.count)
      return .exitEarlyAndEmit(result: result, request: request)
    case .payload(let payload):
      guard response.head.isSuccess || payload.isGraphQLResponse || isUnderWay(request) else {
        throw notGraphQL(payload, part, response.head)
      }
      return try merged(payload, of: part, request, response)
    }
  }

  private func merged<Operation: GraphQLOperation>(
    _ payload: JSONValue, of part: ResponsePart, _ request: GraphQLRequest<Operation>,
    _ response: GraphQLResponse<Operation>
  ) throws -> RequestChain.NextAction<Operation> {
    let elapsed = request.startInstant.duration(to: part.arrivalInstant)
    if request.compiled.operationType == .subscription,
      let last = try ended(before: payload, elapsed, request, response)
    {
      return Self.both(last, try merged(payload, of: part, request, response))
    }
    let received: (MergedResult, Int)?
    do {
      received = try receive(payload, of: part, elapsed, request, response.head)
    } catch {
      return try settled(before: error, request, response)
    }
    guard let (merged, index) = received else {
      return part.isWhole ? try finish(nil, request, response) : .endBranch
    }
    var response = response
    try take(merged, into: &response, request, part: index, elapsed, byteCount: part.body.count)
    let given = RequestChain.NextAction<Operation>.proceed(request: request, response: response)
    guard part.isWhole else { return given }
    // The response ended although it promised more: one more result settles its open fragments.
    guard merged.isComplete else { return Self.both(given, try finish(nil, request, response)) }
    // The response is whole: what follows belongs to another one.
    state.withLock { $0.isOver = true }
    return followed(given, by: violation(request, response.head))
  }

  private func receive<Operation: GraphQLOperation>(
    _ payload: JSONValue, of part: ResponsePart, _ elapsed: Duration, _ request: GraphQLRequest<Operation>,
    _ head: HTTPHead
  ) throws -> (MergedResult, Int)? {
    let received = try state.withLock { state throws -> (MergedResult, Int)? in
      let isSubscription = request.compiled.operationType == .subscription
      let isNewEvent = isSubscription && state.isComplete && !IncrementalMerger.isBareEnd(payload)
      let isNewResponse = state.attempt != request.attempt || state.isOver
      if state.merger == nil || isNewResponse || isNewEvent {
        if isNewResponse { state.payloadCount = 0 }
        state.attempt = request.attempt
        state.isOver = false
        state.violations = isNewEvent ? state.allViolations : []
        let plan = SelectionPlan(operation: request.compiled, variables: request.variables)
        state.merger = IncrementalMerger(
          plan: plan, delivery: isSubscription ? .events : part.isWhole ? .whole : .parts)
        state.checker = ResponseChecker(plan: plan, checking: request.operation.resultChecking)
      }
      do throws(IncrementalError) {
        guard let merged = try state.merger?.receive(payload: payload, at: elapsed) else { return nil }
        state.isComplete = merged.isComplete
        state.payloadCount += 1
        return (merged, state.payloadCount - 1)
      } catch {
        if error.isNoResponse, part.isWholeBody(under: head) { throw notGraphQL(payload, part, head) }
        if !head.isSuccess {
          throw GraphQLClientError.status(StatusFailure(head, body: part.body, excerpt: error.description))
        }
        throw GraphQLClientError.brokenProtocol(url: head.url, reason: error.description)
      }
    }
    if let format = received?.0.format {
      request.monitor.update { facts in
        if facts.agreedFormat == nil || facts.agreedFormat?.hasPrefix("application/") == true {
          facts.agreedFormat = format.specification
        }
      }
    }
    return received
  }

  /// The end of the response: nothing more, or what was open is settled and the error follows.
  private func finish<Operation: GraphQLOperation>(
    _ error: (any Error)?, _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) throws -> RequestChain.NextAction<Operation> {
    let elapsed = request.startInstant.duration(to: .now)
    let isSubscription = request.compiled.operationType == .subscription
    let (merged, count) = try state.withLock { state -> (MergedResult?, Int) in
      let isWithoutPayload = state.merger == nil || state.attempt < request.attempt || state.isOver
      state.isOver = true
      // The status says more than that its body did not come whole.
      if isWithoutPayload, !response.head.isSuccess {
        throw GraphQLClientError.status(StatusFailure(response.head))
      }
      // A subscription may end before its first event; a query or a mutation has an answer.
      if error == nil, isWithoutPayload, !isSubscription { throw withoutPayload(response.head) }
      guard state.attempt == request.attempt else { return (nil, 0) }
      // Without a promise of more, a response that ended in good order is whole without a closing delimiter too.
      let isInOrder =
        if case GraphQLClientError.incomplete? = error as? GraphQLClientError {
          state.merger?.promisesMore == false
        } else {
          error == nil
        }
      return (state.merger?.finish(cut: !isInOrder, at: elapsed), state.payloadCount)
    }
    let violation = violation(request, response.head)
    guard let merged else {
      // When all that was announced is there, a connection not closed in good order took nothing away; a subscription
      // has never announced its end.
      if let error, isSubscription || !isComplete { throw error }
      if let violation { throw violation }
      return .endBranch
    }
    var last = response
    try take(merged, into: &last, request, part: count - 1, elapsed, byteCount: 0)
    let settled = RequestChain.NextAction<Operation>.proceed(request: request, response: last)
    if merged.isComplete { return followed(settled, by: violation) }
    // In good order too, an end that leaves a fragment without its data took something away.
    return followed(settled, by: error ?? GraphQLClientError.incomplete(url: response.head.url, partCount: count))
  }

  /// An action, followed by the error that ends the response.
  private func followed<Operation: GraphQLOperation>(
    _ action: RequestChain.NextAction<Operation>, by error: (any Error)?
  ) -> RequestChain.NextAction<Operation> {
    guard let error else { return action }
    return .multiProceed(
      AsyncThrowingStream { branches in
        branches.yield(action)
        branches.finish(throwing: error)
      })
  }

  private static func both<Operation: GraphQLOperation>(
    _ first: RequestChain.NextAction<Operation>, _ second: RequestChain.NextAction<Operation>
  ) -> RequestChain.NextAction<Operation> {
    .multiProceed(
      AsyncThrowingStream { branches in
        branches.yield(first)
        branches.yield(second)
        branches.finish()
      })
  }

  /// The error for entries that broke the protocol, which ends the response after its last result.
  private func violation<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>, _ head: HTTPHead)
    -> GraphQLClientError?
  {
    let violations = state.withLock { $0.attempt == request.attempt ? $0.allViolations : [] }
    guard let first = violations.first else { return nil }
    let more = violations.count == 1 ? "" : "; and \(violations.count - 1) more"
    return .brokenProtocol(url: head.url, reason: first.description + more)
  }

  /// The last state of a subscription's event that the payload at hand ends, because it is the next event.
  private func ended<Operation: GraphQLOperation>(
    before payload: JSONValue, _ elapsed: Duration, _ request: GraphQLRequest<Operation>,
    _ response: GraphQLResponse<Operation>
  ) throws -> RequestChain.NextAction<Operation>? {
    guard isUnderWay(request), !isComplete, IncrementalMerger.isEvent(payload) else { return nil }
    let (merged, count) = state.withLock { state in
      state.isComplete = true
      return (state.merger?.endEvent(at: elapsed), state.payloadCount)
    }
    guard let merged else { return nil }
    var last = response
    try take(merged, into: &last, request, part: count - 1, elapsed, byteCount: 0)
    return .proceed(request: request, response: last)
  }

  /// A part cannot be read: what those before it left open is settled in one more result, before the error.
  private func settled<Operation: GraphQLOperation>(
    before error: any Error, _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) throws -> RequestChain.NextAction<Operation> {
    guard isUnderWay(request), !isComplete else { throw error }
    return try finish(error, request, response)
  }

  /// Whether something of the response has been received already.
  private func isUnderWay<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> Bool {
    state.withLock { $0.attempt == request.attempt && !$0.isOver && $0.payloadCount > 0 }
  }

  private var isComplete: Bool {
    state.withLock { $0.isComplete }
  }

  /// Checks what was received so far and makes the typed result of it.
  private func take<Operation: GraphQLOperation>(
    _ merged: MergedResult, into response: inout GraphQLResponse<Operation>, _ request: GraphQLRequest<Operation>,
    part: Int, _ elapsed: Duration, byteCount: Int
  ) throws {
    let (checked, plan) = state.withLock { state in
      (state.checker?.receive(merged) ?? CheckedResponse(merged), state.merger?.plan)
    }
    var result = GraphQLResult(
      data: try TypedData.make(checked.modelData, request.operation, fragments: checked.fragments, plan: plan),
      errors: checked.errors, extensions: merged.extensions, response: merged.isComplete ? .complete : .partial,
      fragments: checked.fragments, part: part, elapsed: elapsed, byteCount: byteCount,
      changedPaths: merged.changedPaths)
    result.request = request.id
    result.json = checked.data
    result.streams = merged.streams
    (response.result, response.merged, response.checked) = (result, merged, checked)
  }

  /// A response of parts that ended in good order with heartbeats alone.
  private func withoutPayload(_ head: HTTPHead) -> GraphQLClientError {
    .brokenProtocol(url: head.url, reason: "the response ended without data and without errors; run it once more")
  }

  /// The whole body is JSON, and yet no GraphQL response.
  private func notGraphQL(_ json: JSONValue, _ part: ResponsePart, _ head: HTTPHead) -> GraphQLClientError {
    let type = head.contentType
    if !head.isSuccess { return .status(StatusFailure(head, body: part.body)) }
    let excerpt = Excerpt(body: part.body, type: type).text
    let answer = json.kind == .object ? "neither data nor errors" : "JSON that is \(LeafCheck.name(of: json.kind))"
    return .notGraphQL(answer: answer, url: head.url, excerpt: excerpt)
  }

  private func unreadable(_ part: ResponsePart, _ head: HTTPHead, _ error: JSONSyntaxError) -> GraphQLClientError {
    let type = head.contentType
    if !head.isSuccess { return .status(StatusFailure(head, body: part.body)) }
    if head.hasNoContent { return .noContent(head) }
    let excerpt = Excerpt(body: part.body, type: type).text
    if !part.isMultipart, !type.isEventStream {
      let name = type.name.isEmpty ? "no content type" : type.name
      if let likeness = BodyLikeness(part.body) {
        return .notGraphQL(
          answer: "\(likeness.rawValue) (its content type: \(name))", url: head.url,
          excerpt: likeness == .multipart ? "" : excerpt)
      }
      if !type.isJSON { return .notGraphQL(answer: name, url: head.url, excerpt: excerpt) }
    }
    if error.isLimit { return .jsonBeyondLimit(url: head.url, reason: "\(error)") }
    if part.body.allSatisfy(\.isWhiteSpace) { return .brokenJSON(url: head.url, reason: "the body is empty") }
    return .brokenJSON(url: head.url, reason: "\(error)")
  }
}

extension ResponsePart {
  /// No part of several and no event: here `{}` keeps no connection open, it is the answer.
  fileprivate func isWholeBody(under head: HTTPHead) -> Bool {
    !isMultipart && head.status != 101 && !head.contentType.isEventStream
  }
}
