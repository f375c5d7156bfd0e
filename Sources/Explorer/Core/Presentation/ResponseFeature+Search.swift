import ApusExplorerText
import ApusJSON

/// The prompt below the response: search, filter and path.
extension ResponseFeature {
  /// Starts a search, or in an event list a filter of the events.
  mutating func beginSearch() {
    if view == .events {
      reading.prompt = .events
    } else {
      reading.prompt = .search
      reading.search = ResponseSearch()
    }
  }

  mutating func beginFilter() -> [FollowUp] {
    reading.prompt = .filter
    reading.filter.historyIndex = nil
    return []
  }

  mutating func beginRowFilter() -> [FollowUp] {
    reading.prompt = .rows
    return []
  }

  mutating func beginPath() -> [FollowUp] {
    reading.prompt = .path
    reading.pathInput = LineEditor()
    return []
  }

  // MARK: Input line

  /// The input line of the prompt; nil if there is no prompt.
  var inputLine: LineEditor? {
    get {
      switch reading.prompt {
      case .search: reading.search.input
      case .filter: reading.filter.input
      case .path: reading.pathInput
      case .events: reading.events?.filterInput
      case .rows: reading.table?.filterInput
      case nil: nil
      }
    }
    set {
      guard let newValue else { return }
      switch reading.prompt {
      case .search: reading.search.input = newValue
      case .filter: reading.filter.input = newValue
      case .path: reading.pathInput = newValue
      case .events: reading.events?.filterInput = newValue
      case .rows: reading.changeTable { $0.filterInput = newValue }
      case nil: break
      }
    }
  }

  mutating func inputChanged() -> [FollowUp] {
    switch reading.prompt {
    case .search: return search()
    case .filter: return filter()
    case .events: reading.events?.filterChanged()
    case .rows: reading.changeTable { $0.filterChanged() }
    case .path, nil: break
    }
    return []
  }

  mutating func acceptPrompt() -> [FollowUp] {
    let prompt = reading.prompt
    reading.prompt = nil
    switch prompt {
    case .search: if reading.search.text.isEmpty { reading.search = ResponseSearch() }
    case .filter:
      reading.filter.remember()
      if reading.filter.text.isEmpty { reading.filter.result = nil }
    case .path: return jump(to: reading.pathInput.text)
    case .events, .rows, nil: break
    }
    return []
  }

  mutating func closePrompt() -> [FollowUp] {
    let prompt = reading.prompt
    reading.prompt = nil
    switch prompt {
    case .search: reading.search = ResponseSearch()
    case .filter: reading.filter.clear()
    case .events: reading.events?.clearFilter()
    case .rows: reading.changeTable { $0.clearFilter() }
    case .path, nil: break
    }
    return []
  }

  /// Steps through the filter history or through the search matches.
  mutating func stepInPrompt(by step: Int) -> [FollowUp] {
    switch reading.prompt {
    case .filter:
      guard !reading.filter.history.isEmpty else { return [] }
      reading.filter.walkHistory(by: -step)
      return filter()
    case .search: return goToMatch(by: step)
    case .path, .events, .rows, nil: return []
    }
  }

  // MARK: Search

  mutating func search() -> [FollowUp] {
    reading.search.version += 1
    reading.search.matches = []
    reading.search.lines = []
    reading.search.index = 0
    // The result of a search that is still running is dropped.
    reading.search.isSearching = false
    if case .text(let raw) = view {
      // Text that is still being formatted is searched when it is ready.
      guard reading.search.isActive, let text = raw.text else { return [] }
      reading.search.isSearching = true
      return [.effect(.reading(.searchLines(reading.search.text, text, version: reading.search.version)))]
    }
    guard reading.search.isActive, let data = shownData else { return [] }
    reading.search.isSearching = true
    return [.effect(.reading(.search(reading.search.text, data, version: reading.search.version)))]
  }

  mutating func goToMatch(by step: Int) -> [FollowUp] {
    let count = reading.search.count
    guard count > 0 else { return [] }
    reading.search.index = (reading.search.index + step + count) % count
    reading.search.isToBeShown = true
    if case .text = view {
      list.select(reading.search.lines[reading.search.index], count: rowCount)
    } else {
      reveal(reading.search.matches[reading.search.index])
    }
    return []
  }

  // MARK: Filter

  mutating func filter() -> [FollowUp] {
    reading.filter.version += 1
    reading.filter.message = nil
    guard reading.filter.isActive, content == .data, let data = tree.data else {
      reading.filter.isRunning = false
      reading.filter.result = nil
      return []
    }
    reading.filter.isRunning = true
    let shared = VisibleJSON(data, without: tree.hidden)
    return [.effect(.reading(.filter(reading.filter.text, shared, version: reading.filter.version)))]
  }

  /// Repeats the filter or the search on the current response.
  mutating func rereadResponse() -> [FollowUp] {
    if reading.filter.isActive { return filter() }
    return reading.search.isActive ? search() : []
  }

  mutating func receive(_ answer: ResponseAction) -> [FollowUp] {
    switch answer {
    case .matchesFound(let matches, let isCut, let version):
      guard version == reading.search.version, reading.raw == nil else { return [] }
      reading.search.isSearching = false
      reading.search.matches = matches
      reading.search.isCut = isCut
      reading.search.isToBeShown = !matches.isEmpty
      if let first = matches.first { reveal(first) }
    case .filtered(let value, let version):
      guard version == reading.filter.version, reading.filter.isActive else { return [] }
      reading.filter.isRunning = false
      reading.filter.message = nil
      var result = ResponseTree()
      result.show(ResponseTree.Content(data: value.value))
      reading.filter.result = result
      if case .table = view { reading.view = .tree }
      return reading.search.isActive ? search() : []
    case .filterFailed(let message, let version):
      guard version == reading.filter.version else { return [] }
      reading.filter.isRunning = false
      // The last output of the filter stays visible while the user types.
      reading.filter.message = message
    case .tableSorted(let order, let version): reading.changeTable { $0.sorted(order, version: version) }
    case .laidOut(let text, let line, let version): return laidOut(text, line: line, version)
    case .linesFound(let lines, let isCut, let version): linesFound(lines, isCut: isCut, version)
    case .pathFound(let path, let copies): return pathFound(path, copies: copies)
    case .differencesFound(let changes, let version): return differencesFound(changes, version: version)
    }
    return []
  }

  // MARK: Paths

  /// Selects a path such as `birds.edges[2].node.name`, with or without a leading dot.
  private mutating func jump(to text: String) -> [FollowUp] {
    var components: [PathComponent] = []
    for component in text.split(whereSeparator: { ".[]/".contains($0) }) {
      components.append(Int(component).map { .index($0) } ?? .key(String(component)))
    }
    guard !components.isEmpty else { return [] }
    let path = ResponsePath(components)
    guard shownTree.data?.value(at: path) != nil else {
      return [.notice("The response has no value at \(path)", .warning)]
    }
    reveal(path)
    return []
  }
}

extension ResponseFilter {
  mutating func clear() {
    input = LineEditor()
    result = nil
    message = nil
  }

  fileprivate mutating func remember() {
    guard !text.isEmpty else { return }
    let used = text
    history.removeAll { $0 == used }
    history.append(used)
    if history.count > 100 { history.removeFirst() }
  }

  /// Shows another filter of the history.
  fileprivate mutating func walkHistory(by step: Int) {
    let index = (historyIndex ?? -1) + step
    guard index >= 0 else {
      historyIndex = nil
      input = LineEditor()
      return
    }
    let position = min(index, history.count - 1)
    historyIndex = position
    input = LineEditor(history[history.count - 1 - position])
  }
}
