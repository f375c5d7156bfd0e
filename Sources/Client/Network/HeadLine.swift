/// One line of a response's head (RFC 9112, sections 4 and 5), read from its bytes as they came.
enum HeadLine {
  case status(Int, version: String)
  case field(name: String, value: String)
  /// The empty line behind the last field.
  case end
  /// No line of a head; it is passed over.
  case other

  /// `line` may still have its line end.
  init(_ line: UnsafeRawBufferPointer) {
    let line = Self.trimmed(line)
    if line.isEmpty {
      self = .end
    } else if line.starts(with: "HTTP/".utf8) {
      self = Self.status(UnsafeRawBufferPointer(rebasing: line[5...]))
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      self = .field(
        name: String(decoding: line[..<colon], as: UTF8.self),
        value: String(decoding: Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])), as: UTF8.self))
    } else {
      self = .other
    }
  }

  private static func status(_ words: UnsafeRawBufferPointer) -> HeadLine {
    let space = words.firstIndex(of: 0x20) ?? words.count
    var code = 0
    for byte in words[space...].dropFirst() {
      guard (0x30...0x39).contains(byte), code < 1000 else { break }
      code = code * 10 + Int(byte - 0x30)
    }
    return .status(code, version: String(decoding: words[..<space], as: UTF8.self))
  }

  /// Without blanks and line ends around it.
  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var (start, end) = (0, bytes.count)
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }
}
