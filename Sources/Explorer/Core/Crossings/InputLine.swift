import ApusExplorerText

/// The line that is typed into, wherever it is: one way to write it, and what follows when it says something else. This
/// crosses rooms: a line may be a popup's, the cache's or the response's.
extension ExplorerState {
  /// The line that has the cursor; `nil` where none has.
  package var inputLine: LineEditor? {
    get {
      if let popup = popups.last { return popup.state.line }
      if screen.focus == .cache { return cache.inputLine }
      return screen.focus == .response ? tab.response.inputLine : nil
    }
    set {
      guard let line = newValue else { return }
      if var popup = popups.last {
        popup.state.line = line
        popups.replaceLast(with: popup)
        return
      }
      if screen.focus == .cache { cache.inputLine = line }
      if screen.focus == .response { tab.response.inputLine = line }
    }
  }

  /// `nil` where no line is typed into, and for commands that mean something else there.
  mutating func invokeInInput(_ command: Command) -> [Effect]? {
    guard let line = inputLine else { return nil }
    if command == .paste { return pasteText(typing.clipboard) }
    if command == .deleteBackward, line.isEmpty { return leaveEmptyInput() }
    var changed = line
    guard let asked = command.text, changed.perform(asked) else { return nil }
    return editInput { $0 = changed }
  }

  mutating func typeInInput(_ text: String) -> [Effect] { editInput { $0.insert(text) } }

  /// A line has no line ends: what is pasted into one goes on behind a blank.
  mutating func pasteInInput(_ text: String) -> [Effect] {
    if (popups.last?.state as? LineState)?.purpose == .importedRequest { return typeInInput(text) }
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
    askPopup { $0.lineChanged(in: $1) } ?? paneInputChanged()
  }

  private mutating func paneInputChanged() -> [Effect] {
    follow(screen.focus == .cache ? cache.inputChanged() : tab.response.inputChanged())
  }

  /// Backspace where nothing is typed leads back, as in vim.
  private mutating func leaveEmptyInput() -> [Effect] {
    if let effects = askPopup({ $0.leaveEmptyLine(in: $1) }) { return effects }
    if screen.focus == .cache { cache.leaveEmptyInput() }
    return []
  }
}
