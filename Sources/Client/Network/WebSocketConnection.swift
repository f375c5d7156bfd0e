/// A WebSocket as its user holds it: sends and closes from any thread, and hears of everything through one closure.
///
/// Letting go of it cuts the connection; `close` ends it in good order.
package final class WebSocketConnection: Sendable {
  /// What happens on a WebSocket, in the order it happens: one opening, any number of texts and pongs, one end. Without
  /// an opening there is only the end.
  package enum Event: Sendable {
    /// The server agreed. `subprotocol` is the one it chose of those offered.
    case opened(subprotocol: String?, head: HTTPHead)
    /// Who holds the receipt has not taken the message yet; too much that is not taken holds the server back.
    case text([UInt8], arrival: ContinuousClock.Instant, WebSocketReceipt)
    case pong
    case ended(End)
  }

  package enum End: Sendable {
    /// By a close frame of either side; 1005 when it names no code.
    case closed(code: Int, reason: String)
    /// The server answered the upgrade like any other request; `body` is what could be had of it.
    case refused(HTTPHead, body: [UInt8])
    case failed(NetworkError)
    /// The server sent frames that no WebSocket has.
    case broken(reason: String)
    /// This side let go.
    case cancelled
  }

  private let id: UInt64
  private let engine: TransferEngine
  private let flow: WebSocketFlow
  /// Kept alive as long as someone may send.
  private let transport: HTTPTransport

  init(id: UInt64, flow: WebSocketFlow, engine: TransferEngine, transport: HTTPTransport) {
    self.id = id
    self.flow = flow
    self.engine = engine
    self.transport = transport
  }

  deinit { engine.submit(.cancel(id)) }

  /// Whether the socket is left unread, since too many messages wait to be taken.
  package var isHeld: Bool { flow.isHeld }

  package func send(_ text: [UInt8]) { engine.submit(.sendText(id, text)) }

  /// Sends an answer to what the server has asked for by itself. One that still waits to be written is replaced by it.
  package func answer(_ text: [UInt8]) { engine.submit(.answer(id, text)) }

  /// A ping of the WebSocket protocol itself; its pong comes as an event.
  package func ping() { engine.submit(.sendPing(id)) }

  /// Sends a close frame behind what waits to be sent; the end follows when the server has answered it, or is late.
  package func close(code: Int, reason: String) { engine.submit(.closeSocket(id, code: code, reason: reason)) }

  /// Cuts the connection at once.
  package func cancel() { engine.submit(.cancel(id)) }
}

extension HTTPTransport {
  /// Opens a WebSocket to an `http`, `https`, `ws` or `wss` URL, with the request's headers, connection options, and time
  /// limits for connecting and for the server's answer. `receive` is called on the network thread: it must not wait.
  package func openWebSocket(
    _ request: HTTPRequest, subprotocols: [String], receive: @escaping @Sendable (WebSocketConnection.Event) -> Void
  ) -> WebSocketConnection {
    let id = engine.nextID()
    let flow = WebSocketFlow(id: id, engine: engine)
    if responder == nil {
      engine.submit(.open(id, request, subprotocols: subprotocols, flow, receive, at: .now))
    } else {
      receive(.ended(.failed(.notWebSocket(host: request.shownURL))))
    }
    return WebSocketConnection(id: id, flow: flow, engine: engine, transport: self)
  }
}
