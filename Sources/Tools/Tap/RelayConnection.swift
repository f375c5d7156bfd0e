import ApusClientNetwork
import ApusClientTraffic
import ApusPlatform

/// A connection of an application, with its connection to the server. One thread serves it, one exchange after another.
///
/// 1. Bytes of either side are read only if those that were read before have been sent on. So a slow reader slows down the
///    other side, and a connection keeps at most a buffer for each direction.
/// 2. The bytes of a head are changed (`ForwardedHead`), those of a body, its chunks and its trailers are not.
/// 3. The connection to the server is opened for the first request. If either side closes its connection, so does the relay
///    with the other one, after the bytes that arrived before.
/// 4. An application that only ends sending still gets its response.
final class RelayConnection {
  /// The reason why the connection ends.
  enum End: Error {
    /// Nothing is left to be sent.
    case finished
    case clientGone
    /// The server closed or broke the connection in the middle of an exchange.
    case serverGone(reason: String)
    /// A rule of the user broke the connection.
    case cut
    case refused(Relay.Refusal)
    case stopped
  }

  static let requestHeadLimit = 64 << 10
  static let responseHeadLimit = 256 << 10
  private static let readSize = 256 << 10

  let client: Int32
  let context: RelayContext
  var server: ServerConnection?
  var exchange: RelayExchange?
  /// Wakes this thread when a payload is released; `nil` if none has waited.
  var wakeSignal: WakeSignal?
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)
  var (fromClient, toClient, fromServer, toServer) = (ByteQueue(), ByteQueue(), ByteQueue(), ByteQueue())
  var (searchedRequest, searchedResponse) = (0, 0)
  /// Whether the application sends nothing more, and whether that was passed on to the server.
  var (hasClientEnded, hasEndedSending) = (false, false)
  var hasServerEnded = false
  /// Observations that are reported when their bytes have been sent on.
  private var observations: [TrafficEvent] = []
  let start = ContinuousClock.now

  init(_ client: Int32, _ context: RelayContext) {
    (self.client, self.context) = (client, context)
  }

  deinit { buffer.deallocate() }

  /// Serves the connection to its end, and closes it.
  func run() {
    do throws(End) {
      while true {
        try work()
        try wait()
      }
    } catch {
      finish(error)
    }
  }

  // MARK: Working

  /// Processes the bytes that arrived, until nothing changes.
  private func work() throws(End) {
    while true {
      var hasChanged = try takeRequest()
      if try takeResponse() { hasChanged = true }
      if try sendEdited() { hasChanged = true }
      try flush()
      report()
      if try endExchange() { hasChanged = true }
      guard hasChanged else { return }
    }
  }

  /// Ends an exchange whose request and response were sent on. Returns whether there was one.
  private func endExchange() throws(End) -> Bool {
    guard let exchange, exchange.response != nil, exchange.loss == nil, toClient.isEmpty else { return false }
    guard exchange.isOver(serverHasEnded: hasServerEnded), fromServer.isEmpty || !exchange.isTunnel else {
      return false
    }
    // The application may have left before it received the end.
    if hasClientEnded, isClientGone { throw .clientGone }
    report()
    end(.complete)
    guard exchange.keepsConnection, !hasServerEnded else { throw .finished }
    return true
  }

  /// Reports the end of the exchange, if there is one.
  func end(_ end: TrafficEvent.End) {
    guard let exchange else { return }
    context.control.forget(exchange: exchange.number)
    if !exchange.hasReportedEnd { context.observe(exchange.event(.ended(end))) }
    self.exchange = nil
  }

  /// Reports the observations.
  func report() {
    guard !observations.isEmpty else { return }
    let events = observations
    observations = []
    for event in events { context.observe(event) }
  }

  /// Adds an observation.
  func note(_ event: TrafficEvent) { observations.append(event) }
}
