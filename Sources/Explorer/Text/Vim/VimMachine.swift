import ApusSecrets

/// The vim grammar as a state machine. Each key changes the mode, the pending command or the editor, or requests an
/// action of the explorer.
///
/// 1. Digits form a count, `"` starts a register name, and an operator waits for its range.
/// 2. A motion moves the cursor, or provides the operator's range, as does a text object.
/// 3. When a complete command has changed the text, its keys become the change that `.` repeats.
extension VimState {
  /// An action for the explorer.
  package enum Outcome: Equatable, Sendable {
    case done
    case commandLine
    case search(isBackward: Bool)
    /// Text for the system clipboard.
    case copied(String)
  }

  /// The state outside the text.
  package struct Surroundings: Equatable, Sendable {
    var rows: Int
    var clipboard: String

    package init(rows: Int, clipboard: String) {
      self.rows = rows
      self.clipboard = clipboard
    }
  }

  // Not inlined: repeating a change presses keys again, and would duplicate the code of all keys.
  @inline(never)
  package mutating func press(_ key: VimKey, in editor: inout Editor, _ around: Surroundings) -> Outcome {
    record(.key(key), editor)
    let outcome = handle(key, in: &editor, around)
    finish(&editor)
    return outcome
  }

  /// Processes a literal character: a digit of a count, a register name, or the argument of `f` and `r`.
  @inline(never)
  package mutating func press(_ character: Character, in editor: inout Editor, _ around: Surroundings) -> Outcome {
    record(.character(character), editor)
    var outcome = Outcome.done
    if let key = waiting {
      waiting = nil
      outcome = handle(key, character, in: &editor, around)
    } else if let digit = character.wholeNumberValue, character.isASCII {
      count = min(100_000, (count ?? 0) * 10 + digit)
    } else {
      forgetPending()
    }
    finish(&editor)
    return outcome
  }

  /// Processes a search string from the search line.
  package mutating func searched(_ text: String, isBackward: Bool, in editor: inout Editor, _ around: Surroundings)
    -> Bool
  {
    search = Search(text: text, isBackward: isBackward)
    let before = editor.cursor
    move(.searchForward, nil, in: &editor, around)
    finish(&editor)
    return editor.cursor != before
  }

  /// Records input in insert mode that did not pass through the machine.
  package mutating func noted(_ input: Input) {
    if mode == .insert, !isRepeating { recording.append(input) }
  }

  // MARK: Recording

  private mutating func record(_ input: Input, _ editor: Editor) {
    guard !isRepeating else { return }
    if recording.isEmpty { recordedVersion = editor.version }
    recording.append(input)
  }

  /// Finishes a complete command: moves the cursor onto a character and stores a change for repeating.
  private mutating func finish(_ editor: inout Editor) {
    guard mode == .normal else {
      if isVisual { showVisual(&editor) }
      return
    }
    let cursor = editor.cursor
    let isBehind = cursor.column > 0 && cursor.column >= editor.buffer.line(cursor.line).utf8.count
    if isBehind {
      editor.moveCursor(editor.buffer.position(before: cursor))
    } else if editor.hasSelection {
      editor.moveCursor(cursor)
    }
    guard count == nil, operation == nil, waiting == nil, register == nil, !isRepeating else { return }
    if editor.version != recordedVersion, !recording.isEmpty { lastChange = recording }
    recording = []
  }

  /// Shows the visual mode's selection, which includes the character under the cursor.
  private func showVisual(_ editor: inout Editor) {
    let cursor = editor.cursor
    let start = cursor < anchor ? editor.buffer.position(after: anchor) : anchor
    editor.select(TextSelection(anchor: start.line == anchor.line ? start : anchor, cursor: cursor))
  }

  /// Returns the range of a visual mode, including both ends.
  package func visualRange(in editor: Editor) -> (range: Range<TextPosition>, isLines: Bool)? {
    let (first, last) = (min(anchor, editor.cursor), max(anchor, editor.cursor))
    switch mode {
    case .visual:
      let end = editor.buffer.character(at: last) == nil ? last : editor.buffer.position(after: last)
      return (first..<end, false)
    case .visualLine:
      return (
        TextPosition(first.line, 0)..<TextPosition(last.line, editor.buffer.line(last.line).utf8.count), true
      )
    case .normal, .insert: return nil
    }
  }

