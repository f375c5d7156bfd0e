/// Commands for lists and trees, with the same keys in the response, the deferred pane and the cache.
extension Command {
  static let lists: [Command] = [
    openRow, toggleFold, unfoldRow, foldRow, unfoldAll, foldAll, rowUp, rowDown, rowPageUp, rowPageDown, rowFirst,
    rowLast,
  ]

  package static let openRow = Command(
    "openRow", "Open",
    .keys(.events, "Enter", "Right", "l", footer: "open", help: "Open the event"),
    .keys(.deferred, "Enter", "Right", footer: "show in response", help: "Show the fragment in the response"),
    .keys(.records, "Enter", "Right", "l", footer: "open", help: "Open the record"),
    .keys(.record, "Enter", "Right", "l", footer: "follow", help: "Follow the reference"),
    .keys(.writes, "Enter", "Right", "l", footer: "open", help: "Open the write, then its record"),
    .keys(.filter, "Enter", "Tab", "Down", footer: "to the list", help: "Keep the filter and go to the list"),
    .keys(.recordEdit, "Enter", footer: "write", help: "Write the value into the cache"),
    inPalette: false
  ) { $0.openRow() }

  package static let toggleFold = Command(
    "toggleFold", "Fold or unfold; show a full value",
    .keys(.response, "Enter", "Space", footer: "open"),
    .keys(.form, "Space", footer: "select", help: "Select or clear"),
    inPalette: false,
    unless: { $0.reasonAgainstFolding }
  ) { $0.toggleFold() }

  package static let unfoldRow = Command(
    "unfoldRow", "Unfold, otherwise move into it",
    .keys(.response, "Right", "l"),
    .keys(.form, "Right", footer: "open", help: "Open, otherwise move into it"),
    inPalette: false,
    unless: { $0.reasonAgainstFolding }
  ) { $0.unfoldRow() }

  package static let foldRow = Command(
    "foldRow", "Fold, otherwise move to the parent",
    .keys(.response, "Left", "h"),
    .keys(.deferred, "Left", help: "Fold the resolvers"),
    .keys(.form, "Left", help: "Close, otherwise move to the parent"),
    inPalette: false,
    unless: { $0.reasonAgainstFolding }
  ) { $0.foldRow() }

  package static let unfoldAll = Command(
    "unfoldAll", "Unfold everything below",
    .keys(.response, "*"),
    unless: { $0.reasonAgainstFoldingAll }
  ) { $0.apply($0.tab.response.setFolds(areOpen: true)) }

  package static let foldAll = Command(
    "foldAll", "Fold everything below",
    .keys(.response, "-"),
    unless: { $0.reasonAgainstFoldingAll }
  ) { $0.apply($0.tab.response.setFolds(areOpen: false)) }

  package static let rowUp = Command("rowUp", "Up", .keys(.lists, "Up", "k"), inPalette: false) { $0.moveInList(.up) }

  package static let rowDown = Command(
    "rowDown", "Down",
    .keys(.lists, "Down", "j"),
    inPalette: false
  ) { $0.moveInList(.down) }

  package static let rowPageUp = Command(
    "rowPageUp", "Page up",
    .keys(.lists, "PageUp", "Ctrl-B"),
    inPalette: false
  ) { $0.moveInList(.pageUp) }

  package static let rowPageDown = Command(
    "rowPageDown", "Page down",
    .keys(.lists, "PageDown", "Ctrl-F"),
    inPalette: false
  ) { $0.moveInList(.pageDown) }

  package static let rowFirst = Command(
    "rowFirst", "First row",
    .keys(.lists, "Home", "g"),
    inPalette: false
  ) { $0.moveInList(.first) }

  package static let rowLast = Command(
    "rowLast", "Last row",
    .keys(.lists, "End", "G"),
    inPalette: false
  ) { $0.moveInList(.last) }
}

extension ExplorerState {
  fileprivate var reasonAgainstFolding: String? {
    screen.focus == .response && tab.response.reading.raw != nil
      ? "Raw JSON has no folds: return to the tree first" : nil
  }

  fileprivate var reasonAgainstFoldingAll: String? {
    if let reason = reasonAgainstFolding { return reason }
    return tab.response.tree.rows.isEmpty
      ? "There is no response" : screen.focus == .response ? nil : "Only in the response"
  }
}
