import ExplorerText
import JSON

/// Reading the response: search, filter, table, paths, comparison.
extension ExplorerState {
  // MARK: Commands

  /// `nil` when the command is none of reading.
  mutating func invokeInReading(_ command: Command) -> [Effect]? {
    if let effects = invokeInEvents(command) { return effects }
    switch command {
    case .searchResponse:
      reading.prompt = .search
      reading.search = ResponseSearch()
    case .filterResponse:
      reading.prompt = .filter
      reading.filter.historyPlace = nil
    case .jumpToPath:
      reading.prompt = .path
      reading.pathInput = LineEditor()
    case .nextMatch: goToMatch(by: 1)
    case .previousMatch: goToMatch(by: -1)
    case .clearReading: return clearReading()
    case .toggleTable: toggleTable()
    case .toggleRaw: return toggleRaw()
    case .comparePrevious: comparePrevious()
    case .showErrors: popups.append(.errors(ListCursor()))
    default:
      if reading.prompt != nil { return invokeInPrompt(command) }
      if reading.raw != nil { return invokeInRaw(command) }
      if reading.table != nil { return invokeInTable(command) }
      return nil
    }
    return []
  }

  func readingReason(_ command: Command) -> String? {
    switch command {
    case .searchResponse, .filterResponse, .jumpToPath, .toggleRaw:
      return response.data == nil ? "There is no response" : nil
    case .nextMatch, .previousMatch:
      return reading.search.count == 0 ? "Nothing was found" : nil
    case .toggleTable:
      return reading.table == nil && tablePath == nil ? "The response has no list of objects" : nil
    case .comparePrevious:
      if run?.isActive ?? false { return "The operation still runs" }
      return reading.previousData == nil ? "There is no run before this one to compare with" : nil
    case .showErrors:
      return run?.errors.isEmpty ?? true ? "The response has no errors" : nil
    default: return nil
    }
  }

  private mutating func clearReading() -> [Effect] {
    if reading.isComparing {
      reading.isComparing = false
      response.compare(with: nil)
    } else if reading.search.isActive {
      reading.search = ResponseSearch()
    } else if reading.raw != nil {
      return toggleRaw()
    } else if reading.table != nil {
      reading.table = nil
    } else if reading.filter.isActive {
      reading.filter.input = LineEditor()
      reading.filter.result = nil
      reading.filter.message = nil
    } else if reading.events?.isOpen == true {
      return closeEvent()
    }
    return []
  }

  // MARK: What is typed at the foot

  private mutating func invokeInPrompt(_ command: Command) -> [Effect]? {
    switch (command, reading.prompt) {
    case (.promptAccept, .search):
      reading.prompt = nil
      if reading.search.text.isEmpty { reading.search = ResponseSearch() }
    case (.promptAccept, .filter):
      reading.prompt = nil
      remember(reading.filter.text)
      if reading.filter.text.isEmpty { reading.filter.result = nil }
    case (.promptAccept, .path):
      reading.prompt = nil
      jump(to: reading.pathInput.text)
    case (.promptClose, .search):
      reading.prompt = nil
      reading.search = ResponseSearch()
    case (.promptClose, .filter):
      reading.prompt = nil
      reading.filter.input = LineEditor()
      reading.filter.result = nil
      reading.filter.message = nil
    case (.promptAccept, .events): reading.prompt = nil
    case (.promptClose, .events):
      reading.prompt = nil
      reading.events?.clearFilter()
    case (.promptClose, .path): reading.prompt = nil
    case (.promptPrevious, .filter): return walkHistory(by: 1)
    case (.promptNext, .filter): return walkHistory(by: -1)
    case (.promptPrevious, .search): goToMatch(by: -1)
    case (.promptNext, .search): goToMatch(by: 1)
    default: return nil
    }
    return []
  }

  private mutating func remember(_ filter: String) {
    guard !filter.isEmpty else { return }
    reading.filter.history.removeAll { $0 == filter }
    reading.filter.history.append(filter)
    if reading.filter.history.count > 100 { reading.filter.history.removeFirst() }
  }

