import ApusExplorerText

/// The vim keys in the editor of a pane.
extension TypingFeature {
  /// Performs an action with the vim keys in an editor. The outcome requests work that involves other features.
  mutating func withVim(
    in pane: PaneID, of editors: inout EditorFeature, rows: Int,
    _ press: (inout VimState, inout Editor, VimState.Surroundings) -> VimState.Outcome
  ) -> (outcome: VimState.Outcome, effects: [Effect]) {
    guard var machine = vim else { return (.done, []) }
    machine.isInHeaders = pane == .headers
    let surroundings = VimState.Surroundings(rows: rows, clipboard: asPasted(clipboard, in: pane))
    var outcome = VimState.Outcome.done
    let effects = editors.edit(pane) { outcome = press(&machine, &$0, surroundings) }
    vim = machine
    return (outcome, effects)
  }

  /// Returns to normal mode before another pane gets the focus.
  mutating func leaveVimModes(in pane: PaneID, of editors: inout EditorFeature, rows: Int) {
    guard let vim, vim.mode != .normal || !vim.pendingText.isEmpty else { return }
    _ = withVim(in: pane, of: &editors, rows: rows) { $0.press(.control(.leave), in: &$1, $2) }
  }

  /// Searches after the search line was accepted. A pending operator applies up to the match.
  mutating func searchInVim(
    _ text: String, isBackward: Bool, in pane: PaneID, of editors: inout EditorFeature, rows: Int
  ) -> [FollowUp] {
    guard let vim else { return [] }
    let pattern = text.isEmpty ? vim.search?.text ?? "" : text
    var isFound = false
    let (_, effects) = withVim(in: pane, of: &editors, rows: rows) { machine, editor, surroundings in
      isFound = machine.searched(pattern, isBackward: isBackward, in: &editor, surroundings)
      return .done
    }
    let notice: [FollowUp] = isFound ? [] : [.notice("\"\(pattern)\" does not occur elsewhere", .warning)]
    return effects.map { .effect($0) } + notice
  }
}
