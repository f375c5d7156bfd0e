import ApusClientAPI
import ApusClientNetwork
import ApusJSON
import Synchronization

/// An event for a subscriber: a change of state, or a result.
package enum SubscriptionEvent: Sendable {
  case state(SubscriptionState)
  /// The server accepted a WebSocket with this subprotocol.
  case opened(HTTPHead, WebSocketSubprotocol)
  /// An execution result. `message` is its text on the wire; the receipt must be held until the result is read.
  case result(JSONValue, message: [UInt8], arrival: ContinuousClock.Instant, WebSocketReceipt)
}

/// A WebSocket that all subscriptions to one server share, open as long as there are any.
///
/// 1. The first subscriber opens it. The payload of `connection_init` is created for each connection.
/// 2. All received messages are processed by the session, which determines their subscribers.
/// 3. If a live connection is lost, it is opened again after a delay, and each subscription is sent again.
/// 4. When the last subscriber leaves, the session and the socket are closed.
package actor SubscriptionConnection {
  package typealias Events = AsyncThrowingStream<SubscriptionEvent, any Error>

  private struct Subscriber {
    let payload: JSONValue
    let events: Events.Continuation
  }

  private let request: HTTPRequest
  private let protocols: [WebSocketSubprotocol]
  private let options: SubscriptionOptions
  private let transport: HTTPTransport
  private var lastID = 0

  private var subscribers: [String: Subscriber] = [:]
  private var runner: Task<Void, Never>?
  private var conversation: Task<SubscriptionError?, Never>?
  /// The task that creates the payload of `connection_init`.
  private var preparation: Task<JSONValue?, any Error>?
  private var socket: WebSocketConnection?
  private var session: SubscriptionSession?
  private var isClosing = false
  /// The reason why the session ended the connection, kept until the socket is closed.
  private var failure: SubscriptionError?
  private var timer: Task<Void, Never>?
  private var pause: Task<Void, Never>?
  private var reconnection: ReconnectionBackoff

  package init(
    to request: HTTPRequest, protocols: [WebSocketSubprotocol], options: SubscriptionOptions, transport: HTTPTransport
  ) {
    self.request = request
    self.protocols = protocols
    var options = options
    // The request's timeout for responses also limits the acknowledgement.
    if let limit = request.timeouts.firstByte { options.acknowledgeTimeout = min(limit, options.acknowledgeTimeout) }
    self.options = options
    self.transport = transport
    reconnection = ReconnectionBackoff(policy: options.reconnection)
  }

  /// Subscribes with the `payload` of a GraphQL request. The stream ends when the server completes the subscription or
  /// the task is canceled. A reader that stops before the end unsubscribes.
  package func subscribe(_ payload: JSONValue) -> (id: String, events: Events) {
    lastID += 1
    let id = String(lastID)
    let (events, continuation) = Events.makeStream()
    add(id, Subscriber(payload: payload, events: continuation))
    return (id, events)
  }

  /// Ends a subscription, if it has not ended. Returns after the server was notified, and the socket was closed if no
  /// other subscription uses it.
  package func unsubscribe(_ id: String) async {
    remove(id)
    // Without a socket there is no server to notify.
    if subscribers.isEmpty, socket != nil { _ = await conversation?.value }
  }

  /// Ends all subscriptions. Returns after the server was notified and the socket was closed.
  package func close() async {
    for id in subscribers.keys.sorted() {
      if let effects = session?.unsubscribe(id: id, at: .now) { execute(effects) }
    }
    finishAll(throwing: CancellationError())
    closeIfIdle()
    _ = await conversation?.value
  }

  // MARK: Subscribers

  private func add(_ id: String, _ subscriber: Subscriber) {
    subscriber.events.yield(.state(session?.isLive == true && !isClosing ? .active : .connecting))
    subscribers[id] = subscriber
    if !isClosing, let effects = session?.subscribe(id: id, payload: subscriber.payload, at: .now) { execute(effects) }
    if runner == nil { runner = Task { await run() } }
  }

  private func remove(_ id: String) {
    guard subscribers.removeValue(forKey: id) != nil else { return }
    if let effects = session?.unsubscribe(id: id, at: .now) { execute(effects) }
    closeIfIdle()
  }

  private func closeIfIdle() {
    guard subscribers.isEmpty else { return }
    pause?.cancel()
    preparation?.cancel()
    guard !isClosing, let socket else { return }
    isClosing = true
    if let effects = session?.farewell() { execute(effects) }
    socket.close(code: 1000, reason: "")
  }

  private func finish(_ id: String, throwing error: (any Error)? = nil) {
    guard let subscriber = subscribers.removeValue(forKey: id) else { return }
    subscriber.events.yield(.state(.finished))
    subscriber.events.finish(throwing: error)
  }

  private func finishAll(throwing error: (any Error)? = nil) {
    for id in subscribers.keys { finish(id, throwing: error) }
  }

  private func announce(_ state: SubscriptionState) {
    for subscriber in subscribers.values { subscriber.events.yield(.state(state)) }
  }

  // MARK: Connecting, again and again

  private func run() async {
    reconnection = ReconnectionBackoff(policy: options.reconnection)
    while !subscribers.isEmpty {
      let conversation = Task { await converse() }
      self.conversation = conversation
      let failure = await conversation.value
      self.conversation = nil
      guard let failure, !subscribers.isEmpty else { continue }
      if reconnection.hasBeenLive, failure.isLoss {
        await waitToReconnect(after: failure)
      } else {
        finishAll(throwing: failure)
      }
    }
    runner = nil
  }

  private func waitToReconnect(after failure: SubscriptionError) async {
    guard let delay = reconnection.lost(at: .now) else {
      finishAll(throwing: SubscriptionError.retriesExhausted(attempts: reconnection.attemptCount, last: failure))
      return
    }
    announce(.reconnecting(attempt: reconnection.attempt, reason: "\(failure)"))
    let pause = Task { [sleep = options.sleep] in _ = try? await sleep(delay) }
    self.pause = pause
    await pause.value
    self.pause = nil
  }

  /// Runs one connection from start to end. Returns nil if it was closed because it had no subscribers.
  private func converse() async -> SubscriptionError? {
    let preparation = Task { [options, url = request.url] in try await options.payload(for: url) }
    self.preparation = preparation
    let outcome = await preparation.result
    self.preparation = nil
    let payload: JSONValue?
    switch outcome {
    case .success(let made): payload = made
    // The last subscriber left. A new one gets another connection.
    case .failure where preparation.isCancelled: return nil
    case .failure(let error): return .payloadFailed(reason: "\(error)")
    }
    if subscribers.isEmpty { return nil }
    let (events, continuation) = AsyncStream.makeStream(of: WebSocketConnection.Event.self)
    let socket = transport.openWebSocket(request, subprotocols: protocols.map(\.rawValue)) { event in
      continuation.yield(event)
      if case .ended = event { continuation.finish() }
    }
    self.socket = socket
    defer { endConversation() }
    for await event in events {
      switch event {
      case .opened(let subprotocol, let head, let sharesCredentials):
        // A redirect led to another origin, which gets no credentials.
        open(head, subprotocol, payload: sharesCredentials ? payload : nil)
      case .text(let text, let arrival, let receipt):
        if let effects = session?.receive(text, at: arrival) { execute(effects, (arrival, receipt)) }
      case .pong: session?.ponged()
      // If this side closed an idle connection, that is not a loss for new subscribers.
      case .ended(let end): return failure ?? (isClosing ? nil : named(end))
      }
    }
    return failure
  }

  private func endConversation() {
    socket = nil
    session = nil
    failure = nil
    isClosing = false
    timer?.cancel()
    timer = nil
  }

  private func named(_ end: WebSocketConnection.End) -> SubscriptionError? {
    switch end {
    case .closed(let code, let reason): .closed(url: request.redactedURL, code: code, reason: reason)
    case .refused(let head, let body): .rejected(head, body: body)
    case .failed(let error): .network(error)
    case .broken(let reason): .protocolViolation(url: request.redactedURL, reason: reason)
    case .cancelled: nil
    }
  }

  private func open(_ head: HTTPHead, _ subprotocol: String?, payload: JSONValue?) {
    // A server without a subprotocol in its response is assumed to use the first one offered.
    let named = subprotocol.map { name in protocols.first { $0.rawValue == name } } ?? protocols.first
    guard let dialect = named else {
      execute([.end(.wrongSubprotocol(url: request.redactedURL, name: subprotocol ?? ""), code: 4406)])
      return
    }
    var session = SubscriptionSession(dialect, url: request.redactedURL, options: options, now: .now)
    execute(session.opened(payload: payload, at: .now))
    for (id, subscriber) in subscribers.sorted(by: { $0.key.count < $1.key.count || $0.key < $1.key }) {
      subscriber.events.yield(.opened(head, dialect))
      execute(session.subscribe(id: id, payload: subscriber.payload, at: .now))
    }
    self.session = session
    startTimer()
  }

  // MARK: Effects of the session

  private func execute(
    _ effects: [SubscriptionSession.Effect],
    _ message: (arrival: ContinuousClock.Instant, receipt: WebSocketReceipt)? = nil
  ) {
    for effect in effects {
      switch effect {
      case .send(let text): socket?.send(text)
      case .answer(let text): socket?.answer(text)
      case .ping: socket?.ping()
      case .acknowledged:
        reconnection.becameLive(at: .now)
        announce(.active)
        startTimer()
      case .result(let id, let payload, let text):
        notify(id, payload, text, message)
      case .errors(let id, let errors, let text):
        notify(id, .object([("errors", errors)]), text, message)
        finish(id)
        closeIfIdle()
      case .completed(let id):
        finish(id)
        closeIfIdle()
      case .end(let failure, let code):
        self.failure = failure
        isClosing = true
        if let code { socket?.close(code: code, reason: "") } else { socket?.cancel() }
      }
    }
  }

  private func notify(
    _ id: String, _ payload: JSONValue, _ text: [UInt8],
    _ message: (arrival: ContinuousClock.Instant, receipt: WebSocketReceipt)?
  ) {
    guard let message else { return }
    subscribers[id]?.events.yield(.result(payload, message: text, arrival: message.arrival, message.receipt))
  }

  /// Calls the session at its deadlines, which move whenever a message is sent.
  private func startTimer() {
    timer?.cancel()
    timer = Task {
      while !Task.isCancelled, let deadline = session?.deadline {
        do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
        // While reading is paused, silence is not the server's fault.
        if socket?.isHeld == true { session?.excuseSilence() }
        if let effects = session?.pass(to: .now) { execute(effects) }
      }
    }
  }
}

