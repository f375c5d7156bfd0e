import CApusWSLay

/// Turns the bytes of a WebSocket connection into messages and messages into bytes; knows no socket (RFC 6455).
///
/// Pings and the close handshake are answered by themselves: the answer waits in `takeOutgoing`. Of several pings that came
/// since it was called last only the newest is answered (RFC 6455, section 5.5.3), so that the other side cannot make
/// answers pile up. Used by one thread at a time.
package final class WebSocketFrames {
  /// Who masks its frames: the client.
  package enum Role: Sendable { case client, server }

  package enum Event: Sendable, Hashable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The other side's close frame; 1005 when it names no code.
    case closed(code: Int, reason: String)
    /// The other side broke the protocol; the code is what it is told.
    case broken(code: Int)
  }

  /// A message longer than this ends the connection with code 1009.
  package static let defaultMaximumMessageSize = 64 << 20

  private var context: wslay_event_context_ptr?
  private var incoming = UnsafeRawBufferPointer(start: nil, count: 0)
  private var outgoing: [UInt8] = []
  /// The answer to the newest ping, a whole frame.
  private var pong: ArraySlice<UInt8> = []
  /// Frames as the library wrote them, not yet looked at.
  private var written: [UInt8] = []
  private var events: [Event] = []
  private var isBroken = false
  /// The close frame that is being received: the library knows fewer codes than there are.
  private var closing: Closing?

  private struct Closing {
    let length: UInt64
    var bytes: [UInt8] = []

    /// The code and the reason of a whole frame with one of the codes that were registered after RFC 6455: restart,
    /// overload, bad gateway.
    var later: (code: Int, reason: String)? {
      guard bytes.count >= 2, bytes.count == length else { return nil }
      let code = Int(bytes[0]) << 8 | Int(bytes[1])
      guard (1012...1014).contains(code), let reason = String(validating: bytes[2...], as: UTF8.self) else {
        return nil
      }
      return (code, reason)
    }
  }

  package init(role: Role, maximumMessageSize: Int = defaultMaximumMessageSize) {
    var callbacks = wslay_event_callbacks()
    callbacks.recv_callback = { context, buffer, size, _, frames in
      guard let frames, let buffer else { return -1 }
      let count = WebSocketFrames.from(frames).read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
      if count == 0 {
        wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK.rawValue)
        return -1
      }
      return count
    }
    callbacks.send_callback = { _, bytes, size, _, frames in
      guard let frames, let bytes else { return -1 }
      WebSocketFrames.from(frames).written += UnsafeBufferPointer(start: bytes, count: size)
      return size
    }
    callbacks.genmask_callback = { _, buffer, size, _ in
      guard let buffer else { return -1 }
      var random = SystemRandomNumberGenerator()
      for index in 0..<size { buffer[index] = UInt8.random(in: .min ... .max, using: &random) }
      return 0
    }
    callbacks.on_msg_recv_callback = { _, message, frames in
      guard let frames, let message else { return }
      WebSocketFrames.from(frames).receive(message.pointee)
    }
    callbacks.on_frame_recv_start_callback = { _, frame, frames in
      guard let frames, let frame else { return }
      let isClose = UInt32(frame.pointee.opcode) == WSLAY_CONNECTION_CLOSE.rawValue
      WebSocketFrames.from(frames).closing = isClose ? Closing(length: frame.pointee.payload_length) : nil
    }
    callbacks.on_frame_recv_chunk_callback = { _, chunk, frames in
      guard let frames, let chunk, let data = chunk.pointee.data else { return }
      WebSocketFrames.from(frames).takeClosing(UnsafeBufferPointer(start: data, count: chunk.pointee.data_length))
    }
    let own = Unmanaged.passUnretained(self).toOpaque()
    // Fails only for want of memory; then there is no context, and every call says that the connection is broken.
    switch role {
    case .client: wslay_event_context_client_init(&context, &callbacks, own)
    case .server: wslay_event_context_server_init(&context, &callbacks, own)
    }
    if let context { wslay_event_config_set_max_recv_msg_length(context, UInt64(maximumMessageSize)) }
  }

  deinit {
    if let context { wslay_event_context_free(context) }
  }

  // MARK: Receiving

  /// Takes bytes as they came and returns what became whole with them.
  package func receive(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    events = []
    guard let context, !isBroken else { return [] }
    incoming = bytes
    let code = wslay_event_recv(context)
    incoming = UnsafeRawBufferPointer(start: nil, count: 0)
    let hasStopped = wslay_event_get_read_enabled(context) == 0 && wslay_event_get_close_received(context) == 0
    if code != 0 || hasStopped {
      isBroken = true
      flush()
      let told = Int(wslay_event_get_status_code_sent(context))
      let later = closing?.later.map { Event.closed(code: $0.code, reason: $0.reason) }
      events.append(later ?? .broken(code: told == 0 || told == 1005 ? 1002 : told))
    }
    defer { events = [] }
    return events
  }

  /// A close frame is answered with its own code. The library would say 1002 to the later ones, as soon as it has seen
  /// the frame; what was queued before stands, and it takes no second close frame.
  private func takeClosing(_ bytes: UnsafeBufferPointer<UInt8>) {
    closing?.bytes += bytes
    if let later = closing?.later { close(code: later.code, reason: later.reason) }
  }

  package func receive(_ bytes: [UInt8]) -> [Event] { bytes.withUnsafeBytes(receive) }

  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, incoming.count)
    guard count > 0 else { return 0 }
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: incoming[..<count]))
    incoming = UnsafeRawBufferPointer(rebasing: incoming[count...])
    return count
  }

  private func receive(_ message: wslay_event_on_msg_recv_arg) {
    let bytes = Array(UnsafeBufferPointer(start: message.msg, count: message.msg_length))
    switch UInt32(message.opcode) {
    case WSLAY_TEXT_FRAME.rawValue: events.append(.text(bytes))
    case WSLAY_BINARY_FRAME.rawValue: events.append(.binary(bytes))
    case WSLAY_PING.rawValue: events.append(.ping(bytes))
    case WSLAY_PONG.rawValue: events.append(.pong(bytes))
    case WSLAY_CONNECTION_CLOSE.rawValue:
      let code = Int(message.status_code)
      // The code is the first two bytes of the message.
      events.append(.closed(code: code == 0 ? 1005 : code, reason: String(decoding: bytes.dropFirst(2), as: UTF8.self)))
    default: break
    }
  }

  private static func from(_ pointer: UnsafeMutableRawPointer) -> WebSocketFrames {
    Unmanaged<WebSocketFrames>.fromOpaque(pointer).takeUnretainedValue()
  }

  // MARK: Sending

  package func send(text: [UInt8]) { queue(WSLAY_TEXT_FRAME, text) }

  package func send(ping payload: [UInt8]) { queue(WSLAY_PING, payload) }

  /// Begins the close handshake, or answers the other side's.
  package func close(code: Int, reason: String) {
    guard let context else { return }
    // A close frame holds 125 bytes, two of them for the code.
    var text = Array(reason.utf8.prefix(123))
    while !text.isEmpty, String(validating: text, as: UTF8.self) == nil { text.removeLast() }
    _ = wslay_event_queue_close(context, UInt16(clamping: code), text, text.count)
  }

  /// What has to be written to the connection now. Asked for when what was given before is written.
  package func takeOutgoing() -> [UInt8] {
    flush()
    defer { (outgoing, pong) = ([], []) }
    // Nothing may follow a close frame.
    return Array(pong) + outgoing
  }

  /// Both close frames have been exchanged, or the protocol was broken: the connection can be cut.
  package var isOver: Bool {
    guard let context, !isBroken else { return true }
    return wslay_event_get_close_received(context) != 0 && wslay_event_get_close_sent(context) != 0
  }

  private func flush() {
    guard let context, wslay_event_want_write(context) != 0 else { return }
    _ = wslay_event_send(context)
    // All of it was taken, so that these are whole frames.
    var start = 0
    while let end = Self.endOfFrame(written, from: start) {
      if UInt32(written[start] & 0x0F) == WSLAY_PONG.rawValue {
        pong = written[start..<end]
      } else {
        outgoing += written[start..<end]
      }
      start = end
    }
    written = []
  }

  /// Where the frame that begins here ends (RFC 6455, section 5.2); nil where none is whole.
  private static func endOfFrame(_ bytes: [UInt8], from start: Int) -> Int? {
    guard start + 2 <= bytes.count else { return nil }
    let isMasked = bytes[start + 1] & 0x80 != 0
    var length = Int(bytes[start + 1] & 0x7F)
    var position = start + 2
    if length > 125 {
      let size = length == 126 ? 2 : 8
      guard position + size <= bytes.count else { return nil }
      length = bytes[position..<position + size].reduce(0) { $0 << 8 | Int($1) }
      position += size
    }
    let end = position + (isMasked ? 4 : 0) + length
    return end <= bytes.count ? end : nil
  }

  private func queue(_ opcode: wslay_opcode, _ bytes: [UInt8]) {
    guard let context else { return }
    bytes.withUnsafeBufferPointer { buffer in
      var message = wslay_event_msg(opcode: UInt8(opcode.rawValue), msg: buffer.baseAddress, msg_length: buffer.count)
      _ = wslay_event_queue_msg(context, &message)
    }
  }
}
