import ApusClientNetwork
import ApusClientTraffic

/// The state of a response that rules may change.
///
/// 1. The request is postponed until its body shows whether the rules are about it. A WebSocket is always read.
/// 2. The bytes of the response pass an editor, and wait in the outbox.
/// 3. The connection sends those whose time has come.
struct ResponseEdit {
  let control: DeliveryControl
  /// The request while it is postponed.
  var postponed: (head: MessageHead, body: [UInt8])?
  /// The bytes that wait to be sent; `nil` if the response is not edited.
  var outbox: Outbox?
  private var editor: ResponseEditor?
  private var socketEditor: SocketEditor?
  private var reportedChangeCount = 0
  private var reportedHeldCounts: [String?: Int] = [:]
  /// Whether the end of the edited response was sent.
  private(set) var hasEnded = false
  /// Whether the rules were read for this exchange.
  private var isRuled = false

  init(_ control: DeliveryControl) { self.control = control }

  // MARK: Request

  mutating func postpone(_ head: MessageHead) {
    postponed = (head, [])
    isRuled = true
  }

  /// Ends postponing the request. Returns the response in place of the server's; `nil` if the request is sent on.
  mutating func decide(_ line: RequestLine, isComplete: Bool) -> (status: Int, body: [UInt8])? {
    guard let postponed else { return nil }
    self.postponed = nil
    guard isComplete else { return nil }
    if line.isWebSocket {
      return control.rules.answer(toSubprotocols: postponed.head.elements("sec-websocket-protocol"))
    }
    editor = control.rules.editor(
      method: line.method, target: line.target, contentType: postponed.head.values("content-type").first,
      body: postponed.body)
    return editor?.answer
  }

  // MARK: Response

  /// Begins to edit a response; returns its head without the fields that describe the original body.
  mutating func begin(_ head: MessageHead, takesChunks: Bool) -> MessageHead {
    guard editor != nil else { return head }
    outbox = Outbox()
    editor?.begin(head.headers)
    var edited = head
    edited.fields.removeAll { ["content-length", "transfer-encoding", "trailer"].contains($0.name.lowercased()) }
    if takesChunks { edited.fields.append(.init("Transfer-Encoding", "chunked")) }
    return edited
  }

  mutating func receive(_ content: [UInt8], isLast: Bool) {
    outbox?.add(editor?.receive(content) ?? [], at: .now)
    if isLast { outbox?.add(editor?.finish() ?? [], at: .now) }
  }

  /// Ends an edited response whose body was read. Returns whether it ends now.
  mutating func end() -> Bool {
    defer { hasEnded = true }
    return !hasEnded
  }

  // MARK: WebSocket

  mutating func begin(socket headers: HTTPHeaders) {
    guard isRuled else { return }
    socketEditor = SocketEditor(headers)
    if socketEditor != nil { outbox = Outbox() }
  }

  /// Processes bytes of the application. Returns the ids of the operations that it ended.
  mutating func receive(fromClient bytes: [UInt8]) -> [String] {
    let ended = socketEditor?.receive(fromClient: bytes, control.rules) ?? []
    for id in ended { outbox?.discard(id) }
    return ended
  }

  /// Processes bytes of the server. Returns whether they are sent from the outbox.
  mutating func receive(fromServer bytes: UnsafeRawBufferPointer) throws(MessageHead.Malformed) -> Bool {
    guard socketEditor != nil else { return false }
    for delivery in socketEditor?.receive(fromServer: bytes) ?? [] {
      switch delivery {
      case .bytes(let bytes): outbox?.add([.init(delay: .zero, bytes: bytes)], at: .now)
      case .message(let id, let delivery): outbox?.add([delivery], of: id, at: .now)
      case .close(let bytes): outbox?.add(last: bytes)
      }
    }
    if socketEditor?.isTooLong == true {
      throw .init(reason: "a WebSocket message is too large to be read for the rules")
    }
    return true
  }

  // MARK: Sending

  /// Releases the next payload of an operation that waits. Its count is reported again, also if another payload has arrived.
  mutating func release(_ operation: String?) {
    outbox?.release(operation)
    reportedHeldCounts[operation] = 0
  }

  /// Whether the connection is broken now.
  var isCut: Bool {
    guard let outbox else { return false }
    if let socketEditor { return socketEditor.cut.contains { outbox.isEmpty(of: $0) } }
    return editor?.isCut == true && outbox.isEmpty
  }

  /// Returns the changes of the response that were not returned, with the ids of operations on a WebSocket.
  mutating func takeChanges() -> [(message: String?, change: String)] {
    if let changes = socketEditor?.takeChanges() { return changes.map { ($0.id, $0.change) } }
    let changes = editor?.changes ?? []
    defer { reportedChangeCount = changes.count }
    return changes.dropFirst(reportedChangeCount).map { (nil, $0) }
  }

  /// Returns the numbers of payloads that wait to be released and that are not those of the last call.
  mutating func takeHeldCounts() -> [(message: String?, count: Int)] {
    let counts = outbox?.heldCounts ?? [:]
    defer { reportedHeldCounts = counts }
    return Set(counts.keys).union(reportedHeldCounts.keys).filter { counts[$0] != reportedHeldCounts[$0] }
      .map { ($0, counts[$0] ?? 0) }
  }
}