  // MARK: Keys

  private mutating func handle(
    _ key: VimKey, _ character: Character? = nil, in editor: inout Editor, _ around: Surroundings
  ) -> Outcome {
    if key.takesCharacter, character == nil {
      waiting = key
      return .done
    }
    switch key {
    case .motion(.lineStart) where count != nil: count = min(100_000, (count ?? 0) * 10)
    case .motion(.searchForward): return .search(isBackward: false)
    case .motion(.searchBackward): return .search(isBackward: true)
    case .motion(let motion): move(motion, character, in: &editor, around)
    case .operation(let operation): handle(operation, in: &editor)
    case .object(let object):
      if let stretch = stretch(of: object, in: editor) { handle(stretch, in: &editor) }
      forgetPending()
    case .command(let command):
      if operation == nil { perform(command, character, in: &editor, around) }
      forgetPending()
    case .control(.register): register = character
    case .control(.setMark):
      if let character { marks[character] = editor.cursor }
      forgetPending()
    case .control(.leave): leave(&editor)
    case .control(.commandLine):
      forgetPending()
      return .commandLine
    }
    return copied()
  }

  /// Returns the text that was copied to the clipboard register.
  private mutating func copied() -> Outcome {
    guard let value = registers.removeValue(forKey: "+") ?? registers.removeValue(forKey: "*") else { return .done }
    return .copied(value.text + (value.isLinewise ? "\n" : ""))
  }

  private mutating func handle(_ key: VimOperator, in editor: inout Editor) {
    if let (range, isLines) = visualRange(in: editor) {
      return operate(
        key, on: range, isLines: isLines || key == .indent || key == .outdent || key == .comment, in: &editor)
    }
    guard let pending = operation else {
      operation = key
      operationCount = count
      count = nil
      return
    }
    // A repeated operator key means lines. In `gcc`, the second `c` is the key of another operator.
    guard pending == key || (pending == .comment && key == .change) else { return forgetPending() }
    let last = min(editor.buffer.lineCount - 1, editor.cursor.line + (fullCount ?? 1) - 1)
    operate(pending, on: TextPosition(editor.cursor.line, 0)..<TextPosition(last, 0), isLines: true, in: &editor)
  }

  private mutating func handle(_ object: (range: Range<TextPosition>, isLines: Bool), in editor: inout Editor) {
    if isVisual {
      anchor = object.range.lowerBound
      if object.isLines { mode = .visualLine }
      let end = object.range.upperBound
      editor.moveCursor(end > anchor && !object.isLines ? editor.buffer.position(before: end) : end)
    } else if let pending = operation {
      operate(pending, on: object.range, isLines: object.isLines, in: &editor)
    }
  }

  private mutating func move(
    _ key: VimMotionKey, _ character: Character?, in editor: inout Editor, _ around: Surroundings
  ) {
    // `cw` does not include the whitespace after the word, and starts with the word under the cursor.
    let isOnBlank = editor.buffer.character(at: editor.cursor)?.isWhitespace ?? true
    if operation == .change, !isOnBlank, key == .wordForward || key == .bigWordForward {
      let big = key == .bigWordForward
      var end = editor.buffer.vimWord(at: editor.cursor, big: big, around: false).upperBound
      for _ in 1..<max(1, fullCount ?? 1) {
        end = editor.buffer.position(
          after: editor.buffer.vimWordEnd(from: editor.buffer.position(before: end), big: big))
      }
      return operate(.change, on: editor.cursor..<end, isLines: false, in: &editor)
    }
    if operation == nil, key == .up || key == .down {
      editor.move(key == .up ? .up(fullCount ?? 1) : .down(fullCount ?? 1), selecting: isVisual)
      return forgetPending()
    }
    guard let motion = motion(key, character, in: editor, rows: around.rows) else { return forgetPending() }
    guard let pending = operation else {
      editor.moveCursor(motion.target)
      return forgetPending()
    }
    let cursor = editor.cursor
    let (first, last) = (min(cursor, motion.target), max(cursor, motion.target))
    let takesLast = motion.reach == .inclusive && editor.buffer.character(at: last) != nil
    operate(
      pending, on: first..<(takesLast ? editor.buffer.position(after: last) : last), isLines: motion.reach == .lines,
      in: &editor)
  }