  private mutating func walkHistory(by step: Int) -> [Effect] {
    let history = reading.filter.history
    guard !history.isEmpty else { return [] }
    let place = (reading.filter.historyPlace ?? -1) + step
    guard place >= 0 else {
      reading.filter.historyPlace = nil
      reading.filter.input = LineEditor()
      return filterEffects()
    }
    reading.filter.historyPlace = min(place, history.count - 1)
    reading.filter.input = LineEditor(history[history.count - 1 - min(place, history.count - 1)])
    return filterEffects()
  }

  // MARK: Search

  mutating func searchEffects() -> [Effect] {
    reading.search.version += 1
    reading.search.matches = []
    reading.search.lines = []
    reading.search.index = 0
    if let raw = reading.raw {
      // A text that is still laid out is searched once it is there.
      guard reading.search.isActive, let text = raw.text else { return [] }
      reading.search.isSearching = true
      return [.searchLines(reading.search.text, text, version: reading.search.version)]
    }
    guard reading.search.isActive, let data = shownData else { return [] }
    reading.search.isSearching = true
    return [.search(reading.search.text, data, version: reading.search.version)]
  }

  private mutating func goToMatch(by step: Int) {
    let count = reading.search.count
    guard count > 0 else { return }
    reading.search.index = (reading.search.index + step + count) % count
    if let lines = reading.raw?.lineCount {
      reading.raw?.list.select(reading.search.lines[reading.search.index], count: lines)
    } else {
      reveal(reading.search.matches[reading.search.index])
    }
  }

  /// Shows a place of the response, in the table where it lies in it.
  private mutating func reveal(_ path: ResponsePath) {
    if var table = reading.table, path.components.starts(with: table.listPath.components),
      path.components.count > table.listPath.components.count,
      case .index(let item) = path.components[table.listPath.components.count]
    {
      table.list.select(table.row(ofItem: item), count: table.count)
      reading.table = table
    }
    shownTree.reveal(path)
  }

  // MARK: Filter

  mutating func filterEffects() -> [Effect] {
    reading.filter.version += 1
    reading.filter.message = nil
    guard reading.filter.isActive, let data = response.data else {
      reading.filter.isRunning = false
      reading.filter.result = nil
      return []
    }
    reading.filter.isRunning = true
    return [
      .filter(
        reading.filter.text, SharedJSON(data, without: response.hidden), version: reading.filter.version)
    ]
  }

  /// What is searched and filtered is so again, over what the response is now.
  mutating func readingEffects() -> [Effect] {
    if reading.filter.isActive { return filterEffects() }
    return reading.search.isActive ? searchEffects() : []
  }

  mutating func receiveReading(_ action: Action) -> [Effect] {
    switch action {
    case .matchesFound(let matches, let isCut, let version):
      guard version == reading.search.version, reading.raw == nil else { return [] }
      reading.search.isSearching = false
      reading.search.matches = matches
      reading.search.isCut = isCut
      if let first = matches.first { reveal(first) }
    case .responseFiltered(let value, let version):
      guard version == reading.filter.version, reading.filter.isActive else { return [] }
      reading.filter.isRunning = false
      reading.filter.message = nil
      var tree = ResponseTree()
      tree.show(ResponseTree.Content(data: value.value))
      reading.filter.result = tree
      reading.table = nil
      return reading.search.isActive ? searchEffects() : []
    case .filterFailed(let message, let version):
      guard version == reading.filter.version else { return [] }
      reading.filter.isRunning = false
      // What was filtered last stays while a person goes on typing.
      reading.filter.message = message
    case .tableSorted(let order, let version): reading.table?.sorted(order, version: version)
    case .fileWritten(let name): notice = Notice("Written: \(name)")
    case .valueWritten(let text): return copy(text)
    default: break
    }
    return []
  }

  // MARK: Paths

  /// `birds.edges[2].node.name`, with or without a dot before it.
  private mutating func jump(to text: String) {
    var components: [PathComponent] = []
    for part in text.split(whereSeparator: { ".[]/".contains($0) }) {
      components.append(Int(part).map { .index($0) } ?? .key(String(part)))
    }
    guard !components.isEmpty else { return }
    let path = ResponsePath(components)
    guard shownTree.data?.value(at: path) != nil else {
      notice = Notice("There is nothing at \(path)", .warning)
      return
    }
    reading.raw = nil
    reveal(path)
  }

