/// What keys and pointers do in popups, and pointers in panes.
extension ExplorerState {
  /// `nil` when no popup takes the command.
  mutating func invokeInPopup(_ command: Command) -> [Effect]? {
    guard let popup = popups.last else { return nil }
    switch popup {
    case .help(let help): return invokeInHelp(command, help)
    case .traffic(let scroll): return invokeInTraffic(command, scroll: scroll)
    case .palette(let palette): return invokeInPalette(command, palette)
    case .line(let line): return invokeInLine(command, line)
    case .picker(let picker): return invokeInPicker(command, picker)
    case .difference(var difference):
      if let step = popupStep(of: command) {
        difference.list.move(by: step, count: difference.changes.count)
        popups[popups.count - 1] = .difference(difference)
        return []
      }
      switch command {
      case .popupClose: popups.removeLast()
      case .popupAccept:
        guard difference.changes.indices.contains(difference.list.selected) else { return [] }
        let path = difference.changes[difference.list.selected].path
        response.reveal(path)
        return focus(on: .response)
      default: return nil
      }
      return []
    case .completion(let completion): return invokeInCompletion(command, completion)
    case .find(let find): return invokeInFind(command, find)
    case .hover(let hover): return invokeInHover(command, hover)
    case .schema(let schema): return invokeInSchema(command, schema)
    case .form(let form): return invokeInForm(command, form)
    case .jump(let jump): return invokeInJump(command, jump)
    case .pagedLists(let choice): return invokeInPagedLists(command, choice)
    case .pagingOffers(let choice): return invokeInOffers(command, choice)
    case .export(let list): return invokeInExport(command, list)
    case .errors(let list): return invokeInErrors(command, list)
    case .confirmation(let confirmation):
      switch command {
      case .confirmYes, .popupAccept:
        popups.removeLast()
        return [confirmation.effect]
      case .confirmNo, .popupClose:
        popups.removeLast()
        return []
      default: return nil
      }
    }
  }

  func popupStep(of command: Command) -> Int? {
    switch command {
    case .popupUp: -1
    case .popupDown: 1
    case .popupPageUp: -8
    case .popupPageDown: 8
    case .popupFirst: -1_000_000
    case .popupLast: 1_000_000
    default: nil
    }
  }

  private mutating func invokeInHelp(_ command: Command, _ given: HelpState) -> [Effect]? {
    if let step = popupStep(of: command) {
      var help = given
      help.scroll = max(0, help.scroll + step)
      popups[popups.count - 1] = .help(help)
      return []
    }
    switch command {
    case .popupAccept, .popupClose, .showHelp:
      popups.removeLast()
    default: return nil
    }
    return []
  }

  private mutating func invokeInTraffic(_ command: Command, scroll: Int) -> [Effect]? {
    if let step = popupStep(of: command) {
      popups[popups.count - 1] = .traffic(scroll: max(0, scroll + step))
      return []
    }
    switch command {
    case .popupAccept, .popupClose, .showTraffic:
      popups.removeLast()
      return []
    default: return nil
    }
  }

  private mutating func invokeInPalette(_ command: Command, _ given: PaletteState) -> [Effect]? {
    var palette = given
    let entries = Command.palette(matching: palette.filter)
    if let step = popupStep(of: command) {
      palette.list.move(by: step, count: entries.count)
    } else {
      switch command {
      case .popupClose, .showPalette:
        popups.removeLast()
        return []
      case .popupAccept:
        popups.removeLast()
        if palette.isCommandLine, let effects = doExCommand(palette.filter) { return effects }
        return entries.indices.contains(palette.list.selected) ? invoke(entries[palette.list.selected]) : []
      default: return nil
      }
    }
    popups[popups.count - 1] = .palette(palette)
    return []
  }

  private mutating func invokeInCompletion(_ command: Command, _ given: CompletionState) -> [Effect]? {
    var completion = given
    if let step = popupStep(of: command) {
      completion.list.move(by: step, count: completion.items.count)
      completion.isAsked = true
      popups[popups.count - 1] = .completion(completion)
      return []
    }
    switch command {
    case .popupAccept:
      popups.removeLast()
      return completion.selected.map { accept($0) } ?? []
    case .acceptOrNewline:
      if completion.isAsked { return invokeInCompletion(.popupAccept, completion) }
      popups.removeLast()
      return edit(.insertNewline)
    case .popupClose:
      popups.removeLast()
      return []
    default: return nil
    }
  }

  mutating func handlePointer(_ action: Action) -> [Effect] {
    switch action {
    case .paneClicked(let pane):
      return focus(on: pane)
    case .textClicked(let pane, let position, let extending):
      let effects = focus(on: pane)
      changeEditor { $0.place(position, selecting: extending) }
      return effects
    case .wordClicked(let pane, let position):
      let effects = focus(on: pane)
      changeEditor { $0.selectWord(at: position) }
      return effects
    case .rowClicked(let pane, let row, let onFold):
      return clickRow(row, in: pane, onFold: onFold)
    case .popupRowClicked(let row):
      return clickPopupRow(row)
    case .scrolled(let pane, let lines):
      scroll(pane, by: lines)
      return []
    case .popupScrolled(let lines):
      return invoke(lines > 0 ? .popupDown : .popupUp)
    default: return []
    }
  }

