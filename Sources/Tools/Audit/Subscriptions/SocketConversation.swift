import ApusClientNetwork
import ApusJSON

/// A WebSocket for audits, with a time limit for each event.
final class SocketConversation {
  enum Event {
    case opened(subprotocol: String?)
    case message(JSONValue)
    /// A message that is not JSON.
    case text([UInt8])
    case closed(code: Int, reason: String)
    /// The server rejected the upgrade.
    case refused(status: Int)
    case failed(String)
    /// Nothing arrived within the time limit.
    case silence
  }

  private enum Signal: Sendable {
    case event(WebSocketConnection.Event)
    case timeout(Int)
  }

  private let connection: WebSocketConnection
  private let signals: AsyncStream<Signal>.Continuation
  private var iterator: AsyncStream<Signal>.AsyncIterator
  private var waitCount = 0
  private let start = ContinuousClock.now
  /// The time since the connection was opened.
  var elapsed: Duration { ContinuousClock.now - start }
  /// The received data, as proof.
  private(set) var exchange: Exchange

  init(_ request: HTTPRequest, subprotocols: [String], transport: HTTPTransport) {
    let (stream, signals) = AsyncStream.makeStream(of: Signal.self)
    self.signals = signals
    iterator = stream.makeAsyncIterator()
    exchange = Exchange(request)
    connection = transport.openWebSocket(request, subprotocols: subprotocols) { signals.yield(.event($0)) }
  }

  func send(_ text: String) { connection.send(Array(text.utf8)) }

  func cut() { connection.cancel() }

  /// Returns the next event; `silence` if none arrives in time.
  func next(within limit: Duration = .seconds(3)) async -> Event {
    waitCount += 1
    let (number, signals) = (waitCount, signals)
    let timer = Task {
      try? await Task.sleep(for: limit)
      signals.yield(.timeout(number))
    }
    defer { timer.cancel() }
    while let signal = await iterator.next() {
      switch signal {
      case .timeout(let timed) where timed == number && !Task.isCancelled: return .silence
      case .timeout: continue
      case .event(let event): if let event = record(event) { return event }
      }
    }
    return .silence
  }

  /// Returns the next message, ignoring pings, pongs and keep-alive messages.
  func nextMessage(within limit: Duration = .seconds(3)) async -> Event {
    while true {
      let event = await next(within: limit)
      guard case .message(let message) = event, ["ping", "ka"].contains(message["type"]?.string) else { return event }
    }
  }

  private func record(_ event: WebSocketConnection.Event) -> Event? {
    switch event {
    case .opened(let subprotocol, let head, _):
      exchange.head = head
      return .opened(subprotocol: subprotocol)
    case .text(let bytes, _, _):
      exchange.reads.append(.init(bytes: bytes, elapsed: ContinuousClock.now - start))
      return (try? JSONDocument(parsing: bytes).root).map { .message($0) } ?? .text(bytes)
    case .pong: return nil
    case .ended(let end):
      return switch end {
      case .closed(let code, let reason): .closed(code: code, reason: reason)
      case .refused(let head, _): .refused(status: head.status)
      case .failed(let error): .failed("\(error)")
      case .broken(let reason): .failed(reason)
      case .cancelled: .failed("canceled")
      }
    }
  }
}

extension SocketConversation.Event {
  var text: String {
    switch self {
    case .opened(let subprotocol): "an open connection (\(subprotocol ?? "no subprotocol"))"
    case .message(let message): message.shortText
    case .text(let bytes): SingleLineText.line(String(decoding: bytes, as: UTF8.self))
    case .closed(let code, let reason): "close \(code)\(reason.isEmpty ? "" : " (\(reason))")"
    case .refused(let status): "status \(status) in answer to the upgrade"
    case .failed(let reason): reason
    case .silence: "nothing"
    }
  }

  var type: String? { if case .message(let message) = self { message["type"]?.string } else { nil } }
  var message: JSONValue? { if case .message(let message) = self { message } else { nil } }
  var closeCode: Int? { if case .closed(let code, _) = self { code } else { nil } }
}

extension AuditContext {
  /// Opens a WebSocket; not applicable if the server does not support it.
  func socket(_ subprotocol: String, isAcknowledged: Bool = true) async throws -> SocketConversation {
    let conversation = try await open([subprotocol])
    guard case .opened(let agreed) = await conversation.next(within: settings.timeout) else {
      throw AuditStop.notApplicable("the server answers no WebSocket upgrade")
    }
    guard agreed == subprotocol else { throw AuditStop.notApplicable("the server does not speak \(subprotocol)") }
    guard isAcknowledged else { return conversation }
    try await initialize(conversation)
    let answer = await conversation.nextMessage()
    try expect(answer.type == "connection_ack", conversation, found: answer.text)
    return conversation
  }

  /// Returns the payload of `connection_init` that the user configured; `nil` for none.
  func connectionPayload() async throws -> JSONValue? {
    try await settings.subscriptions.payload(for: subscriptionEndpoint.url)
  }

  func initialize(_ conversation: SocketConversation) async throws {
    conversation.send(Message.initialization(try await connectionPayload()))
  }

  func open(_ subprotocols: [String]) async throws -> SocketConversation {
    try await reserveRequest()
    var request = try await authorized(subscriptionEndpoint)
    request.timeouts.total = settings.timeout
    return SocketConversation(request, subprotocols: subprotocols, transport: transport)
  }

  func expect(_ condition: Bool, _ conversation: SocketConversation, found: String) throws(AuditStop) {
    // The last message is the proof.
    let exchange = conversation.exchange
    let end = exchange.body.count
    let proof = exchange.reads.last.map { (end - $0.bytes.count)..<end }
    try expect(condition, exchange, found: found, proof: proof)
  }
}
