/// Operators and registers.
extension VimState {
  /// Returns the range to delete for entire lines, including one line terminator: the last one, or the one before the
  /// first line.
  private func wholeLines(_ lines: ClosedRange<Int>, in buffer: TextBuffer) -> Range<TextPosition> {
    if lines.upperBound + 1 < buffer.lineCount {
      return TextPosition(lines.lowerBound, 0)..<TextPosition(lines.upperBound + 1, 0)
    }
    let end = buffer.end
    if lines.lowerBound > 0 {
      return TextPosition(lines.lowerBound - 1, buffer.line(lines.lowerBound - 1).utf8.count)..<end
    }
    return .start..<end
  }

  private func text(of lines: ClosedRange<Int>, in buffer: TextBuffer) -> String {
    lines.map { buffer.line($0) }.joined(separator: "\n")
  }

  mutating func storeRegister(_ text: String, isLinewise: Bool, isYank: Bool) {
    let value = Register(text: text, isLinewise: isLinewise, isFromHeaders: isInHeaders)
    switch register {
    case "_": return
    case let name? where name.isUppercase:
      let key = Character(name.lowercased())
      let before = registers[key]
      registers[key] = Register(
        text: (before.map { $0.text + (isLinewise ? "\n" : "") } ?? "") + text,
        isLinewise: isLinewise || before?.isLinewise ?? false,
        isFromHeaders: isInHeaders && before?.isFromHeaders ?? true)
    case let name?: registers[name] = value
    case nil: if isYank { registers["0"] = value }
    }
    registers["\""] = value
  }

  /// Applies an operator. The cursor moves to the start of the range.
  mutating func apply(_ key: VimOperator, to range: Range<TextPosition>, isLines: Bool, in editor: inout Editor) {
    let buffer = editor.buffer
    let lines = range.lowerBound.line...range.upperBound.line
    switch key {
    case .yank:
      storeRegister(isLines ? text(of: lines, in: buffer) : buffer.text(in: range), isLinewise: isLines, isYank: true)
      editor.moveCursor(
        isLines ? TextPosition(min(editor.cursor.line, lines.lowerBound), editor.cursor.column) : range.lowerBound)
    case .delete:
      storeRegister(isLines ? text(of: lines, in: buffer) : buffer.text(in: range), isLinewise: isLines, isYank: false)
      if isLines {
        editor.replace(wholeLines(lines, in: buffer), with: "")
        let line = min(lines.lowerBound, editor.buffer.lineCount - 1)
        editor.moveCursor(TextPosition(line, editor.buffer.indentation(of: line)))
      } else {
        editor.replace(range, with: "")
      }
    case .change:
      storeRegister(isLines ? text(of: lines, in: buffer) : buffer.text(in: range), isLinewise: isLines, isYank: false)
      if isLines {
        let start = TextPosition(lines.lowerBound, buffer.indentation(of: lines.lowerBound))
        editor.replace(start..<TextPosition(lines.upperBound, buffer.line(lines.upperBound).utf8.count), with: "")
      } else {
        editor.replace(range, with: "")
      }
    case .indent: change(lines, in: &editor) { $0.indentLines() }
    case .outdent: change(lines, in: &editor) { $0.outdentLines() }
    case .comment: change(lines, in: &editor) { $0.toggleComment() }
    case .switchCase: changeLetters(of: range, isLines: isLines, in: &editor) { $0.switchingCase }
    case .lowercase: changeLetters(of: range, isLines: isLines, in: &editor) { $0.lowercased() }
    case .uppercase: changeLetters(of: range, isLines: isLines, in: &editor) { $0.uppercased() }
    }
  }

  private func change(_ lines: ClosedRange<Int>, in editor: inout Editor, _ change: (inout Editor) -> Void) {
    let buffer = editor.buffer
    editor.select(
      TextSelection(
        anchor: TextPosition(lines.lowerBound, 0),
        cursor: TextPosition(lines.upperBound, max(1, buffer.line(lines.upperBound).utf8.count))))
    if lines.count == 1, buffer.line(lines.lowerBound).isEmpty { return }
    change(&editor)
    editor.moveCursor(TextPosition(lines.lowerBound, editor.buffer.indentation(of: lines.lowerBound)))
  }

  private func changeLetters(
    of range: Range<TextPosition>, isLines: Bool, in editor: inout Editor, _ change: (String) -> String
  ) {
    let (first, last) = (range.lowerBound.line, range.upperBound.line)
    let complete =
      isLines ? TextPosition(first, 0)..<TextPosition(last, editor.buffer.line(last).utf8.count) : range
    let text = editor.buffer.text(in: complete)
    let changed = change(text)
    if changed != text { editor.replace(complete, with: changed) }
    editor.moveCursor(range.lowerBound)
  }

  /// Inserts a register's text a number of times.
  mutating func put(before: Bool, _ given: Register?, times: Int, in editor: inout Editor) {
    guard let value = given, !value.text.isEmpty || value.isLinewise else { return }
    let text = value.text
    let cursor = editor.cursor
    if value.isLinewise {
      let block = Array(repeating: text, count: times).joined(separator: "\n")
      if before {
        let insertion = TextPosition(cursor.line, 0)
        editor.replace(insertion..<insertion, with: block + "\n")
        editor.moveCursor(TextPosition(cursor.line, editor.buffer.indentation(of: cursor.line)))
      } else {
        let insertion = TextPosition(cursor.line, editor.buffer.line(cursor.line).utf8.count)
        editor.replace(insertion..<insertion, with: "\n" + block)
        editor.moveCursor(TextPosition(cursor.line + 1, editor.buffer.indentation(of: cursor.line + 1)))
      }
      return
    }
    let isAtEnd = editor.buffer.character(at: cursor) == nil
    let insertion = before || isAtEnd ? cursor : editor.buffer.position(after: cursor)
    editor.replace(insertion..<insertion, with: String(repeating: text, count: times))
    if !text.contains("\n") {
      editor.moveCursor(editor.buffer.position(before: editor.cursor))
    } else {
      editor.moveCursor(insertion)
    }
  }
}

extension String {
  var switchingCase: String {
    String(map { $0.isUppercase ? Character($0.lowercased()) : $0.uppercased().first ?? $0 })
  }
}
