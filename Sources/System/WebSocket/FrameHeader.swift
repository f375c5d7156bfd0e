import CApusWSLay

/// The header of a WebSocket frame (RFC 6455, section 5.2): `81 05` precedes a text of five bytes, and `82 7E 01 00` a
/// binary message of 256 bytes.
struct FrameHeader {
  /// The number of bytes before the payload.
  let size: Int
  let payloadSize: UInt64
  /// Whether the frame ends its message.
  let isFinal: Bool
  /// Whether the message is compressed, which the frame that begins it says (RFC 7692, section 6).
  let isCompressed: Bool
  /// The bytes with which the payload is masked; empty for none.
  let mask: [UInt8]
  private let opcode: UInt32

  /// Reads the header that begins at `start`. Returns `nil` if it is incomplete.
  init?<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes, at start: Int) where Bytes.Index == Int {
    guard start + 2 <= bytes.endIndex else { return nil }
    opcode = UInt32(bytes[start] & 0x0F)
    isFinal = bytes[start] & 0x80 != 0
    isCompressed = bytes[start] & 0x40 != 0
    let length = bytes[start + 1] & 0x7F
    let lengthSize = length < 126 ? 0 : length == 126 ? 2 : 8
    let maskSize = bytes[start + 1] & 0x80 == 0 ? 0 : 4
    size = 2 + lengthSize + maskSize
    guard start + size <= bytes.endIndex else { return nil }
    mask = Array(bytes[start + size - maskSize..<start + size])
    let extended = bytes[start + 2..<start + 2 + lengthSize]
    payloadSize = lengthSize == 0 ? UInt64(length) : extended.reduce(0) { $0 << 8 | UInt64($1) }
  }

  func isFrame(_ opcode: wslay_opcode) -> Bool { self.opcode == opcode.rawValue }

  var isClose: Bool { isFrame(WSLAY_CONNECTION_CLOSE) }
  var isControl: Bool { isClose || isFrame(WSLAY_PING) || isFrame(WSLAY_PONG) }

  /// Returns the payload as it was before it was masked.
  func unmasked(_ payload: ArraySlice<UInt8>) -> [UInt8] {
    guard mask.count == 4 else { return Array(payload) }
    return payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }
}

/// Holds back a close frame until it is complete. The library checks each piece of a close frame as if it began with
/// the code, so that a reason that arrives in two pieces can count as invalid.
struct CloseFrameGate {
  /// The largest payload of a close frame. The library refuses a larger one.
  private static let maximumPayload = 125

  private var held: [UInt8] = []
  /// The bytes of the current frame that have not arrived.
  private var rest: UInt64 = 0

  /// Calls `body` with the bytes that can be processed now.
  mutating func pass<Result>(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if held.isEmpty {
      let end = endOfComplete(bytes)
      held = Array(bytes[end...])
      return body(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    }
    let all = held + bytes
    return all.withUnsafeBytes { all in
      let end = endOfComplete(all)
      held = Array(all[end...])
      return body(UnsafeRawBufferPointer(rebasing: all[..<end]))
    }
  }

  /// Returns the beginning of an incomplete header or close frame at the end of the bytes, or else their end.
  private mutating func endOfComplete(_ bytes: UnsafeRawBufferPointer) -> Int {
    var position = 0
    while true {
      let taken = min(rest, UInt64(bytes.count - position))
      position += Int(taken)
      rest -= taken
      guard rest == 0, position < bytes.count else { return position }
      guard let header = FrameHeader(bytes, at: position) else { return position }
      let available = bytes.count - position - header.size
      if header.isFrame(WSLAY_CONNECTION_CLOSE), header.payloadSize <= Self.maximumPayload,
        header.payloadSize > available
      {
        return position
      }
      position += header.size
      rest = header.payloadSize
    }
  }
}
