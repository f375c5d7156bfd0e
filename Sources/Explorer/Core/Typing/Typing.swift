import ApusExplorerText
import ApusSecrets

/// What goes along with the keys from one text to the next: the clipboard, the vim grammar, what is still to be filled in.
package struct Typing: Equatable, Sendable {
  package var clipboard = ""
  /// What of it was copied from the headers, and so is the person's own text.
  private var copiedHeaders: String?
  /// The places of what was completed last that are still to be filled in.
  private var snippetStops: SnippetStops?
  package var showsGhostText = true
  var ghost: GhostText?
  /// What was selected before each step of selecting by syntax.
  var selectionsBefore: [TextSelection] = []
  /// The vim grammar, where that key map is on.
  package var vim: VimState?
  /// The version of the text that was run: proposals for it that come late are not shown.
  package var versionWithoutProposals: Int?

  // MARK: The clipboard

  mutating func copied(_ text: String, isOfHeaders: Bool) {
    clipboard = text
    copiedHeaders = isOfHeaders ? text : nil
  }

  /// A text from elsewhere as the text of a pane takes it: what is pasted among the headers may be somebody else's, and is
  /// literal there unless it was copied from them.
  func asPasted(_ text: String, in pane: PaneID) -> String {
    pane == .headers && text != copiedHeaders ? ForeignText(text).literal.source : text
  }

  // MARK: Completion

  /// Whether proposals for a version of a text are wanted still.
  func wantsProposals(for version: Int, isAsked: Bool) -> Bool {
    // Who has left the insert mode meanwhile gives commands: nothing may take their keys for text.
    if let vim, vim.mode != .insert { return false }
    return isAsked || version != versionWithoutProposals
  }

  /// Puts in what was proposed, and remembers what of it is to be filled in.
  mutating func accept(_ completion: Completion, in pane: PaneID, of texts: inout Texts) -> [Effect] {
    let start = completion.replaces.lowerBound
    let places = completion.stops.map { start.column + completion.insertText.prefix($0).utf8.count }
    let typed = texts.editor(in: pane)?.buffer.text(in: completion.replaces) ?? ""
    if completion.insertText.hasPrefix(typed) {
      vim?.noted(.typed(String(completion.insertText.dropFirst(typed.count))))
    }
    let effects = texts.edit(pane) { editor in
      editor.replace(completion.replaces, with: completion.insertText)
      if let stop = completion.stops.first {
        editor.place(start.advanced(by: String(completion.insertText.prefix(stop))))
      }
    }
    if let editor = texts.editor(in: pane), !completion.insertText.contains("\n"), places.count > 1 {
      let length = editor.buffer.line(start.line).utf8.count
      snippetStops = SnippetStops(
        pane: pane, line: start.line, bytesFromEnd: places.dropFirst().map { length - $0 })
    }
    return effects
  }

  /// Goes to the next place that is to be filled in; false where there is none.
  mutating func goToNextStop(in pane: PaneID, of texts: inout Texts) -> Bool {
    guard var stops = snippetStops, let editor = texts.editor(in: pane), stops.pane == pane,
      stops.line == editor.cursor.line, !editor.hasSelection, !stops.bytesFromEnd.isEmpty
    else { return false }
    let column = editor.buffer.line(stops.line).utf8.count - stops.bytesFromEnd.removeFirst()
    snippetStops = stops.bytesFromEnd.isEmpty ? nil : stops
    guard column >= editor.cursor.column else { return false }
    texts.change(pane) { $0.place(TextPosition(stops.line, column)) }
    return true
  }

  // MARK: Selecting by syntax

  /// Selects the next wider of the ranges that are around what is selected.
  mutating func expandSelection(to ranges: [Range<TextPosition>], in pane: PaneID, of texts: inout Texts) {
    guard let editor = texts.editor(in: pane) else { return }
    let now = editor.selection.range
    let wider = ranges.first { $0.lowerBound <= now.lowerBound && now.upperBound <= $0.upperBound && $0 != now }
    guard let wider else { return }
    selectionsBefore.append(editor.selection)
    texts.change(pane) { $0.select(TextSelection(anchor: wider.lowerBound, cursor: wider.upperBound)) }
  }

  mutating func shrinkSelection(in pane: PaneID, of texts: inout Texts) {
    guard let selection = selectionsBefore.popLast() else { return }
    texts.change(pane) { $0.select(selection) }
  }
}

/// Places in a line that Tab goes to, one after the other. Counted from the line's end, they stay where they are while
/// something is written before them.
struct SnippetStops: Equatable, Sendable {
  var pane: PaneID
  var line: Int
  var bytesFromEnd: [Int]
}