  private mutating func clickRow(_ row: Int, in pane: PaneID, onFold: Bool) -> [Effect] {
    let wasFocused = focus == pane
    let effects = focus(on: pane)
    switch pane {
    case .response:
      if isShowingEvents, let events = reading.events {
        let isAgain = wasFocused && events.list.selected == row
        reading.events?.list.select(row, count: events.shown.count)
        if isAgain { return effects + openEvent() }
      } else if let count = reading.raw?.lineCount {
        reading.raw?.list.select(row, count: count)
      } else if let count = reading.table?.count {
        reading.table?.list.select(row, count: count)
      } else {
        shownTree.list.select(row, count: shownTree.rows.count)
        if onFold { shownTree.toggleFold(row) }
      }
    case .deferred:
      let isAgain = wasFocused && rail.selected == row
      rail.select(row, count: run?.fragments.count ?? 0)
      if isAgain { return openRow() }
    case .cache:
      if let opened = cache.opened {
        let isAgain = wasFocused && cache.recordList.selected == row
        cache.recordList.select(row, count: opened.rowCount)
        if isAgain { return openRow() }
      } else {
        let isAgain = wasFocused && cache.list.selected == row
        cache.list.select(row, count: cache.records.count)
        if isAgain { return openRow() }
      }
    case .query, .variables, .headers: break
    }
    return effects
  }

  private mutating func clickPopupRow(_ row: Int) -> [Effect] {
    switch popups.last {
    case .palette(var palette):
      palette.list.select(row, count: Command.palette(matching: palette.filter).count)
      popups[popups.count - 1] = .palette(palette)
    case .completion(var completion):
      completion.list.select(row, count: completion.items.count)
      popups[popups.count - 1] = .completion(completion)
    case .form(var form):
      form.list.select(row, count: form.rows.count)
      popups[popups.count - 1] = .form(form)
      return invoke(.toggleFold)
    case .schema(var schema):
      schema.list.select(row, count: schema.rows.count)
      popups[popups.count - 1] = .schema(schema)
    case .pagedLists(var choice):
      choice.list.select(row, count: choice.lists.count)
      popups[popups.count - 1] = .pagedLists(choice)
    case .pagingOffers(var choice):
      choice.list.select(row, count: choice.offers.count)
      popups[popups.count - 1] = .pagingOffers(choice)
    case .export(var list):
      list.select(row, count: ResponseTable.Format.allCases.count)
      popups[popups.count - 1] = .export(list)
    case .errors(var list):
      list.select(row, count: run?.errors.count ?? 0)
      popups[popups.count - 1] = .errors(list)
    case .picker(var picker):
      picker.list.select(row, count: picker.shown.count)
      popups[popups.count - 1] = .picker(picker)
    default: return []
    }
    return invoke(.popupAccept)
  }

  private mutating func scroll(_ pane: PaneID, by lines: Int) {
    let rows = viewportRows(pane)
    switch pane {
    case .query:
      query.scroll.line = min(max(0, query.scroll.line + lines), max(0, query.buffer.lineCount - 1))
      query.keepCursorInView(rows: rows)
    case .variables:
      variables.scroll.line = min(max(0, variables.scroll.line + lines), max(0, variables.buffer.lineCount - 1))
      variables.keepCursorInView(rows: rows)
    case .response:
      if isShowingEvents, let count = reading.events?.shown.count {
        reading.events?.list.scroll(by: lines, count: count, height: rows)
      } else if let count = reading.raw?.lineCount {
        reading.raw?.list.scroll(by: lines, count: count, height: rows)
      } else if let count = reading.table?.count {
        reading.table?.list.scroll(by: lines, count: count, height: rows - 1)
      } else {
        shownTree.list.scroll(by: lines, count: shownTree.rows.count, height: rows)
      }
    case .headers:
      headers.scroll.line = min(max(0, headers.scroll.line + lines), max(0, headers.buffer.lineCount - 1))
      headers.keepCursorInView(rows: rows)
    case .deferred: rail.scroll(by: lines, count: run?.fragments.count ?? 0, height: rows)
    case .cache:
      if let opened = cache.opened {
        cache.recordList.scroll(by: lines, count: opened.rowCount, height: rows)
      } else {
        cache.list.scroll(by: lines, count: cache.records.count, height: rows)
      }
    }
  }
}

extension String {
  /// How far apart the letters of `wanted` stand in this text, in their order; `nil` when they do not all occur.
  package func subsequenceScore(of wanted: String) -> Int? {
    if let range = firstRange(of: wanted) { return distance(from: startIndex, to: range.lowerBound) - 1000 }
    var score = 0
    var rest = wanted[...]
    var gap = 0
    for character in self {
      guard let next = rest.first else { break }
      if character == next {
        rest = rest.dropFirst()
        score += gap
        gap = 0
      } else {
        gap += 1
      }
    }
    return rest.isEmpty ? score : nil
  }
}
