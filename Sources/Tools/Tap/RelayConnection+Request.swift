import ApusClientNetwork

/// Requests: from the application to the server.
extension RelayConnection {
  /// Moves bytes from the application towards the server. Returns whether there were any.
  func takeRequest() throws(End) -> Bool {
    guard exchange == nil else { return try takeRequestBody() }
    guard let count = fromClient.endOfHead(searched: &searchedRequest) else {
      guard fromClient.count <= Self.requestHeadLimit else {
        throw .refused(
          .init(status: 431, reason: "the header fields are longer than \(Self.requestHeadLimit >> 10) KB"))
      }
      if hasClientEnded { throw .finished }
      return false
    }
    searchedRequest = 0
    // An empty line before a request is ignored (RFC 9112, section 2.2).
    let head = fromClient.dequeue(count)
    if let first = head.firstIndex(where: { $0 != 0x0D && $0 != 0x0A }) { try begin(Array(head[first...])) }
    return true
  }

  private func takeRequestBody() throws(End) -> Bool {
    // The rest of a postponed request will never arrive.
    if hasClientEnded, fromClient.isEmpty, exchange?.edit.postponed != nil { throw .clientGone }
    guard let exchange, !fromClient.isEmpty, toServer.isEmpty || exchange.edit.postponed != nil,
      exchange.isTunnel || !exchange.request.isComplete
    else { return false }
    let scanned = fromClient.withUnsafeBytes { bytes in
      Result { () throws(MessageHead.Malformed) in
        try exchange.scanRequest(bytes) { note($0) }
      }.map { count in
        toServer.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
      }
    }
    switch scanned {
    case .success(let count):
      fromClient.removeFirst(count)
      try decideIfComplete(exchange)
      return count > 0
    case .failure(let problem):
      throw .refused(.init(status: 400, reason: "the request is not valid: \(problem.reason)"))
    }
  }

  /// Begins an exchange: checks the request, connects to the server if needed, and sends the head on.
  func begin(_ bytes: [UInt8]) throws(End) {
    let (head, line, body) = try parse(bytes)
    do throws(RelayAccess.Refusal) {
      try context.access.check(head, line)
    } catch {
      throw .refused(.init(status: error.status, reason: error.reason))
    }
    let exchange = RelayExchange(number: context.nextExchange(), line, body: body, context.control)
    self.exchange = exchange
    note(exchange.event(.request(method: line.method, target: line.target, headers: head.headers)))
    if exchange.request.isComplete { note(exchange.event(.requestEnded)) }
    guard context.control.rules.isEmpty else { return try postpone(exchange, head) }
    toServer.append(ForwardedHead.request(head, line, host: context.host).bytes)
    if server == nil { server = try connected() }
  }

  private func parse(_ bytes: [UInt8]) throws(End) -> (MessageHead, RequestLine, BodyLength) {
    do throws(MessageHead.Malformed) {
      let head = try MessageHead(parsing: bytes, joinsFoldedLines: false)
      return (head, try RequestLine(head), try BodyLength.ofRequest(head))
    } catch {
      throw .refused(.init(status: 400, reason: "the request is not valid: \(error.reason)"))
    }
  }

  /// Returns a new connection to the server.
  func connected() throws(End) -> ServerConnection {
    let refusal = End.refused(.init(status: 503, reason: DescriptorReserve.reason))
    // libcurl opens more than the socket, and only that is visible afterwards.
    guard !context.reserve.isReached else { throw refusal }
    let server: ServerConnection
    do throws(NetworkError) {
      server = try ServerConnection(to: context.server)
    } catch {
      if case .tooManyOpenFiles = error { throw refusal }
      throw .refused(.init(status: 502, reason: error.description))
    }
    guard !context.reserve.contains(server.descriptor) else { throw refusal }
    return server
  }
}
