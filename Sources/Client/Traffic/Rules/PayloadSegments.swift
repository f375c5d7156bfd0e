import ApusGraphQLMediaTypes
import ApusJSON

/// Divides a body into the bytes of its payloads, so that they can be sent one by one.
///
/// | body | segment |
/// |---|---|
/// | multipart | up to the delimiter that follows a part, with which the part is complete |
/// | event stream | up to the empty line after an event |
/// | any other | the whole body |
///
/// A segment that is larger than a limit is sent on without being read, since memory is limited.
struct PayloadSegments {
  /// The bytes of a payload.
  struct Segment: Equatable {
    /// The bytes before and after the JSON, such as a delimiter and the fields of a part.
    var (before, after): ([UInt8], [UInt8])
    var json: [UInt8]

    var bytes: [UInt8] { before + json + after }

    /// Replaces the JSON. The fields of a part then have no length.
    mutating func replace(_ json: [UInt8]) {
      self.json = json
      let lines = before.split(separator: 0x0A, omittingEmptySubsequences: false)
      let kept = lines.filter { !String(decoding: $0, as: UTF8.self).lowercased().hasPrefix("content-length:") }
      before = Array(kept.joined(separator: [0x0A]))
    }
  }

  private enum Kind {
    case whole, events
    case parts(delimiter: [UInt8])
  }

  /// The maximum size of a segment, in bytes.
  static let limit = 16 << 20

  private let kind: Kind
  private let limit: Int
  private var waiting: [UInt8] = []
  /// The number of bytes without the end of a segment.
  private var searched = 0
  /// Whether the delimiter before the first part was read.
  private var hasBegun = false
  /// Whether the beginning of the segment was sent on because it is too long.
  private var isTooLong = false

  init(_ type: MediaType, limit: Int = Self.limit) {
    self.limit = limit
    kind =
      type.isMultipart ? .parts(delimiter: Array("--\(type.boundary)".utf8)) : type.isEventStream ? .events : .whole
  }

  /// Processes the next bytes and returns the segments that they complete.
  mutating func receive(_ bytes: [UInt8]) -> [Segment] {
    waiting += bytes
    var segments: [Segment] = []
    while let end = endOfSegment() {
      segments.append(isTooLong ? Self.unread(waiting[..<end]) : segment(Array(waiting[..<end])))
      waiting.removeFirst(end)
      (searched, isTooLong) = (0, false)
    }
    if waiting.count > limit {
      // The end may have arrived in part.
      let beginning = waiting.dropLast(overlap)
      segments.append(Self.unread(beginning))
      waiting.removeFirst(beginning.count)
      (searched, isTooLong) = (0, true)
    }
    return segments
  }

  /// Returns the rest of the body.
  mutating func finish() -> Segment {
    defer { waiting = [] }
    if case .whole = kind, !isTooLong { return Segment(before: [], after: [], json: waiting) }
    return Self.unread(waiting[...])
  }

  /// The number of bytes that may begin the end of a segment.
  private var overlap: Int {
    switch kind {
    case .whole: 0
    case .events: 3
    case .parts(let delimiter): delimiter.count
    }
  }

  private static func unread(_ bytes: ArraySlice<UInt8>) -> Segment {
    Segment(before: Array(bytes), after: [], json: [])
  }

  private mutating func endOfSegment() -> Int? {
    switch kind {
    case .whole: return nil
    case .events:
      let end = Self.endOfEvent(waiting, from: max(0, searched - 3))
      searched = waiting.count
      return end
    case .parts(let delimiter):
      let start = max(0, searched - delimiter.count)
      guard let range = waiting[start...].firstRange(of: delimiter) else {
        searched = waiting.count
        return nil
      }
      guard !hasBegun else { return range.upperBound }
      // The first delimiter is sent with the first part.
      hasBegun = true
      guard let next = waiting[range.upperBound...].firstRange(of: delimiter) else {
        searched = range.upperBound + delimiter.count
        return nil
      }
      return next.upperBound
    }
  }

  private static func endOfEvent(_ bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == 0x0A || bytes[index] == 0x0D {
        if bytes[index + 1] == bytes[index] { return index + 2 }
        if bytes[index...].starts(with: [0x0D, 0x0A, 0x0D, 0x0A]) { return index + 4 }
      }
      index += 1
    }
    return nil
  }

  private func segment(_ bytes: [UInt8]) -> Segment {
    switch kind {
    case .whole: return Segment(before: [], after: [], json: bytes)
    case .events: return Self.event(bytes)
    case .parts(let delimiter):
      let head = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0
      let end = max(head, bytes.count - delimiter.count - 2)
      return Segment(before: Array(bytes[..<head]), after: Array(bytes[end...]), json: Array(bytes[head..<end]))
    }
  }

  /// Returns an event with its data, if that is on one line.
  private static func event(_ bytes: [UInt8]) -> Segment {
    let mark = Array("data:".utf8)
    let start = bytes.starts(with: mark) ? 0 : bytes.firstRange(of: [0x0A] + mark).map { $0.lowerBound + 1 }
    guard let start else { return Segment(before: bytes, after: [], json: []) }
    let first = start + mark.count
    let end = bytes[first...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    return Segment(before: Array(bytes[..<first]), after: Array(bytes[end...]), json: Array(bytes[first..<end]))
  }
}
