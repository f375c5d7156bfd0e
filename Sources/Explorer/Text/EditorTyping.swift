/// Typing with bracket pairs, indentation and line operations.
extension Editor {
  private static let indent = "  "
  private static let pairs: [Character: Character] = ["{": "}", "(": ")", "[": "]", "\"": "\""]
  private static let closers: Set<Character> = ["}", ")", "]", "\""]

  /// Types text. An opening bracket inserts its partner, a closing one that is already there is skipped, and a
  /// selection is enclosed in the pair.
  package mutating func type(_ text: String) {
    guard language != .plain, text.count == 1, let character = text.first else { return insertTyped(text) }
    if selection.isEmpty, Editor.closers.contains(character), buffer.character(at: cursor) == character {
      if character != "\"" || isInString(cursor) { return move(.right) }
    }
    guard let closer = Editor.pairs[character] else {
      insertTyped(text)
      if character == "}" || character == "]" || character == ")" { outdentLoneCloser(character) }
      return
    }
    if !selection.isEmpty {
      let selected = selectedText
      let range = selection.range
      change([(range, "\(character)\(selected)\(closer)")], kind: .other) { _ in
        let start = TextPosition(range.lowerBound.line, range.lowerBound.column + 1)
        return TextSelection(anchor: start, cursor: start.advanced(by: selected))
      }
      return
    }
    guard bringsPartner(character) else { return insertTyped(text) }
    let start = cursor
    change([(start..<start, "\(character)\(closer)")], kind: .typing) { _ in
      TextSelection(TextPosition(start.line, start.column + 1))
    }
  }

  private mutating func insertTyped(_ text: String) {
    if text.allSatisfy(\.isWhitespace), buffer.character(before: cursor)?.isWhitespace == false { seal() }
    replace(selection.range, with: text, kind: .typing)
  }

  private mutating func seal() {
    select(selection)
  }

  /// Whether a typed bracket inserts its partner: only if no text directly follows.
  private func bringsPartner(_ character: Character) -> Bool {
    let next = buffer.character(at: cursor)
    let isFree = next.map { $0.isWhitespace || Editor.closers.contains($0) || $0 == "," } ?? true
    guard isFree, !isInString(cursor) else { return false }
    if character == "\"", let before = buffer.character(before: cursor) {
      return before.isWhitespace || "([{:,=".contains(before)
    }
    return true
  }

