import ApusAlgorithms
import ApusASCII

/// A parsed line of a response's head (RFC 9112, sections 4 and 5): `HTTP/1.1 200 OK`,
/// `Content-Type: application/json`.
enum HeadLine {
  case status(Int, version: String)
  case field
  /// The empty line after the last field.
  case end

  /// Parses a line, with or without its line break.
  init(_ line: UnsafeRawBufferPointer) {
    if Self.isStatus(line) {
      self = Self.status(Self.trimmed(UnsafeRawBufferPointer(rebasing: line[5...])))
    } else {
      self = line.allSatisfy(Self.isBlank) ? .end : .field
    }
  }

  /// Whether the line starts with `HTTP/`, which no field name can contain.
  private static func isStatus(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count >= 5 && line[0] == 0x48 && line[1] == 0x54 && line[2] == 0x54 && line[3] == 0x50 && line[4] == 0x2F
  }

  private static func status(_ words: UnsafeRawBufferPointer) -> HeadLine {
    let space = words.firstIndex(of: 0x20) ?? words.count
    var code = 0
    for byte in words[space...].dropFirst() {
      guard byte.isDigit, code < 1000 else { break }
      code = code * 10 + Int(byte - 0x30)
    }
    let version = words[..<space]
    return .status(code, version: String(decoding: UnsafeRawBufferPointer(rebasing: version), as: UTF8.self))
  }

  /// Returns the bytes without surrounding white space.
  fileprivate static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes.trimming(while: isBlank))
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
  }
}

/// The unparsed header fields of a response.
struct HeaderBlock {
  private var bytes: [UInt8] = []

  mutating func add(_ line: UnsafeRawBufferPointer) {
    if bytes.isEmpty { bytes.reserveCapacity(512) }
    bytes.append(contentsOf: line)
    if line.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
  }

  var fields: [HTTPHeaders.Field] {
    var fields: [HTTPHeaders.Field] = []
    forEach { name, value in
      fields.append(
        .init(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
      return true
    }
    return fields
  }

  func value(of name: String) -> String? {
    var name = name
    return name.withUTF8 { name in
      var found: String?
      forEach { own, value in
        guard HTTPHeaders.areEqual(own, name) else { return true }
        found = String(decoding: value, as: UTF8.self)
        return false
      }
      return found
    }
  }

  /// Calls `body` with the name and value of each field until it returns false.
  private func forEach(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool) {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        var (colon, end) = (-1, start)
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
          if colon < 0, bytes[end] == UInt8(ascii: ":") { colon = end }
          end += 1
        }
        defer { start = end + 1 }
        guard colon >= 0 else { continue }
        let name = HeadLine.trimmed(UnsafeRawBufferPointer(rebasing: bytes[start..<colon]))
        guard body(name, HeadLine.trimmed(UnsafeRawBufferPointer(rebasing: bytes[(colon + 1)..<end]))) else { return }
      }
    }
  }
}
