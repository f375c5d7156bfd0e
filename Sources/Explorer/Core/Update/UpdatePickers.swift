import ApusExplorerText

/// Lists to choose from, and what choosing does.
extension ExplorerState {
  mutating func pickTheme() -> [Effect] {
    var picker = PickerState(
      .themes(before: theme),
      items: themes.enumerated().map {
        PickerItem(id: "\($0.offset)", title: $0.element, tone: $0.offset == theme ? .current : .plain)
      })
    picker.list.selected = theme
    return present(.picker(picker))
  }

  mutating func pickProfile() -> [Effect] {
    let items = profiles.map { choice in
      PickerItem(
        id: choice.name, title: choice.name, detail: choice.url, note: choice.isProduction ? "production" : "",
        tone: choice.isProduction ? .production : choice.name == profile ? .current : .plain)
    }
    var picker = PickerState(.profiles, items: items)
    picker.list.selected = profiles.firstIndex { $0.name == profile } ?? 0
    return present(.picker(picker))
  }

  mutating func pickTab() -> [Effect] {
    var picker = PickerState(
      .tabs,
      items: tabs.indices.map {
        PickerItem(id: "\($0)", title: title(ofTab: $0), tone: $0 == shownTab ? .current : .plain)
      })
    picker.list.selected = shownTab
    return present(.picker(picker))
  }

  mutating func showHistory() -> [Effect] {
    present(.picker(PickerState(.history, items: []))) + [.searchHistory("")]
  }

  // MARK: Answers

  mutating func receiveKeptAnswer(_ action: Action) -> [Effect] {
    switch action {
    case .connected(let choice):
      profile = choice.name
      endpoint = choice.url
      isProduction = choice.isProduction
      schema = .loading
      schemaNote = nil
      cache = CacheInspector()
      if let name = choice.theme, let index = themes.firstIndex(of: name) { theme = index }
      notice = Notice("\(choice.name): \(choice.url)", choice.isProduction ? .warning : .information)
      return [.loadSchema, listing]
    case .schemaNoted(let note): schemaNote = note
    case .historyRecorded:
      guard case .picker(let picker)? = popups.last, picker.purpose == .history else { return [] }
      return [.searchHistory(picker.filter)]
    case .historyFound(let entries, let filter):
      guard case .picker(var picker)? = popups.last, picker.purpose == .history, picker.filter == filter else {
        return []
      }
      // At the top one stays with what is newest; elsewhere with the run that was selected.
      let held = picker.list.selected > 0 ? picker.selected?.id : nil
      let place = held.flatMap { id in entries.firstIndex { $0.id == id } }
      picker.items = entries
      picker.list.select(place ?? picker.list.selected, count: entries.count)
      popups[popups.count - 1] = .picker(picker)
    case .historyOpened(let entry, let purpose): return open(entry, purpose)
    default: break
    }
    return []
  }

  mutating func open(_ entry: HistoryEntry, _ purpose: HistoryPurpose) -> [Effect] {
    switch purpose {
    case .compare:
      guard let before = entry.response, let after = response.data else {
        notice = Notice("There is no response to compare with", .warning)
        return []
      }
      let changes = ValueDifference.between(before, after, without: response.hidden)
      popups.append(.difference(DifferenceState(title: entry.operation, changes: changes)))
      return []
    case .runAgain where entry.endpoint != endpoint:
      popups.append(
        .confirmation(
          Confirmation(
            question: "Run it on \(endpoint)?", detail: "It ran on \(entry.endpoint).",
            effect: .answer(.runElsewhereConfirmed(entry)))))
      return []
    case .open, .runAgain, .runHere:
      var content = TabContent()
      content.cachePolicy = entry.cachePolicy
      content.query = Editor(entry.query, language: .graphQL)
      content.variables = Editor(entry.variables, language: .json)
      // A tab that holds nothing is used; what is being written is not taken away.
      if query.buffer.isEmpty, variables.buffer.isEmpty {
        query = content.query
        variables = content.variables
        cachePolicy = content.cachePolicy
      } else if query.text != entry.query || variables.text != entry.variables {
        addTab(content)
      } else {
        cachePolicy = entry.cachePolicy
      }
      if let data = entry.response, purpose == .open {
        response = ResponseTree()
        response.show(ResponseTree.Content(data: data))
      }
      let effects = focus(on: .query) + analysisEffects(for: .query)
      return purpose == .open ? effects : effects + runOperation()
    }
  }
}
