/// Performs a command: in the input line, in the topmost popup, or in a feature.
extension ExplorerState {
  /// Runs a command, or reports why it is disabled.
  mutating func invoke(_ command: Command) -> [Effect] {
    if let effects = invokeInInput(command) { return effects }
    if let reason = reason(against: command) {
      showNotice(reason, .warning)
      return []
    }
    if let effects = sendToPopup({ $0.perform(command, in: $1) }) { return effects }
    // A command that changes the word updates its completions; any other command closes them.
    if ![.deleteBackward, .complete, .completeOrIndent].contains(command) { popups.closeCompletion() }
    if ![.expandSelection, .shrinkSelection].contains(command) { typing.selectionsBefore = [] }
    return command.action(&self)
  }

  mutating func quit() -> [Effect] {
    isQuitting = true
    return tab.response.run?.isActive == true ? cancelWork() : []
  }
}
