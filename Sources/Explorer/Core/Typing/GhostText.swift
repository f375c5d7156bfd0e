import ApusExplorerText

/// What is certain to be written next, shown behind the cursor until something else is written: the rest of the only name
/// that goes on as was begun, and the argument that cannot be left out.
package struct GhostText: Equatable, Sendable {
  package let text: String
  let completion: Completion
  private let pane: PaneID
  private let version: Int
  private let cursor: TextPosition

  /// nil where nothing is certain.
  init?(_ proposals: [Completion], in pane: PaneID, _ editor: Editor) {
    let rest = editor.buffer.line(editor.cursor.line).utf8.dropFirst(editor.cursor.column)
    // In the midst of a line it would stand between what is written.
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

  /// Whether it is of the text as it is, with the cursor where it was.
  func isOf(_ editor: Editor, in pane: PaneID) -> Bool {
    self.pane == pane && version == editor.version && cursor == editor.cursor && !editor.hasSelection
      && editor.otherSelections.isEmpty
  }
}

extension Typing {
  /// What is shown behind the cursor of a text; nil where nothing is certain, or where vim's keys are commands.
  package func ghostText(of editor: Editor?, in pane: PaneID) -> GhostText? {
    guard showsGhostText, let editor, let ghost, ghost.isOf(editor, in: pane), vim.map({ $0.mode == .insert }) ?? true
    else { return nil }
    return ghost
  }
}
