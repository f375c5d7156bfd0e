/// Performs a command: in the input line, in the topmost popup, or in a feature.
extension ExplorerState {
  /// Runs a command, or reports why it is disabled.
  mutating func invoke(_ command: Command) -> [Effect] {
    if let effects = invokeInInput(command) { return effects }
    if let reason = reason(against: command) {
      showNotice(reason, .warning)
      return []
    }
    // Esc rejects the proposals, in the list and after the cursor.
    if command == .popupClose || command == .close { typing.ghost = nil }
    if let effects = sendToPopup({ $0.perform(command, in: $1) }) { return effects }
    // A command that changes the word updates its completions; any other command closes them.
    if ![.deleteBackward, .complete, .completeOrIndent].contains(command) { popups.closeCompletion() }
    if ![.expandSelection, .shrinkSelection].contains(command) { typing.selectionsBefore = [] }
    return command.action(&self)
  }

  mutating func quit(isConfirmed: Bool = false) -> [Effect] {
    let lost = isUnsavedSession && !isConfirmed ? tabs.all.filter(\.hasTypedText) : []
    if !lost.isEmpty {
      if (popups.last?.state as? ConfirmationPopup)?.confirmation == .send(.quitConfirmed) { return [] }
      let tabs = lost.count == 1 ? "the text of \(lost[0].title ?? "the tab")" : "the text of \(lost.count) tabs"
      return present(
        ConfirmationPopup(
          question: "Quit and lose \(tabs)?",
          detail: "--fresh does not save the session; Ctrl-S saves a tab as a file.",
          confirmation: .send(.quitConfirmed)))
    }
    isQuitting = true
    return tab.response.run?.isActive == true ? cancelWork() : []
  }
}
