import ApusClientAPI
import ApusClientCache
import ApusClientIncremental
import ApusClientNetwork
import ApusClientOperation
import ApusClientResultExecution
import ApusGraphQLMediaTypes
import ApusJSON
import Synchronization

/// Parses each part, merges it into the result so far, and creates the typed result.
///
/// If the response ends while fragments are pending, one more result settles them before the error ends the stream. Its
/// part number is that of the last payload.
public final class JSONParsingInterceptor: RequestChainInterceptor {
  private struct State {
    var attempt = 0
    var merger: IncrementalMerger?
    var checker: ResponseChecker?
    var isComplete = false
    /// Whether the response is over. A later part belongs to another response, requested by an earlier interceptor.
    var isOver = false
    var payloadCount = 0
    /// The protocol violations in earlier events.
    var violations: [IncrementalError] = []

    /// All protocol violations so far.
    var allViolations: [IncrementalError] { violations + (merger?.violations ?? []) }
  }

  private let registry: PartReaderRegistry
  /// Returns the rules for the keys of objects; `nil` uses those of the operation.
  private let keyRules: @Sendable () -> KeyRules?
  private let state = Mutex(State())

  /// Creates an interceptor for one request. `registry` selects the reader of the parts.
  public init(registry: PartReaderRegistry = .standard) {
    self.registry = registry
    keyRules = { nil }
  }

  /// Creates an interceptor for one request that compares objects of two payloads by the cache keys of a store.
  package init(registry: PartReaderRegistry = .standard, store: CacheStore?) {
    self.registry = registry
    keyRules = { store?.resolver.keyRules }
  }

