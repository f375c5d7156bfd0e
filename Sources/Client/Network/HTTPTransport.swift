/// Sends HTTP requests and streams their responses over kept-alive connections, with one thread of its own.
///
/// The thread starts with the first request, sleeps while nothing happens, and ends when the transport and every
/// response stream made by it are released.
public final class HTTPTransport: Sendable {
  let engine: TransferEngine

  public init() {
    engine = TransferEngine(onThreadEnd: nil)
  }

  /// For tests that want to see the thread end.
  package init(onThreadEnd: @escaping @Sendable () -> Void) {
    engine = TransferEngine(onThreadEnd: onThreadEnd)
  }

  deinit {
    engine.close()
  }

  /// Sends a request at once. Whatever goes wrong, a URL that cannot be parsed too, is thrown by the stream.
  public func send(_ request: HTTPRequest) -> HTTPResponseStream {
    let channel = TransferChannel(id: engine.nextID(), request: request, engine: engine)
    engine.start(channel)
    return HTTPResponseStream(owner: StreamOwner(channel: channel, transport: self))
  }
}
