import ApusClientRequests
import ApusExplorerText
import ApusSecrets

/// Removing secrets from a saved session before it is written: a reference takes the place of each. Header values that are
/// `$NAME` or `$(command)` are kept. Responses are not redacted here: the code that writes a response
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
    let references = runOptions.referenceNames.union(definedNames)
    let redactor = Redactor(values: values, document: query.buffer.text, references: references)
    var draft = RequestDraft(query: query.draft, variables: variables.draft)
    draft.extensions = extensions.draft
    draft.options = runOptions
    runOptions = runOptions.storing(draft.plainValues(headers: headers.buffer.text, redactor))
    query.redact(redactor.draft(document:))
    variables.redact(redactor.draft(variables:))
    extensions.draft = redactor.draft(variables: extensions.draft)
    deferredListing.filterInput = LineEditor(redactor.text(deferredListing.filter))
    headers.redact { HeaderLine.redacted($0, redactor) }
    // The undo history of headers may contain secrets that were typed and deleted.
    headers.history = EditorHistory()
    name = name.map(redactor.text)
    runOptions.subscriptionURL = redactor.url(runOptions.subscriptionURL)
    runOptions.importedURL = redactor.url(runOptions.importedURL)
    runOptions.endpointURL = redactor.url(runOptions.endpointURL)
    if let endpoint {
      let url = redactor.text(endpoint.url)
      self.endpoint?.lacksSecrets = endpoint.lacksSecrets || (endpoint.name == nil && url != endpoint.url)
      self.endpoint?.url = url
    }
    // Redacted like the editors, so that an unchanged tab does not appear modified.
    if let file {
      let redactor = Redactor(values: values, document: file.query.text, references: references)
      self.file?.query = redactor.draft(document: file.query)
      self.file?.variables = redactor.draft(variables: file.variables)
    }
  }
}

extension HeaderLine {
  /// Returns header lines with a reference in place of each secret value.
  static func redacted(_ draft: DraftText, _ redactor: Redactor) -> DraftText {
    var text = ""
    var references: [Range<Int>] = []
    var start = 0
    for (number, line) in draft.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if number > 0 { text += "\n" }
      let range = start..<start + line.utf8.count
      start = range.upperBound + 1
      let line = String(line)
      let live = HeaderLine(line)
      if let header = live ?? HeaderLine(commentedOut: line),
        header.isSecret || draft.references.contains(where: { $0.overlaps(range) })
          || redactor.text(header.value) != header.value
      {
        text += live == nil ? "# \(header.name): " : "\(header.name): "
        references.append(text.utf8.count..<text.utf8.count + Redactor.mark.utf8.count)
        text += Redactor.mark
        continue
      }
      if let name = HeaderLine.secretName(inWrong: line) {
        text += "\(name) "
        references.append(text.utf8.count..<text.utf8.count + Redactor.mark.utf8.count)
        text += Redactor.mark
        continue
      }
      text += redactor.text(line)
    }
    return DraftText(text, references: references)
  }
}

extension SavedSession.EditorContent {
  /// The number of bytes of editor states to check for secrets in the undo history.
  private static let historyBudget = 4 << 20

  fileprivate mutating func redact(_ redacted: (DraftText) -> DraftText) {
    let shown = redacted(draft)
    guard shown == draft, !hasHadReferences else {
      draft = shown
      history = EditorHistory()
      return
    }
    history = safeHistory { redacted(DraftText($0)).text }
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
