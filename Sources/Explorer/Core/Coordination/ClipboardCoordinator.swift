import ApusFormatting

/// Coordinates copying between editors, panes and the clipboard.
extension ExplorerState {
  mutating func copyOrCancel() -> [Effect] {
    if popups.isEmpty || popups.isCompleting, let text = editor?.selectedText, !text.isEmpty { return copy(text) }
    if tab.response.isBusy { return cancelWork() }
    showNotice("There is no selection and no running request. Ctrl-Q quits")
    return []
  }

  mutating func copy(_ text: String, because reason: String? = nil) -> [Effect] {
    typing.copied(text, isOfHeaders: screen.focus == .headers && tab.editors.headers.text.contains(text))
    return [.exchange(.putOnClipboard(text, reason: reason))]
  }

  /// Reports the method that put the text on the clipboard, and whether it is confirmed.
  mutating func copied(_ text: String, _ way: ClipboardMethod, because reason: String?) -> [Effect] {
    // A line end at the end of the text ends its last line.
    let lines = text.utf8.dropLast().count { $0 == 10 } + 1
    let amount = lines > 1 ? DisplayFormat.plural(lines, "line") : DisplayFormat.plural(text.count, "character")
    let words = reason ?? "Copied \(amount)"
    let kind = reason == nil ? Notice.Kind.information : .warning
    switch way {
    case .program(let name): showNotice("\(words) (\(name))", kind)
    case .terminal where text.utf8.count > ClipboardMethod.terminalLimit:
      showNotice("Too large for the terminal's clipboard: save the response instead", .warning)
    case .terminal:
      showNotice("\(words), if the terminal allows clipboard access", kind)
      return [.screen(.writeClipboard(text))]
    case .none:
      showNotice("Not copied: the terminal has no clipboard, and tmux, wl-copy and xclip are not available", .warning)
    }
    return []
  }
}
