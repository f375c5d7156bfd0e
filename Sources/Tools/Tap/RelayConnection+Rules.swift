import ApusClientTraffic

/// Responses that rules change.
///
/// | while a payload waits to be released | effect |
/// |---|---|
/// | the application closes its connection, or ends sending | the exchange is canceled, and the payloads are discarded |
/// | the server ends its response | the end waits after the payloads |
/// | the server breaks off its response or sends something that is not HTTP | the connection is broken after the payloads |
/// | the server sends more than the outbox takes | the server is not read |
/// | the relay stops | the connection is broken, and the payloads are discarded |
extension RelayConnection {
  /// The maximum size of a request that is postponed.
  private static let postponedLimit = 16 << 20

  /// Keeps a request until its body shows whether the rules apply to it. Its response must not be compressed then.
  func postpone(_ exchange: RelayExchange, _ given: MessageHead) throws(End) {
    var head = given
    head.fields.removeAll { $0.isNamed("accept-encoding") || $0.isNamed("sec-websocket-extensions") }
    if exchange.line.isCurrent, head.elements("expect") == ["100-continue"] {
      head.fields.removeAll { $0.isNamed("expect") }
      toClient.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    exchange.edit.postpone(head)
    toServer.append(ForwardedHead.request(head, exchange.line, host: context.host).bytes)
    try decideIfComplete(exchange)
  }

  /// Sends a postponed request on, or answers it, when its body has arrived or is too long to be read.
  func decideIfComplete(_ exchange: RelayExchange) throws(End) {
    guard exchange.edit.postponed != nil, exchange.request.isComplete || toServer.count > Self.postponedLimit else {
      return
    }
    if let answer = exchange.decide() {
      toServer.removeFirst(toServer.count)
      for event in answer.events { note(event) }
      toClient.append(answer.bytes)
    } else if server == nil {
      server = try connected()
    }
  }

  /// Sends the payloads of an edited response whose time has come, and those that were released. Returns whether there were any.
  func sendEdited() throws(End) -> Bool {
    guard let exchange, exchange.edit.outbox != nil, toClient.isEmpty else { return false }
    for operation in exchange.edit.outbox?.heldOperations ?? [] {
      // Up to a payload that waits, so that a release after the report of its count is not lost.
      while exchange.edit.outbox?.isHeld(operation) == true, try isReleased(exchange.operation(operation)) {
        exchange.edit.release(operation)
      }
    }
    let ready = exchange.edit.outbox?.takeReady(at: .now) ?? []
    for bytes in ready { send(bytes, of: exchange) }
    for (id, change) in exchange.edit.takeChanges() { note(exchange.event(.changed(change, message: id))) }
    for (id, count) in exchange.edit.takeHeldCounts() { note(exchange.event(.held(count, message: id))) }
    guard ready.isEmpty else { return true }
    if exchange.edit.isCut { throw .cut }
    guard exchange.edit.outbox?.isEmpty == true else { return false }
    if let reason = exchange.loss { throw .serverGone(reason: reason) }
    if exchange.response?.isComplete == true, !exchange.isTunnel, exchange.edit.end(), exchange.line.isCurrent {
      toClient.append(Chunk.last)
    }
    return false
  }

  private func send(_ bytes: [UInt8], of exchange: RelayExchange) {
    if exchange.isTunnel {
      toClient.append(bytes)
      note(exchange.event(.socketBytes(bytes, isFromServer: true)))
    } else {
      toClient.append(exchange.line.isCurrent ? Chunk.framed(bytes) : bytes)
      note(exchange.event(.responseBody(bytes)))
    }
  }

  /// Whether the next payload of an operation, which waits, may be sent. An application that sends nothing more has left, or at least
  /// does not need to be stepped through.
  private func isReleased(_ operation: TrafficOperationID) throws(End) -> Bool {
    if hasClientEnded { throw .clientGone }
    guard let signal = wakeSignal ?? WakeSignal(context.reserve) else {
      throw .refused(.init(status: 503, reason: DescriptorReserve.reason))
    }
    wakeSignal = signal
    return context.control.takeRelease(of: operation, wake: signal.signal)
  }
}
