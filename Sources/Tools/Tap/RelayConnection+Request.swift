import ApusClientNetwork

extension RelayConnection {
  /// Begins an exchange: checks the request, connects to the server if needed, and sends the head on.
  func begin(_ bytes: [UInt8]) throws(End) {
    let (head, line, body) = try parse(bytes)
    do throws(RelayAccess.Refusal) {
      try context.access.check(head, line)
    } catch {
      throw .refused(.init(status: error.status, reason: error.reason))
    }
    let exchange = RelayExchange(number: context.nextExchange(), line, body: body)
    self.exchange = exchange
    note(exchange.event(.request(method: line.method, target: line.target, headers: head.headers)))
    if exchange.request.isComplete { note(exchange.event(.requestEnded)) }
    guard context.rules.isEmpty else { return try hold(exchange, head) }
    toServer.append(ForwardedHead.request(head, line, host: context.host).bytes)
    if server == nil { server = try connected() }
  }

  /// Keeps a request until its body shows whether the rules apply to it. Its response must not be compressed then.
  private func hold(_ exchange: RelayExchange, _ given: MessageHead) throws(End) {
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

  private func parse(_ bytes: [UInt8]) throws(End) -> (MessageHead, RequestLine, BodyLength) {
    do throws(MessageHead.Malformed) {
      let head = try MessageHead(parsing: bytes, joinsFoldedLines: false)
      return (head, try RequestLine(head), try BodyLength.ofRequest(head))
    } catch {
      throw .refused(.init(status: 400, reason: "the request is not valid: \(error.reason)"))
    }
  }

  private func connected() throws(End) -> ServerConnection {
    do throws(NetworkError) {
      return try ServerConnection(to: context.server)
    } catch {
      let status = if case .tooManyOpenFiles = error { 503 } else { 502 }
      throw .refused(.init(status: status, reason: error.description))
    }
  }
}
