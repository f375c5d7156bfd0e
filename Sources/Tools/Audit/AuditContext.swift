import ApusASCII
import ApusClientNetwork
import ApusClientSubscriptions
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON

/// The shared state of one run: the endpoint, the schema, derived operations, and every exchange so far.
///
/// Requests are sent one at a time. Not `Sendable`: a run belongs to one task.
package final class AuditContext {
  package struct Settings: Sendable {
    /// The maximum number of requests.
    package var requestLimit = 500
    /// The maximum number of requests per second; nil for no limit.
    package var rate: Int?
    /// The timeout of a request.
    package var timeout = Duration.seconds(10)
    /// The duration above which a field counts as slow. Audits of times use slow fields, others prefer quick ones.
    package var slowDuration = Duration.milliseconds(200)
    /// The maximum size of a response in bytes. A larger one is not audited.
    package var responseByteLimit = 8 << 20
    /// The maximum size of all responses that the run keeps, in bytes.
    package var keptByteLimit = 64 << 20
    /// The URL of subscriptions, and the payload of `connection_init`.
    package var subscriptions = SubscriptionOptions()
    /// The user's documents, which may contain mutations.
    package var operations: [String] = []

    package init() {}
  }

  let endpoint: HTTPRequest
  let schema: Schema?
  let settings: Settings
  /// The number of requests and WebSockets so far.
  package var requestCount: Int { exchanges.count + conversationCount }
  package private(set) var exchanges: [Exchange] = []
  /// The responses by request, so that audits with the same request share one.
  private var answers: [HTTPRequest: Exchange] = [:]
  /// The operations of the user's documents.
  let userOperations: [UserOperation]
  /// The derived operations that were tried; nil until then.
  var pool: OperationPool?
  /// A field that is slow while others are not; nil until it is found.
  var confirmedSlowField: ProbedField?
  var sentDeliveries: [Delivery]?
  /// The paths at which two responses to a field differ, such as `.birds.*.weight`, by the field's text.
  var volatilePaths: [String: Set<String>] = [:]
  var chosenSubscription: String?
  /// The event streams that several audits use, by request.
  var streams: [HTTPRequest: Exchange] = [:]
  /// The events after the client's `complete`.
  var stopped: StoppedSubscription?
  /// A connection without initialization, opened early because its audit waits for a timeout.
  var silentSocket: SocketConversation?
  /// A subscription without events that is read while other audits run.
  var idleStream: Task<Exchange, Never>?
  let transport: HTTPTransport
  private var conversationCount = 0
  /// The reason why no more requests are sent: the server asked for a pause, cannot be reached, or does not answer.
  package private(set) var refusal: String?
  private var unreachableCount = 0
  private var timeoutCount = 0
  /// The size of the bodies of all findings.
  private var proofByteCount = 0
  private let clock = ContinuousClock()
  private var nextSend: ContinuousClock.Instant?
  private let progress: @Sendable (Exchange) -> Void
  /// Adds the endpoint's current credentials, which may be renewed during a run.
  private let authorize: @Sendable (inout HTTPHeaders) async throws -> Void

  package init(
    endpoint: HTTPRequest, schema: Schema?, settings: Settings, transport: HTTPTransport,
    authorize: @escaping @Sendable (inout HTTPHeaders) async throws -> Void = { _ in },
    progress: @escaping @Sendable (Exchange) -> Void = { _ in }
  ) {
    self.authorize = authorize
    var endpoint = endpoint
    endpoint.maximumResponseSize = min(endpoint.maximumResponseSize, settings.responseByteLimit)
    self.endpoint = endpoint
    self.schema = schema
    self.settings = settings
    userOperations = settings.operations.flatMap(UserOperation.all)
    self.transport = transport
    self.progress = progress
  }

  // MARK: Requests

  /// The smallest document that every server can execute.
  static let typename = "{ __typename }"

  /// Sends a document by POST like a client that accepts JSON.
  func run(
    _ document: String, variables: JSONValue? = nil, operationName: String? = nil,
    accept: String? = GraphQLMediaType.single, headers: [(String, String)] = []
  ) async throws -> Exchange {
    var members: [(String, JSONValue)] = [("query", JSONValue(document))]
    if let operationName { members.append(("operationName", JSONValue(operationName))) }
    if let variables { members.append(("variables", variables)) }
    return try await post(JSONWriter.compact(.object(members)), accept: accept, headers: headers)
  }

  /// Sends a body by POST.
  func post(
    _ body: String, accept: String? = GraphQLMediaType.single, contentType: String? = GraphQLMediaType.json,
    method: String = "POST", headers: [(String, String)] = []
  ) async throws -> Exchange {
    var request = endpoint
    request.method = method
    request.body = Array(body.utf8)
    request.headers["Content-Type"] = contentType
    return try await send(request, accept: accept, headers: headers)
  }

  /// Sends parameters in the URL. Values are percent-encoded, unless `isEncoded` is true.
  func get(
    _ parameters: [(name: String, value: String)], accept: String? = GraphQLMediaType.single, method: String = "GET",
    isEncoded: Bool = false, headers: [(String, String)] = []
  ) async throws -> Exchange {
    var request = endpoint
    request.method = method
    request.body = nil
    let query = parameters.map { "\($0.name)=\(isEncoded ? $0.value : PercentEncoding.encoded($0.value))" }
    if !query.isEmpty {
      request.url += (request.url.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }
    return try await send(request, accept: accept, headers: headers)
  }

  private func send(
    _ request: HTTPRequest, accept: String?, headers: [(String, String)]
  ) async throws -> Exchange {
    var request = request
    request.headers["Accept"] = accept
    for (name, value) in headers { request.headers[name] = value }
    request.timeouts.total = settings.timeout
    request.maximumRedirects = 0
    if let answer = answers[request] { return answer }
    let exchange = try await exchange(request)
    answers[request] = exchange
    return exchange
  }

  /// Sends a request, even if it was sent before.
  func exchange(
    _ request: HTTPRequest, until isEnough: (Exchange) -> Bool = { _ in false }
  ) async throws -> Exchange {
    dropBodies()
    try checkLimit()
    try await waitForTurn()
    var exchange = await Self.read(try await authorized(request), transport, until: isEnough)
    if exchange.isTooLarge { exchange.keep(first: 0) }
    exchanges.append(exchange)
    heed(exchange)
    progress(exchange)
    if exchange.isTooLarge {
      throw AuditStop.notApplicable("the response is larger than \(settings.responseByteLimit >> 20) MB")
    }
    if exchange.isUnreachable { throw AuditStop.notApplicable("the server cannot be reached") }
    try Task.checkCancellation()
    return exchange
  }

  /// The request to the URL of subscriptions. Another origin gets none of the endpoint's headers.
  var subscriptionEndpoint: HTTPRequest {
    var request = endpoint
    if let url = settings.subscriptions.url { request.address(to: url) }
    return request
  }

  /// Returns a request with the current credentials, if it goes to the endpoint's origin.
  func authorized(_ request: HTTPRequest) async throws -> HTTPRequest {
    var request = request
    guard request.hasOrigin(of: endpoint.url) else { return request }
    try await authorize(&request.headers)
    return request
  }

  /// Sends a request and reads its response to the end, or until it is sufficient.
  static func read(
    _ request: HTTPRequest, _ transport: HTTPTransport, until isEnough: (Exchange) -> Bool
  ) async -> Exchange {
    let clock = ContinuousClock()
    var exchange = Exchange(request)
    let start = clock.now
    do {
      reading: for try await event in transport.send(request) {
        switch event {
        case .sent: continue
        case .head(let head): exchange.head = head
        case .bytes(let chunk): exchange.reads.append(.init(bytes: chunk.bytes, elapsed: chunk.arrival - start))
        case .end(let timings): exchange.timings = timings
        }
        if isEnough(exchange) { break reading }
      }
    } catch let error as NetworkError {
      exchange.failure = error
    } catch {
      // The task was canceled; the caller stops at its next check.
    }
    exchange.duration = clock.now - start
    return exchange
  }

  private func checkLimit() throws(AuditStop) {
    if let refusal { throw AuditStop.notApplicable(refusal) }
    guard exchanges.count + conversationCount < settings.requestLimit else {
      throw AuditStop.notApplicable("the limit of \(settings.requestLimit) requests is reached (--limit)")
    }
  }

  /// Stops the run's requests if the server asks for it, or if it cannot be reached or does not answer three times in a
  /// row.
  private func heed(_ exchange: Exchange) {
    if exchange.status == 429 || exchange.status == 503 && exchange.head?.headers["Retry-After"] != nil {
      refusal = "the server limits the rate of requests (status \(exchange.status))"
    }
    unreachableCount = exchange.isUnreachable ? unreachableCount + 1 : 0
    if unreachableCount == 3 { refusal = "the server cannot be reached" }
    // Audits that wait on purpose have other time limits, so their responses say nothing about the server.
    guard exchange.request.timeouts.total == settings.timeout, exchange.request.timeouts.idle == nil else { return }
    timeoutCount = exchange.isTimedOut ? timeoutCount + 1 : 0
    if timeoutCount == 3 {
      refusal = "three requests in a row did not complete within \(SingleLineText.milliseconds(settings.timeout))"
    }
  }

  // MARK: Memory

  /// Drops bodies that no later audit compares with others, from the largest on, until the rest is within the limit of
  /// the run. Audits of every response do not examine them, and an audit that needs one sends its request again. If
  /// what later audits compare is too large, the run sends no more requests.
  func dropBodies() {
    var size = exchanges.reduce(0) { $0 + $1.byteCount }
    guard size > settings.keptByteLimit else { return }
    let compared = comparedRequests
    for index in exchanges.indices.sorted(by: { exchanges[$0].byteCount > exchanges[$1].byteCount })
    where size > settings.keptByteLimit && !compared.contains(exchanges[index].request) {
      size -= exchanges[index].byteCount
      exchanges[index].keep(first: 0)
      answers[exchanges[index].request] = nil
    }
    if size > settings.keptByteLimit {
      refusal = "the responses are larger than \(settings.keptByteLimit >> 20) MB in all"
    }
  }

  /// The requests whose responses the run keeps for several audits.
  private var comparedRequests: Set<HTTPRequest> {
    let probed = pool.map { $0.fields + $0.failing + $0.emptyLists + $0.slow } ?? []
    let deliveries = (sentDeliveries ?? []).flatMap { [$0.exchange, $0.plain] }
    return Set((probed.map(\.exchange) + deliveries + streams.values).map(\.request))
  }

  /// Returns exchanges that prove a finding, with the beginnings of their bodies that fit into the rest of the limit.
  func kept(_ proofs: [Exchange]) -> [Exchange] {
    proofs.map { exchange in
      var exchange = exchange
      exchange.keep(first: settings.keptByteLimit - proofByteCount)
      proofByteCount += exchange.byteCount
      return exchange
    }
  }

  /// Counts a connection that is read concurrently as a request.
  func reserveRequest() async throws {
    try checkLimit()
    try await waitForTurn()
    conversationCount += 1
  }

  /// Allows the requests of some exchanges to be sent again.
  func forgetAnswers(of exchanges: [Exchange]) {
    for exchange in exchanges {
      answers[exchange.request] = nil
      streams[exchange.request] = nil
    }
    // These are derived from other responses.
    sentDeliveries = nil
    stopped = nil
  }

  private func waitForTurn() async throws {
    guard let rate = settings.rate, rate > 0 else { return }
    if let nextSend, nextSend > clock.now { try await clock.sleep(until: nextSend) }
    nextSend = clock.now + .seconds(1) / rate
  }
}

// MARK: Expectations

extension AuditContext {
  /// Fails the audit with an exchange unless a condition holds. `proof` is the range of the body that contradicts it.
  func expect(_ condition: Bool, _ exchange: Exchange, found: String? = nil, proof: Range<Int>? = nil) throws(AuditStop)
  {
    guard !condition else { return }
    var exchange = exchange
    exchange.proof = proof
    throw AuditStop.failed(found: found ?? exchange.summary, [exchange])
  }
}
