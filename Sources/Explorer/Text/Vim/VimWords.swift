/// Words as defined by vim: the end of a line counts as whitespace, and an empty line is a word.
extension TextBuffer {
  private func wordKind(at cursor: TextPosition, big: Bool) -> Int {
    guard let character = character(at: cursor), !character.isWhitespace else { return 0 }
    if big { return 1 }
    return character.isLetter || character.isNumber || character == "_" ? 1 : 2
  }

  private func isEmptyLine(_ cursor: TextPosition) -> Bool { line(cursor.line).isEmpty }

  func vimWordForward(from cursor: TextPosition, big: Bool) -> TextPosition {
    var cursor = cursor
    let kind = wordKind(at: cursor, big: big)
    if kind != 0 {
      while wordKind(at: cursor, big: big) == kind { cursor = position(after: cursor) }
    }
    while wordKind(at: cursor, big: big) == 0, cursor < end {
      let next = position(after: cursor)
      cursor = next
      if next.column == 0, isEmptyLine(next) { break }
    }
    return cursor
  }

  func vimWordEnd(from cursor: TextPosition, big: Bool) -> TextPosition {
    guard cursor < end else { return cursor }
    var cursor = position(after: cursor)
    while wordKind(at: cursor, big: big) == 0, cursor < end { cursor = position(after: cursor) }
    let kind = wordKind(at: cursor, big: big)
    while kind != 0 {
      let next = position(after: cursor)
      guard next.line == cursor.line, wordKind(at: next, big: big) == kind else { break }
      cursor = next
    }
    return cursor
  }

  func vimWordBackward(from cursor: TextPosition, big: Bool) -> TextPosition {
    guard cursor > .start else { return cursor }
    var cursor = position(before: cursor)
    while wordKind(at: cursor, big: big) == 0, cursor > .start {
      if cursor.column == 0, isEmptyLine(cursor) { return cursor }
      cursor = position(before: cursor)
    }
    let kind = wordKind(at: cursor, big: big)
    while cursor.column > 0, wordKind(at: position(before: cursor), big: big) == kind {
      cursor = position(before: cursor)
    }
    return cursor
  }

  func vimWordEndBackward(from cursor: TextPosition, big: Bool) -> TextPosition {
    var cursor = cursor
    let kind = wordKind(at: cursor, big: big)
    while kind != 0, cursor > .start, wordKind(at: cursor, big: big) == kind { cursor = position(before: cursor) }
    if kind == 0, cursor > .start { cursor = position(before: cursor) }
    while wordKind(at: cursor, big: big) == 0, cursor > .start { cursor = position(before: cursor) }
    return cursor
  }

  /// Returns the word or the whitespace at a position. With `around`, includes the following whitespace, or the
  /// preceding if there is none.
  func vimWord(at cursor: TextPosition, big: Bool, around: Bool) -> Range<TextPosition> {
    let kind = wordKind(at: cursor, big: big)
    func stretch(_ from: TextPosition, _ kind: Int) -> TextPosition {
      var end = from
      while character(at: end) != nil, wordKind(at: end, big: big) == kind { end = position(after: end) }
      return end
    }
    func stretchBack(_ from: TextPosition, _ kind: Int) -> TextPosition {
      var start = from
      while start.column > 0, wordKind(at: position(before: start), big: big) == kind {
        start = position(before: start)
      }
      return start
    }
    var start = stretchBack(cursor, kind)
    var end = stretch(cursor, kind)
    guard around else { return start..<end }
    if kind == 0 {
      end = stretch(end, wordKind(at: end, big: big))
    } else {
      let following = stretch(end, 0)
      if following > end { end = following } else { start = stretchBack(start, 0) }
    }
    return start..<end
  }

  /// Returns the string around a position, or the next one in the line.
  func vimQuotes(at position: TextPosition, around: Bool) -> Range<TextPosition>? {
    let bytes = Array(line(position.line).utf8)
    var opened: Int?
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), opened != nil {
        index += 2
        continue
      }
      if bytes[index] == UInt8(ascii: "\"") {
        if let start = opened {
          if position.column <= index {
            let range = around ? start..<(index + 1) : (start + 1)..<index
            return TextPosition(position.line, range.lowerBound)..<TextPosition(position.line, range.upperBound)
          }
          opened = nil
        } else {
          opened = index
        }
      }
      index += 1
    }
    return nil
  }

  /// Returns the innermost pair of brackets around a position or with a bracket at it.
  func vimBrackets(_ open: Character, _ close: Character, at cursor: TextPosition, around: Bool) -> Range<TextPosition>?
  {
    var start: TextPosition?
    if character(at: cursor) == open {
      start = cursor
    } else {
      var depth = 0
      var probe = cursor
      while probe > .start {
        probe = position(before: probe)
        let found = character(at: probe)
        if found == close { depth += 1 }
        if found == open {
          if depth == 0 {
            start = probe
            break
          }
          depth -= 1
        }
      }
    }
    guard let start, let end = bracket(matching: open, close, from: start, forward: true) else { return nil }
    let inner = position(after: start)
    guard !around else { return start..<position(after: end) }
    // A pair that opens at the end of a line and closes at the start of one contains entire lines.
    if inner.column == line(start.line).utf8.count, end.line > start.line + 1,
      indentation(of: end.line) == end.column
    {
      return TextPosition(start.line + 1, 0)..<TextPosition(end.line - 1, line(end.line - 1).utf8.count)
    }
    return inner..<end
  }

  /// Returns the partner of the first bracket at or after a position in its line.
  func vimMatchingBracket(from cursor: TextPosition) -> TextPosition? {
    let pairs: [(Character, Character)] = [("{", "}"), ("(", ")"), ("[", "]")]
    var probe = cursor
    while let character = character(at: probe) {
      for (open, close) in pairs {
        if character == open { return bracket(matching: open, close, from: probe, forward: true) }
        if character == close { return bracket(matching: close, open, from: probe, forward: false) }
      }
      probe = position(after: probe)
    }
    return nil
  }

  private func bracket(
    matching bracket: Character, _ target: Character, from start: TextPosition, forward: Bool
  ) -> TextPosition? {
    var depth = 0
    var probe = start
    while true {
      let found = character(at: probe)
      if found == bracket { depth += 1 }
      if found == target {
        depth -= 1
        if depth == 0 { return probe }
      }
      let next = forward ? position(after: probe) : position(before: probe)
      guard next != probe else { return nil }
      probe = next
    }
  }

  /// Returns the next occurrence of a string, wrapping around at the end. Case is significant only if the string
  /// contains uppercase letters.
  func position(of target: String, from start: TextPosition, forward: Bool) -> TextPosition? {
    guard !target.isEmpty else { return nil }
    let ignoresCase = !target.contains(where: \.isUppercase)
    let needle = Array((ignoresCase ? target.lowercased() : target).utf8)
    func columns(of index: Int) -> [Int] {
      let text = ignoresCase ? line(index).lowercased() : line(index)
      let bytes = Array(text.utf8)
      guard bytes.count >= needle.count else { return [] }
      return (0...(bytes.count - needle.count)).filter { bytes[$0..<($0 + needle.count)].elementsEqual(needle) }
    }
    let count = lineCount
    for step in 0...count {
      let index = ((forward ? start.line + step : start.line - step) % count + count) % count
      let found = columns(of: index).filter { column in
        if step == 0 { return forward ? column > start.column : column < start.column }
        return true
      }
      if let column = forward ? found.first : found.last { return TextPosition(index, column) }
    }
    return nil
  }
}
