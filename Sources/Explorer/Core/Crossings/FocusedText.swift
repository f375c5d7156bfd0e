import ApusExplorerText

/// Typing, pasting and editing in the text that has the focus: the text changes, the clipboard and vim go along, a
/// completion lies over it. This crosses rooms.
extension ExplorerState {
  /// The text that has the focus; nil where none has.
  package var editor: Editor? { tab.texts.editor(in: screen.focus) }
  package var analysis: TextAnalysis { tab.texts.analysis(in: screen.focus) }

  mutating func changeText(_ change: (inout Editor) -> Void) { tab.texts.change(screen.focus, change) }

  /// Changes the focused text, and asks for what depends on it if it did change.
  mutating func editText(_ change: (inout Editor) -> Void) -> [Effect] {
    let effects = tab.texts.edit(screen.focus, change)
    return effects.isEmpty ? [] : effects + (popups.isCompleting ? askForCompletions(isAsked: false) : [])
  }

  mutating func typeText(_ text: String) -> [Effect] {
    if inputLine != nil { return typeInInput(text) }
    if let effects = askPopup({ $0.type(text, in: $1) }) { return effects }
    guard screen.focus.isEditor else { return [] }
    if vimTakesCharacters { return typeInVim(text) }
    let continuesName = text.allSatisfy { $0.isLetter || $0.isNumber || "_$@.".contains($0) }
    if !continuesName { popups.closeCompletion() }
    typing.vim?.noted(.typed(text))
    let effects = editText { $0.atEachCursor { $0.type(text) } }
    // What goes on as it is typed needs the schema: without it there is little to propose.
    guard continuesName || isBehindOpeningSign, popups.isEmpty, editor?.otherSelections.isEmpty == true,
      connection.hasSchema
    else {
      return effects
    }
    return effects + askForCompletions(isAsked: false)
  }

  mutating func pasteText(_ text: String) -> [Effect] {
    if inputLine != nil { return pasteInInput(text) }
    if let effects = askPopup({ $0.type(text.filter { !$0.isNewline }, in: $1) }) { return effects }
    guard screen.focus.isEditor else {
      tell("Nothing can be pasted here: go to the query, the variables or the headers", .warning)
      return []
    }
    popups.closeCompletion()
    return pasteInText(text)
  }

  private mutating func pasteInText(_ text: String) -> [Effect] {
    let converted = screen.focus == .headers ? HeadersInJSON.lines(of: text) : nil
    let text = converted?.joined(separator: "\n") ?? text
    let pasted = typing.asPasted(text, in: screen.focus)
    let effects = editText { $0.pasteAtEachCursor(pasted) }
    if let converted { tell("The JSON was converted to \(Wording.plural(converted.count, "header line"))") }
    if pasted != text { tell("Pasted as text: $$ is a dollar sign. What you type as $NAME or $(command) is filled in") }
    return effects
  }

  mutating func pasteFromClipboard() -> [Effect] { pasteInText(typing.clipboard) }

  mutating func cut() -> [Effect] {
    guard let editor else { return [] }
    let effects = copy(editor.selectedText)
    return effects + editText { $0.atEachCursor { if $0.hasSelection { $0.deleteBackward() } } }
  }

  /// Does in the focused text what is asked of a text.
  mutating func edit(_ command: TextCommand) -> [Effect] {
    guard screen.focus.isEditor else { return [] }
    if command == .moveRight || command == .moveLineEnd, let effects = takeGhostText() { return effects }
    typing.vim?.noted(.command(command))
    if command.isMovement { popups.closeCompletion() }
    let pageHeight = max(1, screen.viewportRows(screen.focus) - 1)
    return editText { $0.perform(command, pageHeight: pageHeight) }
  }

  // MARK: Several cursors

  mutating func addCursorAtNextMatch() -> [Effect] {
    addCursor(orSay: "There is no other such place") { $0.addCursorAtNextMatch() }
  }

  mutating func addCursor(above isAbove: Bool) -> [Effect] {
    addCursor(orSay: "There is no further line") { $0.addCursor(above: isAbove) }
  }

  private mutating func addCursor(orSay reason: String, _ add: (inout Editor) -> Bool) -> [Effect] {
    var isAdded = false
    changeText { isAdded = add(&$0) }
    if !isAdded {
      tell(reason, .warning)
    } else if let count = editor?.selections.count, count > 1 {
      tell("\(count) cursors: what is typed is typed at all of them")
    }
    return []
  }

