import ApusExplorerText

/// Text that is certain to follow, shown after the cursor until something else is typed: the rest of the only name that
/// matches (`span` after `wing`), or a required argument.
package struct GhostText: Equatable, Sendable {
  package let text: String
  let completion: Completion
  private let pane: PaneID
  private let version: Int
  private let cursor: TextPosition

  /// Returns nil if no text is certain.
  init?(_ proposals: [Completion], in pane: PaneID, _ editor: Editor) {
    let rest = editor.buffer.line(editor.cursor.line).utf8.dropFirst(editor.cursor.column)
    // In the middle of a line, it would be drawn over existing text.
    guard rest.allSatisfy({ " )}]".utf8.contains($0) }), !editor.hasSelection, editor.otherSelections.isEmpty else {
      return nil
    }
    let certain = proposals.filter { proposal in
      guard proposal.replaces.upperBound == editor.cursor, !proposal.isDeprecated else { return false }
      let typed = editor.buffer.text(in: proposal.replaces)
      if typed.isEmpty { return proposal.kind == "argument" && proposal.type?.hasSuffix("!") == true }
      return proposal.label.hasPrefix(typed)
    }
    guard certain.count == 1, let only = certain.first else { return nil }
    let typed = editor.buffer.text(in: only.replaces)
    guard only.insertText.hasPrefix(typed), only.insertText != typed, !only.insertText.contains("\n") else {
      return nil
    }
    text = String(only.insertText.dropFirst(typed.count))
    completion = only
    self.pane = pane
    version = editor.version
    cursor = editor.cursor
  }

  /// Whether the ghost text belongs to the current text and cursor.
  func isOf(_ editor: Editor, in pane: PaneID) -> Bool {
    self.pane == pane && version == editor.version && cursor == editor.cursor && !editor.hasSelection
      && editor.otherSelections.isEmpty
  }
}

extension TypingFeature {
  /// Returns the ghost text to show in an editor; nil if there is none or the vim keys are not in insert mode.
  package func ghostText(of editor: Editor?, in pane: PaneID) -> GhostText? {
    guard showsGhostText, let editor, let ghost, ghost.isOf(editor, in: pane), vim.map({ $0.mode == .insert }) ?? true
    else { return nil }
    return ghost
  }
}
