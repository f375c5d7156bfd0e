import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusClientSubscriptions
import ApusJSON

/// Replaces the network fetch for subscriptions: subscribes over a WebSocket or over HTTP, and emits each event as a
/// part.
///
/// 1. Over a WebSocket, all subscriptions of the client share one connection.
/// 2. Over HTTP, each subscription has its own response, an event stream or multipart. It reconnects if the connection
///    is lost.
/// 3. `automatic` tries a WebSocket first, and HTTP if the server does not support WebSockets.
public struct SubscriptionFetchInterceptor: RequestChainInterceptor {
  private let transport: HTTPTransport
  private let hub: SubscriptionHub
  /// Whether subscriptions over HTTP are sent by GET.
  private let usesGET: Bool

  package init(transport: HTTPTransport, hub: SubscriptionHub, usesGET: Bool = false) {
    self.transport = transport
    self.hub = hub
    self.usesGET = usesGET
  }

  /// Subscribes, with an action for each event.
  ///
  /// - Throws: The stream of actions throws `SubscriptionError`, `NetworkError` and `GraphQLClientError`. The chain
  ///   converts the first two to `GraphQLClientError.subscription` and `.network`.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let request = addressed(request)
    request.report.sent(request.http, attempt: request.attempt)
    request.report.enter(.connecting)
    return .multiProceed(
      .handed { actions in
        try await SubscriptionRun(
          request: request, transport: transport, hub: hub, avoidsWebSocket: usesGET, actions: actions
        ).toEnd()
      })
  }

  /// Returns the request to the URL of subscriptions, by GET if it is sent over HTTP and the URL is not too long. This is
  /// the last step before the network, so that no other interceptor adds a header for another origin.
  private func addressed<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) -> GraphQLRequest<Operation> {
    var request = request
    if let url = request.options.subscriptionURL ?? hub.options.url { request.http.address(to: url) }
    switch hub.options.transport {
    case .automatic, .serverSentEvents, .multipart:
      if usesGET { _ = request.moveIntoURL(RequestParameters(request)) }
    case .webSocket, .legacyWebSocket: break
    }
    return request
  }
}

/// Ends the event of a subscription that was arriving when its connection was lost. The subscription may connect again.
struct LostConnection: Error {}

/// One subscription, from the first connection to its end.
private struct SubscriptionRun<Operation: GraphQLOperation>: Sendable {
  let request: GraphQLRequest<Operation>
  let transport: HTTPTransport
  let hub: SubscriptionHub
  let avoidsWebSocket: Bool
  let actions: Handoff<RequestChain.NextAction<Operation>>

  func toEnd() async throws {
    switch hub.options.transport {
    case .webSocket, .legacyWebSocket: try await overWebSocket()
    case .serverSentEvents, .multipart: try await overHTTP()
    case .automatic:
      if avoidsWebSocket || hub.speaksNoWebSocket(limitedRequest) { return try await overHTTP() }
      do {
        try await overWebSocket()
      } catch let failure as SubscriptionError where failure.saysNoWebSocket {
        // A server that is starting rejects everything. HTTP success later shows whether it supports WebSockets.
        if !failure.mayPass { hub.markWebSocketUnsupported(limitedRequest) }
        try await overHTTP { hub.markWebSocketUnsupported(limitedRequest) }
      }
    }
  }

  /// The request, with its total time limit applied to the start only, because a subscription's events may continue
  /// indefinitely.
  private var limitedRequest: HTTPRequest {
    var http = request.http
    if let total = http.timeouts.total {
      http.timeouts.connect = min(http.timeouts.connect ?? total, total)
      http.timeouts.firstByte = min(http.timeouts.firstByte ?? total, total)
      http.timeouts.total = nil
    }
    return http
  }

  /// Ends the event that was arriving when a connection was lost.
  private func cutEvent() async throws {
    try Task.checkCancellation()
    try await emit(.end(LostConnection()), HTTPHead(status: 200, headers: [:], url: request.http.redactedURL))
  }

  private func emit(_ body: GraphQLResponseBody, _ head: HTTPHead) async throws {
    try await actions.send(.proceed(request: request, response: GraphQLResponse(head: head, body: body)))
  }

  // MARK: WebSocket

  /// Whether the connection payload, which may contain a token, is for the URL. A URL of the request alone may come from a file
  /// of someone else.
  private var mayReceivePayload: Bool {
    request.options.subscriptionURL == nil || request.http.hasOrigin(of: request.original.url)
      || hub.options.url.map { request.http.hasOrigin(of: $0) } == true
  }

  private func overWebSocket() async throws {
    let payload = try JSONDocument(parsing: request.http.body ?? []).root
    let connection = hub.connection(
      for: limitedRequest, sendsPayload: mayReceivePayload, replacing: request.options.replacingField)
    let (id, events) = await connection.subscribe(payload)
    do {
      try await read(events)
    } catch {
      await connection.unsubscribe(id)
      try await cutEvent()
      throw error
    }
    await connection.unsubscribe(id)
    try Task.checkCancellation()
  }