  // MARK: Completion

  /// Writes what is shown behind the cursor; nil where nothing is.
  private mutating func takeGhostText() -> [Effect]? {
    guard let ghost = typing.ghostText(of: editor, in: screen.focus) else { return nil }
    popups.closeCompletion()
    return accept(ghost.completion)
  }

  /// Behind a word or an opening sign there is something to complete; elsewhere Tab indents.
  mutating func completeOrIndent() -> [Effect] {
    guard let editor else { return [] }
    if let effects = takeGhostText() { return effects }
    typing.vim?.noted(.command(.indent))
    if typing.goToNextStop(in: screen.focus, of: &tabs.shown.content.texts) { return proposeHere() }
    let before = editor.buffer.character(before: editor.cursor)
    let isBehindWord = before.map { $0.isLetter || $0.isNumber || "_$@".contains($0) } ?? false
    if editor.hasSelection || !isBehindWord { return editText { $0.perform(.indent, pageHeight: 1) } }
    return askForCompletions(isAsked: true)
  }

  func askForCompletions(isAsked: Bool) -> [Effect] {
    tab.texts.completionEffect(in: screen.focus, isAsked: isAsked).map { [$0] } ?? []
  }

  /// What was taken may leave something to fill in: what fits there is proposed at once.
  mutating func accept(_ completion: Completion) -> [Effect] {
    let effects = typing.accept(completion, in: screen.focus, of: &tabs.shown.content.texts)
    return effects + (completion.stops.isEmpty ? [] : proposeHere())
  }

  private func proposeHere() -> [Effect] {
    isBehindOpeningSign && connection.hasSchema ? askForCompletions(isAsked: false) : []
  }

  /// Whether the cursor is behind a sign that something to choose from follows, with a blank behind a colon.
  private var isBehindOpeningSign: Bool {
    guard let editor else { return false }
    let before = editor.buffer.line(editor.cursor.line).utf8.prefix(editor.cursor.column)
    let isBehindBlank = before.last == UInt8(ascii: " ")
    guard let sign = before.last(where: { $0 != UInt8(ascii: " ") }) else { return false }
    return isBehindBlank ? sign == UInt8(ascii: ":") : "{(:$@.".utf8.contains(sign)
  }

  private mutating func completionsFound(_ items: [Completion], for editor: Editor, isAsked: Bool) -> [Effect] {
    let wasAsked = (popups.last?.state as? CompletionState)?.isAsked == true || isAsked
    popups.closeCompletion()
    typing.ghost = GhostText(items, in: screen.focus, editor)
    guard let first = items.first else {
      if isAsked { tell("Nothing to complete here") }
      return []
    }
    // The only thing that goes on as was begun needs no choice; what merely resembles it does.
    let start = editor.buffer.clamp(min(first.replaces.lowerBound, editor.cursor))
    let typed = editor.buffer.text(in: start..<editor.cursor)
    let continuing = items.filter { $0.label.hasPrefix(typed) }
    if isAsked, !typed.isEmpty, continuing.count == 1 { return accept(continuing[0]) }
    // What is written out needs no proposal, nor does what nobody has begun to write.
    let isWrittenOut = first.label == typed && continuing.count == 1
    if !wasAsked, isWrittenOut || typed.isEmpty && !isBehindOpeningSign { return [] }
    if popups.isEmpty {
      return present(CompletionState(items: items, pane: screen.focus, isAsked: wasAsked))
    }
    return []
  }

  // MARK: Answers

  mutating func receive(_ answer: TextAnswer) -> [Effect] {
    switch answer {
    case .analysed(let pane, let analysis): tab.texts.analysed(analysis, in: pane)
    case .completionsFound(let items, let pane, let version, let isAsked):
      guard screen.focus == pane, let editor, version == editor.version,
        typing.wantsProposals(for: version, isAsked: isAsked)
      else { return [] }
      return completionsFound(items, for: editor, isAsked: isAsked)
    case .editedExternally(let pane, let text):
      guard screen.focus == pane, let editor else { return [] }
      guard text != editor.text else {
        tell("The editor left the text as it was")
        return []
      }
      return editText { changed in
        changed.setText(text)
        changed.place(editor.cursor)
      }
    case .formatted(let text, let version): return tab.texts.formatted(text, version: version)
    }
    return []
  }
}
