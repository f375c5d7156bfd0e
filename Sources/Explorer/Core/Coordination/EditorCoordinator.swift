import ApusFormatting
import ApusExplorerText

/// Coordinates typing, pasting and editing in the focused editor with the clipboard, the vim keys and the
/// completion popup.
extension ExplorerState {
  /// The focused editor; nil if the focused pane has none.
  package var editor: Editor? { tab.editors.editor(in: screen.focus) }
  package var analysis: EditorAnalysis { analysis(in: screen.focus) }

  /// The diagnostics of all editors, to choose from.
  var problems: [PickerItem] {
    [PaneID.query, .variables, .headers].flatMap { pane -> [PickerItem] in
      analysis(in: pane).diagnostics.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { problem in
        let start = problem.range.lowerBound
        return PickerItem(
          title: problem.message, note: "\(pane.title) \(start.line + 1):\(start.column + 1)",
          tone: problem.severity == .error ? .failed : .warning, choice: .position(pane, start))
      }
    }
  }

  mutating func changeText(_ change: (inout Editor) -> Void) { tab.editors.change(screen.focus, change) }

  /// Changes the focused editor and returns the effects that analyze its text again if it changed.
  mutating func editText(_ change: (inout Editor) -> Void) -> [Effect] {
    let before = editor?.version
    let effects = tab.editors.edit(screen.focus, change)
    let isChanged = editor?.version != before
    return effects + (isChanged && popups.isCompleting ? askForCompletions(isAsked: false) : [])
  }

  mutating func typeText(_ text: String) -> [Effect] {
    if inputLine != nil { return typeInInput(text) }
    if let effects = sendToPopup({ $0.type(text, in: $1) }) { return effects }
    guard screen.focus.isEditor else { return [] }
    if vimTakesCharacters { return typeInVim(text) }
    let continuesName = text.allSatisfy { $0.isLetter || $0.isNumber || signsInWords.contains($0) }
    if !continuesName { popups.closeCompletion() }
    typing.vim?.noted(.typed(text))
    let effects = editText { $0.atEachCursor { $0.type(text) } }
    guard continuesName || isBehindOpeningSign, popups.isEmpty, editor?.otherSelections.isEmpty == true,
      proposesWhileTyping
    else {
      return effects
    }
    return effects + askForCompletions(isAsked: false)
  }

  /// Without the schema there is little to propose, except in the headers.
  private var proposesWhileTyping: Bool { screen.focus == .headers || connection.hasSchema }

  /// The signs within a word that is completed: a name, a path (`images/owl.jpg`) or a header field (`Content-Type`).
  private var signsInWords: String {
    switch screen.focus.text {
    case .variables: "_$@./~-"
    case .headers: "_-"
    case .query, nil: "_$@."
    }
  }

  mutating func pasteText(_ text: String) -> [Effect] {
    if inputLine != nil { return pasteInInput(text) }
    if let effects = sendToPopup({ $0.type(text.filter { !$0.isNewline }, in: $1) }) { return effects }
    guard screen.focus.isEditor else {
      showNotice("Cannot paste here: go to the query, variables or headers", .warning)
      return []
    }
    popups.closeCompletion()
    return pasteInText(text)
  }

  private mutating func pasteInText(_ text: String) -> [Effect] {
    if screen.focus == .query, CurlText.isCommand(text) { return [.exchange(.offerImport(of: text))] }
    return pasteAsText(text)
  }

  /// Pastes text that may be something to import.
  mutating func pasteAsText(_ text: String) -> [Effect] {
    guard screen.focus.isEditor else { return [] }
    let converted = screen.focus == .headers ? HeadersInJSON.lines(of: text) : nil
    let text = converted?.joined(separator: "\n") ?? text
    let pasted = typing.asPasted(text, in: screen.focus)
    let effects = editText { $0.pasteAtEachCursor(pasted) }
    if let converted { showNotice("The JSON was converted to \(DisplayFormat.plural(converted.count, "header line"))") }
    if pasted != text {
      showNotice("Pasted literally ($$ is a dollar sign); only a typed $NAME or $(command) is expanded")
    }
    return effects
  }

  mutating func pasteFromClipboard() -> [Effect] { pasteInText(typing.clipboard) }

  mutating func cut() -> [Effect] {
    guard let editor else { return [] }
    let effects = copy(editor.selectedText)
    return effects + editText { $0.atEachCursor { if $0.hasSelection { $0.deleteBackward() } } }
  }

  /// Performs an editing command in the focused editor.
  mutating func edit(_ command: TextCommand) -> [Effect] {
    guard screen.focus.isEditor else { return [] }
    if command == .moveRight || command == .moveLineEnd, let effects = acceptGhostText() { return effects }
    typing.vim?.noted(.command(command))
    if command.isMovement { popups.closeCompletion() }
    let pageHeight = max(1, screen.viewportRows(screen.focus) - 1)
    return editText { $0.perform(command, pageHeight: pageHeight) }
  }

  // MARK: Several cursors

  mutating func addCursorAtNextMatch() -> [Effect] {
    addCursor(orSay: "There is no other occurrence") { $0.addCursorAtNextMatch() }
  }

