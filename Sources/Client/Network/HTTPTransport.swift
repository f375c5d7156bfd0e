/// Sends HTTP requests and streams their responses over kept-alive connections, with one network thread.
///
/// The thread starts with the first request and ends when the transport and all its response streams are released.
public final class HTTPTransport: Sendable {
  let engine: TransferEngine
  /// The replacement for the network, if any.
  let responder: (any HTTPResponder)?

  /// Creates a transport with limits on its connections. It starts no thread and loads no library before the first
  /// request.
  public init(limits: HTTPConnectionLimits = HTTPConnectionLimits()) {
    engine = TransferEngine(limits: limits, onThreadEnd: nil)
    responder = nil
  }

  /// Creates a transport without a network, whose requests `responder` answers. It has no WebSockets, so subscriptions
  /// use HTTP.
  public init(responder: any HTTPResponder) {
    engine = TransferEngine(limits: HTTPConnectionLimits(), onThreadEnd: nil)
    self.responder = responder
  }

  /// Creates a transport for tests that check that the thread ends.
  package init(onThreadEnd: @escaping @Sendable () -> Void) {
    engine = TransferEngine(limits: HTTPConnectionLimits(), onThreadEnd: onThreadEnd)
    responder = nil
  }

  deinit {
    engine.close()
  }

  /// Sends a request immediately. All errors, including an invalid URL, are thrown by the stream.
  public func send(_ request: HTTPRequest) -> HTTPResponseStream {
    let id = engine.nextID()
    let channel: TransferChannel
    if let responder {
      let driver = ResponderDriver()
      channel = TransferChannel(id: id, request: request, driver: driver)
      driver.start(responder, channel)
    } else {
      channel = TransferChannel(id: id, request: request, driver: engine)
      engine.start(channel)
    }
    return HTTPResponseStream(owner: StreamOwner(channel: channel, transport: self))
  }
}
