import ApusASCII

/// The end of a message's body, as its head describes it (RFC 9112, section 6.3).
enum BodyLength: Equatable {
  case none
  case bytes(Int)
  case chunked
  /// The body of a response ends with the connection.
  case untilClose

  /// Returns the length of a request's body.
  static func ofRequest(_ head: MessageHead) throws(MessageHead.Malformed) -> BodyLength {
    let (codings, length) = (head.elements("transfer-encoding"), try contentLength(head))
    if codings.isEmpty { return length.map { $0 == 0 ? .none : .bytes($0) } ?? .none }
    guard length == nil else { throw .init(reason: "it has both a Transfer-Encoding and a Content-Length") }
    guard codings == ["chunked"] else { throw .init(reason: "its Transfer-Encoding is not supported") }
    return .chunked
  }

  /// Returns the length of the body of a response to a request with this method.
  static func ofResponse(
    _ head: MessageHead, status: Int, method: String
  ) throws(MessageHead.Malformed) -> BodyLength {
    let length = try contentLength(head)
    if method == "HEAD" || status < 200 || status == 204 || status == 304 { return .none }
    let codings = head.elements("transfer-encoding")
    // The transfer coding overrides a length.
    if let last = codings.last { return last == "chunked" ? .chunked : .untilClose }
    return length.map { $0 == 0 ? .none : .bytes($0) } ?? .untilClose
  }

  /// Returns the `Content-Length`, which may be repeated with the same value (RFC 9110, section 8.6).
  private static func contentLength(_ head: MessageHead) throws(MessageHead.Malformed) -> Int? {
    let texts = Set(head.elements("content-length"))
    guard let text = texts.first else { return nil }
    guard texts.count == 1, text.utf8.allSatisfy(\.isDigit), let length = Int(text) else {
      throw .init(reason: "its Content-Length is not a number")
    }
    return length
  }
}

/// Finds the end of a body while its bytes arrive, and its content without the framing of chunks.
struct BodyScanner {
  /// The state of a chunked body (RFC 9112, section 7.1).
  private enum ChunkState {
    /// In the line with the size of a chunk.
    case size
    /// In the data, with the number of bytes that are missing.
    case data(Int)
    /// At the line break after the data.
    case endOfData
    /// In the lines of the trailer section.
    case trailers
  }

  /// The limit of a line with a size, and of all trailers together, in bytes.
  private static let lineLimit = 16 << 10

  private let length: BodyLength
  private var rest: Int
  private var state = ChunkState.size
  private var line: [UInt8] = []
  private var trailerSize = 0
  private(set) var isComplete: Bool

  init(_ length: BodyLength) {
    self.length = length
    rest = if case .bytes(let count) = length { count } else { 0 }
    isComplete = length == .none
  }

  /// Processes bytes up to the end of the body. Returns their number.
  ///
  /// - Parameter content: Gets the bytes that are content, in order.
  mutating func scan(
    _ bytes: UnsafeRawBufferPointer, content: (UnsafeRawBufferPointer) -> Void
  ) throws(MessageHead.Malformed) -> Int {
    switch length {
    case .none: return 0
    case .untilClose:
      content(bytes)
      return bytes.count
    case .bytes:
      let count = min(rest, bytes.count)
      content(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      rest -= count
      isComplete = rest == 0
      return count
    case .chunked: return try scanChunks(bytes, content)
    }
  }

  /// Notes that the connection is closed, which ends a body without another end.
  mutating func close() {
    if length == .untilClose { isComplete = true }
  }

  private mutating func scanChunks(
    _ bytes: UnsafeRawBufferPointer, _ content: (UnsafeRawBufferPointer) -> Void
  ) throws(MessageHead.Malformed) -> Int {
    var index = 0
    while index < bytes.count, !isComplete {
      if case .data(let missing) = state {
        let count = min(missing, bytes.count - index)
        content(UnsafeRawBufferPointer(rebasing: bytes[index..<index + count]))
        index += count
        state = count == missing ? .endOfData : .data(missing - count)
        continue
      }
      let byte = bytes[index]
      index += 1
      guard byte == 0x0A else {
        line.append(byte)
        guard line.count <= Self.lineLimit else {
          throw .init(reason: "a chunk of its body has a line that is too long")
        }
        continue
      }
      if line.last == 0x0D { line.removeLast() }
      try endLine()
      line.removeAll(keepingCapacity: true)
    }
    return index
  }

  private mutating func endLine() throws(MessageHead.Malformed) {
    switch state {
    case .size:
      let size = try Self.chunkSize(line)
      state = size == 0 ? .trailers : .data(size)
    case .endOfData:
      guard line.isEmpty else { throw .init(reason: "a chunk of its body is longer than its size says") }
      state = .size
    case .trailers:
      trailerSize += line.count
      guard trailerSize <= Self.lineLimit else { throw .init(reason: "its trailers are too long") }
      isComplete = line.isEmpty
    case .data: break
    }
  }

  /// Returns the size at the beginning of a line, which extensions may follow: "`1a;name=value`".
  private static func chunkSize(_ line: [UInt8]) throws(MessageHead.Malformed) -> Int {
    let text = String(decoding: line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
    guard !text.isEmpty, text.utf8.count <= 15, text.utf8.allSatisfy({ $0.isDigit || $0.isLetter }),
      let size = Int(text, radix: 16)
    else { throw .init(reason: "a chunk of its body has no valid size") }
    return size
  }
}
