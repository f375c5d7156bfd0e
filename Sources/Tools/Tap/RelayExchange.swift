import ApusClientTraffic

/// A request and its response on a connection of a relay.
final class RelayExchange {
  let number: Int
  let line: RequestLine
  private(set) var request: BodyScanner
  /// The body of the response; `nil` before its head has arrived.
  private(set) var response: BodyScanner?
  /// Whether the connection became a WebSocket.
  private(set) var isTunnel = false
  /// Whether another request may follow on the connection.
  private(set) var keepsConnection: Bool
  /// The request while it is postponed, to see whether the rules apply.
  private var postponed: (head: MessageHead, body: [UInt8])?
  private var editor: ResponseEditor?
  /// The bytes of an edited response that wait to be sent; `nil` if it is not edited.
  var outbox: Outbox?
  private var reportedChangeCount = 0
  private var reportedHeldCount = 0
  /// The reason why the response is not complete, which is reported after the payloads that wait; `nil` for none.
  var loss: String?
  /// Whether the application is known to have left, which was reported as the end.
  var hasReportedEnd = false
  /// Whether the last chunk of an edited response was sent.
  private var hasEnded = false
  /// Whether the application understands chunks.
  private var takesChunks: Bool { line.isCurrent }

  init(number: Int, _ line: RequestLine, body: BodyLength) {
    (self.number, self.line) = (number, line)
    request = BodyScanner(body)
    keepsConnection = line.keepsConnection
  }

  func event(_ fact: TrafficEvent.Fact) -> TrafficEvent { TrafficEvent(exchange: number, fact) }

  /// Whether a part of the request has not arrived.
  var mayLackRequest: Bool { !request.isComplete }

  /// Whether nothing more follows in either direction.
  func isOver(serverHasEnded: Bool) -> Bool {
    if isTunnel { return serverHasEnded }
    guard response?.isComplete == true, outbox == nil || hasEnded else { return false }
    return request.isComplete || serverHasEnded
  }

  // MARK: Rules

  /// The operations of the exchange, as the rules know them.
  var operation: TrafficOperationID { TrafficOperationID(exchange: number) }
  /// Whether the request is not sent on yet.
  var isPostponed: Bool { postponed != nil }
  /// Whether the connection is broken when everything was sent.
  var isCut: Bool { editor?.isCut ?? false }

  func postpone(_ head: MessageHead) { postponed = (head, []) }

  /// Decides about a postponed request. Returns the response in place of the server's, with its facts; `nil` if the request is
  /// sent on.
  func decide(by rules: DeliveryRules) -> (bytes: [UInt8], events: [TrafficEvent])? {
    guard let postponed else { return nil }
    self.postponed = nil
    guard request.isComplete else { return nil }
    editor = rules.editor(
      method: line.method, target: line.target, contentType: postponed.head.values("content-type").first,
      body: postponed.body)
    guard let answer = editor?.answer else { return nil }
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

  /// Returns the changes of the response that were not reported.
  func takeChanges() -> [String] {
    let changes = editor?.changes ?? []
    defer { reportedChangeCount = changes.count }
    return Array(changes[reportedChangeCount...])
  }

  /// Returns the number of payloads that wait to be released; `nil` if it was reported before.
  func takeHeldCount() -> Int? {
    guard let count = outbox?.heldCount, count != reportedHeldCount else { return nil }
    reportedHeldCount = count
    return count
  }

  /// Ends an edited response whose body was read. Returns whether it ends now.
  func endEdited() -> Bool {
    guard response?.isComplete == true, !hasEnded else { return false }
    hasEnded = true
    return true
  }

  /// Begins to edit a response; returns its head without the fields that describe the original body.
  private func edit(_ head: MessageHead) -> MessageHead {
    outbox = Outbox()
    editor?.begin(head.headers)
    var edited = head
    edited.fields.removeAll { ["content-length", "transfer-encoding", "trailer"].contains($0.name.lowercased()) }
    if takesChunks { edited.fields.append(.init("Transfer-Encoding", "chunked")) }
    return edited
  }

  // MARK: Request

  /// Processes bytes of the request's body, or of a WebSocket. Returns the number of those that belong to it.
  func scanRequest(
    _ bytes: UnsafeRawBufferPointer, _ observe: (TrafficEvent) -> Void
  ) throws(MessageHead.Malformed) -> Int {
    if isTunnel {
      observe(event(.socketBytes(Array(bytes), isFromServer: false)))
      return bytes.count
    }
    let count = try request.scan(bytes) { content in
      guard !content.isEmpty else { return }
      postponed?.body += content
      observe(event(.requestBody(Array(content))))
    }
    if request.isComplete { observe(event(.requestEnded)) }
    return count
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
    let head = editor == nil || length == .none ? head : edit(head)
    if outbox != nil, !takesChunks { keepsConnection = false }
    return ForwardedHead.response(
      head, isChunked: takesChunks || !head.elements("transfer-encoding").contains("chunked"),
      keepsConnection: keepsConnection)
  }

  /// Processes bytes of the response's body, or of a WebSocket. Returns the number of those that belong to it.
  func scanResponse(
    _ bytes: UnsafeRawBufferPointer, forward: (UnsafeRawBufferPointer) -> Void, observe: (TrafficEvent) -> Void
  ) throws(MessageHead.Malformed) -> Int {
    if isTunnel {
      forward(bytes)
      observe(event(.socketBytes(Array(bytes), isFromServer: true)))
      return bytes.count
    }
    if outbox != nil { return try scanEdited(bytes) }
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
    outbox?.add(editor?.receive(content) ?? [], at: .now)
    if response?.isComplete == true { outbox?.add(editor?.finish() ?? [], at: .now) }
    return count
  }

  /// Processes the end of the server's connection. Returns whether the response is complete.
  func serverClosed() -> Bool {
    guard !isTunnel else { return true }
    let wasComplete = response?.isComplete == true
    response?.close()
    if !wasComplete, response?.isComplete == true { outbox?.add(editor?.finish() ?? [], at: .now) }
    return response?.isComplete == true
  }
}
