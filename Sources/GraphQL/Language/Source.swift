import ApusAlgorithms
import Synchronization

/// A location in a source, in several units. Lines and columns start at 1.
package struct SourceLocation: Sendable, Equatable {
  /// The offset in bytes, from 0.
  package let offset: Int
  package let line: Int
  /// The column in UTF-16 units, as in the reference implementation and in editors.
  package let column: Int
  /// The column in characters.
  package let characterColumn: Int

  package init(offset: Int, line: Int, column: Int, characterColumn: Int) {
    self.offset = offset
    self.line = line
    self.column = column
    self.characterColumn = characterColumn
  }
}

/// The values of another language that are interpolated into a document, such as `${FIELDS}`. Their text is unknown.
package enum InterpolatedValues: Sendable {
  case none
  /// Between definitions, where values usually add fragments.
  case betweenDefinitions
  /// In definitions, so that parts of them are missing.
  case insideDefinitions
}

/// A UTF-8 text with a name for error messages.
package final class Source: Sendable {
  package let bytes: [UInt8]
  package let name: String
  /// The sources that this one was joined from, separated by line breaks; empty for a single source.
  package let parts: [Source]
  private let partStarts: [Int]
  /// The file around a literal, such as the TypeScript file around `` gql`{ a }` ``, and the byte offset of the literal
  /// in it.
  private let host: (source: Source, start: Int)?
  /// The values that a literal in a file of another language interpolates.
  private let values: InterpolatedValues
  /// The start of each line, computed on first use.
  private let lines = Mutex<[Int]?>(nil)
  /// Known columns within long lines by the start of the line, computed on first use.
  private let columns = Mutex<[Int: [ColumnMark]]>([:])

  package init(bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
    parts = []
    partStarts = []
    host = nil
    values = .none
  }

  /// Creates the source of a literal in a file of another language. Its locations refer to that file.
  package init(bytes: [UInt8], in host: Source, at start: Int, values: InterpolatedValues = .none) {
    self.bytes = bytes
    self.values = values
    name = host.name
    parts = []
    partStarts = []
    self.host = (host, start)
  }

  init(joining sources: [Source]) {
    var joined: [UInt8] = []
    joined.reserveCapacity(sources.reduce(0) { $0 + $1.bytes.count + 1 })
    var starts: [Int] = []
    for source in sources {
      starts.append(joined.count)
      joined += source.bytes
      joined.append(0x0A)
    }
    bytes = joined
    name = sources.map(\.name).joined(separator: ", ")
    parts = sources
    partStarts = starts
    host = nil
    values = .none
  }

  /// Finds the source that contains an offset, as an index in `parts`; 0 for a single source.
  package func part(at offset: Int) -> Int {
    max(0, partStarts.partitioningIndex { $0 > offset } - 1)
  }

  /// Names the source that contains an offset.
  package func name(at offset: Int) -> String { parts.isEmpty ? name : parts[part(at: offset)].name }

  /// Returns the values that are interpolated into the source that contains an offset.
  package func values(at offset: Int) -> InterpolatedValues { parts.isEmpty ? values : parts[part(at: offset)].values }

  /// Whether values are interpolated anywhere.
  package var hasValues: Bool { values != .none || parts.contains(where: \.hasValues) }

  package func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The byte offset of each line start. Lines end with LF, CR or CRLF.
  package var lineStarts: [Int] {
    lines.withLock { lines in
      if let lines { return lines }
      let found = findLineStarts()
      lines = found
      return found
    }
  }

  private func findLineStarts() -> [Int] {
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if byte == 0x0A {
          starts.append(index)
        } else if byte == 0x0D {
          if index < bytes.count, bytes[index] == 0x0A { index += 1 }
          starts.append(index)
        }
      }
    }
    return starts
  }

  /// Returns the location of an offset. In a joined source it refers to the part; in a literal, to its file.
  package func location(at offset: Int) -> SourceLocation {
    if let host { return host.source.location(at: host.start + min(max(offset, 0), bytes.count)) }
    if !parts.isEmpty {
      let part = part(at: offset)
      return parts[part].location(at: offset - partStarts[part])
    }
    let offset = min(max(offset, 0), bytes.count)
    let starts = lineStarts
    let line = max(0, starts.partitioningIndex { $0 > offset } - 1)
    let end = line + 1 < starts.count ? starts[line + 1] : bytes.count
    let mark = columnMark(before: offset, line: starts[line]..<end)
    let between = text(mark.offset..<offset)
    return SourceLocation(
      offset: offset, line: line + 1, column: mark.units + between.utf16.count + 1,
      characterColumn: mark.characters + between.count + 1)
  }

  /// A known column within a long line, so that columns need not be counted from its start.
  private struct ColumnMark {
    var offset: Int
    var units = 0
    var characters = 0
  }

  private static let markDistance = 1024

  private func columnMark(before offset: Int, line: Range<Int>) -> ColumnMark {
    guard offset - line.lowerBound > Self.markDistance else { return ColumnMark(offset: line.lowerBound) }
    return columns.withLock { columns in
      let marks = columns[line.lowerBound] ?? findColumnMarks(in: line)
      columns[line.lowerBound] = marks
      return marks[max(0, marks.partitioningIndex { $0.offset > offset } - 1)]
    }
  }

  /// Finds marks between two ASCII characters, where a grapheme cluster is sure to end.
  private func findColumnMarks(in line: Range<Int>) -> [ColumnMark] {
    func isPlain(_ offset: Int) -> Bool { (0x20...0x7E).contains(bytes[offset]) }
    var mark = ColumnMark(offset: line.lowerBound)
    var marks = [mark]
    while mark.offset + Self.markDistance < line.upperBound {
      let least = mark.offset + Self.markDistance
      guard let next = (least..<line.upperBound).first(where: { isPlain($0 - 1) && isPlain($0) }) else { break }
      let between = text(mark.offset..<next)
      mark = ColumnMark(
        offset: next, units: mark.units + between.utf16.count, characters: mark.characters + between.count)
      marks.append(mark)
    }
    return marks
  }

  /// Returns the byte offset of a line and UTF-16 column. A column past the end of the line is the end of the line; a
  /// line past the end of the text is the end of the text.
  package func offset(line: Int, column: Int) -> Int {
    let starts = lineStarts
    guard line >= 1 else { return 0 }
    guard line <= starts.count else { return bytes.count }
    var offset = starts[line - 1]
    let end = line < starts.count ? starts[line] : bytes.count
    var units = column - 1
    for scalar in text(offset..<end).unicodeScalars {
      let width = scalar.value > 0xFFFF ? 2 : 1
      if units < width || scalar == "\n" || scalar == "\r" { break }
      units -= width
      offset += UTF8.width(scalar)
    }
    return offset
  }
}