  private mutating func operate(
    _ key: VimOperator, on range: Range<TextPosition>, isLines: Bool, in editor: inout Editor
  ) {
    if isVisual { lastVisual = (mode, anchor, editor.cursor) }
    mode = .normal
    historyMark = key == .change ? editor.history.count : nil
    apply(key, to: range, isLines: isLines, in: &editor)
    forgetPending()
    if key == .change { beginInsert(in: editor) }
  }

  // MARK: Modes

  private mutating func beginInsert(in editor: Editor, times: Int = 1, opensLines: Bool = false) {
    mode = .insert
    insertCount = times
    insertOpensLines = opensLines
    if historyMark == nil { historyMark = editor.history.count }
  }

  private mutating func leave(_ editor: inout Editor) {
    switch mode {
    case .insert:
      repeatTyping(in: &editor)
      mode = .normal
      if let historyMark { editor.joinHistory(since: historyMark) }
      historyMark = nil
      if editor.cursor.column > 0 { editor.moveCursor(editor.buffer.position(before: editor.cursor)) }
    case .visual, .visualLine:
      lastVisual = (mode, anchor, editor.cursor)
      mode = .normal
    case .normal: break
    }
    forgetPending()
  }

  /// Repeats the typed text for a count: `3ix` in one line, `3ox` in three lines.
  private mutating func repeatTyping(in editor: inout Editor) {
    guard insertCount > 1 else { return }
    let inputs = isRepeating ? lastChange : recording
    for _ in 1..<insertCount {
      if insertOpensLines {
        editor.moveCursor(TextPosition(editor.cursor.line, editor.buffer.line(editor.cursor.line).utf8.count))
        editor.insertNewline()
      }
      for input in inputs { editor.replay(input) }
    }
    insertCount = 1
  }

  // MARK: Commands

  private mutating func perform(
    _ key: VimCommand, _ character: Character?, in editor: inout Editor, _ around: Surroundings
  ) {
    let times = fullCount ?? 1
    let line = editor.cursor.line
    let lineEnd = TextPosition(line, editor.buffer.line(line).utf8.count)
    switch key {
    case .insert: beginInsert(in: editor, times: times)
    case .insertAtLineText:
      beginInsert(at: TextPosition(line, editor.buffer.indentation(of: line)), in: &editor, times: times)
    case .append:
      let next = editor.cursor < lineEnd ? editor.buffer.position(after: editor.cursor) : editor.cursor
      beginInsert(at: next, in: &editor, times: times)
    case .appendAtLineEnd: beginInsert(at: lineEnd, in: &editor, times: times)
    case .openBelow, .openAbove: openLine(above: key == .openAbove, times, in: &editor)
    case .deleteCharacter, .deleteCharacterBackward, .substituteCharacter:
      deleteCharacters(key, in: &editor, around)
    case .deleteToLineEnd, .changeToLineEnd:
      let range = visualRange(in: editor)
      operate(
        key == .changeToLineEnd ? .change : .delete, on: range?.range ?? editor.cursor..<lineEnd, isLines: range != nil,
        in: &editor)
    case .yankLine: operateOnLines(.yank, times, in: &editor)
    case .substituteLine: operateOnLines(.change, times, in: &editor)
    case .replaceCharacter: replace(with: character, times, in: &editor)
    case .switchCharacterCase: switchCase(in: &editor, around)
    case .joinLines: join(times, in: &editor)
    case .pasteAfter, .pasteBefore: paste(before: key == .pasteBefore, times, in: &editor, around)
    case .undoChange: for _ in 0..<times { editor.undo() }
    case .redoChange: for _ in 0..<times { editor.redo() }
    case .repeatChange: again(times, in: &editor, around)
    case .visual: toggle(.visual, &editor)
    case .visualLine: toggle(.visualLine, &editor)
    case .visualAgain: selectAgain(in: &editor)
    case .swapEnds: swapEnds(in: &editor)
    case .halfPageDown: editor.move(.down(max(1, around.rows / 2)), selecting: isVisual)
    case .halfPageUp: editor.move(.up(max(1, around.rows / 2)), selecting: isVisual)
    case .pageDown: editor.move(.down(max(1, around.rows - 2)), selecting: isVisual)
    case .pageUp: editor.move(.up(max(1, around.rows - 2)), selecting: isVisual)
    case .scrollDown: scroll(toLine: editor.scroll.line + times, in: &editor, around)
    case .scrollUp: scroll(toLine: editor.scroll.line - times, in: &editor, around)
    case .lineToTop: scroll(toLine: line, in: &editor, around)
    case .lineToMiddle: scroll(toLine: line - around.rows / 2, in: &editor, around)
    case .lineToBottom: scroll(toLine: line - around.rows + 1, in: &editor, around)
    }
  }

