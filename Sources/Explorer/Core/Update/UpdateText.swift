import ApusExplorerText
import ApusSecrets

/// Typing, pasting, editing commands, and what is learned about the texts.
extension ExplorerState {
  mutating func changeEditor(_ change: (inout Editor) -> Void) {
    switch focus {
    case .query: change(&query)
    case .variables: change(&variables)
    case .headers: change(&headers)
    default: break
    }
  }

  /// Changes the focused text, and asks for what depends on it if it did change.
  mutating func editText(_ change: (inout Editor) -> Void) -> [Effect] {
    guard let before = editor else { return [] }
    changeEditor(change)
    guard let after = editor, after.version != before.version else { return [] }
    let distance = after.buffer.lineCount - before.buffer.lineCount
    let line = min(before.selection.range.lowerBound.line, after.cursor.line)
    if focus == .headers { return [] }
    if focus == .query {
      queryAnalysis.shiftLines(after: line, by: distance)
    } else {
      variablesAnalysis.shiftLines(after: line, by: distance)
    }
    var effects = analysisEffects(for: focus)
    if isCompleting, let effect = completionEffect(isAsked: false) { effects.append(effect) }
    return effects
  }

  func analysisEffects(for pane: PaneID) -> [Effect] {
    let judgesVariables = Effect.analyseVariables(
      variables.buffer, version: variables.version, query: query.buffer, offset: query.cursorOffset)
    return pane == .query
      ? [.analyse(query.buffer, version: query.version), judgesVariables] : [judgesVariables]
  }

  mutating func typeText(_ text: String) -> [Effect] {
    if inputLine != nil { return typeInInput(text) }
    if let popup = popups.last, let effects = popup.state.type(text, on: &self) { return effects }
    guard focus.isEditor else { return [] }
    if vimTakesCharacters { return typeInVim(text) }
    let continuesName = text.allSatisfy { $0.isLetter || $0.isNumber || "_$@.".contains($0) }
    if isCompleting && !continuesName { popups.removeLast() }
    vim?.noted(.typed(text))
    let effects = editText { $0.atEachCursor { $0.type(text) } }
    // What goes on as it is typed needs the schema: without it there is little to propose.
    guard continuesName, popups.isEmpty, self.editor?.otherSelections.isEmpty == true, case .loaded = schema,
      let asked = completionEffect(isAsked: false)
    else {
      return effects
    }
    return effects + [asked]
  }

  /// Asks what could stand at the cursor of the focused text.
  func completionEffect(isAsked: Bool) -> Effect? {
    switch focus {
    case .query: .complete(query.buffer, at: query.cursor, version: query.version, isAsked: isAsked)
    case .variables:
      .completeVariables(
        variables.buffer, at: variables.cursor, version: variables.version, query: query.buffer,
        offset: query.cursorOffset, isAsked: isAsked)
    default: nil
    }
  }

  mutating func pasteText(_ text: String) -> [Effect] {
    if inputLine != nil { return pasteInInput(text) }
    if let popup = popups.last, let effects = popup.state.type(text.filter { !$0.isNewline }, on: &self) {
      return effects
    }
    guard focus.isEditor else {
      notice = Notice("Nothing can be pasted here: go to the query, the variables or the headers", .warning)
      return []
    }
    if isCompleting { popups.removeLast() }
    return pasteInText(text)
  }

  /// What is pasted among the headers may be somebody else's: it is literal there, unless it was copied from them.
  private mutating func pasteInText(_ text: String) -> [Effect] {
    let pasted = asPasted(text)
    let effects = editText { $0.pasteAtEachCursor(pasted) }
    guard pasted != text else { return effects }
    notice = Notice("Pasted as text: $$ is a dollar sign. What you type as $NAME or $(command) is filled in")
    return effects
  }

  /// A text from elsewhere as the focused text takes it.
  func asPasted(_ text: String) -> String {
    focus == .headers && text != copiedHeaders ? ForeignText(text).literal.source : text
  }

  /// Does in the focused text what is asked of a text.
  mutating func edit(_ command: TextCommand) -> [Effect] {
    guard focus.isEditor else { return [] }
    vim?.noted(.command(command))
    if isCompleting, command.isMovement { popups.removeLast() }
    let pageHeight = max(1, viewportRows(focus) - 1)
    return editText { $0.perform(command, pageHeight: pageHeight) }
  }

  mutating func pasteFromClipboard() -> [Effect] { pasteInText(clipboard) }

  mutating func cut() -> [Effect] {
    guard let editor else { return [] }
    let effects = copy(editor.selectedText)
    return effects + editText { $0.atEachCursor { if $0.hasSelection { $0.deleteBackward() } } }
  }

  mutating func addCursorAtNextMatch() -> [Effect] {
    addCursor(orSay: "There is no other such place") { $0.addCursorAtNextMatch() }
  }

  mutating func addCursor(above isAbove: Bool) -> [Effect] {
    addCursor(orSay: "There is no further line") { $0.addCursor(above: isAbove) }
  }

  private mutating func addCursor(orSay reason: String, _ add: (inout Editor) -> Bool) -> [Effect] {
    var isAdded = false
    changeEditor { isAdded = add(&$0) }
    if !isAdded {
      notice = Notice(reason, .warning)
    } else if let count = editor?.selections.count, count > 1 {
      notice = Notice("\(count) cursors: what is typed is typed at all of them")
    }
    return []
  }

