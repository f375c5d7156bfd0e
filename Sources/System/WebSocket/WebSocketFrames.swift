import CApusWSLay

/// Converts between WebSocket messages and bytes (RFC 6455), independent of sockets.
///
/// Responses to pings and the close handshake are created automatically and returned by `takeOutgoing`. If several
/// pings arrived since its last call, only the latest is answered (RFC 6455, section 5.5.3), so that the peer cannot
/// make responses pile up. Not thread-safe.
package final class WebSocketFrames {
  /// The role of this side. Only clients mask their frames.
  package enum Role: Sendable { case client, server }

  package enum Event: Sendable, Hashable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The peer's close frame. The code is 1005 if the frame has none.
    case closed(code: Int, reason: String)
    /// The peer violated the protocol. The code is sent in the close frame.
    case broken(code: Int)
  }

  /// A longer message ends the connection with code 1009.
  package static let defaultMaximumMessageSize = 64 << 20

  private var context: wslay_event_context_ptr?
  private var gate = CloseFrameGate()
  private var incoming = UnsafeRawBufferPointer(start: nil, count: 0)
  private var outgoing: [UInt8] = []
  /// The response to the latest ping, as a complete frame.
  private var pong: ArraySlice<UInt8> = []
  /// Frames from the library that have not been inspected.
  private var written: [UInt8] = []
  private var events: [Event] = []
  private var isBroken = false
  /// The close frame being received. The library rejects codes that were registered after RFC 6455.
  private var closing: Closing?

  private struct Closing {
    let length: UInt64
    var bytes: [UInt8] = []

    /// The code and reason of a complete close frame that the library rejects: with one of the later codes (restart,
    /// overload, bad gateway), or with a reason that is not UTF-8, as when a server cuts it inside a character. The code
    /// is valid in either case.
    var rejected: (code: Int, reason: String)? {
      guard bytes.count >= 2, bytes.count == length else { return nil }
      let code = Int(bytes[0]) << 8 | Int(bytes[1])
      let isBroken = String(validating: bytes[2...], as: UTF8.self) == nil
      guard (1012...1014).contains(code) || isBroken && Self.isSendable(code) else { return nil }
      return (code, String(decoding: bytes[2...], as: UTF8.self))
    }

    /// Whether a close frame may have the code (RFC 6455, section 7.4).
    private static func isSendable(_ code: Int) -> Bool {
      (1000...1003).contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
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
    let opaque = Unmanaged.passUnretained(self).toOpaque()
    // Initialization fails only if memory is exhausted. Then every call reports a broken connection.
    switch role {
    case .client: wslay_event_context_client_init(&context, &callbacks, opaque)
    case .server: wslay_event_context_server_init(&context, &callbacks, opaque)
    }
    if let context { wslay_event_config_set_max_recv_msg_length(context, UInt64(maximumMessageSize)) }
  }

  deinit {
    if let context { wslay_event_context_free(context) }
  }

  // MARK: Receiving

  /// Processes received bytes and returns the messages that they complete.
  package func receive(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    guard !isBroken else { return [] }
    return gate.pass(bytes) { process($0) }
  }

  private func process(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    events = []
    guard let context else { return [] }
    incoming = bytes
    let code = wslay_event_recv(context)
    incoming = UnsafeRawBufferPointer(start: nil, count: 0)
    let hasStopped = wslay_event_get_read_enabled(context) == 0 && wslay_event_get_close_received(context) == 0
    if code != 0 || hasStopped {
      isBroken = true
      flush()
      let sentCode = Int(wslay_event_get_status_code_sent(context))
      let rejected = closing?.rejected.map { Event.closed(code: $0.code, reason: $0.reason) }
      events.append(rejected ?? .broken(code: sentCode == 0 || sentCode == 1005 ? 1002 : sentCode))
    }
    defer { events = [] }
    return events
  }

  /// Answers a close frame with its own code. The library would answer a frame that it rejects with 1002 or 1007 as soon
  /// as it sees it; it keeps the close frame that was queued first.
  private func takeClosing(_ bytes: UnsafeBufferPointer<UInt8>) {
    closing?.bytes += bytes
    if let rejected = closing?.rejected { queueClose(code: rejected.code, reason: rejected.reason) }
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
      // The message begins with two bytes for the code.
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

  /// Starts the close handshake, after the messages that were sent before.
  package func close(code: Int, reason: String) {
    // The library writes control frames first, and nothing after a close frame.
    flush()
    queueClose(code: code, reason: reason)
  }

  private func queueClose(code: Int, reason: String) {
    guard let context else { return }
    // A close frame has room for 125 bytes, two of them for the code.
    var text = Array(reason.utf8.prefix(123))
    while !text.isEmpty, String(validating: text, as: UTF8.self) == nil { text.removeLast() }
    _ = wslay_event_queue_close(context, UInt16(clamping: code), text, text.count)
  }

  /// Removes and returns the bytes to write to the connection. Call it again after they are written.
  package func dequeueOutgoing() -> [UInt8] {
    flush()
    defer { (outgoing, pong) = ([], []) }
    // Nothing may follow a close frame.
    return Array(pong) + outgoing
  }

  /// Whether both close frames were exchanged or the protocol was violated, so that the connection can be closed.
  package var isOver: Bool {
    guard let context, !isBroken else { return true }
    return wslay_event_get_close_received(context) != 0 && wslay_event_get_close_sent(context) != 0
  }

  private func flush() {
    guard let context, wslay_event_want_write(context) != 0 else { return }
    _ = wslay_event_send(context)
    // The library wrote everything, so these are complete frames.
    var start = 0
    while let header = FrameHeader(written, at: start) {
      let end = start + header.size + Int(header.payloadSize)
      if header.isFrame(WSLAY_PONG) {
        pong = written[start..<end]
      } else {
        outgoing += written[start..<end]
      }
      start = end
    }
    written = []
  }

  private func queue(_ opcode: wslay_opcode, _ bytes: [UInt8]) {
    guard let context else { return }
    bytes.withUnsafeBufferPointer { buffer in
      var message = wslay_event_msg(opcode: UInt8(opcode.rawValue), msg: buffer.baseAddress, msg_length: buffer.count)
      _ = wslay_event_queue_msg(context, &message)
    }
  }
}
