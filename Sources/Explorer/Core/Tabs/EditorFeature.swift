import ApusClientRequests
import ApusExplorerText

/// An editor of a tab.
package enum EditorID: Equatable, Sendable {
  case query, variables, headers
}

/// The editors of a tab, for the query, the variables and the headers, and the analyses of their text.
package struct EditorFeature: Equatable, Sendable {
  package var query: Editor
  package var variables: Editor
  /// Header fields for the tab's requests, one per line. Values may refer to environment variables or commands.
  package var headers: Editor
  /// The servers that may receive the headers.
  package var headerOrigins = HeaderOrigins()
  package var queryAnalysis = EditorAnalysis()
  package var variablesAnalysis = EditorAnalysis()

  init(query: String = "", variables: String = "", headers: String = "") {
    self.query = Editor(query, language: .graphQL)
    self.variables = Editor(variables, language: .json)
    self.headers = Editor(headers, language: .plain)
  }

  /// Makes a mark that is moved between the editors of the tab a reference, if one of them has references.
  mutating func shareReferences() {
    guard [query, variables, headers].contains(where: { !$0.references.isEmpty }) else { return }
    query.expectReferences()
    variables.expectReferences()
    headers.expectReferences()
  }

  /// Returns the editor in a pane; nil if the pane has none.
  package func editor(in pane: PaneID) -> Editor? {
    switch pane.text {
    case .query: query
    case .variables: variables
    case .headers: headers
    case nil: nil
    }
  }

  package func analysis(in pane: PaneID) -> EditorAnalysis {
    switch pane.text {
    case .query: queryAnalysis
    case .variables: variablesAnalysis
    case .headers: EditorAnalysis(headers: headers)
    case nil: EditorAnalysis()
    }
  }

  /// Changes the editor in a pane; does nothing if the pane has none.
  package mutating func change(_ pane: PaneID, _ change: (inout Editor) -> Void) {
    switch pane.text {
    case .query: change(&query)
    case .variables: change(&variables)
    case .headers: change(&headers)
    case nil: break
    }
  }

  /// Changes an editor and returns the effects that analyze its text again if it changed.
  mutating func edit(_ pane: PaneID, _ change: (inout Editor) -> Void) -> [Effect] {
    guard let before = editor(in: pane) else { return [] }
    self.change(pane, change)
    guard let after = editor(in: pane), after.version != before.version else { return [] }
    let distance = after.buffer.lineCount - before.buffer.lineCount
    let line = min(before.selection.range.lowerBound.line, after.cursor.line)
    switch pane.text {
    case .query: queryAnalysis.shiftLines(after: line, by: distance)
    case .variables: variablesAnalysis.shiftLines(after: line, by: distance)
    case .headers, nil: return []
    }
    return analysisEffects(for: pane)
  }

  func analysisEffects(for pane: PaneID) -> [Effect] {
    let analysesVariables = Effect.text(
      .analyzeVariables(
        variables.buffer, version: variables.version, query: query.buffer, offset: query.cursorOffset))
    return pane == .query
      ? [.text(.analyse(query.buffer, version: query.version)), analysesVariables] : [analysesVariables]
  }

  /// Returns the effect that requests completions at the cursor.
  func completionEffect(in pane: PaneID, isAsked: Bool) -> Effect? {
    switch pane.text {
    case .query: .text(.complete(query.buffer, at: query.cursor, version: query.version, isAsked: isAsked))
    case .variables:
      .text(
        .completeVariables(
          variables.buffer, at: variables.cursor, version: variables.version, query: query.buffer,
          offset: query.cursorOffset, isAsked: isAsked))
    case .headers:
      .text(.completeHeaders(headers.buffer, at: headers.cursor, version: headers.version, isAsked: isAsked))
    case nil: nil
    }
  }

  mutating func analysed(_ analysis: EditorAnalysis, in pane: PaneID) {
    guard editor(in: pane)?.version == analysis.version else { return }
    switch pane.text {
    case .query: queryAnalysis = analysis
    case .variables: variablesAnalysis = analysis
    case .headers, nil: break
    }
  }

  /// Writes values in place of references, as one undo step. The cursor stays at its text.
  mutating func insert(_ values: [String: String], in pane: PaneID) -> [Effect] {
    guard let editor = editor(in: pane) else { return [] }
    let text = TemplateText.inserting(values, in: editor.text, .json)
    guard text != editor.text else { return [] }
    let before = String(decoding: editor.text.utf8.prefix(editor.cursorOffset), as: UTF8.self)
    return edit(pane) { changed in
      changed.replace(.start..<changed.buffer.end, with: text)
      let offset = TemplateText.inserting(values, in: before, .json).utf8.count
      changed.moveCursor(changed.buffer.position(of: offset))
    }
  }

  mutating func formatted(_ text: String, version: Int) -> [Effect] {
    guard version == query.version, text != query.text else { return [] }
    // Formatting changes only whitespace and commas: the cursor stays after the same number of other bytes.
    let isLayout = { (byte: UInt8) in byte <= 0x20 || byte == UInt8(ascii: ",") }
    var before = query.text.utf8.prefix(query.cursorOffset).count { !isLayout($0) }
    query.replace(.start..<query.buffer.end, with: text)
    let offset =
      text.utf8.prefix { byte in
        if before == 0 { return false }
        if !isLayout(byte) { before -= 1 }
        return true
      }.count
    query.moveCursor(query.buffer.position(of: offset))
    return analysisEffects(for: .query)
  }

  /// Scrolls an editor with the mouse wheel.
  mutating func scroll(_ pane: PaneID, by lines: Int, rows: Int) {
    change(pane) { editor in
      editor.scroll(toLine: editor.scroll.line + lines)
      editor.keepCursorInView(rows: rows)
    }
  }

  // MARK: The operation under the cursor

  var operation: EditorAnalysis.Operation? { queryAnalysis.operation(at: query.cursor.line) }

  /// The operation under the cursor; `nil` until the analysis of the text is there.
  var currentOperation: EditorAnalysis.Operation? { queryAnalysis.version == query.version ? operation : nil }

  /// Whether the operation under the cursor is a mutation. Until the analysis is there, any document that contains the
  /// word "mutation" counts.
  var mayMutate: Bool { currentOperation.map { $0.kind == "mutation" } ?? query.text.contains("mutation") }

  /// The lines of the operation that would run and of its variables. The complete document until the analysis is there,
  /// and if the operation spreads a fragment, because the fragment may select fields of the mutation.
  var whatRuns: [String] {
    let lines = query.buffer.lines.map { String($0) }
    let range = currentOperation.map { $0.lines.clamped(to: 0...max(0, lines.count - 1)) }
    let given = variables.buffer.lines.map { String($0) }
    let hasVariables = given.contains { $0.contains { !$0.isWhitespace } }
    let selectedLines = range.map { Array(lines[$0]) } ?? lines
    let document = selectedLines.contains { $0.contains("...") } ? lines : selectedLines
    return document + (hasVariables ? ["", "Variables"] + given : [])
  }

  var offerPaging: Effect { .text(.suggestPaging(query.buffer, offset: query.cursorOffset)) }

  /// Inserts a query generated from the schema after the existing text.
  mutating func insertQuery(_ text: String) -> [Effect] {
    edit(.query) { editor in
      let isEmpty = editor.buffer.lines.allSatisfy { $0.allSatisfy(\.isWhitespace) }
      if isEmpty {
        editor.setText(text)
      } else {
        let end = editor.buffer.end
        editor.replace(end..<end, with: (end.column == 0 ? "\n" : "\n\n") + text)
      }
      editor.moveCursor(TextPosition(isEmpty ? 0 : editor.buffer.lineCount - text.split(separator: "\n").count, 0))
    }
  }

  mutating func toggleWrap() -> [FollowUp] {
    query.wraps.toggle()
    variables.wraps = query.wraps
    (query.scroll.column, variables.scroll.column) = (0, 0)
    return [.notice(query.wraps ? "Long lines are wrapped" : "Long lines are truncated")]
  }

  func pickOperation() -> [FollowUp] {
    let items = queryAnalysis.operations.map { operation in
      PickerItem(
        title: operation.name ?? "(no name)", note: "\(operation.kind), line \(operation.lines.lowerBound + 1)",
        tone: operation == self.operation ? .current : .plain,
        choice: .position(.query, TextPosition(operation.lines.lowerBound, 0)))
    }
    var picker = PickerPopup(.operations, items: items)
    picker.list.selected = queryAnalysis.operations.firstIndex { $0 == operation } ?? 0
    return [.present(Popup(picker))]
  }

  mutating func goToProblem(_ analysis: EditorAnalysis, in pane: PaneID, forward: Bool) {
    guard let editor = editor(in: pane) else { return }
    let starts = analysis.diagnostics.map(\.range.lowerBound).sorted()
    let next =
      forward
      ? starts.first { $0 > editor.cursor } ?? starts.first
      : starts.last { $0 < editor.cursor } ?? starts.last
    if let next { change(pane) { $0.moveCursor(next) } }
  }
}
