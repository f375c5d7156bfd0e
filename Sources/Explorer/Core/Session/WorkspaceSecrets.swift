import ApusExplorerText
import ApusSecrets

/// Removing secrets from a saved session before it is written. Header values that are references (`$NAME`,
/// `$(command)`) are kept; secret values are left out. Responses are not redacted here: the code that writes a response
/// redacts it once per run.
extension SavedSession {
  package func withoutSecrets(_ values: SecretValues? = nil) -> SavedSession {
    var trimmed = self
    for index in trimmed.tabs.indices { trimmed.tabs[index].removeSecrets(values) }
    return trimmed
  }
}

extension SavedSession.Tab {
  fileprivate mutating func removeSecrets(_ values: SecretValues?) {
    let redactor = Redactor(values: values, document: query.buffer.text)
    query.redact(redactor.document)
    variables.redact(redactor.variables)
    extensions.text = redactor.variables(extensions.text)
    deferredListing.filterInput = LineEditor(redactor.text(deferredListing.filter))
    headers.redact { Self.headers($0, redactor) }
    // The undo history of headers may contain secrets that were typed and deleted.
    headers.history = EditorHistory()
    name = name.map(redactor.text)
    if let endpoint {
      let url = redactor.text(endpoint.url)
      self.endpoint?.lacksSecrets = endpoint.lacksSecrets || (endpoint.name == nil && url != endpoint.url)
      self.endpoint?.url = url
    }
    if var file {
      // Redacted like the editors, so that an unchanged tab does not appear modified.
      file.savedQuery = redactor.document(file.savedQuery)
      file.savedVariables = redactor.variables(file.savedVariables)
      self.file = file
    }
  }

  private static func headers(_ text: String, _ redactor: Redactor) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      let line = String(line)
      guard let header = HeaderLine(line) ?? HeaderLine(commentedOut: line) else { return redactor.text(line) }
      guard header.isSecret || redactor.text(header.value) != header.value else { return redactor.text(line) }
      return "# \(header.name): \(HeaderLine.notKept)"
    }.joined(separator: "\n")
  }
}

extension SavedSession.EditorContent {
  /// The number of bytes of editor states to check for secrets in the undo history.
  private static let historyBudget = 4 << 20

  fileprivate mutating func redact(_ redacted: (String) -> String) {
    let text = buffer.text
    let shown = redacted(text)
    guard shown == text else {
      buffer = TextBuffer(shown)
      history = EditorHistory()
      return
    }
    history = safeHistory(redacted)
  }

  /// Returns the steps that can be undone and redone without revealing a secret.
  private func safeHistory(_ redacted: (String) -> String) -> EditorHistory {
    let trimmed = history.trimmed()
    var budget = Self.historyBudget
    func count(_ step: (inout Editor) -> Void, of groups: [EditorHistory.Group]) -> Int {
      var editor = Editor(buffer.text, language: .plain)
      editor.restore(trimmed)
      var count = 0
      for group in groups {
        // Text that was inserted and removed within one step is in none of the states.
        let pieces = group.edits.flatMap { [$0.inserted, $0.removed] }.filter { $0.utf8.count > 1 }
        step(&editor)
        let text = editor.text
        budget -= text.utf8.count
        guard budget > 0, redacted(text) == text, pieces.allSatisfy({ redacted($0) == $0 }) else { break }
        count += 1
      }
      return count
    }
    let done = count({ $0.undo() }, of: trimmed.done.reversed())
    let undone = count({ $0.redo() }, of: trimmed.undone.reversed())
    return EditorHistory(done: Array(trimmed.done.suffix(done)), undone: Array(trimmed.undone.suffix(undone)))
  }
}
