package enum CursorMovement: Equatable, Sendable {
  case left, right, wordLeft, wordRight
  case up(Int)
  case down(Int)
  case lineStart, lineEnd, documentStart, documentEnd
}

extension TextBuffer {
  package func position(after position: TextPosition) -> TextPosition {
    let line = lines[position.line]
    if position.column >= line.utf8.count {
      return position.line + 1 < lines.count ? TextPosition(position.line + 1, 0) : position
    }
    let index = line.utf8.index(line.startIndex, offsetBy: position.column)
    return TextPosition(position.line, line.utf8.distance(from: line.startIndex, to: line.index(after: index)))
  }

  package func position(before position: TextPosition) -> TextPosition {
    if position.column == 0 {
      guard position.line > 0 else { return position }
      return TextPosition(position.line - 1, lines[position.line - 1].utf8.count)
    }
    let line = lines[position.line]
    let index = line.utf8.index(line.startIndex, offsetBy: position.column)
    return TextPosition(position.line, line.utf8.distance(from: line.startIndex, to: line.index(before: index)))
  }

  package func character(at position: TextPosition) -> Character? {
    let line = lines[position.line]
    guard position.column < line.utf8.count else { return nil }
    return line[line.utf8.index(line.startIndex, offsetBy: position.column)]
  }

  package func character(before position: TextPosition) -> Character? {
    position.column == 0 ? nil : character(at: self.position(before: position))
  }

  /// Returns the start of the word to the left: skips whitespace, then characters of one class.
  package func wordStart(before position: TextPosition) -> TextPosition {
    if position.column == 0 { return self.position(before: position) }
    var cursor = position
    while let character = character(before: cursor), character.isWhitespace { cursor = self.position(before: cursor) }
    guard let last = character(before: cursor) else { return cursor }
    while let character = character(before: cursor), character.wordClass == last.wordClass {
      cursor = self.position(before: cursor)
    }
    return cursor
  }

  package func wordEnd(after position: TextPosition) -> TextPosition {
    if character(at: position) == nil { return self.position(after: position) }
    var cursor = position
    while let character = character(at: cursor), character.isWhitespace { cursor = self.position(after: cursor) }
    guard let first = character(at: cursor) else { return cursor }
    while let character = character(at: cursor), character.wordClass == first.wordClass {
      cursor = self.position(after: cursor)
    }
    return cursor
  }

  /// Returns the range that a double click selects.
  package func word(at position: TextPosition) -> Range<TextPosition> {
    guard let character = character(at: position) ?? character(before: position) else { return position..<position }
    var (start, end) = (position, position)
    while let before = self.character(before: start), before.wordClass == character.wordClass {
      start = self.position(before: start)
    }
    while let after = self.character(at: end), after.wordClass == character.wordClass {
      end = self.position(after: end)
    }
    return start..<end
  }

  /// Returns the number of characters before a position in its line, which vertical movement keeps.
  package func characterColumn(of position: TextPosition) -> Int {
    let line = lines[position.line]
    return line.distance(from: line.startIndex, to: line.utf8.index(line.startIndex, offsetBy: position.column))
  }

  package func position(line: Int, characterColumn: Int) -> TextPosition {
    let text = lines[line]
    let index = text.index(text.startIndex, offsetBy: characterColumn, limitedBy: text.endIndex) ?? text.endIndex
    return TextPosition(line, text.utf8.distance(from: text.startIndex, to: index))
  }

  /// Returns the length of a line's indentation.
  package func indentation(of line: Int) -> Int {
    lines[line].utf8.prefix { $0 == 32 || $0 == 9 }.count
  }
}

extension Character {
  var isPartOfWord: Bool { isLetter || isNumber || self == "_" }

  fileprivate var wordClass: Int {
    if isWhitespace { return 0 }
    return isPartOfWord ? 1 : 2
  }
}
