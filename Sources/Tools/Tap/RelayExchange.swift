import ApusClientTraffic

/// A request and its response on a connection of a relay.
final class RelayExchange {
  let number: Int
  let line: RequestLine
  private(set) var request: BodyScanner
  /// The body of the response; `nil` before its head has arrived.
  var response: BodyScanner?
  /// Whether the connection became a WebSocket.
  private(set) var isTunnel = false
  /// Whether another request may follow on the connection.
  private(set) var keepsConnection: Bool
  /// The rules for the response.
  var edit: ResponseEdit
  /// The reason why the response is not complete, which is reported after the payloads that wait; `nil` for none.
  var loss: String?
  /// Whether the application is known to have left, which was reported as the end.
  var hasReportedEnd = false
  /// Whether the application understands chunks.
  private var takesChunks: Bool { line.isCurrent }

  init(number: Int, _ line: RequestLine, body: BodyLength, _ control: DeliveryControl) {
    (self.number, self.line) = (number, line)
    request = BodyScanner(body)
    keepsConnection = line.keepsConnection
    edit = ResponseEdit(control)
  }

  func event(_ fact: TrafficEvent.Fact) -> TrafficEvent { TrafficEvent(exchange: number, fact) }

  /// Returns the place of an operation, given its id on a WebSocket.
  func operation(_ message: String?) -> TrafficOperationID { TrafficOperationID(exchange: number, message: message) }

  /// Whether a part of the request has not arrived.
  var mayLackRequest: Bool { !request.isComplete }

  /// Whether nothing more follows in either direction.
  func isOver(serverHasEnded: Bool) -> Bool {
    if isTunnel { return serverHasEnded && edit.outbox?.isEmpty != false }
    guard response?.isComplete == true, edit.outbox == nil || edit.hasEnded else { return false }
    return request.isComplete || serverHasEnded
  }

  // MARK: Request

  /// Processes bytes of the request's body, or of a WebSocket. Returns the number of those that belong to it.
  func scanRequest(
    _ bytes: UnsafeRawBufferPointer, _ observe: (TrafficEvent) -> Void
  ) throws(MessageHead.Malformed) -> Int {
    if isTunnel {
      for ended in edit.receive(fromClient: Array(bytes)) { edit.control.forget(operation(ended)) }
      observe(event(.socketBytes(Array(bytes), isFromServer: false)))
      return bytes.count
    }
    let count = try request.scan(bytes) { content in
      guard !content.isEmpty else { return }
      edit.postponed?.body += content
      observe(event(.requestBody(Array(content))))
    }
    if request.isComplete { observe(event(.requestEnded)) }
    return count
  }

  /// Decides about a postponed request. Returns the response in place of the server's, with its facts; `nil` if the request is
  /// sent on.
  func decide() -> (bytes: [UInt8], events: [TrafficEvent])? {
    guard let answer = edit.decide(line, isComplete: request.isComplete) else { return nil }
    response = BodyScanner(.none)
    let refusal = Relay.Refusal(status: answer.status, reason: "")
    let body = line.method == "HEAD" ? [] : answer.body
    return (
      refusal.head(contentType: "application/json", byteCount: answer.body.count, keepsConnection: keepsConnection)
        + body,
      [
        event(.response(status: answer.status, headers: ["Content-Type": "application/json"])),
        event(.responseBody(body)),
        event(.changed("--status \(answer.status)")),
      ]
    )
  }

  // MARK: Response

  /// Processes the head of a response. Returns the head for the application; `nil` if it gets none.
  func receive(
    _ head: MessageHead, _ observe: (TrafficEvent) -> Void
  ) throws(MessageHead.Malformed) -> MessageHead? {
    guard let status = StatusLine(head.startLine) else {
      throw .init(reason: "its first line is not that of HTTP/1.1")
    }
    if status.status == 101 {
      guard line.isWebSocket else { throw .init(reason: "it changes the protocol, which was not requested") }
      isTunnel = true
      keepsConnection = false
      edit.begin(socket: head.headers)
    } else if status.status < 200 {
      // A version without such responses (RFC 9110, section 15.2).
      return line.isCurrent ? ForwardedHead.response(head, isChunked: false, keepsConnection: true) : nil
    }
    let length = try BodyLength.ofResponse(head, status: status.status, method: line.method)
    response = BodyScanner(length)
    let isClosing = head.elements("connection").contains("close")
    if !status.isCurrent || isClosing || length == .untilClose || length == .chunked && !takesChunks {
      keepsConnection = false
    }
    observe(event(.response(status: status.status, headers: head.headers)))
    let head = length == .none ? head : edit.begin(head, takesChunks: takesChunks)
    if edit.outbox != nil, !takesChunks { keepsConnection = false }
    return ForwardedHead.response(
      head, isChunked: takesChunks || !head.elements("transfer-encoding").contains("chunked"),
      keepsConnection: keepsConnection)
  }

  /// Processes bytes of the response's body, or of a WebSocket. Returns the number of those that belong to it.
  func scanResponse(
    _ bytes: UnsafeRawBufferPointer, forward: (UnsafeRawBufferPointer) -> Void, observe: (TrafficEvent) -> Void
  ) throws(MessageHead.Malformed) -> Int {
    if isTunnel {
      guard try !edit.receive(fromServer: bytes) else { return bytes.count }
      forward(bytes)
      observe(event(.socketBytes(Array(bytes), isFromServer: true)))
      return bytes.count
    }
    if edit.outbox != nil { return try scanEdited(bytes) }
    let sendsContent = !takesChunks
    let count = try response?.scan(bytes) { content in
      if sendsContent { forward(content) }
      if !content.isEmpty { observe(event(.responseBody(Array(content)))) }
    }
    if !sendsContent { forward(UnsafeRawBufferPointer(rebasing: bytes[..<(count ?? 0)])) }
    return count ?? 0
  }

  /// Processes bytes of a response that is edited, which wait in the outbox.
  private func scanEdited(_ bytes: UnsafeRawBufferPointer) throws(MessageHead.Malformed) -> Int {
    var content: [UInt8] = []
    let count = try response?.scan(bytes) { content += $0 } ?? 0
    edit.receive(content, isLast: response?.isComplete == true)
    return count
  }

  /// Processes the end of the server's connection. Returns whether the response is complete.
  func serverClosed() -> Bool {
    guard !isTunnel else { return true }
    let wasComplete = response?.isComplete == true
    response?.close()
    if !wasComplete, response?.isComplete == true { edit.receive([], isLast: true) }
    return response?.isComplete == true
  }
}
