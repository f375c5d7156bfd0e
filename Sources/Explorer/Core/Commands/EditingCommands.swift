/// Commands that use the language service in the query and variables editors.
extension Command {
  static let writing: [Command] = [
    formatDocument, goToDefinition, showOutline, renameSymbol, showActions, expandSelection, shrinkSelection,
    showHover, findText, replaceText, foldText, unfoldAllText, toggleWrap, editExternally, nextProblem,
    previousProblem, listProblems, pickOperation,
  ]

  package static let formatDocument = Command(
    "formatDocument", "Format the query",
    .keys(.query, "Alt-f", footer: "format"),
    unless: { $0.tab.editors.query.buffer.isEmpty ? "The query is empty" : nil }
  ) { [.text(.format($0.tab.editors.query.buffer, version: $0.tab.editors.query.version))] }

  package static let goToDefinition = Command(
    "goToDefinition", "Go to the definition",
    .keys(.query, "F12", "Alt-g"),
    unless: { $0.reasonOutsideQuery }
  ) { $0.askAboutText { .definition($0) } }

  package static let showOutline = Command(
    "showOutline", "Go to a field, fragment or variable",
    .keys(.query, "Alt-G"),
    unless: { $0.reasonOutsideQuery }
  ) { $0.askAboutText { .outline($0) } }

  package static let renameSymbol = Command(
    "renameSymbol", "Rename",
    .keys(.query, "F2"),
    unless: { $0.reasonOutsideQuery }
  ) { $0.askAboutText { .renamable($0) } }

  package static let showActions = Command(
    "showActions", "Show code actions at the cursor",
    .keys(.editors, "Alt-Enter", "Alt-a"),
    unless: { $0.reasonInEditor { _ in nil } }
  ) { $0.askAboutText { .actions($0) } }

  package static let expandSelection = Command(
    "expandSelection", "Expand the selection by syntax",
    .keys(.query, "Alt-Up"),
    unless: { $0.reasonOutsideQuery }
  ) { $0.askAboutText { .selectionRanges($0) } }

  package static let shrinkSelection = Command(
    "shrinkSelection", "Shrink the selection",
    .keys(.query, "Alt-Down"),
    unless: { $0.reasonAgainstShrinking }
  ) {
    $0.typing.shrinkSelection(in: $0.screen.focus, of: &$0.tabs.shown.content.editors)
    return []
  }

  package static let showHover = Command(
    "showHover", "Show hover information",
    .keys(.editors, "F3", "Alt-h"),
    unless: { $0.reasonInEditor { _ in nil } }
  ) { $0.askAboutText { .hover($0) } }

  package static let findText = Command(
    "findText", "Find",
    .keys(.editors, "Ctrl-F"),
    .keys(.form, "Ctrl-F", help: "Find a row by typing; in the field tree, just type"),
    unless: { $0.reasonInEditor { _ in nil } }
  ) { $0.openFind(isReplacing: false) }

  package static let replaceText = Command(
    "replaceText", "Find and replace",
    .keys(.editors, "Alt-r"),
    unless: { $0.reasonInEditor { _ in nil } }
  ) { $0.openFind(isReplacing: true) }

  package static let foldText = Command(
    "foldText", "Fold or unfold lines",
    .keys(.editors, "Alt-k"),
    unless: { $0.reasonInEditor { _ in nil } }
  ) { $0.foldText() }

  package static let unfoldAllText = Command(
    "unfoldAllText", "Unfold all lines",
    .keys(.editors, "Alt-K"),
    unless: { $0.reasonInEditor { $0.folds.isEmpty ? "Nothing is folded" : nil } }
  ) { $0.unfoldAllText() }

  package static let toggleWrap = Command(
    "toggleWrap", "Wrap or truncate long lines",
    .keys(.editors, "Alt-z"),
    unless: { $0.reasonInEditor { _ in nil } }
  ) { $0.apply($0.tab.editors.toggleWrap()) }

  package static let editExternally = Command(
    "editExternally", "Edit in $EDITOR",
    .keys(.editors, "Ctrl-O"),
    .keys(.response, "Ctrl-O", help: "Open the response in $EDITOR"),
    unless: { $0.reasonAgainstEditingExternally }
  ) { $0.editExternally() }

  package static let nextProblem = Command(
    "nextProblem", "Next diagnostic",
    .keys(.editors, "F8"),
    unless: { $0.reasonAgainstGoingToProblem }
  ) {
    $0.tab.editors.goToProblem($0.analysis, in: $0.screen.focus, forward: true)
    return []
  }

  package static let previousProblem = Command(
    "previousProblem", "Previous diagnostic",
    .keys(.editors, "Shift-F8"),
    unless: { $0.reasonAgainstGoingToProblem }
  ) {
    $0.tab.editors.goToProblem($0.analysis, in: $0.screen.focus, forward: false)
    return []
  }

  package static let listProblems = Command(
    "listProblems", "List diagnostics",
    .keys(.everywhere, "Alt-e"),
    unless: { $0.problems.isEmpty ? "There are no diagnostics" : nil }
  ) { $0.present(PickerPopup(.problems, items: $0.problems)) }

  package static let pickOperation = Command(
    "pickOperation", "Go to an operation",
    .keys(.everywhere, "Alt-o"),
    unless: { $0.tab.editors.queryAnalysis.operations.isEmpty ? "There is no operation" : nil }
  ) { $0.apply($0.tab.editors.pickOperation()) }
}

extension ExplorerState {
  fileprivate var reasonOutsideQuery: String? {
    reasonInEditor { _ in screen.focus == .query ? nil : "Only in the query editor" }
  }

  fileprivate var reasonAgainstShrinking: String? {
    reasonInEditor { _ in typing.selectionsBefore.isEmpty ? "The selection was not expanded" : nil }
  }

  fileprivate var reasonAgainstGoingToProblem: String? {
    reasonInEditor { _ in analysis.diagnostics.isEmpty ? "There are no diagnostics" : nil }
  }

  fileprivate var reasonAgainstEditingExternally: String? {
    screen.focus == .response ? tab.response.reasonAgainstReading : reasonInEditor { _ in nil }
  }
}