  /// Behind a word or an opening sign there is something to complete; elsewhere Tab indents.
  mutating func completeOrIndent() -> [Effect] {
    guard let editor else { return [] }
    vim?.noted(.command(.indent))
    if goToNextStop() { return [] }
    let before = editor.buffer.character(before: editor.cursor)
    let isBehindWord = before.map { $0.isLetter || $0.isNumber || "_$@".contains($0) } ?? false
    if editor.hasSelection || !isBehindWord { return editText { $0.perform(.indent, pageHeight: 1) } }
    return askForCompletions(isAsked: true)
  }

  mutating func askForCompletions(isAsked: Bool) -> [Effect] {
    completionEffect(isAsked: isAsked).map { [$0] } ?? []
  }

  private func isBehindSigil(_ editor: Editor) -> Bool {
    editor.buffer.character(before: editor.cursor).map { "$@.".contains($0) } ?? false
  }

  mutating func goToProblem(forward: Bool) -> [Effect] {
    guard let editor else { return [] }
    let places = analysis.diagnostics.map(\.range.lowerBound).sorted()
    let next =
      forward
      ? places.first { $0 > editor.cursor } ?? places.first
      : places.last { $0 < editor.cursor } ?? places.last
    if let next { changeEditor { $0.place(next) } }
    return []
  }

  mutating func accept(_ completion: Completion) -> [Effect] {
    let start = completion.replaces.lowerBound
    let places = completion.stops.map { start.column + completion.insertText.prefix($0).utf8.count }
    let isOneLine = !completion.insertText.contains("\n")
    let typed = editor?.buffer.text(in: completion.replaces) ?? ""
    if completion.insertText.hasPrefix(typed) {
      vim?.noted(.typed(String(completion.insertText.dropFirst(typed.count))))
    }
    let effects = editText { editor in
      editor.replace(completion.replaces, with: completion.insertText)
      if let stop = completion.stops.first {
        editor.place(start.advanced(by: String(completion.insertText.prefix(stop))))
      }
    }
    if let editor, isOneLine, places.count > 1 {
      let length = editor.buffer.line(start.line).utf8.count
      snippetStops = SnippetStops(
        pane: focus, line: start.line, bytesFromEnd: places.dropFirst().map { length - $0 })
    }
    return effects
  }

  /// Goes to the next place that is to be filled in; false where there is none.
  private mutating func goToNextStop() -> Bool {
    guard var stops = snippetStops, let editor, stops.pane == focus, stops.line == editor.cursor.line,
      !editor.hasSelection, !stops.bytesFromEnd.isEmpty
    else { return false }
    let column = editor.buffer.line(stops.line).utf8.count - stops.bytesFromEnd.removeFirst()
    snippetStops = stops.bytesFromEnd.isEmpty ? nil : stops
    guard column >= editor.cursor.column else { return false }
    changeEditor { $0.place(TextPosition(stops.line, column)) }
    return true
  }

  mutating func receiveTextAnswer(_ action: Action) -> [Effect] {
    switch action {
    case .textAnalysed(.query, let analysis):
      if analysis.version == query.version { queryAnalysis = analysis }
    case .textAnalysed(.variables, let analysis):
      if analysis.version == variables.version { variablesAnalysis = analysis }
    case .completionsFound(let items, let pane, let version, let isAsked):
      guard focus == pane, let editor, version == editor.version, isAsked || version != versionWithoutProposals else {
        return []
      }
      // Who has left the insert mode meanwhile gives commands: nothing may take their keys for text.
      if let vim, vim.mode != .insert { return [] }
      let wasAsked = if case .completion(let before) = popups.last { before.isAsked || isAsked } else { isAsked }
      if isCompleting { popups.removeLast() }
      guard let first = items.first else {
        if isAsked { notice = Notice("Nothing to complete here") }
        return []
      }
      // The only thing that goes on as was begun needs no choice; what merely resembles it does.
      let typed = editor.buffer.text(in: min(first.replaces.lowerBound, editor.cursor)..<editor.cursor)
      let continuing = items.filter { $0.label.hasPrefix(typed) }
      if isAsked, !typed.isEmpty, continuing.count == 1 { return accept(continuing[0]) }
      // What is written out needs no proposal, nor does what nobody has begun to write.
      let isWrittenOut = first.label == typed && continuing.count == 1
      if !wasAsked, isWrittenOut || typed.isEmpty && !isBehindSigil(editor) { return [] }
      if popups.isEmpty {
        popups.append(.completion(CompletionState(items: items, pane: pane, isAsked: wasAsked)))
      }
    case .editedExternally(let pane, let text):
      guard focus == pane, let editor else { return [] }
      guard text != editor.text else {
        notice = Notice("The editor left the text as it was")
        return []
      }
      let cursor = editor.cursor
      return editText { editor in
        editor.setText(text)
        editor.place(cursor)
      }
    case .queryFormatted(let text, let version):
      guard version == query.version, text != query.text else { return [] }
      let (line, column) = (query.cursor.line, query.cursor.column)
      query.replace(.start..<query.buffer.end, with: text)
      query.place(TextPosition(line, column))
      return analysisEffects(for: .query)
    default: break
    }
    return []
  }
}