  // MARK: Comparison

  private mutating func comparePrevious() {
    reading.isComparing.toggle()
    response.compare(with: reading.isComparing ? reading.previousData : nil)
    let count = response.rows.count(where: \.isFresh)
    if reading.isComparing {
      notice = Notice(
        count == 0 ? "Nothing in view differs from the run before" : "What differs from the run before is marked")
    }
  }

  // MARK: Table

  /// The list to show: the one around the selected row, else the one that is paged, else the first of objects.
  private var tablePath: ResponsePath? {
    let tree = shownTree
    if reading.filter.result == nil, let list = listToPage ?? run?.lists.first { return list.listPath }
    var path = tree.path(ofRow: tree.list.selected).components
    while !path.isEmpty {
      if let value = tree.data?.value(at: ResponsePath(path)), value.kind == .array, value[0]?.kind == .object {
        return ResponsePath(path)
      }
      path.removeLast()
    }
    return ResponseTable.firstList(in: tree.data)
  }

  private mutating func toggleTable() {
    if let table = reading.table {
      reading.table = nil
      shownTree.reveal(ResponsePath(table.listPath.components + [.index(table.item(ofRow: table.list.selected))]))
    } else if let path = tablePath {
      reading.raw = nil
      reading.table = ResponseTable(of: shownData, at: path)
    }
  }

  private mutating func invokeInTable(_ command: Command) -> [Effect]? {
    guard var table = reading.table else { return nil }
    defer { reading.table = table }
    if let list = moved(table.list, by: command, count: table.count, rows: viewportRows(.response) - 1) {
      table.list = list
      return []
    }
    switch command {
    case .nextColumn: table.moveColumn(by: 1)
    case .previousColumn: table.moveColumn(by: -1)
    case .sortColumn: table.cycleSorting()
    case .hideColumn: table.hideColumn()
    case .showColumns: table.showAllColumns()
    case .widenColumn: table.widenColumn(by: 4)
    case .narrowColumn: table.widenColumn(by: -4)
    case .copyValue:
      guard let column = table.selectedColumnIndex else { return [] }
      return copy(ResponseTable.text(of: table.value(row: table.list.selected, column: column)))
    case .copyPath:
      let path = ResponsePath(table.listPath.components + [.index(table.item(ofRow: table.list.selected))])
      return copy(path.description)
    case .exportTable: popups.append(.export(ListCursor()))
    default: return nil
    }
    return []
  }

  // MARK: Popups

  mutating func invokeInExport(_ command: Command, _ given: ListCursor) -> [Effect]? {
    let formats = ResponseTable.Format.allCases
    var list = given
    if let step = popupStep(of: command) {
      list.move(by: step, count: formats.count)
      popups[popups.count - 1] = .export(list)
      return []
    }
    switch command {
    case .popupAccept:
      popups.removeLast()
      guard let table = reading.table else { return [] }
      return [.exportTable(table, as: formats[list.selected])]
    case .popupClose:
      popups.removeLast()
      return []
    default: return nil
    }
  }

  mutating func invokeInErrors(_ command: Command, _ given: ListCursor) -> [Effect]? {
    let errors = run?.errors ?? []
    var list = given
    if let step = popupStep(of: command) {
      list.move(by: step, count: errors.count)
      popups[popups.count - 1] = .errors(list)
      return []
    }
    guard errors.indices.contains(list.selected) else { return nil }
    let error = errors[list.selected]
    switch command {
    case .popupAccept:
      guard let path = error.path else {
        notice = Notice("The error names no place of the response", .warning)
        return []
      }
      popups.removeLast()
      reading.table = nil
      reading.raw = nil
      let effects = focus(on: .response)
      response.reveal(path)
      return effects
    case .focusQuery:
      guard let place = error.locations.first else {
        notice = Notice("The error names no place of the query", .warning)
        return []
      }
      popups.removeLast()
      let effects = focus(on: .query)
      let line = min(max(0, place.line - 1), query.buffer.lineCount - 1)
      query.place(TextPosition(line, min(max(0, place.column - 1), query.buffer.line(line).count)))
      return effects
    case .popupClose:
      popups.removeLast()
      return []
    default: return nil
    }
  }
}
