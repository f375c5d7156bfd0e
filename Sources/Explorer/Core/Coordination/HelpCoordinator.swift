import ApusExplorerText

/// Selects the help topic for the focused content.
extension ExplorerState {
  var topicHere: Topic {
    if popups.last?.state is ErrorsPopup { return .errors }
    if popups.last?.state is DifferencePopup { return .comparing }
    if let topic = screen.focus.topic { return topic }
    return screen.focus == .response ? topicOfResponse : topicAtCursor ?? .firstSteps
  }

  private var topicOfResponse: Topic {
    if tab.response.reading.comparison != nil { return .comparing }
    switch tab.response.view == .tree ? tab.response.shownTree.selectedRow?.content : nil {
    case .problem: return .errors
    case .placeholder, .moreItems: return .deferred
    case .missing: return .cache
    case .leaf, .container, nil: break
    }
    if tab.response.run?.failure != nil { return .errors }
    return tab.response.listToPage(isFocused: true) == nil ? .firstSteps : .paging
  }

  /// Whether a diagnostic covers the cursor, and not only another part of its line.
  var isWrongAtCursor: Bool {
    guard let cursor = editor?.cursor else { return false }
    return analysis.diagnostics.contains { $0.range.lowerBound <= cursor && cursor <= $0.range.upperBound }
  }

  /// The topic about the directive at the cursor; nil if there is none.
  var topicAtCursor: Topic? {
    guard let editor else { return nil }
    let word = editor.buffer.word(at: editor.cursor)
    let name = editor.buffer.text(in: word)
    guard name.hasSuffix("defer") || name.hasSuffix("stream"),
      editor.buffer.line(word.lowerBound.line).utf8.prefix(word.lowerBound.column).last == UInt8(ascii: "@")
        || name.hasPrefix("@")
    else { return nil }
    return .deferred
  }
}
