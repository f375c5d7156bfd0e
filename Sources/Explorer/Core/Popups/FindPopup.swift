import ApusExplorerText

/// Find and replace in the focused editor.
package struct FindPopup: PopupContent {
  package var patternInput = LineEditor()
  package var replacementInput = LineEditor()
  package var isReplacing = false
  package var isInReplacement = false
  package var matches: [Range<TextPosition>] = []
  package var current: Int?
  /// The cursor position when the search began.
  package var origin: TextPosition

  package init(origin: TextPosition) { self.origin = origin }

  package var pattern: String { patternInput.text }
  package var replacement: String { replacementInput.text }

  package var line: LineEditor? {
    get { isInReplacement ? replacementInput : patternInput }
    set {
      guard let newValue else { return }
      if isInReplacement { replacementInput = newValue } else { patternInput = newValue }
    }
  }

  /// The status, such as `3 of 12` or `nothing found`.
  package var status: String {
    if pattern.isEmpty { return "" }
    guard !matches.isEmpty else { return "no matches" }
    return current.map { "\($0 + 1) of \(matches.count)" } ?? "\(matches.count) matches"
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.find, .input, .editors, .everywhere] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    // The document may have changed because undo works while the popup is open.
    if let editor = state.editor { matches = editor.buffer.matches(of: pattern) }
    current = matches.isEmpty ? nil : min(current ?? 0, matches.count - 1)
    switch command {
    case .popupUp: return step(by: -1)
    case .popupDown: return step(by: 1)
    case .popupAccept: return isInReplacement ? replaceMatch(in: state) : step(by: 1)
    case .replaceAll: return replaceAll()
    case .popupNextField:
      guard isReplacing else { return step(by: 1) }
      isInReplacement.toggle()
      return .stay()
    case .popupClose: return .close()
    default: return .passOn
    }
  }

  package mutating func lineChanged(in state: ExplorerState) -> PopupResult {
    guard !isInReplacement, let editor = state.editor else { return .stay() }
    search(in: editor)
    return .stay(.choose(.selection(match)))
  }

  /// Searches for the pattern and selects the first match after the position where the search began.
  mutating func search(in editor: Editor) {
    matches = editor.buffer.matches(of: pattern)
    current = matches.firstIndex { $0.lowerBound >= origin } ?? (matches.isEmpty ? nil : 0)
  }

  /// The selection to show: the current match, or the position where the search began.
  var match: TextSelection {
    guard let current else { return TextSelection(anchor: origin, cursor: origin) }
    return TextSelection(anchor: matches[current].lowerBound, cursor: matches[current].upperBound)
  }

  private mutating func step(by distance: Int) -> PopupResult {
    guard !matches.isEmpty else { return .stay() }
    current = ((current ?? 0) + distance + matches.count) % matches.count
    return .stay(.choose(.selection(match)))
  }

  private func replaceAll() -> PopupResult {
    guard !matches.isEmpty else { return .stay() }
    return .close(
      .notice(matches.count == 1 ? "Replaced 1 match" : "Replaced \(matches.count) matches"),
      .choose(.replacements(matches.map { TextReplacement(range: $0, text: replacement) })))
  }

  /// Replaces the current match and moves to the next one after the inserted text.
  private mutating func replaceMatch(in state: ExplorerState) -> PopupResult {
    guard let current, var editor = state.editor else { return .stay() }
    let edit = TextReplacement(range: matches[current], text: replacement)
    editor.replace(edit.range, with: edit.text)
    origin = editor.cursor
    search(in: editor)
    return .stay(.choose(.replacements([edit])), .choose(.selection(match)))
  }
}
