import ApusClientNetwork
import ApusClientSubscriptions
import ApusCompression
import ApusJSON
import ApusWebSocket

/// The operations on a WebSocket between an application and its server, in either of the two subprotocols.
struct ObservedSocket {
  /// A message that concerns an operation.
  enum Event {
    case began(id: String, OperationParameters)
    case payload(id: String, JSONValue, byteCount: Int)
    case ended(id: String, TrafficEvent.End)
  }

  private let subprotocol: WebSocketSubprotocol
  private var client = WebSocketListener(limit: ResponseReader.limit)
  private var server = WebSocketListener(limit: ResponseReader.limit)
  /// The decoders of compressed messages; `nil` if the two sides send none.
  private var decoders: (client: ContentDecoder, server: ContentDecoder)?
  private var active: Set<String> = []

  /// The number of bytes of messages that are kept.
  var keptByteCount: Int { client.keptByteCount + server.keptByteCount }

  /// Creates the socket of an upgrade; `nil` if it has another subprotocol than those of GraphQL.
  init?(_ head: HTTPHead) {
    guard let name = head.headers["Sec-WebSocket-Protocol"], let subprotocol = WebSocketSubprotocol(rawValue: name)
    else { return nil }
    self.subprotocol = subprotocol
    guard head.headers["Sec-WebSocket-Extensions"]?.contains("permessage-deflate") == true else { return }
    guard let client = try? ContentDecoder(rawDeflate: ()), let server = try? ContentDecoder(rawDeflate: ()) else {
      return nil
    }
    decoders = (client, server)
  }

  /// Processes bytes of one direction.
  mutating func receive(_ bytes: [UInt8], isFromServer: Bool) -> [Event] {
    let events = isFromServer ? server.receive(bytes) : client.receive(bytes)
    return events.flatMap { event -> [Event] in
      switch event {
      case .message(let text, let isCompressed):
        guard let text = decoded(text, isCompressed, isFromServer), let json = try? JSONDocument(parsing: text).root
        else {
          return []
        }
        return isFromServer ? fromServer(json, text.count) : fromClient(json)
      case .longMessage: return []
      case .close(let code, let reason): return close(code ?? 1005, reason, isFromServer: isFromServer)
      }
    }
  }

  private func decoded(_ text: [UInt8], _ isCompressed: Bool, _ isFromServer: Bool) -> [UInt8]? {
    guard isCompressed, let decoders else { return text }
    // The end of the compressed data is not sent (RFC 7692, section 7.2.1).
    return try? (isFromServer ? decoders.server : decoders.client)
      .decode(text + [0x00, 0x00, 0xFF, 0xFF], limit: ResponseReader.limit)
  }

  /// Returns the id of an operation, which old clients send as a number.
  static func id(of message: JSONValue) -> String? { message["id"]?.string ?? message["id"]?.numberText }

  private mutating func fromClient(_ message: JSONValue) -> [Event] {
    guard let id = Self.id(of: message) else { return [] }
    switch (subprotocol, message["type"]?.string) {
    case (.transport, "subscribe"), (.legacy, "start"):
      guard let parameters = message["payload"].flatMap({ OperationParameters($0) }), active.insert(id).inserted else {
        return []
      }
      return [.began(id: id, parameters)]
    case (.transport, "complete"), (.legacy, "stop"):
      return active.remove(id) == nil ? [] : [.ended(id: id, .cancelled)]
    default: return []
    }
  }

  private mutating func fromServer(_ message: JSONValue, _ byteCount: Int) -> [Event] {
    guard let id = Self.id(of: message), active.contains(id) else { return [] }
    let payload = message[present: "payload"]
    switch (subprotocol, message["type"]?.string) {
    case (.transport, "next"), (.legacy, "data"):
      return payload.map { [.payload(id: id, $0, byteCount: byteCount)] } ?? []
    case (_, "error"):
      active.remove(id)
      let errors = payload?.kind == .array ? payload ?? .array([]) : .array(payload.map { [$0] } ?? [])
      return [.payload(id: id, .object([("errors", errors)]), byteCount: byteCount), .ended(id: id, .complete)]
    case (_, "complete"):
      active.remove(id)
      return [.ended(id: id, .complete)]
    default: return []
    }
  }

  private mutating func close(_ code: Int, _ reason: String, isFromServer: Bool) -> [Event] {
    let end: TrafficEvent.End =
      isFromServer
      ? .failed("the server closed the WebSocket (\(code)\(reason.isEmpty ? "" : ": \(SingleLineText.line(reason))"))")
      : .cancelled
    defer { active = [] }
    return active.sorted().map { .ended(id: $0, end) }
  }
}
