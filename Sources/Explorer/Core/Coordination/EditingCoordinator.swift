import ApusExplorerText

/// Coordinates requests to the language service about the focused editor and the display of its results.
extension ExplorerState {
  func askAboutText(_ question: (EditorSnapshot) -> LanguageServiceRequest) -> [Effect] {
    EditorSnapshot(self).map { [.text(.queryLanguageService(question($0)))] } ?? []
  }

  mutating func unfoldAllText() -> [Effect] {
    changeText { $0.folds = [] }
    return []
  }

  func editExternally() -> [Effect] {
    if screen.focus == .response { return [.screen(.readExternally(tab.response.complete))] }
    return editor.map { [.screen(.editExternally(screen.focus, $0.text))] } ?? []
  }

  mutating func foldText() -> [Effect] {
    guard let editor else { return [] }
    let line = editor.cursor.line
    if editor.folds.contains(where: { $0.lowerBound == line }) {
      changeText { $0.folds.removeAll { $0.lowerBound == line } }
      return []
    }
    return askAboutText { .folds($0) }
  }

  mutating func openFind(isReplacing: Bool) -> [Effect] {
    guard let editor else { return [] }
    var find = FindPopup(origin: editor.cursor)
    find.isReplacing = isReplacing
    if editor.otherSelections.isEmpty, editor.hasSelection, !editor.selectedText.contains("\n") {
      find.patternInput = LineEditor(editor.selectedText, isOffered: true)
    }
    find.search(in: editor)
    return present(find) + choose(.selection(find.match))
  }

  // MARK: Results

  mutating func receive(_ answer: LanguageServiceAction) -> [Effect] {
    switch answer {
    case .hover(let lines, let snapshot):
      // Hover information is outdated if the user has moved the cursor in the meantime.
      if isCurrent(snapshot), editor?.cursor == snapshot.cursor {
        var hover = HoverPopup(lines: lines, anchor: snapshot.cursor, pane: snapshot.pane)
        hover.topic = topicAtCursor ?? (isWrongAtCursor ? .errors : nil)
        if let topic = hover.topic { hover.lines.append(HoverLine("F3 again: \(topic.title.lowercased())", .note)) }
        return present(hover)
      }
    case .actions(let entries, let snapshot):
      if isCurrent(snapshot) { return present(PickerPopup(.actions, items: entries)) }
    case .outline(let entries, let snapshot):
      guard isCurrent(snapshot) else { return [] }
      var picker = PickerPopup(.outline, items: entries)
      picker.list.selected = entries.lastIndex { $0.choice?.position ?? snapshot.cursor <= snapshot.cursor } ?? 0
      return present(picker)
    case .positionFound(let position, let snapshot):
      if isCurrent(snapshot) { changeText { $0.moveCursor(position) } }
    case .schemaLinkFound(let link): return apply(popups.openSchema(at: link))
    case .renamable(let name, let snapshot):
      if isCurrent(snapshot) { return present(LinePopup(.newName(of: name, snapshot), text: name)) }
    case .edited(let edits, let snapshot, let title):
      guard isCurrent(snapshot) else { return [] }
      if !title.isEmpty { showNotice(title) }
      let effects = editText { $0.apply(edits) }
      changeText { $0.moveCursor(snapshot.cursor) }
      return effects
    case .selectionRanges(let ranges, let snapshot):
      guard isCurrent(snapshot) else { return [] }
      typing.expandSelection(to: ranges, in: screen.focus, of: &tabs.shown.content.editors)
    case .folds(let folds, let snapshot):
      if isCurrent(snapshot) { fold(folds, at: snapshot.cursor.line) }
    case .schemaPage(let page): popups.change(SchemaPopup.self) { $0.show(page) }
    case .schemaFound(let rows, let search): popups.schemaFound(rows, for: search)
    case .schemaQuery(let text): return insertQuery(text)
    case .refused(let path, let text, let reason): askAgain(path, text, reason)
    case .nothing(let reason): showNotice(reason)
    }
    return []
  }

  /// Folds the innermost range that starts on the line, or else the innermost range around it.
  private mutating func fold(_ folds: [ClosedRange<Int>], at line: Int) {
    let fold =
      folds.filter { $0.lowerBound == line }.min { $0.count < $1.count }
      ?? folds.filter { $0.contains(line) }.min { $0.count < $1.count }
    if let fold { changeText { $0.fold(fold) } } else { showNotice("Nothing to fold here") }
  }

  private func isCurrent(_ snapshot: EditorSnapshot) -> Bool {
    snapshot.pane == screen.focus && editor?.version == snapshot.version
  }
}
