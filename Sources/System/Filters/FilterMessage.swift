import ApusPlatform

/// A message between the program and its filter process. Nine bytes precede its content: the kind, and the length as a
/// little-endian number of eight bytes. To check the filter `.a`, the program sends `03 02 00 00 00 00 00 00 00 2E 61`.
struct FilterMessage {
  enum Kind: UInt8 {
    /// Messages to the child: the values to filter, and a filter to run on them.
    case input = 1
    case filter
    /// A filter to compile without running it.
    case check
    /// Messages from the child: results as one line of JSON each, or the reason for a failure.
    case results
    case syntax, failed, outputTooLarge
  }

  let kind: Kind
  let bytes: [UInt8]

  private static let headerSize = 9

  /// Sends a message. Returns false if the other process is gone.
  static func send(_ kind: Kind, _ bytes: some ByteSource, to socket: Int32) -> Bool {
    bytes.withBytes { body in
      var header: [UInt8] = [kind.rawValue]
      var length = UInt64(body.count).littleEndian
      withUnsafeBytes(of: &length) { header.append(contentsOf: $0) }
      return header.withUnsafeBytes { sendAll($0, to: socket) } && sendAll(body, to: socket)
    }
  }

  /// Waits for a message; nil if the other process is gone or the message is malformed.
  static func receive(from socket: Int32) -> FilterMessage? {
    guard let header = receiveAll(headerSize, from: socket), let kind = Kind(rawValue: header[0]) else { return nil }
    let length = header[1...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length < 1 << 40, let bytes = receiveAll(Int(length), from: socket) else { return nil }
    return FilterMessage(kind: kind, bytes: bytes)
  }

  private static func sendAll(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = FileDescriptor.send(rest, to: socket)
      guard count > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  /// Receives exactly `count` bytes. The count is untrusted, so memory is reserved only up to the size of a usual
  /// input.
  private static func receiveAll(_ count: Int, from socket: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, 128 << 20))
    var piece = [UInt8](repeating: 0, count: min(count, 256 << 10))
    while bytes.count < count {
      let got = piece.withUnsafeMutableBytes { recv(socket, $0.baseAddress, min($0.count, count - bytes.count), 0) }
      if got > 0 { bytes += piece[..<got] } else if got == 0 || errno != EINTR { return nil }
    }
    return bytes
  }
}

/// Bytes in contiguous memory.
protocol ByteSource {
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

extension Array: ByteSource where Element == UInt8 {
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { withUnsafeBytes(body) }
}