  private func read(_ events: SubscriptionConnection.Events) async throws {
    var head = HTTPHead(status: 101, headers: [:], url: request.http.redactedURL)
    for try await event in events {
      switch event {
      case .state(let state):
        if case .reconnecting = state { try await cutEvent() }
        if state != .finished { request.report.enter(state) }
      case .opened(let opened, let subprotocol):
        head = opened
        request.report.received(opened)
        request.monitor.update { $0.agreedFormat = subprotocol.rawValue }
      case .result(let payload, let message, let arrival, let receipt):
        request.monitor.update { $0.receivedByteCount += message.count }
        var part = ResponsePart(headers: [:], body: message, arrival: arrival, isMultipart: false)
        request.report.add(
          RequestMonitor.RawPart(
            headers: [:], body: message, elapsed: request.start.duration(to: arrival), payload: payload),
          byteCount: message.count, at: part.arrivalInstant)
        part.json = payload
        try await emit(.part(part), head)
        withExtendedLifetime(receipt) {}
      }
    }
    if !Task.isCancelled { try await emit(.end(nil), head) }
  }

  // MARK: HTTP

  private func overHTTP(_ becameLive: () -> Void = {}) async throws {
    var reconnection = ReconnectionBackoff(policy: hub.options.reconnection)
    while true {
      let failure: any Error
      do {
        try await overOneResponse(isAgain: reconnection.hasBeenLive) {
          reconnection.becameLive(at: .now)
          becameLive()
        }
        return
      } catch {
        try await cutEvent()
        failure = error
      }
      guard reconnection.hasBeenLive, Self.isLoss(failure) else { throw failure }
      let named = GraphQLClientError.naming(failure)
      guard let delay = reconnection.lost(at: .now) else {
        throw SubscriptionError.retriesExhausted(attempts: reconnection.attemptCount, last: named)
      }
      request.report.enter(.reconnecting(attempt: reconnection.attempt, reason: "\(named)"))
      try await hub.options.sleep(delay)
    }
  }

  /// Runs one response. Returns when the subscription has ended: the server completed it, or ended the response
  /// normally and `EventStreamEnding` treats that as the end.
  private func overOneResponse(isAgain: Bool, _ becameLive: () -> Void) async throws {
    let stream = transport.send(httpRequest)
    let head = try await request.report.head(of: stream)
    guard head.isSuccess else { return try await emitRefusal(head, stream, isAgain: isAgain) }
    // The server wants no reconnection (HTML standard, section 9.2.3), so the subscription has ended.
    if head.status == 204 { return try await emit(.end(nil), head) }
    try await ResponseCodeInterceptor.check(head, stream)
    becameLive()
    request.report.enter(.active)
    let source = PartSource(stream: stream, head: head, request.startInstant, request.report)
    var ending = EventStreamEnding()
    while let step = try await source.next() {
      switch step {
      case .part(let part):
        let limit = request.http.maximumResponseSize
        guard part.body.count <= limit else { throw NetworkError.responseTooLarge(host: head.url, limit: limit) }
        ending.receive(part)
        try await emit(.part(part), head)
      case .end(let error?):
        guard case GraphQLClientError.incomplete? = error as? GraphQLClientError else { throw error }
        guard ending.isEnd else { throw SubscriptionError.endedEarly(url: head.url) }
        try await emit(.end(nil), head)
      case .end(nil):
        try await emit(.end(nil), head)
      }
    }
  }

  /// Processes an error status: a GraphQL response in the body is the only result, anything else an error. After a
  /// reconnection, temporary errors cause another attempt whatever the body contains.
  private func emitRefusal(_ head: HTTPHead, _ stream: HTTPResponseStream, isAgain: Bool) async throws {
    let body = await ResponseCodeInterceptor.beginning(of: stream)
    let failure = GraphQLClientError.status(HTTPStatusError(head, body: body))
    guard !(isAgain && Self.isLoss(failure)), !head.changedToGET, let json = try? JSONDocument(parsing: body).root,
      json.isGraphQLResponse
    else { throw failure }
    var part = ResponsePart(headers: [:], body: body, arrival: .now, isMultipart: false)
    part.json = json
    try await emit(.part(part), head)
    try await emit(.end(nil), head)
  }

  /// The request with the `Accept` field of the transport. Its size limit applies to each event.
  private var httpRequest: HTTPRequest {
    var http = limitedRequest
    let accept = RequestTemplate.accept(ofSubscriptionsOver: hub.options.transport)
    if http.headers["Accept"] == RequestTemplate.accept(ofSubscriptionsOver: .automatic) {
      http.headers["Accept"] = accept
    }
    http.ownHeaders["Accept"] = accept
    http.maximumResponseSize = .max
    http.isLongLived = true
    return http
  }

  private static func isLoss(_ error: any Error) -> Bool {
    switch GraphQLClientError.naming(error) {
    case GraphQLClientError.network(let failure): failure.isTransportFailure
    case GraphQLClientError.subscription(let failure): failure.isLoss
    case GraphQLClientError.status(let failure): failure.code >= 500 || failure.code == 429
    default: false
    }
  }
}
