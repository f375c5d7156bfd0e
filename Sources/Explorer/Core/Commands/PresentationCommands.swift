/// Commands for reading the response: copying, searching, filtering, tables, raw text and events.
extension Command {
  static let reading: [Command] = [
    copyValue, copyPath, useValueAsHeader, pauseEvents, searchResponse, filterResponse, toggleTable, nextMatch,
    previousMatch,
    jumpToPath, toggleRaw, comparePrevious, pinResponse, nextDifference, previousDifference, showErrors, toggleSources,
    openLink, clearEvents, clearPresentation,
    scrollLeft, scrollRight, nextColumn, previousColumn, sortColumn, hideColumn, showColumns, widenColumn,
    narrowColumn, exportTable, filterRows, copyRow, promptAccept, promptClose, promptPrevious, promptNext,
  ]

  package static let copyValue = Command(
    "copyValue", "Copy the value",
    .keys(.response, "c", footer: "copy"),
    .keys(.raw, "c", footer: "copy", help: "Copy the line"),
    .keys(.table, "c", help: "Copy the cell"),
    .keys(.value, "c", footer: "copy"),
    .keys(.events, "c", footer: "copy", help: "Copy the event"),
    .keys(.deferred, "c", footer: "copy path", help: "Copy the path"),
    .keys(.records, "c", help: "Copy the key"),
    .keys(.record, "c"),
    .keys(.writes, "c", help: "Copy the record's key"),
    unless: { $0.reasonAgainstCopyingValue }
  ) { $0.copyValue() }

  package static let copyPath = Command(
    "copyPath", "Copy the path",
    .keys(.response, "C"),
    .keys(.raw, "C", help: "Copy the path of the value in the line"),
    unless: { $0.reasonAgainstCopyingPath }
  ) { $0.apply($0.tab.response.copyPath()) }

  package static let useValueAsHeader = Command(
    "useValueAsHeader", "Use this value as a header of all requests to the endpoint",
    .keys(.response, "H"),
    unless: { $0.reasonAgainstUsingValue }
  ) { $0.offerValueAsHeader() }

  package static let pauseEvents = Command(
    "pauseEvents", "Pause or resume the event list",
    .keys(.events, "Space", footer: "pause"),
    unless: { $0.tab.response.reasonAgainstPausingEvents }
  ) { $0.apply($0.tab.response.togglePauseOfEvents()) }

  package static let searchResponse = Command(
    "searchResponse", "Search the response",
    .keys(.response, "/", footer: "search"),
    .keys(.events, "/", footer: "filter", help: "Filter the events"),
    unless: { $0.tab.response.reasonAgainstSearching }
  ) { $0.searchResponse() }

  package static let filterResponse = Command(
    "filterResponse", "Filter the response with jq",
    .keys(.response, "|", footer: "jq"),
    unless: { $0.tab.response.reasonAgainstData }
  ) { $0.inResponse { $0.beginFilter() } }

  package static let toggleTable = Command(
    "toggleTable", "Show the list as a table, or return to the tree",
    .keys(.response, "t", footer: "table"),
    unless: { $0.reasonAgainstTable }
  ) { $0.inResponse { $0.toggleTable() } }

  package static let nextMatch = Command(
    "nextMatch", "Next match",
    .keys(.matches, "n", footer: "next"),
    inPalette: false,
    unless: { $0.tab.response.reading.search.count == 0 ? "There are no matches" : nil }
  ) { $0.apply($0.tab.response.goToMatch(by: 1)) }

  package static let previousMatch = Command(
    "previousMatch", "Previous match",
    .keys(.matches, "N", footer: "previous"),
    inPalette: false,
    unless: { $0.tab.response.reading.search.count == 0 ? "There are no matches" : nil }
  ) { $0.apply($0.tab.response.goToMatch(by: -1)) }

  package static let jumpToPath = Command(
    "jumpToPath", "Go to a path",
    .keys(.response, ":"),
    unless: { $0.tab.response.reasonAgainstData }
  ) { $0.inResponse { $0.beginPath() } }

  package static let toggleRaw = Command(
    "toggleRaw", "Show the response as raw JSON, or return to the tree",
    .keys(.response, "r"),
    .keys(.raw, "r", footer: "tree", help: "Return to the tree"),
    .keys(.events, "r", help: "Open the event as raw JSON"),
    unless: { $0.tab.response.reasonAgainstReading }
  ) { $0.inResponse { $0.toggleRaw() } }

  package static let comparePrevious = Command(
    "comparePrevious", "Compare with the pinned response or the previous run",
    .keys(.response, "d"),
    .keys(.comparison, "d", footer: "stop comparing", help: "Stop comparing"),
    unless: { $0.tab.response.reasonAgainstComparing($0.pinned) }
  ) { $0.compareResponse() }

