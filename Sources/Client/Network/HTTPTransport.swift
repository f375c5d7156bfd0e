/// Sends HTTP requests and streams their responses over kept-alive connections, with one thread of its own.
///
/// The thread starts with the first request, sleeps while nothing happens, and ends when the transport and every
/// response stream made by it are released.
public final class HTTPTransport: Sendable {
  let engine: TransferEngine
  /// What answers in the place of the network.
  let responder: (any HTTPResponder)?

  /// A transport that sends over the network, over no more connections than the limits allow. No thread is started, and no
  /// library loaded, before the first request.
  public init(limits: HTTPConnectionLimits = HTTPConnectionLimits()) {
    engine = TransferEngine(limits: limits, onThreadEnd: nil)
    responder = nil
  }

  /// A transport that sends nothing: `responder` answers. There are no WebSockets then, so that subscriptions go over HTTP.
  public init(responder: any HTTPResponder) {
    engine = TransferEngine(limits: HTTPConnectionLimits(), onThreadEnd: nil)
    self.responder = responder
  }

  /// For tests that want to see the thread end.
  package init(onThreadEnd: @escaping @Sendable () -> Void) {
    engine = TransferEngine(limits: HTTPConnectionLimits(), onThreadEnd: onThreadEnd)
    responder = nil
  }

  deinit {
    engine.close()
  }

  /// Sends a request at once. Whatever goes wrong, a URL that cannot be parsed too, is thrown by the stream.
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
