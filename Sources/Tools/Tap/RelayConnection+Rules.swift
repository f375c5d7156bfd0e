/// Responses that rules change.
extension RelayConnection {
  /// Keeps a request until its body shows whether the rules apply to it. Its response must not be compressed then.
  func hold(_ exchange: RelayExchange, _ given: MessageHead) throws(End) {
    var head = given
    head.fields.removeAll { $0.isNamed("accept-encoding") }
    if exchange.line.isCurrent, head.elements("expect") == ["100-continue"] {
      head.fields.removeAll { $0.isNamed("expect") }
      toClient.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    exchange.hold(head)
    toServer.append(ForwardedHead.request(head, exchange.line, host: context.host).bytes)
    try releaseIfComplete(exchange)
  }

  /// Sends a held request on, or answers it, when its body has arrived or is too long to be read.
  func releaseIfComplete(_ exchange: RelayExchange) throws(End) {
    guard exchange.isHeld, exchange.request.isComplete || toServer.count > Self.heldLimit else { return }
    if let answer = exchange.release(by: context.rules) {
      toServer.removeFirst(toServer.count)
      for event in answer.events { note(event) }
      toClient.append(answer.bytes)
    } else if server == nil {
      server = try connected()
    }
  }

  /// The maximum size of a request that is held.
  private static let heldLimit = 16 << 20

  /// Sends the payloads of an edited response whose time has come. Returns whether there were any.
  func sendEdited() throws(End) -> Bool {
    guard let exchange, var outbox = exchange.outbox, toClient.isEmpty else { return false }
    let ready = outbox.takeReady(at: .now)
    exchange.outbox = outbox
    for bytes in ready {
      toClient.append(exchange.line.isCurrent ? Chunk.framed(bytes) : bytes)
      note(exchange.event(.responseBody(bytes)))
    }
    for change in exchange.takeChanges() { note(exchange.event(.changed(change))) }
    if outbox.isEmpty, exchange.isCut, ready.isEmpty { throw .cut }
    if !exchange.isCut, outbox.isEmpty, exchange.endEdited(), exchange.line.isCurrent { toClient.append(Chunk.last) }
    return !ready.isEmpty || exchange.isCut
  }
}
