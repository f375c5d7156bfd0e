import ApusExplorerText

/// The vim grammar over the text of a pane.
extension Typing {
  /// Does something in the grammar and in a text; what the grammar cannot do itself comes back as its outcome.
  mutating func withVim(
    in pane: PaneID, of texts: inout Texts, rows: Int,
    _ press: (inout VimState, inout Editor, VimState.Surroundings) -> VimState.Outcome
  ) -> (outcome: VimState.Outcome, effects: [Effect]) {
    guard var machine = vim else { return (.done, []) }
    machine.isInHeaders = pane == .headers
    let surroundings = VimState.Surroundings(rows: rows, clipboard: asPasted(clipboard, in: pane))
    var outcome = VimState.Outcome.done
    let effects = texts.edit(pane) { outcome = press(&machine, &$0, surroundings) }
    vim = machine
    return (outcome, effects)
  }

  /// Where editing goes back to the normal mode: in another pane nobody is in the midst of typing.
  mutating func leaveVimModes(in pane: PaneID, of texts: inout Texts, rows: Int) {
    guard let vim, vim.mode != .normal || !vim.pendingText.isEmpty else { return }
    _ = withVim(in: pane, of: &texts, rows: rows) { $0.press(.control(.leave), in: &$1, $2) }
  }

  /// The search line was accepted: an operator may be waiting for where it leads.
  mutating func searchInVim(
    _ text: String, isBackward: Bool, in pane: PaneID, of texts: inout Texts, rows: Int
  ) -> [FollowUp] {
    guard let vim else { return [] }
    let wanted = text.isEmpty ? vim.search?.text ?? "" : text
    var isFound = false
    let (_, effects) = withVim(in: pane, of: &texts, rows: rows) { machine, editor, surroundings in
      isFound = machine.searched(wanted, isBackward: isBackward, in: &editor, surroundings)
      return .done
    }
    let notice: [FollowUp] = isFound ? [] : [.tell("\"\(wanted)\" is nowhere else in the text", .warning)]
    return effects.map { .effect($0) } + notice
  }
}
