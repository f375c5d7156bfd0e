import ExplorerText

/// The line that is typed into, wherever it is: one way to write it, and what follows when it says something else.
extension ExplorerState {
  /// The line that has the cursor; `nil` where none has.
  package var inputLine: LineEditor? {
    get {
      switch popups.last {
      case .help(let help): return help.input
      case .palette(let palette): return palette.input
      case .line(let line): return line.input
      case .picker(let picker): return picker.input
      case .find(let find): return find.isInReplacement ? find.replacementInput : find.patternInput
      case .schema(let schema): return schema.input
      case .some: return nil
      case nil: break
      }
      switch focus {
      case .cache: return cache.edit?.input ?? (cache.isFiltering ? cache.filterInput : nil)
      case .response:
        switch reading.prompt {
        case .search: return reading.search.input
        case .filter: return reading.filter.input
        case .path: return reading.pathInput
        case .events: return reading.events?.filterInput
        case nil: return nil
        }
      case .query, .variables, .headers, .deferred: return nil
      }
    }
    set {
      guard let line = newValue else { return }
      if let popup = popups.last {
        popups[popups.count - 1] = popup.with(line)
        return
      }
      switch focus {
      case .cache: if cache.edit != nil { cache.edit?.input = line } else { cache.filterInput = line }
      case .response:
        switch reading.prompt {
        case .search: reading.search.input = line
        case .filter: reading.filter.input = line
        case .path: reading.pathInput = line
        case .events: reading.events?.filterInput = line
        case nil: break
        }
      case .query, .variables, .headers, .deferred: break
      }
    }
  }

  /// `nil` where no line is typed into, and for commands that mean something else there.
  mutating func invokeInInput(_ command: Command) -> [Effect]? {
    guard let line = inputLine else { return nil }
    if command == .paste { return pasteText(clipboard) }
    if command == .deleteBackward, line.isEmpty { return leaveEmptyInput() }
    var changed = line
    guard let asked = command.text, changed.perform(asked) else { return nil }
    return editInput { $0 = changed }
  }

  mutating func typeInInput(_ text: String) -> [Effect] { editInput { $0.insert(text) } }

  /// A line has no line ends: what is pasted into one goes on behind a blank.
  mutating func pasteInInput(_ text: String) -> [Effect] {
    if case .line(let line) = popups.last, line.purpose == .importedRequest { return typeInInput(text) }
    let lines = text.split(whereSeparator: \.isNewline)
    return typeInInput(lines.joined(separator: " "))
  }

  private mutating func editInput(_ change: (inout LineEditor) -> Void) -> [Effect] {
    guard let before = inputLine else { return [] }
    var line = before
    change(&line)
    inputLine = line
    return line.text == before.text ? [] : inputChanged()
  }

  /// What depends on the text of the line.
  private mutating func inputChanged() -> [Effect] {
    switch popups.last {
    case .help(var help):
      help.scroll = 0
      popups[popups.count - 1] = .help(help)
    case .palette(var palette):
      palette.list = ListCursor()
      popups[popups.count - 1] = .palette(palette)
    case .picker(let picker): return filterChanged(picker)
    case .find(let find): if !find.isInReplacement { searchText() }
    case .schema(let schema): return searchSchema(schema)
    case .some: break
    case nil: return paneInputChanged()
    }
    return []
  }

  private mutating func paneInputChanged() -> [Effect] {
    if focus == .cache {
      guard cache.edit == nil else { return [] }
      cache.list = ListCursor()
      return [listing]
    }
    switch reading.prompt {
    case .search: return searchEffects()
    case .filter: return filterEffects()
    case .events: reading.events?.filterChanged()
    case .path, nil: break
    }
    return []
  }

  /// Backspace where nothing is typed leads back, as in vim.
  private mutating func leaveEmptyInput() -> [Effect] {
    switch popups.last {
    case .line: popups.removeLast()
    case .palette(let palette) where palette.isCommandLine: popups.removeLast()
    case .schema(let schema): return goBackInSchema(schema)
    case nil where focus == .cache && cache.edit == nil: cache.isFiltering = false
    default: break
    }
    return []
  }
}

extension Popup {
  /// The popup with another text in its line.
  fileprivate func with(_ line: LineEditor) -> Popup {
    switch self {
    case .help(var help):
      help.input = line
      return .help(help)
    case .palette(var palette):
      palette.input = line
      return .palette(palette)
    case .line(var state):
      state.input = line
      return .line(state)
    case .picker(var picker):
      picker.input = line
      return .picker(picker)
    case .find(var find):
      if find.isInReplacement { find.replacementInput = line } else { find.patternInput = line }
      return .find(find)
    case .schema(var schema):
      schema.input = line
      return .schema(schema)
    default: return self
    }
  }
}
