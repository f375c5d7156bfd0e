import ApusAlgorithms
import ApusGraphQLMediaTypes
import ApusJSON
import ApusPlatform

/// Splits a multipart response into parts while its bytes arrive, each part as soon as it is complete.
///
/// 1. Bytes are appended to one buffer and scanned only once.
/// 2. A delimiter is the boundary at the start of a line. No line of a JSON part can begin with `--`, so the delimiter
///    ends the part before its own line is complete.
/// 3. If the bytes received so far end with a complete JSON object, the part is returned before its delimiter arrives.
///
/// Implements RFC 2046, section 5.1.1, and accepts deviations of servers in use.
package struct MultipartReader: Sendable {
  package struct Limits: Sendable {
    package var partSize: Int
    package var headerSize: Int
    /// The size up to which a part is copied. A larger one gets the buffer itself, to limit memory use.
    package var copiedSize: Int

    package init(partSize: Int = 512 << 20, headerSize: Int = 64 << 10, copiedSize: Int = 1 << 20) {
      self.partSize = partSize
      self.headerSize = headerSize
      self.copiedSize = copiedSize
    }
  }

  private enum State: Sendable {
    /// At the start of a line before the first delimiter.
    case preamble
    /// In a line of the preamble that is not a delimiter, while the response has only white space so far.
    case preambleBeginning
    /// In a line of the preamble that is not a delimiter, after other text.
    case preambleLine
    /// After a boundary, before the end of its line.
    case delimiterLine
    case headers
    case body
    /// After a part that was returned before its delimiter arrived.
    case afterBody
    /// After the closing delimiter.
    case epilogue
  }

  /// Whether the closing delimiter has arrived.
  package var isClosed: Bool { state == .epilogue }

  private let limits: Limits
  /// The boundary with its leading `--`.
  private let delimiter: [UInt8]
  private var state = State.preamble
  private var buffer: [UInt8] = []
  /// The start in the buffer of the current state's text.
  private var start = 0
  /// The position up to which the buffer has been searched for a delimiter.
  private var scanned = 0
  private var headers: [MultipartPart.Header] = []
  private var headerSize = 0
  private var holdsJSON = true
  /// Whether only white space has arrived so far. Some servers omit the opening delimiter, so text at the beginning
  /// that looks like a part counts as one.
  private var isAtBeginning = true
  /// Whether the current part has no opening delimiter. It is a part only if it is an initial result in
  /// JSON; otherwise it is preamble.
  private var isUnopened = false
  /// Whether the current text may be a line of JSON in the preamble, because it has neither an opening delimiter nor
  /// part headers.
  private var mayBePreamble: Bool { isUnopened && headers.isEmpty }
  private var json = JSONBoundsScanner()
  /// In a body: the position after its last byte that is not white space, within the bytes before `looked`.
  private var solidEnd = 0
  private var looked = 0

  package init(boundary: String, limits: Limits = Limits()) {
    delimiter = Array("--\(boundary)".utf8)
    self.limits = limits
  }

  /// Creates a reader for a content type; `nil` if it is not multipart.
  package init?(contentType: String, limits: Limits = Limits()) {
    let mediaType = MediaType(parsing: contentType)
    guard mediaType.isMultipart else { return nil }
    self.init(boundary: mediaType.boundary, limits: limits)
  }

  /// Processes the next bytes and returns the parts that they complete. Empty parts are skipped.
  package mutating func receive(_ bytes: [UInt8]) throws(MultipartError) -> [MultipartPart] {
    try receive(bytes[...])
  }

  package mutating func receive(_ bytes: ArraySlice<UInt8>) throws(MultipartError) -> [MultipartPart] {
    guard state != .epilogue else { return [] }
    makeRoom(for: bytes.count)
    buffer.append(contentsOf: bytes)
    var parts: [MultipartPart] = []
    while try step(&parts) {}
    if state != .epilogue, buffer.count - start > limits.partSize { throw .partTooLarge(limit: limits.partSize) }
    if state == .body, holdsJSON, !mayBePreamble, let part = wholeJSON() { parts.append(part) }
    dropConsumed()
    return parts
  }

  /// Processes the end of the response. Returns any text after the last delimiter as a part, which may be incomplete.
  package mutating func finish() -> MultipartPart? {
    defer {
      buffer = []
      start = 0
      scanned = 0
    }
    guard state == .body else { return nil }
    // A truncated delimiter is not part of the JSON.
    return part(at: start..<(holdsJSON ? max(start, scanned) : buffer.count), isLast: true)
  }

  /// Makes room for more bytes. A large buffer grows in few steps, because the allocator keeps old buffers for a while
  /// and unused pages cost no memory.
  private mutating func makeRoom(for count: Int) {
    let needed = buffer.count + count
    if needed > buffer.capacity, needed > limits.copiedSize { buffer.reserveCapacity(min(4 * needed, limits.partSize)) }
  }

  // MARK: - Steps

  /// Advances by one state; returns false if more bytes are needed.
  private mutating func step(_ parts: inout [MultipartPart]) throws(MultipartError) -> Bool {
    switch state {
    case .preamble: readPreamble()
    case .preambleBeginning: readPreambleBeginning()
    case .preambleLine: skipPreambleLine()
    case .delimiterLine: try readDelimiterLine()
    case .headers: try readHeader()
    case .body, .afterBody: try readBody(&parts)
    case .epilogue: false
    }
  }

  /// Reads the start of a line: a delimiter, a part without a delimiter, or text to skip.
  private mutating func readPreamble() -> Bool {
    let text = buffer[start...]
    guard !text.isEmpty else { return false }
    if text.starts(with: delimiter) {
      // The character after the boundary distinguishes a delimiter from a line that only starts like one.
      let afterDelimiter = start + delimiter.count
      guard afterDelimiter < buffer.count else { return false }
      if isDelimiterTail(at: afterDelimiter) {
        enter(.delimiterLine, at: afterDelimiter)
      } else {
        isAtBeginning = false
        enter(.preambleLine, at: start)
      }
      return true
    }
    if delimiter.starts(with: text) { return false }
    enter(isAtBeginning ? .preambleBeginning : .preambleLine, at: start)
    return true
  }

  private mutating func readPreambleBeginning() -> Bool {
    while start < buffer.count, MultipartReader.isBlank(buffer[start]) {
      if buffer[start] == UInt8(ascii: "\n") {
        enter(.preamble, at: start + 1)
        return true
      }
      enter(.preambleBeginning, at: start + 1)
    }
    guard start < buffer.count else { return false }
    if buffer[start] == UInt8(ascii: "{") {
      isUnopened = true
      enterBody(at: start)
      return true
    }
    let name = "content-".utf8
    let isLikeName = zip(buffer[start...], name).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    if isLikeName, buffer.count - start < name.count { return false }
    isAtBeginning = false
    if isLikeName {
      isUnopened = true
      enterHeaders(at: start)
    } else {
      enter(.preambleLine, at: start)
    }
    return true
  }

  private mutating func skipPreambleLine() -> Bool {
    guard let line = lineEnd(from: start) else {
      enter(.preambleLine, at: buffer.count)
      return false
    }
    enter(.preamble, at: line.next)
    return true
  }

  /// Reads the rest of a delimiter line: `--` ends the stream, anything else is padding.
  private mutating func readDelimiterLine() throws(MultipartError) -> Bool {
    while start < buffer.count, buffer[start] == UInt8(ascii: " ") || buffer[start] == UInt8(ascii: "\t") { start += 1 }
    guard start < buffer.count else { return false }
    if buffer[start] == UInt8(ascii: "-") {
      guard start + 1 < buffer.count else { return false }
      if buffer[start + 1] == UInt8(ascii: "-") {
        enter(.epilogue, at: buffer.count)
        return false
      }
    }
    guard let line = lineEnd(from: start) else {
      if buffer.count - start > limits.headerSize { throw .headersTooLarge(limit: limits.headerSize) }
      return false
    }
    isUnopened = false
    enterHeaders(at: line.next)
    return true
  }

  private mutating func readHeader() throws(MultipartError) -> Bool {
    guard start < buffer.count else { return false }
    // There are no headers and no blank line: the body follows the delimiter directly.
    if buffer[start] == UInt8(ascii: "{") {
      enterBody(at: start)
      return true
    }
    // A part without headers and body: the next delimiter follows directly.
    if buffer[start] == UInt8(ascii: "-") {
      guard buffer.count - start >= delimiter.count else { return false }
      if buffer[start...].starts(with: delimiter) {
        enter(.delimiterLine, at: start + delimiter.count)
        return true
      }
    }
    guard let line = lineEnd(from: start) else {
      if headerSize + buffer.count - start > limits.headerSize { return try passOverHeaders() }
      return false
    }
    if line.content == start {
      enterBody(at: line.next)
      return true
    }
    headerSize += line.next - start
    if headerSize > limits.headerSize { return try passOverHeaders() }
    addHeader(buffer[start..<line.content])
    start = line.next
    return true
  }

  /// Handles headers that are too large. Without an opening delimiter they were a preamble that looked like headers.
  private mutating func passOverHeaders() throws(MultipartError) -> Bool {
    guard isUnopened else { throw .headersTooLarge(limit: limits.headerSize) }
    isUnopened = false
    enter(.preambleLine, at: start)
    return true
  }

  /// Searches for the next delimiter at the start of a line.
  private mutating func readBody(_ parts: inout [MultipartPart]) throws(MultipartError) -> Bool {
    while let (lineBreak, lineStart) = nextLineStart() {
      guard buffer.count - lineStart >= delimiter.count else {
        // Too short to decide, so this line is checked again when more arrives.
        guard buffer[lineStart...].elementsEqual(delimiter.prefix(buffer.count - lineStart)) else {
          scanned = lineStart
          continue
        }
        if state == .afterBody {
          try checkNothing(upTo: lineBreak)
          passBlanks()
        }
        return false
      }
      guard buffer[lineStart...].starts(with: delimiter) else {
        scanned = lineStart
        continue
      }
      let afterDelimiter = lineStart + delimiter.count
      if !holdsJSON || isUnopened {
        guard afterDelimiter < buffer.count else { return false }
        guard isDelimiterTail(at: afterDelimiter) else {
          scanned = lineStart
          continue
        }
      }
      if state == .afterBody {
        try checkNothing(upTo: lineBreak)
        enter(.delimiterLine, at: afterDelimiter)
      } else {
        let body = start..<max(start, lineBreak)
        enter(.delimiterLine, at: afterDelimiter)
        if let part = part(at: body) {
          if part.body.count > limits.partSize { throw .partTooLarge(limit: limits.partSize) }
          parts.append(part)
        }
      }
      return true
    }
    if state == .afterBody {
      try checkNothing(upTo: buffer.count, mayBeCut: true)
      passBlanks()
    }
    return false
  }

  // MARK: - Pieces

  private mutating func enter(_ next: State, at offset: Int) {
    state = next
    start = offset
    scanned = offset
  }

  private mutating func enterHeaders(at offset: Int) {
    enter(.headers, at: offset)
    headers = []
    headerSize = 0
  }

  private mutating func enterBody(at offset: Int) {
    enter(.body, at: offset)
    (solidEnd, looked) = (offset, offset)
    // The blank line before the body may also be the line break before a delimiter.
    scanned = max(0, offset - 1)
    json = JSONBoundsScanner()
    let type = headers.first { $0.name.lowercased() == "content-type" }.map { MediaType(parsing: $0.value) }
    holdsJSON = type?.isJSON ?? true
  }

  private mutating func addHeader(_ line: ArraySlice<UInt8>) {
    let line = line.drop(while: MultipartReader.isBlank)
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: line[..<colon].trimming(while: MultipartReader.isBlank), as: UTF8.self)
    let value = String(decoding: line[(colon + 1)...].trimming(while: MultipartReader.isBlank), as: UTF8.self)
    headers.append(MultipartPart.Header(name: name, value: value))
  }

  /// Returns the part in a range of the buffer, unless it is blank. The reader has passed it.
  private mutating func part(at range: Range<Int>, isLast: Bool = false) -> MultipartPart? {
    var body = consume(buffer[range].trimming(while: MultipartReader.isBlank).indices)
    if isUnopened {
      // The text after the object is preamble.
      var scanner = JSONBoundsScanner()
      guard let count = body.withUnsafeBufferPointer({ scanner.end(in: $0) }) else { return nil }
      body = Array(body[..<count])
      guard let json = try? JSONDocument(parsing: body).root, Self.isFirstPayload(json) else { return nil }
      // A delimiter follows, so only a member that a complete response does not have shows that this is a part.
      if mayBePreamble, !isLast, json["hasNext"] == nil, json["payload"] == nil { return nil }
    }
    return body.isEmpty ? nil : MultipartPart(headers: headers, body: body)
  }

  /// Whether JSON without an opening delimiter can be the first payload. Otherwise it is part of the preamble.
  private static func isFirstPayload(_ json: JSONValue) -> Bool {
    ["data", "payload"].contains { json[$0].map { $0.kind == .object || $0.isNull } ?? false }
      || json["errors"]?.kind == .array
  }

  /// Returns the bytes of a range that the reader has passed: a copy, or for a large range the buffer itself, which is
  /// then replaced.
  private mutating func consume(_ range: Range<Int>) -> [UInt8] {
    guard range.count > limits.copiedSize, range.count > buffer.count / 2 else { return Array(buffer[range]) }
    let rest = Array(buffer[range.upperBound...])
    buffer.removeSubrange(range.upperBound...)
    buffer.removeSubrange(..<range.lowerBound)
    let taken = buffer
    buffer = rest
    moveBack(by: range.upperBound)
    return taken
  }

  /// Returns the part whose JSON ends with the last received bytes.
  private mutating func wholeJSON() -> MultipartPart? {
    // At most an incomplete delimiter follows `scanned`.
    var end = scanned
    while end > looked, MultipartReader.isBlank(buffer[end - 1]) { end -= 1 }
    if end > looked { solidEnd = end } else { end = solidEnd }
    looked = max(looked, scanned)
    guard end > start, buffer[end - 1] == UInt8(ascii: "}") else { return nil }
    let isWhole = buffer.withUnsafeBufferPointer { bytes in
      json.isWhole(UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }
    guard isWhole else { return nil }
    let body = start..<end
    enter(.afterBody, at: end)
    return part(at: body)
  }

  private func checkNothing(upTo end: Int, mayBeCut: Bool = false) throws(MultipartError) {
    guard end > start, !isUnopened else { return }
    let text = buffer[start..<end].trimming(while: MultipartReader.isBlank)
    // The text may be an incomplete delimiter.
    guard !text.isEmpty, !(mayBeCut && delimiter.starts(with: text)) else { return }
    throw .textAfterPart(String(decoding: text.prefix(40), as: UTF8.self))
  }

  /// Skips white space after a part, but keeps the line break that may precede a delimiter.
  private mutating func passBlanks() {
    while start < scanned, MultipartReader.isBlank(buffer[start]) { start += 1 }
  }

  /// Returns the next line break from `scanned` on, and the start of the line after it. Moves `scanned` to the break.
  private mutating func nextLineStart() -> (lineBreak: Int, lineStart: Int)? {
    guard scanned < buffer.count else { return nil }
    let found = buffer.withUnsafeBufferPointer { bytes -> Int? in
      guard let base = bytes.baseAddress,
        let hit = memchr(base + scanned, Int32(UInt8(ascii: "\n")), bytes.count - scanned)
      else { return nil }
      return UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }
    guard let found else {
      scanned = buffer.count
      return nil
    }
    scanned = found
    let hasReturn = found > start && buffer[found - 1] == UInt8(ascii: "\r")
    return (hasReturn ? found - 1 : found, found + 1)
  }

  /// Returns the end of the line at `offset` and the start of the next one; nil until the line feed arrives.
  private func lineEnd(from offset: Int) -> (content: Int, next: Int)? {
    guard let feed = buffer[offset...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let hasReturn = feed > offset && buffer[feed - 1] == UInt8(ascii: "\r")
    return (hasReturn ? feed - 1 : feed, feed + 1)
  }

  /// Whether the byte after a boundary makes it a delimiter: `--`, white space or a line break.
  private func isDelimiterTail(at offset: Int) -> Bool {
    buffer[offset] == UInt8(ascii: "-") || MultipartReader.isBlank(buffer[offset])
  }

  private mutating func dropConsumed() {
    if state == .epilogue {
      buffer = []
    } else if start > 0 {
      // One byte before the current text is kept, because it may be the line feed that a delimiter needs.
      let consumed = max(0, min(start, scanned))
      guard consumed > 0 else { return }
      buffer.removeFirst(consumed)
      moveBack(by: consumed)
    }
  }

  /// Adjusts all positions after bytes were removed from the front of the buffer.
  private mutating func moveBack(by count: Int) {
    start -= count
    scanned -= count
    solidEnd -= count
    looked -= count
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }
}
