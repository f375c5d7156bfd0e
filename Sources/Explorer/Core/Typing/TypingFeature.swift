import ApusExplorerText
import ApusSecrets

/// The input state that the editors share: the clipboard, the vim keys and the placeholders of the last completion.
package struct TypingFeature: Equatable, Sendable {
  package var clipboard = ""
  /// The text copied from the headers, which may contain references that the user typed.
  private var copiedHeaders: String?
  /// The placeholders of the last completion that remain to be filled in.
  private var snippetStops: SnippetStops?
  package var showsGhostText = true
  var ghost: GhostText?
  /// The selections before each step of expanding by syntax.
  var selectionsBefore: [TextSelection] = []
  /// The state of the vim keys; nil if they are off.
  package var vim: VimState?
  /// The version of the text that was run. Late completions for it are not shown.
  package var versionWithoutProposals: Int?

  // MARK: The clipboard

  mutating func copied(_ text: String, isOfHeaders: Bool) {
    clipboard = text
    copiedHeaders = isOfHeaders ? text : nil
  }

  /// Returns text in the form in which a pane accepts it. Text pasted into the headers is literal unless it was copied
  /// from them, because its author may not be the user.
  func asPasted(_ text: String, in pane: PaneID) -> String {
    pane == .headers && text != copiedHeaders ? UntrustedText(text).literal.source : text
  }

  // MARK: Completion

  /// Whether completions for a version of the text may still be shown.
  func acceptsCompletions(for version: Int, isAsked: Bool) -> Bool {
    // Outside insert mode keys are commands, and a popup must not receive them as text.
    if let vim, vim.mode != .insert { return false }
    return isAsked || version != versionWithoutProposals
  }

  /// Inserts a completion and stores its remaining placeholders.
  mutating func accept(_ completion: Completion, in pane: PaneID, of editors: inout EditorFeature) -> [Effect] {
    let start = completion.replaces.lowerBound
    let stopColumns = completion.stops.map { start.column + completion.insertText.prefix($0).utf8.count }
    let typed = editors.editor(in: pane)?.buffer.text(in: completion.replaces) ?? ""
    if completion.insertText.hasPrefix(typed) {
      vim?.noted(.typed(String(completion.insertText.dropFirst(typed.count))))
    }
    let effects = editors.edit(pane) { editor in
      editor.replace(completion.replaces, with: completion.insertText)
      if let stop = completion.stops.first {
        editor.moveCursor(start.advanced(by: String(completion.insertText.prefix(stop))))
      }
    }
    if let editor = editors.editor(in: pane), !completion.insertText.contains("\n"), stopColumns.count > 1 {
      let length = editor.buffer.line(start.line).utf8.count
      snippetStops = SnippetStops(
        pane: pane, line: start.line, bytesFromEnd: stopColumns.dropFirst().map { length - $0 })
    }
    return effects
  }

  /// Moves the cursor to the next placeholder; returns false if there is none.
  mutating func goToNextStop(in pane: PaneID, of editors: inout EditorFeature) -> Bool {
    guard var stops = snippetStops, let editor = editors.editor(in: pane), stops.pane == pane,
      stops.line == editor.cursor.line, !editor.hasSelection, !stops.bytesFromEnd.isEmpty
    else { return false }
    let column = editor.buffer.line(stops.line).utf8.count - stops.bytesFromEnd.removeFirst()
    snippetStops = stops.bytesFromEnd.isEmpty ? nil : stops
    guard column >= editor.cursor.column else { return false }
    editors.change(pane) { $0.moveCursor(TextPosition(stops.line, column)) }
    return true
  }

  // MARK: Selecting by syntax

  /// Selects the next larger range around the selection.
  mutating func expandSelection(to ranges: [Range<TextPosition>], in pane: PaneID, of editors: inout EditorFeature) {
    guard let editor = editors.editor(in: pane) else { return }
    let now = editor.selection.range
    let wider = ranges.first { $0.lowerBound <= now.lowerBound && now.upperBound <= $0.upperBound && $0 != now }
    guard let wider else { return }
    selectionsBefore.append(editor.selection)
    editors.change(pane) { $0.select(TextSelection(anchor: wider.lowerBound, cursor: wider.upperBound)) }
  }

  mutating func shrinkSelection(in pane: PaneID, of editors: inout EditorFeature) {
    guard let selection = selectionsBefore.popLast() else { return }
    editors.change(pane) { $0.select(selection) }
  }
}

/// Placeholders in a line that Tab visits in order. They are counted from the end of the line, so that they stay valid
/// while text is inserted before them: in `birds(first: )`, the placeholder before the parenthesis is 1 byte from the
/// end.
struct SnippetStops: Equatable, Sendable {
  var pane: PaneID
  var line: Int
  var bytesFromEnd: [Int]
}
