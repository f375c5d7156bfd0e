import ApusClientNetwork
import ApusClientSubscriptions
import ApusJSON
import ApusWebSocket

/// Applies delivery rules to the messages that a server sends on a WebSocket.
///
/// | from the server | sent |
/// |---|---|
/// | `next` or `data` of an operation that the rules are about | unchanged, later, without a fragment, when it is released, or not at all |
/// | `error` or `complete` of such an operation | after its payloads that wait |
/// | messages of other operations, and others | immediately |
/// | ping and pong frames | immediately, also between the frames of a message |
/// | a close frame | after everything that waits |
///
/// A message that is not changed keeps its frames. A changed one is a single frame. The two sides must not have negotiated
/// compression. The messages of the application are read, but not changed.
package struct SocketEditor {
  package enum Delivery: Sendable, Equatable {
    case bytes([UInt8])
    /// A message of the operation with this id, which is sent after those before it.
    case message(id: String, ResponseEditor.Delivery)
    /// The end of the connection, which is sent after all messages.
    case close([UInt8])
  }

  private let subprotocol: WebSocketSubprotocol
  private var client = WebSocketListener(limit: ResponseReader.limit)
  private var server = WebSocketSplitter(limit: ResponseReader.limit)
  /// The running operations that the rules are about.
  private var operations: [String: PayloadEditor] = [:]
  /// The operations that the server has ended.
  private var ended: Set<String> = []
  /// The numbers of changes that were returned.
  private var reported: [String: Int] = [:]

  /// Creates the editor of a WebSocket; `nil` if it has another subprotocol than those of GraphQL, or compressed messages.
  ///
  /// - Parameter headers: The header fields of the server's response to the upgrade.
  package init?(_ headers: HTTPHeaders) {
    guard headers["Sec-WebSocket-Extensions"] == nil, let name = headers["Sec-WebSocket-Protocol"],
      let subprotocol = WebSocketSubprotocol(rawValue: name)
    else { return nil }
    self.subprotocol = subprotocol
  }

  /// Processes bytes of the application. Returns the ids of the operations that it ended, whose messages are discarded.
  package mutating func receive(fromClient bytes: [UInt8], _ rules: DeliveryRules) -> [String] {
    client.receive(bytes).compactMap { event -> String? in
      guard case .message(let text, _) = event, let message = try? JSONDocument(parsing: text).root,
        let id = ObservedSocket.id(of: message)
      else { return nil }
      switch (subprotocol, message["type"]?.string) {
      case (.transport, "subscribe"), (.legacy, "start"):
        let parameters = message["payload"].flatMap { OperationParameters($0) }
        if let parameters, operations[id] == nil, rules.changesPayloads(of: [parameters]) {
          operations[id] = PayloadEditor(rules)
        }
        return nil
      case (.transport, "complete"), (.legacy, "stop"):
        return remove(id) ? id : nil
      default: return nil
      }
    }
  }

  /// Whether a message of the server is larger than 16 MB, so that the rest cannot be read.
  package var isTooLong: Bool { server.isTooLong }

  /// Processes bytes of the server and returns those to send.
  package mutating func receive(fromServer bytes: some Collection<UInt8>) -> [Delivery] {
    server.receive(bytes).compactMap { piece -> Delivery? in
      switch piece {
      case .control(let frame, let isClose): isClose ? .close(frame) : .bytes(frame)
      case .message(let frames, let content): deliver(frames, content)
      }
    }
  }

  private mutating func deliver(_ frames: [UInt8], _ content: [UInt8]) -> Delivery? {
    guard let message = try? JSONDocument(parsing: content).root, let id = ObservedSocket.id(of: message),
      var editor = operations[id]
    else { return .bytes(frames) }
    guard !editor.isCut else { return nil }
    switch (subprotocol, message["type"]?.string) {
    case (.transport, "next"), (.legacy, "data"):
      guard let payload = message[present: "payload"] else { return .bytes(frames) }
      let edit = editor.edit(payload)
      operations[id] = editor
      guard let edited = edit.payload else { return nil }
      let isUnchanged = edited == payload
      let changed = message.members.map { ($0.key, $0.key == "payload" ? edited : $0.value) }
      let bytes =
        isUnchanged ? frames : WebSocketSplitter.frame(text: JSONWriter.compactBytes(.object(changed)))
      return .message(id: id, .init(delay: edit.delay, bytes: bytes, isHeld: edit.isHeld))
    default:
      ended.insert(id)
      return .message(id: id, .init(delay: .zero, bytes: frames))
    }
  }

  private mutating func remove(_ id: String) -> Bool {
    reported[id] = nil
    ended.remove(id)
    return operations.removeValue(forKey: id) != nil
  }

  /// The ids of the operations after whose messages the connection is broken.
  package var cut: [String] { operations.filter { $0.value.isCut }.map(\.key) }

  /// Returns the rules that changed an operation and were not returned before.
  package mutating func takeChanges() -> [(id: String, change: String)] {
    var changes: [(id: String, change: String)] = []
    for (id, editor) in operations.sorted(by: { $0.key < $1.key }) {
      for change in editor.changes.dropFirst(reported[id] ?? 0) { changes.append((id, change)) }
      reported[id] = editor.changes.count
    }
    // A client may use the id again.
    for id in ended where operations[id]?.isCut == false { _ = remove(id) }
    return changes
  }
}
