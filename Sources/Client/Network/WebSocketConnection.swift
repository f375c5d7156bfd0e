/// A WebSocket connection. It can be used from any thread and reports all events to one closure.
///
/// Releasing it closes the connection immediately; `close` performs the closing handshake.
package final class WebSocketConnection: Sendable {
  /// An event of a WebSocket: one opening, any number of messages and pongs, and one end, in this order. If opening
  /// fails, there is only the end.
  package enum Event: Sendable {
    /// The server accepted. `subprotocol` is the one that it chose. `sharesCredentials` is whether all redirects on the way
    /// led to servers that may get the credentials of the request.
    case opened(subprotocol: String?, head: HTTPHead, sharesCredentials: Bool)
    /// A message. While receipts are held, their messages count as unread; too many of them pause reading from the
    /// server.
    case text([UInt8], arrival: ContinuousClock.Instant, WebSocketReceipt)
    case pong
    case ended(End)
  }

  package enum End: Sendable {
    /// Either side sent a close frame. The code is 1005 if the frame has none.
    case closed(code: Int, reason: String)
    /// The server rejected the upgrade; `body` is the beginning of its response.
    case refused(HTTPHead, body: [UInt8])
    case failed(NetworkError)
    /// The server sent invalid frames.
    case broken(reason: String)
    /// This side canceled the connection.
    case cancelled
  }

  private let id: UInt64
  private let engine: TransferEngine
  private let flow: WebSocketFlowControl
  /// Keeps the transport alive.
  private let transport: HTTPTransport

  init(id: UInt64, flow: WebSocketFlowControl, engine: TransferEngine, transport: HTTPTransport) {
    self.id = id
    self.flow = flow
    self.engine = engine
    self.transport = transport
  }

  deinit { engine.submit(.cancel(id)) }

  /// Whether reading is paused because too many messages are unread.
  package var isHeld: Bool { flow.isHeld }

  package func send(_ text: [UInt8]) { engine.submit(.sendText(id, text)) }

  /// Sends a response to a request of the server. It replaces a previous response that has not been written.
  package func answer(_ text: [UInt8]) { engine.submit(.answer(id, text)) }

  /// Sends a WebSocket ping; its pong is reported as an event.
  package func ping() { engine.submit(.sendPing(id)) }

  /// Sends a close frame after pending messages. The end follows when the server answers or a timeout passes.
  package func close(code: Int, reason: String) { engine.submit(.closeSocket(id, code: code, reason: reason)) }

  /// Closes the connection immediately.
  package func cancel() { engine.submit(.cancel(id)) }
}

extension HTTPTransport {
  /// Opens a WebSocket to an `http`, `https`, `ws` or `wss` URL, with the request's headers, connection options and
  /// timeouts for connecting and for the response. `receive` is called on the network thread and must not block.
  package func openWebSocket(
    _ request: HTTPRequest, subprotocols: [String], receive: @escaping @Sendable (WebSocketConnection.Event) -> Void
  ) -> WebSocketConnection {
    let id = engine.nextID()
    let flow = WebSocketFlowControl(id: id, engine: engine)
    if responder == nil {
      engine.submit(.open(id, request, subprotocols: subprotocols, flow, receive, at: .now))
    } else {
      receive(.ended(.failed(.notWebSocket(host: request.redactedURL))))
    }
    return WebSocketConnection(id: id, flow: flow, engine: engine, transport: self)
  }
}
