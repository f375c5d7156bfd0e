/// A position in a text: a line, and an offset in UTF-8 bytes in that line.
package struct TextPosition: Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(_ line: Int, _ column: Int) {
    self.line = line
    self.column = column
  }

  package static let start = TextPosition(0, 0)

  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    left.line == right.line ? left.column < right.column : left.line < right.line
  }
}

/// The text of an editor as lines without line terminators, edited by replacing ranges.
///
/// Lines are native strings, so that a UTF-8 column is found in constant time and an edit costs only the lines it
/// touches.
package struct TextBuffer: Equatable, Sendable {
  /// Never empty. Lines do not contain line feeds.
  package private(set) var lines: [String]

  package init(_ text: String = "") {
    lines = TextBuffer.split(text)
  }

  package var text: String { lines.joined(separator: "\n") }
  package var isEmpty: Bool { lines.count == 1 && lines[0].isEmpty }
  package var lineCount: Int { lines.count }
  package var end: TextPosition { TextPosition(lines.count - 1, lines[lines.count - 1].utf8.count) }

  package func line(_ index: Int) -> String {
    lines.indices.contains(index) ? lines[index] : ""
  }

  /// Returns the nearest valid position on a character boundary.
  package func clamp(_ position: TextPosition) -> TextPosition {
    guard position.line >= 0 else { return .start }
    guard position.line < lines.count else { return end }
    let line = lines[position.line]
    let column = min(max(0, position.column), line.utf8.count)
    return TextPosition(position.line, TextBuffer.characterEdge(in: line, at: column))
  }

  private static func characterEdge(in line: String, at column: Int) -> Int {
    var column = column
    while column > 0, String.Index(line.utf8.index(line.startIndex, offsetBy: column), within: line) == nil {
      column -= 1
    }
    return column
  }

  package func text(in range: Range<TextPosition>) -> String {
    let (from, to) = (range.lowerBound, range.upperBound)
    if from.line == to.line { return slice(from.line, from.column, to.column) }
    var pieces = [slice(from.line, from.column, lines[from.line].utf8.count)]
    pieces.append(contentsOf: lines[(from.line + 1)..<to.line])
    pieces.append(slice(to.line, 0, to.column))
    return pieces.joined(separator: "\n")
  }

  /// Replaces a range. Returns the position after the new text.
  @discardableResult
  package mutating func replace(_ range: Range<TextPosition>, with text: String) -> TextPosition {
    let (from, to) = (range.lowerBound, range.upperBound)
    let head = slice(from.line, 0, from.column)
    let tail = slice(to.line, to.column, lines[to.line].utf8.count)
    var inserted = TextBuffer.split(text)
    let lastColumn = inserted[inserted.count - 1].utf8.count
    let finish = TextPosition(
      from.line + inserted.count - 1, inserted.count == 1 ? from.column + lastColumn : lastColumn)
    inserted[0] = head + inserted[0]
    inserted[inserted.count - 1] += tail
    if inserted.count == 1 && from.line == to.line {
      lines[from.line] = inserted[0]
    } else {
      lines.replaceSubrange(from.line...to.line, with: inserted)
    }
    return finish
  }

  /// Returns the offset in bytes from the start of the text, where a line terminator counts as one byte.
  package func offset(of position: TextPosition) -> Int {
    var offset = position.column
    for line in lines[..<position.line] { offset += line.utf8.count + 1 }
    return offset
  }

  package func position(of offset: Int) -> TextPosition {
    var rest = max(0, offset)
    for (index, line) in lines.enumerated() {
      let count = line.utf8.count
      if rest <= count { return TextPosition(index, rest) }
      rest -= count + 1
    }
    return end
  }

  private func slice(_ line: Int, _ from: Int, _ to: Int) -> String {
    let text = lines[line]
    if from == 0 && to == text.utf8.count { return text }
    let start = text.utf8.index(text.startIndex, offsetBy: from)
    let end = text.utf8.index(start, offsetBy: to - from)
    return String(text[start..<end])
  }

  /// Splits a text into lines. All kinds of line terminators are accepted.
  private static func split(_ text: String) -> [String] {
    guard text.utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return [native(text)] }
    var lines: [String] = []
    var bytes: [UInt8] = []
    var afterReturn = false
    for byte in text.utf8 {
      if byte == 10 && afterReturn {
        afterReturn = false
        continue
      }
      afterReturn = byte == 13
      if byte == 10 || byte == 13 {
        lines.append(String(decoding: bytes, as: UTF8.self))
        bytes.removeAll(keepingCapacity: true)
      } else {
        bytes.append(byte)
      }
    }
    lines.append(String(decoding: bytes, as: UTF8.self))
    return lines
  }

  private static func native(_ text: String) -> String {
    var copy = text
    copy.makeContiguousUTF8()
    return copy
  }
}