  // MARK: Commands

  private mutating func beginInsert(at position: TextPosition, in editor: inout Editor, times: Int) {
    editor.moveCursor(position)
    beginInsert(in: editor, times: times)
  }

  private mutating func openLine(above: Bool, _ times: Int, in editor: inout Editor) {
    let line = editor.cursor.line
    historyMark = editor.history.count
    if above {
      let indentation = String(repeating: " ", count: editor.buffer.indentation(of: line))
      editor.replace(TextPosition(line, 0)..<TextPosition(line, 0), with: indentation + "\n")
      editor.moveCursor(TextPosition(line, indentation.utf8.count))
    } else {
      editor.moveCursor(TextPosition(line, editor.buffer.line(line).utf8.count))
      editor.insertNewline()
    }
    beginInsert(in: editor, times: times, opensLines: true)
  }

  /// Performs `x`, `X` and `s`.
  private mutating func deleteCharacters(_ key: VimCommand, in editor: inout Editor, _ around: Surroundings) {
    let operation: VimOperator = key == .substituteCharacter ? .change : .delete
    if let (range, isLines) = visualRange(in: editor) {
      return operate(operation, on: range, isLines: isLines, in: &editor)
    }
    let motion = motion(key == .deleteCharacterBackward ? .left : .right, nil, in: editor, rows: around.rows)
    guard let target = motion?.target, target != editor.cursor || key == .substituteCharacter else { return }
    operate(operation, on: min(target, editor.cursor)..<max(target, editor.cursor), isLines: false, in: &editor)
  }

  private mutating func operateOnLines(_ operation: VimOperator, _ times: Int, in editor: inout Editor) {
    let line = editor.cursor.line
    let last = min(editor.buffer.lineCount - 1, line + times - 1)
    let range = visualRange(in: editor)?.range ?? TextPosition(line, 0)..<TextPosition(last, 0)
    operate(operation, on: range, isLines: true, in: &editor)
  }

  private mutating func switchCase(in editor: inout Editor, _ around: Surroundings) {
    if let (range, isLines) = visualRange(in: editor) {
      return operate(.switchCase, on: range, isLines: isLines, in: &editor)
    }
    guard let target = motion(.right, nil, in: editor, rows: around.rows)?.target, target != editor.cursor else {
      return
    }
    apply(.switchCase, to: editor.cursor..<target, isLines: false, in: &editor)
    editor.moveCursor(target)
  }

  /// Begins a selection, changes its kind, or ends it with the key that began it.
  private mutating func toggle(_ newMode: Mode, _ editor: inout Editor) {
    if mode == newMode { return leave(&editor) }
    if !isVisual { anchor = editor.cursor }
    mode = newMode
  }