/// The WebSockets of a client: one per server and set of headers.
package final class SubscriptionHub: Sendable {
  /// A connection, kept alive by its subscribers. With another token there is another connection.
  private struct SharedConnection {
    weak var connection: SubscriptionConnection?
  }

  private struct State {
    var connections: [HTTPRequest: SharedConnection] = [:]
    /// The URLs that rejected a WebSocket upgrade.
    var withoutWebSocket: Set<String> = []
  }

  package let options: SubscriptionOptions
  private let transport: HTTPTransport
  private let state = Mutex(State())

  package init(options: SubscriptionOptions, transport: HTTPTransport) {
    self.options = options
    self.transport = transport
  }

  /// Returns the connection for subscriptions with this request.
  ///
  /// - Parameters:
  ///   - sendsPayload: Whether the URL may receive the connection payload.
  ///   - field: The header field that replaces the endpoint's credentials.
  package func connection(
    for request: HTTPRequest, sendsPayload: Bool = true,
    replacing field: (@Sendable () async throws -> (name: String, value: String))? = nil
  ) -> SubscriptionConnection {
    var options = options
    options.replacingField = sendsPayload ? field : nil
    if !sendsPayload { options.connectionPayload = nil }
    let place = connectionKey(of: request)
    let protocols: [WebSocketSubprotocol] =
      switch options.transport {
      case .webSocket: [.transport]
      case .legacyWebSocket: [.legacy]
      case .automatic, .serverSentEvents, .multipart: [.transport, .legacy]
      }
    return state.withLock { state in
      if let connection = state.connections[place]?.connection { return connection }
      state.connections = state.connections.filter { $0.value.connection != nil }
      let connection = SubscriptionConnection(
        to: place, protocols: protocols, options: options, transport: transport)
      state.connections[place] = SharedConnection(connection: connection)
      return connection
    }
  }

  /// Ends all subscriptions over WebSockets. Returns after the servers were notified.
  package func close() async {
    let connections = state.withLock { $0.connections.values.compactMap(\.connection) }
    await withTaskGroup(of: Void.self) { group in
      for connection in connections { group.addTask { await connection.close() } }
    }
  }

  package func speaksNoWebSocket(_ request: HTTPRequest) -> Bool {
    let url = connectionKey(of: request).url
    return state.withLock { $0.withoutWebSocket.contains(url) }
  }

  package func markWebSocketUnsupported(_ request: HTTPRequest) {
    let place = connectionKey(of: request)
    state.withLock { state in
      state.withoutWebSocket.insert(place.url)
      state.connections[place] = nil
    }
  }

  /// Returns the properties that subscriptions must have in common to share a connection.
  private func connectionKey(of request: HTTPRequest) -> HTTPRequest {
    var place = request
    place.method = "GET"
    place.body = nil
    place.headers["Content-Type"] = nil
    place.headers["Accept"] = nil
    place.ownHeaders = [:]
    return place
  }
}
