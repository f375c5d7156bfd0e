/// Responses: from the server to the application.
extension RelayConnection {
  /// Moves bytes from the server towards the application. Returns whether there were any.
  func takeResponse() throws(End) -> Bool {
    guard let exchange else {
      // The server may close a connection that is not in use. It has nothing else to say.
      if !fromServer.isEmpty || hasServerEnded { throw .finished }
      return false
    }
    if exchange.response == nil, let count = fromServer.endOfHead(searched: &searchedResponse) {
      searchedResponse = 0
      try takeResponseHead(fromServer.dequeue(count))
      return true
    }
    if exchange.response == nil {
      guard fromServer.count <= Self.responseHeadLimit else {
        throw .serverGone(reason: "its header fields are longer than \(Self.responseHeadLimit >> 10) KB")
      }
      guard server == nil || !hasServerEnded else {
        throw .serverGone(
          reason: fromServer.isEmpty ? "it closed the connection without an answer" : "its answer is not HTTP")
      }
      return false
    }
    return try takeResponseBody(exchange)
  }

  private func takeResponseHead(_ bytes: [UInt8]) throws(End) {
    guard let exchange else { return }
    do throws(MessageHead.Malformed) {
      let head = try MessageHead(parsing: bytes, joinsFoldedLines: true)
      if let forwarded = try exchange.receive(head, { note($0) }) { toClient.append(forwarded.bytes) }
    } catch {
      throw .serverGone(reason: "its answer is not valid HTTP: \(error.reason)")
    }
  }

  private func takeResponseBody(_ exchange: RelayExchange) throws(End) -> Bool {
    if hasServerEnded, fromServer.isEmpty {
      if exchange.loss == nil, !exchange.serverClosed() { try lose("it broke off its response") }
      return false
    }
    guard !fromServer.isEmpty, toClient.isEmpty, exchange.edit.outbox?.isFull != true else { return false }
    let scanned = fromServer.withUnsafeBytes { bytes in
      Result { () throws(MessageHead.Malformed) in
        try exchange.scanResponse(bytes, forward: { toClient.append($0) }, observe: { note($0) })
      }
    }
    switch scanned {
    case .success(let count):
      fromServer.removeFirst(count)
      return count > 0
    case .failure(let problem):
      try lose(exchange.isTunnel ? problem.reason : "its answer is not valid HTTP: \(problem.reason)")
      return false
    }
  }

  /// Ends the exchange because its response is lost, after the payloads that wait.
  func lose(_ reason: String) throws(End) {
    guard let exchange, exchange.edit.outbox?.isEmpty == false else { throw .serverGone(reason: reason) }
    exchange.loss = reason
    hasServerEnded = true
    fromServer.removeFirst(fromServer.count)
  }
}
