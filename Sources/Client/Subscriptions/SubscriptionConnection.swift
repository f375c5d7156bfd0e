import ApusClientAPI
import ApusClientNetwork
import ApusJSON
import Synchronization

/// What a subscriber hears, in order: states, and events when it is live.
package enum SubscriptionEvent: Sendable {
  case state(SubscriptionState)
  /// The server agreed to a WebSocket with this subprotocol.
  case opened(HTTPHead, SubscriptionProtocol)
  /// One execution result. `message` is what came over the wire; the receipt is kept until the result is taken.
  case result(JSONValue, message: [UInt8], arrival: ContinuousClock.Instant, WebSocketReceipt)
}

/// One WebSocket that carries all subscriptions to one place, as long as there are any.
///
/// 1. The first subscriber makes it connect; the payload of `connection_init` is made anew for each connection.
/// 2. All that arrives goes through the session, which says who hears it.
/// 3. A lost connection that once was live is made again after a wait, and each subscription is asked for once more.
/// 4. When the last subscriber leaves, the server is told, and the socket closed in good order.
package actor SubscriptionConnection {
  package typealias Events = AsyncThrowingStream<SubscriptionEvent, any Error>

  private struct Subscriber {
    let payload: JSONValue
    let events: Events.Continuation
  }

  private let request: HTTPRequest
  private let protocols: [SubscriptionProtocol]
  private let options: SubscriptionOptions
  private let transport: HTTPTransport
  private var lastID = 0

  private var subscribers: [String: Subscriber] = [:]
  private var runner: Task<Void, Never>?
  private var conversation: Task<SubscriptionFailure?, Never>?
  /// Makes the payload of `connection_init`.
  private var preparation: Task<JSONValue?, any Error>?
  private var socket: WebSocketConnection?
  private var session: SubscriptionSession?
  private var isClosing = false
  /// Why the session ended the conversation, kept until the socket is closed.
  private var failure: SubscriptionFailure?
  private var timer: Task<Void, Never>?
  private var pause: Task<Void, Never>?
  private var reconnection: ReconnectionBackoff

  package init(
    to request: HTTPRequest, protocols: [SubscriptionProtocol], options: SubscriptionOptions, transport: HTTPTransport
  ) {
    self.request = request
    self.protocols = protocols
    var options = options
    // Who limits how long a server may think before it answers limits this answer too.
    if let limit = request.timeouts.firstByte { options.acknowledgeTimeout = min(limit, options.acknowledgeTimeout) }
    self.options = options
    self.transport = transport
    reconnection = ReconnectionBackoff(policy: options.reconnection)
  }

  /// Subscribes with the `payload` of a GraphQL request. The stream ends when the server completes the subscription, or
  /// when its task is cancelled; who does not read it to its end leaves.
  package func subscribe(_ payload: JSONValue) -> (id: String, events: Events) {
    lastID += 1
    let id = String(lastID)
    let (events, continuation) = Events.makeStream()
    add(id, Subscriber(payload: payload, events: continuation))
    return (id, events)
  }

  /// Ends a subscription, if it has not ended. Returns when the server has been told, and the socket is closed if nobody
  /// else needs it.
  package func leave(_ id: String) async {
    remove(id)
    // Before there is a socket, nobody has to be told.
    if subscribers.isEmpty, socket != nil { _ = await conversation?.value }
  }

  // MARK: Subscribers

  private func add(_ id: String, _ subscriber: Subscriber) {
    subscriber.events.yield(.state(session?.isLive == true && !isClosing ? .live : .connecting))
    subscribers[id] = subscriber
    if !isClosing, let effects = session?.subscribe(id: id, payload: subscriber.payload) { carryOut(effects) }
    if runner == nil { runner = Task { await run() } }
  }

  private func remove(_ id: String) {
    guard subscribers.removeValue(forKey: id) != nil else { return }
    if let effects = session?.unsubscribe(id: id) { carryOut(effects) }
    closeIfIdle()
  }

  private func closeIfIdle() {
    guard subscribers.isEmpty else { return }
    pause?.cancel()
    preparation?.cancel()
    guard !isClosing, let socket else { return }
    isClosing = true
    if let effects = session?.farewell() { carryOut(effects) }
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

  private func waitToReconnect(after failure: SubscriptionFailure) async {
    guard let delay = reconnection.lost(at: .now) else {
      finishAll(throwing: SubscriptionFailure.givenUp(attempts: reconnection.attemptCount, last: failure))
      return
    }
    announce(.reconnecting(attempt: reconnection.attempt, reason: "\(failure)"))
    let pause = Task { [sleep = options.sleep] in _ = try? await sleep(delay) }
    self.pause = pause
    await pause.value
    self.pause = nil
  }

  /// One connection from its beginning to its end. Nil when it was closed for want of subscribers.
  private func converse() async -> SubscriptionFailure? {
    let preparation = Task { [options] in try await options.connectionPayload?() }
    self.preparation = preparation
    let outcome = await preparation.result
    self.preparation = nil
    let payload: JSONValue?
    switch outcome {
    case .success(let made): payload = made
    // Nobody wanted it any more; whoever came since has another one made.
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
      case .opened(let subprotocol, let head): open(head, subprotocol, payload: payload)
      case .text(let text, let arrival, let receipt):
        if let effects = session?.receive(text, at: arrival) { carryOut(effects, (arrival, receipt)) }
      case .pong: session?.ponged(at: .now)
      // What this side has closed because it was idle is no loss for who has come meanwhile.
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

  private func named(_ end: WebSocketConnection.End) -> SubscriptionFailure? {
    switch end {
    case .closed(let code, let reason): .closed(url: request.shownURL, code: code, reason: reason)
    case .refused(let head, let body): .refused(head, body: body)
    case .failed(let error): .network(error)
    case .broken(let reason): .brokenProtocol(url: request.shownURL, reason: reason)
    case .cancelled: nil
    }
  }

  private func open(_ head: HTTPHead, _ subprotocol: String?, payload: JSONValue?) {
    // A server that names none is taken to speak what was offered first.
    let named = subprotocol.map { name in protocols.first { $0.rawValue == name } } ?? protocols.first
    guard let dialect = named else {
      carryOut([.end(.wrongSubprotocol(url: request.shownURL, name: subprotocol ?? ""), code: 4406)])
      return
    }
    var session = SubscriptionSession(dialect, url: request.shownURL, options: options, now: .now)
    carryOut(session.opened(payload: payload, at: .now))
    for (id, subscriber) in subscribers.sorted(by: { $0.key.count < $1.key.count || $0.key < $1.key }) {
      subscriber.events.yield(.opened(head, dialect))
      carryOut(session.subscribe(id: id, payload: subscriber.payload))
    }
    self.session = session
    startTimer()
  }

  // MARK: What the session wants

  private func carryOut(
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
        announce(.live)
        startTimer()
      case .result(let id, let payload, let text):
        tell(id, payload, text, message)
      case .errors(let id, let errors, let text):
        tell(id, .object([("errors", errors)]), text, message)
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

  private func tell(
    _ id: String, _ payload: JSONValue, _ text: [UInt8],
    _ message: (arrival: ContinuousClock.Instant, receipt: WebSocketReceipt)?
  ) {
    guard let message else { return }
    subscribers[id]?.events.yield(.result(payload, message: text, arrival: message.arrival, message.receipt))
  }

  /// Wakes the session at its deadlines, which move with each sign of life.
  private func startTimer() {
    timer?.cancel()
    timer = Task {
      while !Task.isCancelled, let deadline = session?.deadline {
        do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
        // What the server says is not read: its silence means nothing.
        if socket?.isHeld == true { session?.excuseSilence(at: .now) }
        if let effects = session?.pass(to: .now) { carryOut(effects) }
      }
    }
  }
}

/// The WebSockets of a client: one for each place that subscriptions go to, with one set of headers.
package final class SubscriptionHub: Sendable {
  /// Whoever subscribes holds the connection. An old token's is gone with its last subscriber.
  private struct SharedConnection {
    weak var connection: SubscriptionConnection?
  }

  private struct State {
    var connections: [HTTPRequest: SharedConnection] = [:]
    /// URLs that have answered an upgrade like any other request.
    var withoutWebSocket: Set<String> = []
  }

  package let options: SubscriptionOptions
  private let transport: HTTPTransport
  private let state = Mutex(State())

  package init(options: SubscriptionOptions, transport: HTTPTransport) {
    self.options = options
    self.transport = transport
  }

  /// The connection for subscriptions that would be sent as this request.
  package func connection(for request: HTTPRequest) -> SubscriptionConnection {
    let place = place(of: request)
    let protocols: [SubscriptionProtocol] =
      switch options.transport {
      case .webSocket: [.transport]
      case .legacyWebSocket: [.legacy]
      default: [.transport, .legacy]
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

  package func speaksNoWebSocket(_ request: HTTPRequest) -> Bool {
    let url = place(of: request).url
    return state.withLock { $0.withoutWebSocket.contains(url) }
  }

  package func noteNoWebSocket(_ request: HTTPRequest) {
    let place = place(of: request)
    state.withLock { state in
      state.withoutWebSocket.insert(place.url)
      state.connections[place] = nil
    }
  }

  /// What two subscriptions must have in common to share a connection.
  private func place(of request: HTTPRequest) -> HTTPRequest {
    var place = request
    if let url = options.webSocketURL { place.url = url }
    place.method = "GET"
    place.body = nil
    place.headers["Content-Type"] = nil
    place.headers["Accept"] = nil
    return place
  }
}
