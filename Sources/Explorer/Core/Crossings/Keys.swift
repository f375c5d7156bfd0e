import ApusExplorerText

/// What a command is to: a line that is typed, the innermost popup, or the rooms. This crosses rooms.
extension ExplorerState {
  /// Does what a command asks, or says why it cannot.
  mutating func invoke(_ command: Command) -> [Effect] {
    if let effects = invokeInInput(command) { return effects }
    if let reason = reason(against: command) {
      tell(reason, .warning)
      return []
    }
    if let effects = askPopup({ $0.perform(command, in: $1) }) { return effects }
    // What changes the word goes on completing it; anything else is done with it.
    if ![.deleteBackward, .complete, .completeOrIndent].contains(command) { popups.closeCompletion() }
    if ![.expandSelection, .shrinkSelection].contains(command) { typing.selectionsBefore = [] }
    return command.action(&self)
  }

  mutating func toggleVimKeys() -> [Effect] {
    leaveVimModes()
    typing.vim = typing.vim == nil ? VimState() : nil
    tell(typing.vim == nil ? "Vim keys are off" : "Vim keys are on")
    return []
  }

  mutating func quit() -> [Effect] {
    isQuitting = true
    return tab.response.run?.isActive == true ? cancelWork() : []
  }

  /// Goes to a pane: what lies over the panes is closed, and nobody is in the midst of typing there.
  mutating func focus(on pane: PaneID) -> [Effect] {
    if pane != screen.focus {
      leaveVimModes()
      if screen.focus == .headers { connection.leftHeaders(headers) }
      if pane == .headers { connection.wentToHeaders(headers) }
    }
    screen.focus(on: pane)
    popups.closeAll()
    return []
  }

  mutating func copyOrCancel() -> [Effect] {
    if popups.isEmpty || popups.isCompleting, let text = editor?.selectedText, !text.isEmpty { return copy(text) }
    if tab.response.isBusy { return cancelWork() }
    tell("Nothing is selected and nothing runs. Ctrl-Q quits")
    return []
  }

  /// Leaves what lies on top, one thing at a time: a popup, cursors, a search, a filter, a table, a selection, the zoom.
  /// What runs goes on.
  mutating func leave() -> [Effect] {
    if !popups.isEmpty {
      popups.closeLast()
      return []
    }
    if editor?.otherSelections.isEmpty == false {
      changeText { $0.leaveOneCursor() }
      return []
    }
    let isCacheFiltered = cache.inputLine != nil || !cache.filter.isEmpty && cache.openedKey == nil
    if screen.focus == .cache, isCacheFiltered { return follow(cache.clearFilter()) }
    if screen.focus == .response, tab.response.isBeyondTree { return follow(tab.response.leaveReading()) }
    if let editor, editor.hasSelection {
      changeText { $0.place(editor.cursor) }
      return []
    }
    if screen.arrangement.isZoomed { return follow(screen.changeArrangement { $0.isZoomed = false }) }
    if tab.response.isBusy { tell("Ctrl-C cancels what runs") }
    return []
  }

  mutating func copy(_ text: String, because reason: String? = nil) -> [Effect] {
    typing.copied(text, isOfHeaders: screen.focus == .headers && tab.texts.headers.text.contains(text))
    return [.putOnClipboard(text, reason: reason)]
  }

  /// Says how the text got to the clipboard, and what of that is certain.
  mutating func copied(_ text: String, _ way: ClipboardWay, because reason: String?) -> [Effect] {
    let lines = text.utf8.count { $0 == 10 } + 1
    let amount = lines > 1 ? "\(lines) lines" : "\(text.count) characters"
    let words = reason ?? "Copied \(amount)"
    let kind = reason == nil ? Notice.Kind.information : .warning
    switch way {
    case .program(let name): tell("\(words) (\(name))", kind)
    case .terminal where text.utf8.count > ClipboardWay.terminalLimit:
      tell("This is more than a terminal takes for its clipboard: save the response instead", .warning)
    case .terminal:
      tell("\(words), if the terminal lets programs do so", kind)
      return [.screen(.writeClipboard(text))]
    case .none:
      tell("Not copied: this terminal has no clipboard, and neither tmux, wl-copy nor xclip takes it", .warning)
    }
    return []
  }
}
