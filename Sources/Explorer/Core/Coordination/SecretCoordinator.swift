import ApusClientRequests
import ApusExplorerText
import ApusSecrets

/// Coordinates secrets that were not saved: references are in their place, and nothing with a reference is sent, copied or
/// saved to a file.
extension ExplorerState {
  /// Shows the place of the first secret that a run needs; nil if none is missing. A replay sends nothing.
  mutating func askForSecret() -> [Effect]? {
    guard !connection.isReplay, let missing = missingSecret else { return nil }
    return ask(for: missing, "Nothing was sent")
  }

  /// Shows the place of the first secret that a file needs; nil if none is missing.
  mutating func askForSecretOfFile() -> [Effect]? {
    let editors = tab.editors
    guard
      let missing = MissingSecret(editors.query, .query, editors.query.draft.documentSecrets.first)
        ?? MissingSecret(editors.variables, .variables, editors.variables.draft.memberSecrets.first)
    else { return nil }
    return ask(for: missing, "The file was not saved")
  }

  private struct MissingSecret {
    var name: String
    /// The place to type it; nil for the extensions, which have a popup.
    var reference: (pane: PaneID, range: Range<TextPosition>)?

    init(name: String) { self.name = name }

    init?(_ editor: Editor, _ pane: PaneID, _ secret: SecretReference?) {
      guard let secret else { return nil }
      name = secret.name
      let buffer = editor.buffer
      reference = (pane, buffer.position(of: secret.range.lowerBound)..<buffer.position(of: secret.range.upperBound))
    }
  }

  /// The first reference among the texts that a run of the shown tab sends.
  private var missingSecret: MissingSecret? {
    let editors = tab.editors
    let query = editors.query.draft.documentSecrets.first { !$0.isInComment }
    if let missing = MissingSecret(editors.query, .query, query) { return missing }
    if let missing = MissingSecret(editors.variables, .variables, editors.variables.draft.memberSecrets.first) {
      return missing
    }
    if let secret = tab.extensions.draft(for: connection.origin).memberSecrets.first {
      return MissingSecret(name: secret.name)
    }
    for reference in editors.headers.references where !isHeaderWithheld(line: reference.lowerBound.line) {
      guard let header = HeaderLine(editors.headers.buffer.line(reference.lowerBound.line)) else { continue }
      var missing = MissingSecret(name: header.name)
      missing.reference = (.headers, reference)
      return missing
    }
    return nil
  }

  private mutating func ask(for missing: MissingSecret, _ consequence: String) -> [Effect] {
    otherEndpointRun = nil
    let effects: [Effect]
    if let (pane, range) = missing.reference {
      effects = focus(on: pane)
      tab.editors.change(pane) { $0.select(TextSelection(anchor: range.lowerBound, cursor: range.upperBound)) }
    } else {
      effects = present(LinePopup(.requestExtensions, text: tab.extensions.text))
    }
    showNotice("\(consequence): type the value of '\(missing.name)' here; secrets are not saved", .warning)
    return effects
  }

  /// The headers for the open server whose values are missing, as variables of the environment for a copy.
  var missingHeaders: [RequestDraft.Header] {
    let editors = tab.editors
    return editors.headers.references.compactMap { reference in
      let line = reference.lowerBound.line
      guard !isHeaderWithheld(line: line), let header = HeaderLine(editors.headers.buffer.line(line)) else {
        return nil
      }
      return .init(name: header.name, value: SecretText(parts: [.variable(EnvironmentName.of(field: header.name))]))
    }
  }
}

extension EditorFeature {
  /// Returns the headers for a server, without those whose values are missing.
  func completeHeaders(for origin: Origin?) -> TabHeaders {
    headerOrigins.headers(for: origin, except: Set(headers.references.map(\.lowerBound.line)))
  }
}