  mutating func addCursor(above isAbove: Bool) -> [Effect] {
    addCursor(orSay: "There is no further line") { $0.addCursor(above: isAbove) }
  }

  private mutating func addCursor(orSay reason: String, _ add: (inout Editor) -> Bool) -> [Effect] {
    var isAdded = false
    changeText { isAdded = add(&$0) }
    if !isAdded {
      showNotice(reason, .warning)
    } else if let count = editor?.selections.count, count > 1 {
      showNotice("\(count) cursors: typing applies to all of them")
    }
    return []
  }

  // MARK: Completion

  /// Inserts the ghost text; nil if there is none.
  private mutating func acceptGhostText() -> [Effect]? {
    guard let ghost = typing.ghostText(of: editor, in: screen.focus) else { return nil }
    popups.closeCompletion()
    return accept(ghost.completion)
  }

  /// Does the first that applies: inserts the ghost text, jumps to the next placeholder, completes the word before the
  /// cursor, or indents.
  mutating func completeOrIndent() -> [Effect] {
    guard let editor else { return [] }
    if let effects = acceptGhostText() { return effects }
    typing.vim?.noted(.command(.indent))
    if typing.goToNextStop(in: screen.focus, of: &tabs.shown.content.editors) { return proposeHere() }
    let before = editor.buffer.character(before: editor.cursor)
    let isBehindWord =
      before.map { $0.isLetter || $0.isNumber || signsInWords.contains($0) && $0 != "." } ?? false
      || screen.focus == .headers && before != nil
    if editor.hasSelection || !isBehindWord { return editText { $0.perform(.indent, pageHeight: 1) } }
    return askForCompletions(isAsked: true)
  }

  func askForCompletions(isAsked: Bool) -> [Effect] {
    tab.editors.completionEffect(in: screen.focus, isAsked: isAsked).map { [$0] } ?? []
  }

  /// Inserts a completion. Completions for what follows, such as its first placeholder, are requested immediately.
  mutating func accept(_ completion: Completion) -> [Effect] {
    let effects = typing.accept(completion, in: screen.focus, of: &tabs.shown.content.editors)
    return effects + proposeHere()
  }

  private func proposeHere() -> [Effect] {
    isBehindOpeningSign && proposesWhileTyping ? askForCompletions(isAsked: false) : []
  }

  /// Whether the cursor follows a character that requires a choice, such as `{` or `@`, or a colon and a space.
  private var isBehindOpeningSign: Bool {
    guard let editor else { return false }
    let before = editor.buffer.line(editor.cursor.line).utf8.prefix(editor.cursor.column)
    let isBehindBlank = before.last == UInt8(ascii: " ")
    guard let character = before.last(where: { $0 != UInt8(ascii: " ") }) else { return false }
    let signs = screen.focus == .variables ? "{(:$@./" : "{(:$@."
    return isBehindBlank ? character == UInt8(ascii: ":") : signs.utf8.contains(character)
  }

  private mutating func completionsFound(_ items: [Completion], for editor: Editor, isAsked: Bool) -> [Effect] {
    let wasAsked = (popups.last?.state as? CompletionPopup)?.isAsked == true || isAsked
    popups.closeCompletion()
    typing.ghost = GhostText(items, in: screen.focus, editor)
    guard let first = items.first else {
      if isAsked { showNotice("There are no completions here") }
      return []
    }
    // A single completion with the typed prefix is inserted without a choice; one that only resembles the
    // typed text is not.
    let start = editor.buffer.clamp(min(first.replaces.lowerBound, editor.cursor))
    let typed = editor.buffer.text(in: start..<editor.cursor)
    let continuing = items.filter { $0.label.hasPrefix(typed) }
    if isAsked, !typed.isEmpty, continuing.count == 1 { return accept(continuing[0]) }
    // No proposals for a word that is already complete, or before the user has started to type.
    let isWrittenOut = first.label == typed && continuing.count == 1
    if !wasAsked, isWrittenOut || typed.isEmpty && !isBehindOpeningSign { return [] }
    if popups.isEmpty {
      return present(CompletionPopup(items: items, pane: screen.focus, isAsked: wasAsked))
    }
    return []
  }

  // MARK: Actions

  mutating func receive(_ answer: EditorAction) -> [Effect] {
    switch answer {
    case .analysed(let pane, let analysis): tab.editors.analysed(analysis, in: pane)
    case .completionsFound(let items, let pane, let version, let isAsked):
      guard screen.focus == pane, let editor, version == editor.version,
        typing.acceptsCompletions(for: version, isAsked: isAsked)
      else { return [] }
      return completionsFound(items, for: editor, isAsked: isAsked)
    case .editedExternally(let pane, let text):
      guard screen.focus == pane, let editor else { return [] }
      guard text != editor.text else {
        showNotice("The editor made no changes")
        return []
      }
      return editText { changed in
        changed.setText(text)
        changed.moveCursor(editor.cursor)
      }
    case .formatted(let text, let version): return tab.editors.formatted(text, version: version)
    }
    return []
  }
}
