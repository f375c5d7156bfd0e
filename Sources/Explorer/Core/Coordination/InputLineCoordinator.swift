import ApusExplorerText

/// Coordinates the input line of a popup, the cache or the response: it is edited in one way, and changes to its text
/// are passed on to its owner.
extension ExplorerState {
  /// The focused input line; `nil` if there is none.
  package var inputLine: LineEditor? {
    get {
      if let popup = popups.last { return popup.state.line }
      return paneInput
    }
    set {
      guard let line = newValue else { return }
      if var popup = popups.last {
        popup.state.line = line
        popups.replaceLast(with: popup)
        return
      }
      setPaneInput(line)
    }
  }

  /// Whether a key with a character is text: in an input line, and in an editor unless it is a command of the Vim keys.
  package var typesText: Bool {
    if inputLine != nil { return true }
    guard popups.isEmpty || popups.isCompleting, screen.focus.isEditor else { return false }
    guard let vim = typing.vim else { return true }
    return vim.mode == .insert || vim.waiting != nil
  }

  /// Performs a command in the input line; returns `nil` if there is none or the command has another meaning there.
  mutating func invokeInInput(_ command: Command) -> [Effect]? {
    guard let line = inputLine else { return nil }
    if command == .paste { return pasteText(typing.clipboard) }
    if command == .deleteBackward, line.isEmpty { return leaveEmptyInput() }
    var changed = line
    guard let requested = command.text, changed.perform(requested) else { return nil }
    return editInput { $0 = changed }
  }

  mutating func typeInInput(_ text: String) -> [Effect] { editInput { $0.insert(text) } }

  /// Inserts pasted text. An input line has no line breaks, so lines are joined with spaces, except where each becomes a rule.
  mutating func pasteInInput(_ text: String) -> [Effect] {
    let top = popups.last?.state
    if (top as? LinePopup)?.purpose == .importedRequest || top is RulesPopup { return typeInInput(text) }
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

  /// Passes the changed text to the owner of the line.
  private mutating func inputChanged() -> [Effect] {
    sendToPopup { $0.lineChanged(in: $1) } ?? paneInputChanged()
  }

  /// Closes an empty input line on Backspace, as in vim.
  private mutating func leaveEmptyInput() -> [Effect] {
    if let effects = sendToPopup({ $0.leaveEmptyLine(in: $1) }) { return effects }
    leaveEmptyPaneInput()
    return []
  }
}