  package static let pinResponse = Command(
    "pinResponse", "Pin or unpin the response",
    .keys(.response, "K"),
    .keys(.comparison, "K", footer: "unpin", help: "Unpin the response, or pin this one"),
    unless: { $0.reasonAgainstPinning }
  ) { $0.pinResponse() }

  package static let nextDifference = Command(
    "nextDifference", "Next difference",
    .keys(.comparison, "n", footer: "next difference"),
    inPalette: false,
    unless: { $0.tab.response.reasonAgainstDifferences }
  ) { $0.apply($0.tab.response.goToDifference(by: 1)) }

  package static let previousDifference = Command(
    "previousDifference", "Previous difference",
    .keys(.comparison, "N", footer: "previous"),
    inPalette: false,
    unless: { $0.tab.response.reasonAgainstDifferences }
  ) { $0.apply($0.tab.response.goToDifference(by: -1)) }

  package static let showErrors = Command(
    "showErrors", "List the errors",
    .keys(.response, "e"),
    unless: { $0.tab.response.reasonAgainstErrors }
  ) { $0.showErrors() }

  package static let toggleSources = Command(
    "toggleSources", "Mark the source of each field: network, cache, payload",
    .keys(.response, "s"),
    unless: { $0.tab.response.tree.rows.isEmpty ? "There is no response" : nil }
  ) { $0.apply($0.screen.toggleSources()) }

  package static let openLink = Command(
    "openLink", "Open the link in the browser",
    .keys(.response, "o"),
    .keys(.value, "o", footer: "open link"),
    unless: { $0.reasonAgainstOpeningLink }
  ) { $0.tab.response.selectedLink.map { [.reading(.openLink($0))] } ?? [] }

  package static let clearEvents = Command(
    "clearEvents", "Clear the events",
    .keys(.events, "X", footer: "clear"),
    unless: { $0.tab.response.reasonAgainstClearingEvents }
  ) { $0.apply($0.tab.response.clearEvents()) }

  package static let clearPresentation = Command(
    "clearPresentation", "Close search, table or filter",
    .keys(.response, "Backspace"),
    .keys(.comparison, "Esc", footer: "close", help: "Stop comparing"),
    .keys(.matches, "Esc", footer: "close"),
    .keys(.table, "Esc", footer: "tree", help: "Close the search, otherwise the table"),
    .keys(.raw, "Esc", help: "Close the search, otherwise the raw JSON"),
    .keys(.events, "Backspace", help: "Close the filter"),
    .keys(.event, "Backspace", "Esc", footer: "events", help: "Close the search, otherwise the event"),
    inPalette: false
  ) { $0.apply($0.tab.response.closePresentation()) }

  package static let scrollLeft = Command(
    "scrollLeft", "Scroll left",
    .keys(.response, "<"),
    .keys(.raw, "Left", "h"),
    inPalette: false
  ) { $0.apply($0.tab.response.scrollText(columns: -8)) }

  package static let scrollRight = Command(
    "scrollRight", "Scroll right",
    .keys(.response, ">"),
    .keys(.raw, "Right", "l"),
    inPalette: false
  ) { $0.apply($0.tab.response.scrollText(columns: 8)) }

  package static let nextColumn = Command(
    "nextColumn", "Next column",
    .keys(.table, "Right", "l"),
    inPalette: false
  ) { $0.apply($0.tab.response.changeTable { $0.moveColumn(by: 1) }) }

  package static let previousColumn = Command(
    "previousColumn", "Previous column",
    .keys(.table, "Left", "h"),
    inPalette: false
  ) { $0.apply($0.tab.response.changeTable { $0.moveColumn(by: -1) }) }

  package static let sortColumn = Command(
    "sortColumn", "Sort by the column: ascending, descending, unsorted",
    .keys(.table, "s", footer: "sort"),
    inPalette: false
  ) { $0.apply($0.tab.response.changeTable { $0.cycleSorting() }) }

  package static let hideColumn = Command(
    "hideColumn", "Hide the column",
    .keys(.table, "H", footer: "hide"),
    inPalette: false
  ) { $0.apply($0.tab.response.changeTable { $0.hideColumn() }) }

  package static let showColumns = Command(
    "showColumns", "Show all columns",
    .keys(.table, "u"),
    inPalette: false
  ) { $0.apply($0.tab.response.changeTable { $0.showAllColumns() }) }

  package static let widenColumn = Command(
    "widenColumn", "Widen the column",
    .keys(.table, ">"),
    inPalette: false
  ) { $0.apply($0.tab.response.changeTable { $0.widenColumn(by: 4) }) }

