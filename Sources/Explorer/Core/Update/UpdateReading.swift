import ApusExplorerText
import ApusJSON

/// Reading the response: search, filter, table, paths, comparison.
extension ExplorerState {
  // MARK: Commands

  /// Reads the response: goes to it, and in a list of events opens the selected one.
  mutating func inResponse(_ read: (inout ExplorerState) -> [Effect]) -> [Effect] {
    var effects = focus == .response ? [] : focus(on: .response)
    if responseView == .events {
      effects += openEvent()
      guard reading.events?.isOpen == true else { return effects }
    }
    return effects + read(&self)
  }

  /// In a list of events it is these that are searched.
  mutating func searchResponse() -> [Effect] {
    let effects = focus == .response ? [] : focus(on: .response)
    if responseView == .events {
      reading.prompt = .events
    } else {
      reading.prompt = .search
      reading.search = ResponseSearch()
    }
    return effects
  }

  mutating func beginFilter() -> [Effect] {
    reading.prompt = .filter
    reading.filter.historyPlace = nil
    return []
  }

  mutating func beginPath() -> [Effect] {
    reading.prompt = .path
    reading.pathInput = LineEditor()
    return []
  }

  mutating func showErrors() -> [Effect] {
    let effects = focus == .response ? [] : focus(on: .response)
    return effects + present(.errors(ErrorsState()))
  }

  mutating func copyFromResponse() -> [Effect] {
    switch responseView {
    case .events: copyEvent()
    case .text: reading.raw?.selectedLine.map { copy($0) } ?? []
    case .table: copyCell()
    case .tree: copyFromTree()
    }
  }

  private mutating func copyCell() -> [Effect] {
    guard let table = reading.table, let column = table.selectedColumnIndex else { return [] }
    return copy(ResponseTable.text(of: table.value(row: table.list.selected, column: column)))
  }

  private mutating func copyFromTree() -> [Effect] {
    if case .problem(let error)? = shownTree.selectedRow?.content, response.errors.indices.contains(error) {
      return copy(response.errors[error].message)
    }
    guard let value = shownTree.value(ofRow: shownTree.list.selected) else { return [] }
    if value.kind != .object && value.kind != .array { return copy(value.string ?? value.description) }
    let path = shownTree.path(ofRow: shownTree.list.selected)
    return [.copy(SharedJSON(value, without: shownTree.hidden?.beneath(path)))]
  }

  mutating func copyPath() -> [Effect] {
    switch responseView {
    case .events: return []
    case .text:
      return reading.raw.flatMap { raw in
        raw.text.map { [.findPlace($0, line: raw.list.selected, copies: true)] }
      } ?? []
    case .table:
      guard let table = reading.table else { return [] }
      let path = ResponsePath(table.listPath.components + [.index(table.item(ofRow: table.list.selected))])
      return copy(path.description)
    case .tree: return copy(shownTree.path(ofRow: shownTree.list.selected).description)
    }
  }

  /// The link in the selected row of the response.
  var selectedLink: String? {
    let text: String?
    if let table = reading.table {
      text = table.selectedColumnIndex.flatMap { table.value(row: table.list.selected, column: $0)?.string }
    } else if let raw = reading.raw {
      text = raw.text?.line(raw.list.selected)
    } else {
      text = shownTree.value(ofRow: shownTree.list.selected)?.string
    }
    return text.flatMap(Link.first)
  }

  /// Leaves what is shown of the response beyond the tree: the last of it first.
  mutating func clearReading() -> [Effect] {
    if responseView == .events, reading.events?.filter.isEmpty == false {
      reading.events?.clearFilter()
      return []
    }
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

  mutating func acceptPrompt() -> [Effect] {
    let prompt = reading.prompt
    reading.prompt = nil
    switch prompt {
    case .search: if reading.search.text.isEmpty { reading.search = ResponseSearch() }
    case .filter:
      remember(reading.filter.text)
      if reading.filter.text.isEmpty { reading.filter.result = nil }
    case .path: jump(to: reading.pathInput.text)
    case .events, nil: break
    }
    return []
  }

  mutating func closePrompt() -> [Effect] {
    let prompt = reading.prompt
    reading.prompt = nil
    switch prompt {
    case .search: reading.search = ResponseSearch()
    case .filter:
      reading.filter.input = LineEditor()
      reading.filter.result = nil
      reading.filter.message = nil
    case .events: reading.events?.clearFilter()
    case .path, nil: break
    }
    return []
  }

  /// Through the filters that were used before, or through the matches.
  mutating func stepInPrompt(by step: Int) -> [Effect] {
    switch reading.prompt {
    case .filter: walkHistory(by: -step)
    case .search: goToMatch(by: step)
    case .path, .events, nil: []
    }
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

  mutating func goToMatch(by step: Int) -> [Effect] {
    let count = reading.search.count
    guard count > 0 else { return [] }
    reading.search.index = (reading.search.index + step + count) % count
    if let lines = reading.raw?.lineCount {
      let line = reading.search.lines[reading.search.index]
      reading.raw?.list.select(line, count: lines)
    } else {
      reveal(reading.search.matches[reading.search.index])
    }
    return []
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

  mutating func comparePrevious() -> [Effect] {
    reading.isComparing.toggle()
    response.compare(with: reading.isComparing ? reading.previousData : nil)
    let count = response.rows.count(where: \.isFresh)
    if reading.isComparing {
      notice = Notice(
        count == 0 ? "Nothing in view differs from the run before" : "What differs from the run before is marked")
    }
    return []
  }

  // MARK: Table

  /// The list to show: the one around the selected row, else the one that is paged, else the first of objects.
  var tablePath: ResponsePath? {
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

  mutating func toggleTable() -> [Effect] {
    if let table = reading.table {
      reading.table = nil
      shownTree.reveal(ResponsePath(table.listPath.components + [.index(table.item(ofRow: table.list.selected))]))
    } else if let path = tablePath {
      reading.raw = nil
      reading.table = ResponseTable(of: shownData, at: path)
    }
    return []
  }

  mutating func changeTable(_ change: (inout ResponseTable) -> Void) -> [Effect] {
    if var table = reading.table {
      change(&table)
      reading.table = table
    }
    return []
  }

  mutating func exportTable() -> [Effect] {
    let effects = focus == .response ? [] : focus(on: .response)
    return effects + present(.export(ExportState()))
  }
}
