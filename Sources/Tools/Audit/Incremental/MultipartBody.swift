import ApusJSON

/// A multipart body, parsed strictly by RFC 2046, section 5.1.1. Deviations are listed, not repaired. With the boundary
/// `-`, the body `\r\n---\r\n\r\n{}\r\n-----\r\n` has one part, `{}`.
struct MultipartBody {
  struct Part {
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    /// The range of the part and its header fields in the body.
    let range: Range<Int>

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
    var json: JSONValue? { try? JSONDocument(parsing: body).root }
  }

  private(set) var parts: [Part] = []
  private(set) var preamble: [UInt8] = []
  private(set) var epilogue: [UInt8] = []
  private(set) var isClosed = false
  /// Whether a CRLF precedes the first delimiter.
  private(set) var hasFirstLineEnd = false

  init(_ body: [UInt8], boundary: String) {
    let delimiter = Array("--\(boundary)".utf8)
    var position = 0
    var start: Int?
    while let found = Self.delimiter(delimiter, in: body, from: position) {
      if let start {
        parts.append(Self.part(body[start..<max(start, found.lowerBound)]))
      } else {
        preamble = Array(body[..<found.lowerBound])
        hasFirstLineEnd = found.lineStart > 0
      }
      position = found.end
      start = position
      if found.isClosing {
        isClosed = true
        epilogue = Array(body[min(position, body.count)...])
        return
      }
    }
    if let start, start < body.count { parts.append(Self.part(body[start...])) }
  }

  private struct Found {
    /// The start of the delimiter, including the preceding line break.
    let lowerBound: Int
    let lineStart: Int
    let end: Int
    let isClosing: Bool
  }

  private static func delimiter(_ delimiter: [UInt8], in body: [UInt8], from start: Int) -> Found? {
    var position = start
    while position + delimiter.count <= body.count {
      let isAtLineStart = position == 0 || body[position - 1] == 0x0A
      guard isAtLineStart, body[position..<position + delimiter.count].elementsEqual(delimiter) else {
        position += 1
        continue
      }
      var end = position + delimiter.count
      let isClosing = body[end...].starts(with: [0x2D, 0x2D])
      if isClosing { end += 2 }
      let rest = body[end...]
      let line = rest.prefix { $0 != 0x0A }
      // Only white space may follow the boundary on its line.
      guard line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else {
        position += 1
        continue
      }
      end = min(body.count, line.endIndex + 1)
      var lowerBound = position
      if lowerBound > start, body[lowerBound - 1] == 0x0A { lowerBound -= 1 }
      if lowerBound > start, body[lowerBound - 1] == 0x0D { lowerBound -= 1 }
      return Found(lowerBound: lowerBound, lineStart: position, end: end, isClosing: isClosing)
    }
    return nil
  }

  private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
    var headers: [(name: String, value: String)] = []
    var rest = bytes
    while let lineEnd = rest.firstIndex(of: 0x0A) {
      var line = rest[rest.startIndex..<lineEnd]
      if line.last == 0x0D { line = line.dropLast() }
      rest = rest[(lineEnd + 1)...]
      if line.isEmpty { break }
      let field = String(decoding: line, as: UTF8.self)
      guard let colon = field.firstIndex(of: ":") else { continue }
      let value = field[field.index(after: colon)...].drop { $0 == " " }
      headers.append((String(field[..<colon]), String(value)))
    }
    return Part(headers: headers, body: Array(rest), range: bytes.startIndex..<bytes.endIndex)
  }
}