  /// Creates the result of a part. Responses that are still a stream proceed.
  ///
  /// - Throws: `GraphQLClientError.invalidJSON`, `.jsonBeyondLimit` or `.notGraphQL` if the part cannot be read,
  ///   `.status` if the status is an error too, `.protocolViolation` if the part does not fit the earlier ones, or none
  ///   arrived; the errors of the operation's `makeData(from:)`; the error that ended the response. `.incomplete`
  ///   follows the last result if announced parts did not arrive.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let response else { return .proceed(request: request, response: nil) }
    return switch response.body {
    case .stream: .proceed(request: request, response: response)
    case .part(let part): try parsed(part, request, response)
    case .end(is LostConnection): try cutEvent(request, response)
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
      return try finalResult(before: unreadable(part, response.head, error), request, response)
    }
    let isSubscription = request.compiled.operationType == .subscription
    switch registry.reader(for: part, isSubscription: isSubscription).payload(of: json) {
    case .heartbeat:
      if part.isWholeBody(under: response.head) { throw notGraphQL(json, part, response.head) }
      return part.isWhole ? try finish(nil, request, response) : .endBranch
    case .fatal(let errors):
      // The server follows the protocol and ends the operation, as it can over a WebSocket.
      let result = GraphQLResult<Operation.Data>(
        data: nil, errors: Self.located(errors, in: request.compiled), payloadIndex: state.withLock { $0.payloadCount },
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
      return try finalResult(before: error, request, response)
    }
    guard let (merged, index) = received else {
      return part.isWhole ? try finish(nil, request, response) : .endBranch
    }
    var response = response
    try merge(merged, into: &response, request, part: index, elapsed, byteCount: part.body.count)
    let given = RequestChain.NextAction<Operation>.proceed(request: request, response: response)
    guard part.isWhole else { return given }
    // The response ended although more was announced: one more result settles its pending fragments.
    guard merged.isComplete else { return Self.both(given, try finish(nil, request, response)) }
    // The response is complete. Later parts belong to another one.
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
          plan: plan, delivery: isSubscription ? .events : part.isWhole ? .complete : .parts,
          keyRules: request.compiled.hasIncremental ? keyRules() : nil)
        state.checker = ResponseChecker(
          plan: plan, checking: request.operation.resultChecking, onError: request.options.onError)
      }
      do throws(IncrementalError) {
        guard let merged = try state.merger?.receive(payload: payload, at: elapsed) else { return nil }
        state.isComplete = merged.isComplete
        state.payloadCount += 1
        return (merged, state.payloadCount - 1)
      } catch {
        if error.isNoResponse, part.isWholeBody(under: head) { throw notGraphQL(payload, part, head) }
        if !head.isSuccess {
          throw GraphQLClientError.status(HTTPStatusError(head, body: part.body, excerpt: error.description))
        }
        throw GraphQLClientError.protocolViolation(url: head.url, reason: error.description)
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

  /// Ends the response. Pending fragments are settled in one more result, followed by the error.
  private func finish<Operation: GraphQLOperation>(
    _ error: (any Error)?, _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) throws -> RequestChain.NextAction<Operation> {
    let elapsed = request.startInstant.duration(to: .now)
    let isSubscription = request.compiled.operationType == .subscription
    let (merged, count) = try state.withLock { state -> (MergedResult?, Int) in
      let isWithoutPayload = state.merger == nil || state.attempt < request.attempt || state.isOver
      state.isOver = true
      // An error status is more helpful than the error that the body is incomplete.
      if isWithoutPayload, !response.head.isSuccess {
        throw GraphQLClientError.status(HTTPStatusError(response.head))
      }
      // A subscription may end before its first event. A query or a mutation needs a result.
      if error == nil, isWithoutPayload, !isSubscription { throw withoutPayload(response.head) }
      guard state.attempt == request.attempt else { return (nil, 0) }
      // A response that announced no more data and ended normally is complete even without a closing delimiter.
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
      // If all announced data arrived, an abnormal end of the connection lost nothing. A subscription never announces
      // its end.
      if let error, isSubscription || !isComplete { throw error }
      if let violation { throw violation }
      return .endBranch
    }
    var last = response
    try merge(merged, into: &last, request, part: count - 1, elapsed, byteCount: 0)
    let settled = RequestChain.NextAction<Operation>.proceed(request: request, response: last)
    if merged.isComplete { return followed(settled, by: violation) }
    // Even after a normal end, a fragment without its data makes the response incomplete.
    return followed(settled, by: error ?? GraphQLClientError.incomplete(url: response.head.url, partCount: count))
  }

  /// Returns the action, followed by the error that ends the response.
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

  /// Returns the error for protocol violations, which ends the response after its last result.
  private func violation<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>, _ head: HTTPHead)
    -> GraphQLClientError?
  {
    let violations = state.withLock { $0.attempt == request.attempt ? $0.allViolations : [] }
    guard let first = violations.first else { return nil }
    let more = violations.count == 1 ? "" : "; and \(violations.count - 1) more"
    return .protocolViolation(url: head.url, reason: first.description + more)
  }

  /// Returns the last result of a subscription's event, if the payload starts the next event.
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
    try merge(merged, into: &last, request, part: count - 1, elapsed, byteCount: 0)
    return .proceed(request: request, response: last)
  }

  /// Settles the pending fragments of an event in one more result, because its connection was lost. The subscription may
  /// continue with the next event.
  private func cutEvent<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) throws -> RequestChain.NextAction<Operation> {
    guard isUnderWay(request), !isComplete else { return .endBranch }
    let elapsed = request.startInstant.duration(to: .now)
    let (merged, count) = state.withLock { state in
      state.isComplete = true
      return (state.merger?.finish(cut: true, at: elapsed), state.payloadCount)
    }
    guard let merged else { return .endBranch }
    var last = response
    try merge(merged, into: &last, request, part: count - 1, elapsed, byteCount: 0)
    return .proceed(request: request, response: last)
  }

  /// Settles the pending fragments in one more result, before the error for a part that cannot be read.
  private func finalResult<Operation: GraphQLOperation>(
    before error: any Error, _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) throws -> RequestChain.NextAction<Operation> {
    guard isUnderWay(request), !isComplete else { throw error }
    return try finish(error, request, response)
  }

  /// Whether a payload of this response was received.
  private func isUnderWay<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> Bool {
    state.withLock { $0.attempt == request.attempt && !$0.isOver && $0.payloadCount > 0 }
  }

  private var isComplete: Bool {
    state.withLock { $0.isComplete }
  }

  /// Checks the data received so far and creates the typed result.
  private func merge<Operation: GraphQLOperation>(
    _ merged: MergedResult, into response: inout GraphQLResponse<Operation>, _ request: GraphQLRequest<Operation>,
    part: Int, _ elapsed: Duration, byteCount: Int
  ) throws {
    let (checked, plan) = state.withLock { state in
      (state.checker?.receive(merged) ?? CheckedResponse(merged), state.merger?.plan)
    }
    var result = GraphQLResult(
      data: try OperationDecoder.decode(checked.modelData, request.operation, fragments: checked.fragments, plan: plan),
      errors: Self.located(checked.errors, in: request.compiled), extensions: merged.extensions,
      completeness: merged.isComplete ? .complete : .partial,
      fragments: checked.fragments, payloadIndex: part, elapsed: elapsed, byteCount: byteCount,
      changedPaths: merged.changedPaths)
    result.request = request.id
    result.json = checked.data
    result.streams = merged.streams
    (response.result, response.merged, response.checked) = (result, merged, checked)
  }

  /// Returns errors with their locations in the document as it was written; the server counts in the sent text.
  private static func located(_ errors: [GraphQLError], in operation: CompiledOperation) -> [GraphQLError] {
    guard let map = operation.sourceMap, !errors.isEmpty else { return errors }
    return errors.map { error in
      error.moved { location in
        let place = map.location(line: location.line, column: location.column, inSent: operation.documentText)
        return GraphQLError.Location(line: place.line, column: place.column)
      }
    }
  }

  /// Returns the error for a response that ended normally but contained only heartbeats.
  private func withoutPayload(_ head: HTTPHead) -> GraphQLClientError {
    .protocolViolation(url: head.url, reason: "the response ended without data and without errors; run it once more")
  }

  /// Returns the error for a body that is JSON but not a GraphQL response.
  private func notGraphQL(_ json: JSONValue, _ part: ResponsePart, _ head: HTTPHead) -> GraphQLClientError {
    let type = head.contentType
    if !head.isSuccess { return .status(HTTPStatusError(head, body: part.body)) }
    let excerpt = Excerpt(body: part.body, type: type)
    let answer =
      if json.kind != .object {
        "JSON that is \(LeafCheck.name(of: json.kind))"
      } else {
        excerpt.isMessage ? "a message in place of data" : "neither data nor errors"
      }
    return .notGraphQL(answer: answer, url: head.url, excerpt: excerpt.text)
  }

  private func unreadable(_ part: ResponsePart, _ head: HTTPHead, _ error: JSONSyntaxError) -> GraphQLClientError {
    let type = head.contentType
    if !head.isSuccess { return .status(HTTPStatusError(head, body: part.body)) }
    if head.hasNoContent { return .noContent(head) }
    let excerpt = Excerpt(body: part.body, type: type).text
    if !part.isMultipart, !type.isEventStream {
      if let error = GraphQLClientError.mislabeled(part.body, head) { return error }
      if !type.isJSON {
        return .notGraphQL(answer: type.name.isEmpty ? "no content type" : type.name, url: head.url, excerpt: excerpt)
      }
    }
    if error.isLimit { return .jsonBeyondLimit(url: head.url, reason: "\(error)") }
    return .invalidJSON(url: head.url, reason: UnreadableBody(body: part.body, head: head, error: error).reason)
  }
}

extension ResponsePart {
  /// Whether the part is the entire body, not one of several or an event. Then `{}` is the response, not a heartbeat.
  fileprivate func isWholeBody(under head: HTTPHead) -> Bool {
    !isMultipart && head.status != 101 && !head.contentType.isEventStream
  }
}
