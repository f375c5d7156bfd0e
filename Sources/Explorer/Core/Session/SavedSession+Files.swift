import ApusExplorerText
import ApusSecrets

/// Reading the files of restored tabs. The session has their texts without secrets; the files have them.
extension SavedSession.Tab {
  /// Takes the file's present content. `nil` if it is gone.
  ///
  /// - An unchanged file replaces the text of an unchanged tab.
  /// - A file that was changed or is gone is reported, and the tab keeps its text.
  package mutating func read(_ present: CollectionFile?) {
    guard let file else { return }
    guard let present else {
      fileNotice = .init(text: "\(file.path) is gone or cannot be read; the tab keeps its text")
      return
    }
    guard file.query.matches(present.savedQuery), file.variables.matches(present.savedVariables) else {
      fileNotice = .init(
        text: "\(file.path) was changed after the session was saved; the tab keeps its text", file: present)
      return
    }
    if query.draft == file.query { query.read(present.savedQuery) }
    if variables.draft == file.variables { variables.read(present.savedVariables) }
    self.file?.query = DraftText(present.savedQuery)
    self.file?.variables = DraftText(present.savedVariables)
  }
}

extension SavedSession.EditorContent {
  fileprivate mutating func read(_ text: String) {
    guard !references.isEmpty else { return }
    draft = DraftText(text)
    history = EditorHistory()
  }
}

extension DraftText {
  /// Whether a text is this one with any values in place of the references.
  fileprivate func matches(_ other: String) -> Bool {
    guard !isComplete else { return text == TextBuffer(other).text || text == other }
    let bytes = Array(text.utf8)
    let other = Array(TextBuffer(other).text.utf8)
    let ends = references.map(\.lowerBound) + [bytes.count]
    var matched = 0
    for (start, end) in zip([0] + references.map(\.upperBound), ends) {
      let piece = bytes[start..<end]
      if start == 0 {
        guard other.starts(with: piece) else { return false }
        matched = piece.count
      } else if end == bytes.count {
        return other.count - matched >= piece.count && other.suffix(piece.count).elementsEqual(piece)
      } else {
        guard let found = other[matched...].firstRange(of: piece) else { return false }
        matched = found.upperBound
      }
    }
    return true
  }
}
