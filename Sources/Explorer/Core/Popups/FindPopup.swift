import ApusExplorerText

/// Searching in the focused text, and replacing what is found.
package struct FindState: PopupState {
  package var patternInput = LineEditor()
  package var replacementInput = LineEditor()
  package var isReplacing = false
  package var isInReplacement = false
  package var matches: [Range<TextPosition>] = []
  package var current: Int?
  /// Where the cursor was when the search began.
  package var origin: TextPosition

  package init(origin: TextPosition) { self.origin = origin }

  package var pattern: String { patternInput.text }
  package var replacement: String { replacementInput.text }
  package var popup: Popup { .find(self) }

  package var line: LineEditor? {
    get { isInReplacement ? replacementInput : patternInput }
    set {
      guard let newValue else { return }
      if isInReplacement { replacementInput = newValue } else { patternInput = newValue }
    }
  }

  /// `3 of 12`, or why nothing is found.
  package var status: String {
    if pattern.isEmpty { return "" }
    guard !matches.isEmpty else { return "nothing found" }
    return current.map { "\($0 + 1) of \(matches.count)" } ?? "\(matches.count) found"
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.find, .input, .editors, .everywhere] }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    var find = self
    // The text may have changed beneath: undo works here, too.
    if let editor = state.editor { find.matches = editor.buffer.matches(of: find.pattern) }
    find.current = find.matches.isEmpty ? nil : min(find.current ?? 0, find.matches.count - 1)
    switch command {
    case .popupUp: find.step(by: -1, on: &state)
    case .popupDown: find.step(by: 1, on: &state)
    case .popupAccept:
      if isInReplacement { return find.replaceMatch(on: &state) }
      find.step(by: 1, on: &state)
    case .replaceAll: return find.replaceAll(on: &state)
    case .popupNextField:
      if isReplacing { find.isInReplacement.toggle() } else { find.step(by: 1, on: &state) }
    case .popupClose: return close(on: &state)
    default: return nil
    }
    return find.show(on: &state)
  }

  package func lineChanged(on state: inout ExplorerState) -> [Effect] {
    if !isInReplacement { search(on: &state) }
    return []
  }

  /// Looks for the pattern anew, and goes to the first match from the place where the search began.
  func search(on state: inout ExplorerState) {
    guard let editor = state.editor else { return }
    var find = self
    find.matches = editor.buffer.matches(of: pattern)
    find.current = find.matches.firstIndex { $0.lowerBound >= origin } ?? (find.matches.isEmpty ? nil : 0)
    _ = find.show(on: &state)
    find.showMatch(on: &state)
  }

  private func showMatch(on state: inout ExplorerState) {
    if let current {
      let match = matches[current]
      state.changeText { $0.select(TextSelection(anchor: match.lowerBound, cursor: match.upperBound)) }
    } else {
      state.changeText { $0.place(origin) }
    }
  }

  private mutating func step(by distance: Int, on state: inout ExplorerState) {
    guard !matches.isEmpty else { return }
    current = ((current ?? 0) + distance + matches.count) % matches.count
    showMatch(on: &state)
  }

  private func replaceAll(on state: inout ExplorerState) -> [Effect] {
    guard !matches.isEmpty else { return [] }
    let edits = matches.map { TextReplacement(range: $0, text: replacement) }
    _ = close(on: &state)
    state.screen.notice = Notice(edits.count == 1 ? "Replaced 1 place" : "Replaced \(edits.count) places")
    return state.editText { $0.apply(edits) }
  }

  private func replaceMatch(on state: inout ExplorerState) -> [Effect] {
    guard let current else { return [] }
    var find = self
    let effects = state.editText { $0.replace(matches[current], with: replacement) }
    find.origin = state.editor?.cursor ?? origin
    find.search(on: &state)
    return effects
  }
}
