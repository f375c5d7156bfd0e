import ApusAlgorithms
import ApusGraphQLLanguage
import ApusJSON

/// A position of the protocol: a line from 0, and a character in units of the encoding from 0.
/// `{"line": 0, "character": 2}` is the offset 2 in ASCII text.
struct Position: Comparable, Sendable {
  var line: Int
  var character: Int

  static func < (left: Position, right: Position) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }

  var json: JSONValue { ["line": JSONValue(line), "character": JSONValue(character)] }

  init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  init?(_ json: JSONValue?) {
    guard let line = json?["line"]?.int, let character = json?["character"]?.int, line >= 0, character >= 0 else {
      return nil
    }
    self.init(line: line, character: character)
  }
}

/// The unit of character offsets, negotiated during initialization: `🐦` has four units in UTF-8, two in UTF-16, one in
/// UTF-32.
///
/// Source: Language Server Protocol 3.17, "PositionEncodingKind".
enum PositionEncoding: String, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// Selects the cheapest encoding that the client supports; UTF-16 if it names none.
  init(offered: JSONValue?) {
    let names = offered?.elements.compactMap(\.string) ?? []
    self = [.utf8, .utf32].first { names.contains($0.rawValue) } ?? .utf16
  }

  /// Returns the number of units of the character with this first byte; 0 for a continuation byte.
  private func units(_ lead: UInt8) -> Int {
    switch self {
    case .utf8: 1
    case .utf16: lead & 0xC0 == 0x80 ? 0 : lead >= 0xF0 ? 2 : 1
    case .utf32: lead & 0xC0 == 0x80 ? 0 : 1
    }
  }

  func position(of offset: Int, in source: Source) -> Position {
    let offset = max(0, min(offset, source.bytes.count))
    let starts = source.lineStarts
    let line = max(0, starts.partitioningIndex { $0 > offset } - 1)
    return Position(line: line, character: units(in: starts[line]..<offset, of: source))
  }

  /// Returns the number of units of the characters that start in a range.
  func units(in range: Range<Int>, of source: Source) -> Int {
    if self == .utf8 { return range.count }
    // Branch-free sums that the compiler can vectorize, because a minified document is a single long line.
    return source.bytes.withUnsafeBufferPointer { bytes in
      let bytes = UnsafeBufferPointer(rebasing: bytes[range])
      let leads = bytes.reduce(into: 0) { $0 += $1 & 0xC0 == 0x80 ? 0 : 1 }
      return self == .utf32 ? leads : leads + bytes.reduce(into: 0) { $0 += $1 >= 0xF0 ? 1 : 0 }
    }
  }

  /// Converts a position to a byte offset. Clients send positions past a line's end, or between the two units of `🐦` in
  /// UTF-16: the first is clamped, the second moves to the character's start.
  func offset(of position: Position, in source: Source) -> Int {
    let starts = source.lineStarts
    guard position.line < starts.count else { return source.bytes.count }
    let start = starts[position.line]
    var end = position.line + 1 < starts.count ? starts[position.line + 1] : source.bytes.count
    return source.bytes.withUnsafeBufferPointer { bytes in
      while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
      var rest = position.character
      var offset = start
      while offset < end, rest > 0 {
        var next = offset + 1
        while next < end, bytes[next] & 0xC0 == 0x80 { next += 1 }
        let width = self == .utf8 ? next - offset : units(bytes[offset])
        if width > rest { break }
        rest -= width
        offset = next
      }
      return offset
    }
  }

  func range(of range: Range<Int>, in source: Source) -> JSONValue {
    let start = position(of: range.lowerBound, in: source)
    let end = position(of: range.upperBound, in: source, after: (range.lowerBound, start))
    return ["start": start.json, "end": end.json]
  }

  /// Returns the position of an offset like `position(of:in:)`, but counts from an earlier position if it is on the
  /// same line.
  func position(of offset: Int, in source: Source, after earlier: (offset: Int, position: Position)) -> Position {
    let next = earlier.position.line + 1
    let end = next < source.lineStarts.count ? source.lineStarts[next] : source.bytes.count + 1
    guard (earlier.offset..<end).contains(offset), offset <= source.bytes.count else {
      return position(of: offset, in: source)
    }
    let character = earlier.position.character + units(in: earlier.offset..<offset, of: source)
    return Position(line: earlier.position.line, character: character)
  }

  /// Returns the byte range of a range of the protocol; nil if it is invalid.
  func range(_ json: JSONValue?, in source: Source) -> Range<Int>? {
    guard let start = Position(json?["start"]), let end = Position(json?["end"]), start <= end else { return nil }
    let lower = offset(of: start, in: source)
    return lower..<max(lower, offset(of: end, in: source))
  }
}