  package static let narrowColumn = Command(
    "narrowColumn", "Narrow the column",
    .keys(.table, "<"),
    inPalette: false
  ) { $0.apply($0.tab.response.changeTable { $0.widenColumn(by: -4) }) }

  package static let exportTable = Command(
    "exportTable", "Export the table",
    .keys(.table, "x", footer: "export"),
    unless: { $0.tab.response.reasonAgainstTableRows }
  ) { $0.exportTable() }

  package static let filterRows = Command(
    "filterRows", "Filter the rows of the table",
    .keys(.table, "f", footer: "filter", help: "Filter the rows by their cells"),
    unless: { $0.tab.response.reasonAgainstTableRows }
  ) { $0.inResponse { $0.beginRowFilter() } }

  package static let copyRow = Command(
    "copyRow", "Copy the row or all rows of the table: JSON, CSV, TSV",
    .keys(.table, "y", footer: "copy row", help: "Copy the row, or all rows: JSON, CSV, TSV"),
    unless: { $0.tab.response.reasonAgainstCopyingRow }
  ) { $0.goToResponse() + $0.present(ExportPopup(.rows)) }

  package static let promptAccept = Command(
    "promptAccept", "Accept",
    .keys(.prompt, "Enter", footer: "accept"),
    inPalette: false
  ) { $0.apply($0.tab.response.acceptPrompt()) }

  package static let promptClose = Command(
    "promptClose", "Cancel",
    .keys(.prompt, "Esc", footer: "cancel"),
    inPalette: false
  ) { $0.apply($0.tab.response.closePrompt()) }

  package static let promptPrevious = Command(
    "promptPrevious", "Previous",
    .keys(.prompt, "Up", footer: "previous"),
    inPalette: false
  ) { $0.apply($0.tab.response.stepInPrompt(by: -1)) }

  package static let promptNext = Command(
    "promptNext", "Next",
    .keys(.prompt, "Down"),
    inPalette: false
  ) { $0.apply($0.tab.response.stepInPrompt(by: 1)) }
}

extension ResponseFeature {
  fileprivate var reasonAgainstTableRows: String? { reading.table == nil ? "No table is shown" : nil }

  fileprivate var reasonAgainstCopyingRow: String? {
    reasonAgainstTableRows ?? (reading.table?.count == 0 ? "The table has no rows" : nil)
  }

  fileprivate func reasonAgainstComparing(_ pinned: PinnedResponse?) -> String? {
    if reading.comparison != nil { return nil }
    if run?.isActive ?? false { return "The operation is still running" }
    if let reason = reasonAgainstReading { return reason }
    if reading.filter.isActive { return "The response is filtered: close the filter first" }
    guard let comparison = comparison(with: pinned) else { return "There is no previous run to compare with" }
    // Next to a pinned response, this one is shown also if there is nothing to compare.
    if comparison.isWithPinned { return nil }
    return reasonAgainstData ?? (comparison.before == nil ? "The previous run has no data to compare with" : nil)
  }

  fileprivate var reasonAgainstDifferences: String? {
    guard let comparison = reading.comparison else { return "Nothing is compared" }
    if let reason = comparison.reason { return reason }
    guard let changes = comparison.changes else { return "The comparison is still running" }
    return changes.isEmpty ? "No differences from \(comparison.words)" : nil
  }

  fileprivate var reasonAgainstPausingEvents: String? {
    guard let events = reading.events else { return "Only for a subscription" }
    return !events.isPaused && run?.isActive != true ? "The subscription has ended" : nil
  }

  fileprivate var reasonAgainstClearingEvents: String? {
    guard let events = reading.events else { return "Only for a subscription" }
    return events.count + events.waitingCount == 0 ? "There are no events" : nil
  }
}

extension ExplorerState {
  fileprivate var reasonAgainstTable: String? {
    if tab.response.reading.table != nil { return nil }
    if let reason = tab.response.reasonAgainstData { return reason }
    return tab.response.tablePath(isFocused: isResponseFocused) == nil ? "The response has no list of objects" : nil
  }

  fileprivate var reasonAgainstOpeningLink: String? {
    if screen.focus != .response { return "Only in the response" }
    return tab.response.selectedLink == nil ? "There is no link in this row" : nil
  }

  fileprivate var reasonAgainstCopyingPath: String? {
    if screen.focus != .response { return "Only in the response" }
    if tab.response.tree.rows.isEmpty { return "There is no response" }
    return tab.response.view == .tree && tab.response.pathAtHand?.components.isEmpty != false
      ? "This row has no path" : nil
  }
}