  private mutating func selectAgain(in editor: inout Editor) {
    guard let last = lastVisual else { return }
    mode = last.mode
    anchor = editor.buffer.clamp(last.anchor)
    editor.moveCursor(last.cursor)
  }

  private mutating func swapEnds(in editor: inout Editor) {
    let cursor = editor.cursor
    editor.moveCursor(anchor)
    anchor = cursor
  }

  private func scroll(toLine line: Int, in editor: inout Editor, _ around: Surroundings) {
    editor.scroll(toLine: line)
    editor.keepCursorInView(rows: around.rows)
  }

  private mutating func replace(with character: Character?, _ times: Int, in editor: inout Editor) {
    guard let character else { return }
    if let (range, _) = visualRange(in: editor) {
      let text = String(editor.buffer.text(in: range).map { $0 == "\n" ? $0 : character })
      mode = .normal
      editor.replace(range, with: text)
      return editor.moveCursor(range.lowerBound)
    }
    var end = editor.cursor
    for _ in 0..<times {
      guard editor.buffer.character(at: end) != nil else { return }
      end = editor.buffer.position(after: end)
    }
    editor.replace(editor.cursor..<end, with: String(repeating: character, count: times))
    editor.moveCursor(editor.buffer.position(before: editor.cursor))
  }

  private mutating func join(_ times: Int, in editor: inout Editor) {
    var joins = max(1, times - 1)
    if let (range, _) = visualRange(in: editor) {
      joins = max(1, range.upperBound.line - range.lowerBound.line)
      editor.moveCursor(range.lowerBound)
      mode = .normal
    }
    let mark = editor.history.count
    for _ in 0..<joins {
      let line = editor.cursor.line
      guard line + 1 < editor.buffer.lineCount else { break }
      let end = TextPosition(line, editor.buffer.line(line).utf8.count)
      let next = TextPosition(line + 1, editor.buffer.indentation(of: line + 1))
      let isGlued = end.column == 0 || next.column == editor.buffer.line(line + 1).utf8.count
      editor.replace(end..<next, with: isGlued ? "" : " ")
      editor.moveCursor(end)
    }
    editor.joinHistory(since: mark)
  }

  private mutating func paste(before: Bool, _ times: Int, in editor: inout Editor, _ around: Surroundings) {
    let value: Register? =
      switch register {
      case "+", "*": Register(text: around.clipboard, isLinewise: false, isFromHeaders: true)
      case let name?: registers[Character(name.lowercased())]
      case nil: registers["\""] ?? Register(text: around.clipboard, isLinewise: false, isFromHeaders: true)
      }
    guard var value else { return }
    if isInHeaders, !value.isFromHeaders { value.text = UntrustedText(value.text).literal.source }
    if let (range, isLines) = visualRange(in: editor) {
      let mark = editor.history.count
      register = nil
      operate(isLines ? .change : .delete, on: range, isLines: isLines, in: &editor)
      mode = .normal
      historyMark = nil
      let cursor = editor.cursor
      editor.replace(cursor..<cursor, with: value.text)
      return editor.joinHistory(since: mark)
    }
    put(before: before, value, times: times, in: &editor)
  }

  /// Repeats the last change.
  private mutating func again(_ times: Int, in editor: inout Editor, _ around: Surroundings) {
    guard !lastChange.isEmpty, !isRepeating else { return }
    let mark = editor.history.count
    forgetPending()
    isRepeating = true
    for _ in 0..<min(times, 1000) {
      for input in lastChange {
        switch input {
        case .key(let key): _ = press(key, in: &editor, around)
        case .character(let character): _ = press(character, in: &editor, around)
        case .typed, .command: editor.replay(input)
        }
      }
      if mode != .normal { leave(&editor) }
    }
    isRepeating = false
    recording = []
    editor.joinHistory(since: mark)
  }
}

extension Editor {
  /// Replays input of insert mode.
  mutating func replay(_ input: VimState.Input) {
    switch input {
    case .typed(let text): for character in text { type(String(character)) }
    case .command(let command): if command.isTyping { perform(command, pageHeight: 1) }
    case .key, .character: break
    }
  }
}