  /// Whether a position is in a string of its line, that is, after an odd number of unescaped quotes.
  private func isInString(_ position: TextPosition) -> Bool {
    var isInside = false
    var isEscaped = false
    for byte in buffer.line(position.line).utf8.prefix(position.column) {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = isInside
      } else if byte == UInt8(ascii: "\"") {
        isInside.toggle()
      } else if byte == UInt8(ascii: "#") && !isInside && language == .graphQL {
        return true
      }
    }
    return isInside
  }

  /// Aligns a closing bracket, typed first on its line, with the line of its partner.
  private mutating func outdentLoneCloser(_ closer: Character) {
    let line = cursor.line
    let indentation = buffer.indentation(of: line)
    guard cursor.column == indentation + 1, indentation >= 2 else { return }
    guard let opener = Editor.pairs.first(where: { $0.value == closer })?.key else { return }
    var depth = 0
    for candidate in stride(from: line - 1, through: 0, by: -1) {
      for character in buffer.line(candidate).reversed() {
        if character == closer { depth += 1 }
        if character == opener {
          if depth == 0 {
            let closing = buffer.indentation(of: candidate)
            guard closing < indentation else { return }
            let range = TextPosition(line, closing)..<TextPosition(line, indentation)
            return change([(range, "")], kind: .typing) { _ in TextSelection(TextPosition(line, closing + 1)) }
          }
          depth -= 1
        }
      }
    }
  }

  /// Inserts a line break. Keeps the indentation, increases it after an opening bracket, and splits a bracket pair into
  /// three lines.
  package mutating func insertNewline() {
    let start = selection.range.lowerBound
    let line = buffer.line(start.line)
    let prefix = String(
      decoding: line.utf8.prefix(min(start.column, buffer.indentation(of: start.line))), as: UTF8.self)
    let before = buffer.character(before: start)
    let after = buffer.character(at: selection.range.upperBound)
    let opens = before.flatMap { $0 == "\"" ? nil : Editor.pairs[$0] }
    guard language != .plain, let opens else { return replace(selection.range, with: "\n" + prefix) }
    let inner = "\n" + prefix + Editor.indent
    if after == opens {
      change([(selection.range, inner + "\n" + prefix)], kind: .other) { _ in
        TextSelection(TextPosition(start.line + 1, prefix.utf8.count + Editor.indent.utf8.count))
      }
    } else {
      replace(selection.range, with: inner)
    }
  }

  /// Pastes text unchanged, as one undo step.
  package mutating func paste(_ text: String) {
    replace(selection.range, with: text)
  }

  package mutating func deleteBackward(by movement: CursorMovement = .left) {
    if selection.isEmpty, movement == .left, let before = buffer.character(before: cursor),
      let closer = Editor.pairs[before], language != .plain, buffer.character(at: cursor) == closer
    {
      let range = buffer.position(before: cursor)..<buffer.position(after: cursor)
      return change([(range, "")], kind: .deleting) { _ in TextSelection(range.lowerBound) }
    }
    if selection.isEmpty, movement == .left, cursor.column > 0, cursor.column == buffer.indentation(of: cursor.line) {
      // In the indentation, Backspace removes one level.
      let column = (cursor.column - 1) / 2 * 2
      return delete(TextPosition(cursor.line, column)..<cursor)
    }
    delete(to: movement)
  }

  package mutating func deleteForward(by movement: CursorMovement = .right) {
    delete(to: movement)
  }

  private mutating func delete(to movement: CursorMovement) {
    if !selection.isEmpty { return delete(selection.range) }
    var probe = self
    probe.move(movement)
    delete(min(cursor, probe.cursor)..<max(cursor, probe.cursor))
  }

  private mutating func delete(_ range: Range<TextPosition>) {
    guard !range.isEmpty else { return }
    change([(range, "")], kind: .deleting) { _ in TextSelection(range.lowerBound) }
  }

  package mutating func indentLines() {
    if selection.isEmpty {
      let width = 2 - buffer.characterColumn(of: cursor) % 2
      return replace(selection.range, with: String(repeating: " ", count: width), kind: .typing)
    }
    changeLines { buffer, line in buffer.line(line).isEmpty ? nil : (0..<0, Editor.indent) }
  }

  package mutating func outdentLines() {
    changeLines { buffer, line in
      let width = min(2, buffer.indentation(of: line))
      return width == 0 ? nil : (0..<width, "")
    }
  }

  /// Comments out the selected lines, or uncomments them if all are comments.
  package mutating func toggleComment() {
    let marker = language.commentMarker
    let lines = selectedLines.filter { !buffer.line($0).allSatisfy(\.isWhitespace) }
    let isCommented = lines.allSatisfy { line in
      buffer.line(line).utf8.dropFirst(buffer.indentation(of: line)).starts(with: marker.utf8)
    }
    changeLines { buffer, line in
      guard lines.contains(line) else { return nil }
      let start = buffer.indentation(of: line)
      if !isCommented { return (start..<start, "\(marker) ") }
      let end = start + marker.utf8.count
      let hasSpace = buffer.line(line).utf8.dropFirst(end).first == UInt8(ascii: " ")
      return (start..<(hasSpace ? end + 1 : end), "")
    }
  }

  /// The selected lines, without a last line of which nothing is selected.
  private var selectedLines: ClosedRange<Int> {
    let range = selection.range
    let last = range.upperBound.column == 0 && range.upperBound.line > range.lowerBound.line
    return range.lowerBound.line...(last ? range.upperBound.line - 1 : range.upperBound.line)
  }

  /// Makes at most one replacement per selected line. The selection moves with the text.
  private mutating func changeLines(_ edit: (_ buffer: TextBuffer, _ line: Int) -> (columns: Range<Int>, text: String)?)
  {
    var replacements: [(Range<TextPosition>, String)] = []
    var moved = selection
    for line in selectedLines.reversed() {
      guard let (columns, text) = edit(buffer, line) else { continue }
      replacements.append((TextPosition(line, columns.lowerBound)..<TextPosition(line, columns.upperBound), text))
      let shift = { (position: inout TextPosition) in
        guard position.line == line, position.column >= columns.lowerBound else { return }
        if position.column == 0 && text.isEmpty { return }
        position.column = max(columns.lowerBound, position.column + text.utf8.count - columns.count)
      }
      shift(&moved.anchor)
      shift(&moved.cursor)
    }
    guard !replacements.isEmpty else { return }
    change(replacements, kind: .other) { _ in moved }
  }
}

extension Editor {
  /// Returns the bracket at the cursor and its partner, searching at most a few screens.
  package func matchingBrackets() -> [TextPosition]? {
    for position in [cursor, buffer.position(before: cursor)] where position.line == cursor.line {
      guard let character = buffer.character(at: position) else { continue }
      if let closer = Editor.pairs[character], character != "\"" {
        return partner(of: character, closer, from: position, step: 1).map { [position, $0] }
      }
      if let opener = Editor.pairs.first(where: { $0.value == character })?.key, character != "\"" {
        return partner(of: character, opener, from: position, step: -1).map { [position, $0] }
      }
    }
    return nil
  }

  private func partner(
    of bracket: Character, _ closing: Character, from start: TextPosition, step: Int
  ) -> TextPosition? {
    guard let bracket = bracket.asciiValue, let closing = closing.asciiValue else { return nil }
    var depth = 0
    var line = start.line
    while buffer.lines.indices.contains(line), abs(line - start.line) < 300 {
      let spans = syntax.spans(of: buffer.line(line), at: line).filter { $0.kind == .punctuation }
      let bytes = Array(buffer.line(line).utf8)
      for span in step > 0 ? spans : spans.reversed() {
        let column = span.columns.lowerBound
        if line == start.line && (column - start.column) * step < 0 { continue }
        if bytes[column] == bracket { depth += 1 }
        if bytes[column] == closing {
          depth -= 1
          if depth == 0 { return TextPosition(line, column) }
        }
      }
      line += step
    }
    return nil
  }
}
