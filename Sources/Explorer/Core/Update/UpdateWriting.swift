import ApusExplorerText

/// The language service at hand: hover, definition, rename, actions, problems, operations, find, selection, folds.
extension ExplorerState {
  func askAboutText(_ question: (TextSnapshot) -> WritingQuestion) -> [Effect] {
    TextSnapshot(self).map { [.ask(question($0))] } ?? []
  }

  mutating func shrinkSelection() -> [Effect] {
    guard let selection = selectionsBefore.popLast() else { return [] }
    changeEditor { $0.select(selection) }
    return []
  }

  mutating func unfoldAllText() -> [Effect] {
    changeEditor { $0.folds = [] }
    return []
  }

  mutating func toggleWrap() -> [Effect] {
    query.wraps.toggle()
    variables.wraps = query.wraps
    notice = Notice(query.wraps ? "Long lines are wrapped" : "Long lines are cut")
    return []
  }

  mutating func editExternally() -> [Effect] {
    if focus == .response { return [.readExternally(wholeResponse)] }
    return editor.map { [.editExternally(focus, $0.text)] } ?? []
  }

  mutating func foldText() -> [Effect] {
    guard let editor else { return [] }
    let line = editor.cursor.line
    if editor.folds.contains(where: { $0.lowerBound == line }) {
      changeEditor { $0.folds.removeAll { $0.lowerBound == line } }
      return []
    }
    return askAboutText { .folds($0) }
  }

  mutating func listProblems() -> [Effect] {
    let panes: [PaneID] = [.query, .variables]
    let items = panes.flatMap { pane -> [PickerItem] in
      let analysis = pane == .query ? queryAnalysis : variablesAnalysis
      return analysis.diagnostics.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { problem in
        let place = problem.range.lowerBound
        return PickerItem(
          title: problem.message, note: "\(pane.title) \(place.line + 1):\(place.column + 1)",
          tone: problem.severity == .error ? .failed : .warning, choice: .place(pane, place))
      }
    }
    return present(.picker(PickerState(.problems, items: items)))
  }

  mutating func pickOperation() -> [Effect] {
    let current = queryAnalysis.operation(at: query.cursor.line)
    let items = queryAnalysis.operations.map { operation in
      PickerItem(
        title: operation.name ?? "(no name)", note: "\(operation.kind), line \(operation.lines.lowerBound + 1)",
        tone: operation == current ? .current : .plain,
        choice: .place(.query, TextPosition(operation.lines.lowerBound, 0)))
    }
    var picker = PickerState(.operations, items: items)
    picker.list.selected = queryAnalysis.operations.firstIndex { $0 == current } ?? 0
    return present(.picker(picker))
  }

  // MARK: What was chosen

  mutating func choose(_ choice: PickerItem.Choice) -> [Effect] {
    switch choice {
    case .place(let pane, let position):
      let effects = focus(on: pane)
      changeEditor { $0.place(position) }
      return effects
    case .miss(let miss): return go(to: miss)
    case .value(let path, let value): return change(.filledIn(path, value))
    case .edits(let edits, let pane, let version): return apply(edits, to: pane, version: version)
    }
  }

  /// Makes the edits if the text is still the one that they are for.
  private mutating func apply(_ edits: [TextReplacement], to pane: PaneID, version: Int) -> [Effect] {
    guard pane == focus, let editor, editor.version == version else {
      notice = Notice("The text has changed meanwhile", .warning)
      return []
    }
    return editText { $0.apply(edits) }
  }

  // MARK: Find and replace

  mutating func openFind(isReplacing: Bool) -> [Effect] {
    guard let editor else { return [] }
    var find = FindState(origin: editor.cursor)
    find.isReplacing = isReplacing
    if editor.otherSelections.isEmpty, editor.hasSelection, !editor.selectedText.contains("\n") {
      find.patternInput = LineEditor(editor.selectedText, isOffered: true)
    }
    popups.append(.find(find))
    find.search(on: &self)
    return []
  }

  // MARK: Answers

  mutating func receiveWritingAnswer(_ answer: WritingAnswer) -> [Effect] {
    switch answer {
    case .hover(let lines, let snapshot):
      // Who has gone on meanwhile does not want to know any more.
      if isCurrent(snapshot), editor?.cursor == snapshot.cursor {
        popups.append(.hover(HoverState(lines: lines, anchor: snapshot.cursor, pane: snapshot.pane)))
      }
    case .actions(let entries, let snapshot):
      if isCurrent(snapshot) { popups.append(.picker(PickerState(.actions, items: entries))) }
    case .outline(let entries, let snapshot):
      guard isCurrent(snapshot) else { return [] }
      var picker = PickerState(.outline, items: entries)
      picker.list.selected = entries.lastIndex { $0.choice?.position ?? snapshot.cursor <= snapshot.cursor } ?? 0
      popups.append(.picker(picker))
    case .placeFound(let place, let snapshot):
      if isCurrent(snapshot) { changeEditor { $0.place(place) } }
    case .schemaPlaceFound(let place): return openSchema(at: place)
    case .renamable(let name, let snapshot):
      if isCurrent(snapshot) {
        popups.append(.line(LineState(.newName(of: name, snapshot), text: name)))
      }
    case .edited(let edits, let snapshot, let title):
      guard isCurrent(snapshot) else { return [] }
      if !title.isEmpty { notice = Notice(title) }
      let cursor = snapshot.cursor
      let effects = editText { $0.apply(edits) }
      changeEditor { $0.place(cursor) }
      return effects
    case .selectionRanges(let ranges, let snapshot):
      guard isCurrent(snapshot), let editor else { return [] }
      let now = editor.selection.range
      let wider = ranges.first { $0.lowerBound <= now.lowerBound && now.upperBound <= $0.upperBound && $0 != now }
      guard let wider else { return [] }
      selectionsBefore.append(editor.selection)
      changeEditor { $0.select(TextSelection(anchor: wider.lowerBound, cursor: wider.upperBound)) }
    case .folds(let folds, let snapshot):
      guard isCurrent(snapshot) else { return [] }
      let line = snapshot.cursor.line
      // The innermost that begins on the line, else the innermost around it.
      let fold =
        folds.filter { $0.lowerBound == line }.min { $0.count < $1.count }
        ?? folds.filter { $0.contains(line) }.min { $0.count < $1.count }
      guard let fold else {
        notice = Notice("Nothing to fold here")
        return []
      }
      changeEditor { $0.fold(fold) }
    case .schemaPage(let page): showSchema(page)
    case .schemaFound(let rows, let search): showSchemaResults(rows, for: search)
    case .schemaQuery(let text): return insertQuery(text)
    case .refused(let path, let text, let reason): askAgain(path, text, reason)
    case .nothing(let reason): notice = Notice(reason)
    }
    return []
  }

  private func isCurrent(_ snapshot: TextSnapshot) -> Bool {
    snapshot.pane == focus && editor?.version == snapshot.version
  }
}
