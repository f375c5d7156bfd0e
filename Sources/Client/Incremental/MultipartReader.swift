import ApusGraphQLMediaTypes
import ApusJSON
import ApusPlatform

/// Takes the bytes of a multipart response as they arrive and gives out its parts, each as soon as its own bytes are
/// whole.
///
/// 1. Bytes are appended to one buffer; what was scanned is not scanned again.
/// 2. A delimiter is the boundary at the start of a line. In a part that holds JSON no line can begin with `--`, so
///    such a delimiter ends the part before the end of its own line has arrived.
/// 3. When the bytes at hand end with JSON that is whole, the part is given out before its delimiter comes.
///
/// RFC 2046, section 5.1.1, and the deviations that servers in use show.
package struct MultipartReader: Sendable {
  package struct Limits: Sendable {
    package var partSize: Int
    package var headerSize: Int
    /// A larger part takes the buffer along that it came in: a copy of it would be in memory beside it.
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
    /// Within such a line that is no delimiter, while nothing but white space has come at all.
    case preambleBeginning
    /// Within a line of the preamble that is no delimiter, up to its end.
    case preambleLine
    /// Behind a boundary, before the end of its line.
    case delimiterLine
    case headers
    case body
    /// Behind a part that was given out before its delimiter came.
    case afterBody
    /// Behind the closing delimiter.
    case epilogue
  }

  /// Whether the closing delimiter has been seen.
  package var isClosed: Bool { state == .epilogue }

  private let limits: Limits
  /// `--` and the boundary.
  private let delimiter: [UInt8]
  private var state = State.preamble
  private var buffer: [UInt8] = []
  /// Where the current state's text starts in the buffer.
  private var start = 0
  /// Everything before it has been searched for a delimiter.
  private var scanned = 0
  private var headers: [MultipartPart.Header] = []
  private var headerSize = 0
  private var holdsJSON = true
  /// Whether nothing but white space has stood before the current place: some servers send no opening delimiter, so what
  /// looks like a part here is one.
  private var isAtBeginning = true
  /// Whether the current part had no opening delimiter: it is one if it is a first payload in JSON, else it is preamble.
  private var isUnopened = false
  private var json = JSONBoundsScanner()
  /// In a body: behind its last byte that is no white space, as far as `looked`.
  private var solidEnd = 0
  private var looked = 0

  package init(boundary: String, limits: Limits = Limits()) {
    delimiter = Array("--\(boundary)".utf8)
    self.limits = limits
  }

  /// A reader for a response of this content type; `nil` if it is not multipart.
  package init?(contentType: String, limits: Limits = Limits()) {
    let mediaType = MediaType(parsing: contentType)
    guard mediaType.isMultipart else { return nil }
    self.init(boundary: mediaType.boundary, limits: limits)
  }

  /// Takes the next bytes and returns the parts that became whole with them. Empty parts are skipped.
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
    if state == .body, holdsJSON, let part = wholeJSON() { parts.append(part) }
    dropConsumed()
    return parts
  }

  /// Ends the stream. Returns what stands behind the last delimiter as a part, if there is something: it is whole only
  /// if it parses.
  package mutating func finish() -> MultipartPart? {
    defer {
      buffer = []
      start = 0
      scanned = 0
    }
    guard state == .body else { return nil }
    // A delimiter that was cut off is no part of the JSON before it.
    return part(at: start..<(holdsJSON ? max(start, scanned) : buffer.count))
  }

  /// A large buffer grows in few steps: what it had before stays with the allocator for a while, and room that is not written
  /// to takes no memory.
  private mutating func makeRoom(for count: Int) {
    let needed = buffer.count + count
    if needed > buffer.capacity, needed > limits.copiedSize { buffer.reserveCapacity(min(4 * needed, limits.partSize)) }
  }

  // MARK: - Steps

  /// Goes one state on; false when more bytes are needed.
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

  /// Looks at the start of a line: it is a delimiter, the beginning of a part whose delimiter was left out, or text to
  /// pass over, whatever it is.
  private mutating func readPreamble() -> Bool {
    let text = buffer[start...]
    guard !text.isEmpty else { return false }
    if text.starts(with: delimiter) {
      // The character behind the boundary tells a delimiter from a line that merely starts like one.
      let behind = start + delimiter.count
      guard behind < buffer.count else { return false }
      if isDelimiterTail(at: behind) {
        enter(.delimiterLine, at: behind)
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

  /// The rest of a delimiter's line: `--` closes the stream, anything else is padding.
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
    // No headers and no blank line either: the body stands right behind the delimiter.
    if buffer[start] == UInt8(ascii: "{") {
      enterBody(at: start)
      return true
    }
    // A part with neither headers nor body: the next delimiter follows at once.
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

  /// Headers that are too large: where no delimiter stood before them they were a preamble that looked like some.
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
        // Too short to tell; look at this line again when there is more of it.
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
      let behind = lineStart + delimiter.count
      if !holdsJSON || isUnopened {
        guard behind < buffer.count else { return false }
        guard isDelimiterTail(at: behind) else {
          scanned = lineStart
          continue
        }
      }
      if state == .afterBody {
        try checkNothing(upTo: lineBreak)
        enter(.delimiterLine, at: behind)
      } else {
        let body = start..<max(start, lineBreak)
        enter(.delimiterLine, at: behind)
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
    // The blank line before the body may also be the line end before a delimiter.
    scanned = max(0, offset - 1)
    json = JSONBoundsScanner()
    let type = headers.first { $0.name.lowercased() == "content-type" }.map { MediaType(parsing: $0.value) }
    holdsJSON = type?.isJSON ?? true
  }

  private mutating func addHeader(_ line: ArraySlice<UInt8>) {
    let line = line.drop(while: MultipartReader.isBlank)
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: MultipartReader.trimmed(line[..<colon]), as: UTF8.self)
    let value = String(decoding: MultipartReader.trimmed(line[(colon + 1)...]), as: UTF8.self)
    headers.append(MultipartPart.Header(name: name, value: value))
  }

  /// The part that stands in a range of the buffer, unless it is blank. The reader is behind it by now.
  private mutating func part(at range: Range<Int>) -> MultipartPart? {
    var body = take(MultipartReader.trimmed(buffer[range]).indices)
    if isUnopened {
      // Behind its object stands preamble.
      var scanner = JSONBoundsScanner()
      guard let count = body.withUnsafeBufferPointer({ scanner.end(in: $0) }) else { return nil }
      body = Array(body[..<count])
      guard let json = try? JSONDocument(parsing: body).root, Self.isFirstPayload(json) else { return nil }
    }
    return body.isEmpty ? nil : MultipartPart(headers: headers, body: body)
  }

  /// Whether JSON without a delimiter before it can be a response's first payload. Any other is a line of the preamble.
  private static func isFirstPayload(_ json: JSONValue) -> Bool {
    ["data", "payload"].contains { json[$0].map { $0.kind == .object || $0.isNull } ?? false }
      || json["errors"]?.kind == .array
  }

  /// The bytes in a range that the reader is behind: a copy, or where they are many the buffer itself, which begins anew
  /// behind them.
  private mutating func take(_ range: Range<Int>) -> [UInt8] {
    guard range.count > limits.copiedSize, range.count > buffer.count / 2 else { return Array(buffer[range]) }
    let rest = Array(buffer[range.upperBound...])
    buffer.removeSubrange(range.upperBound...)
    buffer.removeSubrange(..<range.lowerBound)
    let taken = buffer
    buffer = rest
    moveBack(by: range.upperBound)
    return taken
  }

  /// The part whose JSON ends with the last bytes that arrived.
  private mutating func wholeJSON() -> MultipartPart? {
    // Behind `scanned` stands at most a delimiter that has not wholly arrived.
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
    let text = MultipartReader.trimmed(buffer[start..<end])
    // A delimiter that has only half arrived is no such text.
    guard !text.isEmpty, !(mayBeCut && delimiter.starts(with: text)) else { return }
    throw .textAfterPart(String(decoding: text.prefix(40), as: UTF8.self))
  }

  /// White space behind a part has been looked at and says nothing; but for the line break that a delimiter may follow.
  private mutating func passBlanks() {
    while start < scanned, MultipartReader.isBlank(buffer[start]) { start += 1 }
  }

  /// The next line break from `scanned` on, and the start of the line behind it. Leaves `scanned` at the break.
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

  /// The end of the line at `offset` and the start of the next one, once the line feed has arrived.
  private func lineEnd(from offset: Int) -> (content: Int, next: Int)? {
    guard let feed = buffer[offset...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let hasReturn = feed > offset && buffer[feed - 1] == UInt8(ascii: "\r")
    return (hasReturn ? feed - 1 : feed, feed + 1)
  }

  /// Behind a boundary stand `--`, white space or a line end; a letter makes it another text.
  private func isDelimiterTail(at offset: Int) -> Bool {
    buffer[offset] == UInt8(ascii: "-") || MultipartReader.isBlank(buffer[offset])
  }

  private mutating func dropConsumed() {
    if state == .epilogue {
      buffer = []
    } else if start > 0 {
      // One byte stays before the current text: it may be the line feed that a delimiter needs.
      let consumed = max(0, min(start, scanned))
      guard consumed > 0 else { return }
      buffer.removeFirst(consumed)
      moveBack(by: consumed)
    }
  }

  /// All places in the buffer, when so many bytes before them are gone.
  private mutating func moveBack(by count: Int) {
    start -= count
    scanned -= count
    solidEnd -= count
    looked -= count
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return bytes
  }
}
