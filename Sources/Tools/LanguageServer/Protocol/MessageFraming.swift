/// The reason why a message cannot be read. Reading can continue after it, except after `headerTooLong`.
package enum FramingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A header without an end, so that the start of the next message is unknown.
  case headerTooLong
  /// A header without a valid length.
  case noLength
  case bodyTooLong(Int)

  package var description: String {
    switch self {
    case .headerTooLong: "the header of a message is too long"
    case .noLength: "a message has no Content-Length"
    case .bodyTooLong(let count): "a message of \(count) bytes is longer than \(MessageReader.maximumLength)"
    }
  }
}

/// Splits a stream of bytes into messages: header fields, an empty line, and a body whose length is `Content-Length`.
/// An empty object is `Content-Length: 2\r\n\r\n{}`.
///
/// Source: Language Server Protocol 3.17, "Header Part".
package struct MessageReader: Sendable {
  package static let maximumLength = 64 << 20
  private static let maximumHeader = 4096

  private var buffer: [UInt8] = []
  /// The offset of unread bytes in the buffer.
  private var start = 0
  /// The number of remaining bytes of an oversized message, which are skipped.
  private var skipped = 0

  package init() {}

  package mutating func append(_ bytes: some Collection<UInt8>) {
    if start > 0, start == buffer.count || start > 1 << 20 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next message's body; nil if more bytes are needed.
  package mutating func next() throws(FramingError) -> [UInt8]? {
    if skipped > 0 {
      let count = min(skipped, buffer.count - start)
      skipped -= count
      start += count
      if skipped > 0 { return nil }
    }
    guard let header = try header() else { return nil }
    guard let length = Self.length(in: buffer[start..<header]) else {
      start = header
      throw .noLength
    }
    guard length <= Self.maximumLength else {
      start = header
      skipped = length
      throw .bodyTooLong(length)
    }
    guard buffer.count - header >= length else { return nil }
    start = header + length
    return Array(buffer[header..<start])
  }

  /// Returns the end of the header, including its empty line.
  private func header() throws(FramingError) -> Int? {
    let end = min(buffer.count, start + Self.maximumHeader)
    var index = start
    while index + 3 < end {
      if buffer[index] == 0x0D, buffer[index + 1] == 0x0A, buffer[index + 2] == 0x0D, buffer[index + 3] == 0x0A {
        return index + 4
      }
      index += 1
    }
    if buffer.count - start >= Self.maximumHeader { throw .headerTooLong }
    return nil
  }

  private static func length(in header: ArraySlice<UInt8>) -> Int? {
    for line in header.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      guard name == "content-length" else { continue }
      let digits = line[(colon + 1)...].filter { $0 != 0x20 && $0 != 0x09 }
      guard let length = Int(String(decoding: digits, as: UTF8.self)), length >= 0 else { return nil }
      return length
    }
    return nil
  }

  /// Returns a body preceded by its header.
  package static func framed(_ body: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
