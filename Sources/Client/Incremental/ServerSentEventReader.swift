/// An event of a `text/event-stream` response: the lines `event: next` and `data: {"data":{}}`, and an empty line.
package struct ServerSentEvent: Sendable, Equatable {
  /// The event name; `message` if the server sends none.
  package let name: String
  /// The `data` lines, joined by line feeds.
  package let data: [UInt8]
}

/// Splits an event stream into events while its bytes arrive (HTML standard, section 9.2.6).
///
/// Lines end with CR, LF or CRLF. Comments, ids and retry times are ignored.
package struct ServerSentEventReader: Sendable {
  private let sizeLimit: Int
  private var line: [UInt8] = []
  private var name = ""
  private var data: [UInt8]?
  private var skipsLineFeed = false
  private var isFirstLine = true

  /// Creates a reader. `sizeLimit` limits the size of an event and the length of a line, in bytes.
  package init(sizeLimit: Int = 512 << 20) { self.sizeLimit = sizeLimit }

  /// Processes the next bytes and returns the events that they complete.
  package mutating func receive(_ bytes: [UInt8]) throws(MultipartError) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var start = bytes.startIndex
    for index in bytes.indices where bytes[index] == 0x0A || bytes[index] == 0x0D {
      defer { start = index + 1 }
      if bytes[index] == 0x0A, skipsLineFeed, index == start, line.isEmpty {
        skipsLineFeed = false
        continue
      }
      skipsLineFeed = bytes[index] == 0x0D
      line += bytes[start..<index]
      if let event = endLine() { events.append(event) }
    }
    if start < bytes.endIndex { line += bytes[start...] }
    if line.count + (data?.count ?? 0) > sizeLimit { throw .partTooLarge(limit: sizeLimit) }
    return events
  }

  /// Processes a line. An empty line completes the event.
  private mutating func endLine() -> ServerSentEvent? {
    defer {
      line.removeAll(keepingCapacity: true)
      isFirstLine = false
    }
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    guard !line.isEmpty else {
      defer { (name, data) = ("", nil) }
      // The `complete` event of GraphQL over SSE may have no data.
      if data == nil, name.isEmpty { return nil }
      return ServerSentEvent(name: name.isEmpty ? "message" : name, data: data ?? [])
    }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[min(colon + 1, line.endIndex)...]
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      // Appends in place, because an event may have a million lines.
      if data == nil { data = [] } else { data?.append(0x0A) }
      data?.append(contentsOf: value)
    default: break
    }
    return nil
  }
}
