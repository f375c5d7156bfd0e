import ApusJSON

/// The server's capabilities, as reported during initialization.
enum ServerCapabilities {
  /// The commands, whose argument is the position of an operation or nothing.
  enum Command: String, CaseIterable {
    case run = "apus.run"
    case refreshSchema = "apus.refreshSchema"
    case references = "apus.references"
  }

  static func json(_ client: ClientCapabilities) -> JSONValue {
    let diagnostics: JSONValue = [
      "identifier": "apus", "interFileDependencies": true, "workspaceDiagnostics": true,
    ]
    var members: [(String, JSONValue)] = [
      ("positionEncoding", JSONValue(client.encoding.rawValue)),
      ("textDocumentSync", ["openClose": true, "change": 2, "save": true]),
      (
        "completionProvider",
        ["triggerCharacters": ["{", "(", "[", "$", "@", ":", ".", "=", "&", "|", " "], "resolveProvider": true]
      ),
      ("hoverProvider", true),
      ("signatureHelpProvider", ["triggerCharacters": ["(", ","], "retriggerCharacters": [":"]]),
      ("definitionProvider", true), ("typeDefinitionProvider", true), ("implementationProvider", true),
      ("referencesProvider", true), ("documentHighlightProvider", true),
      ("documentSymbolProvider", true), ("workspaceSymbolProvider", true),
      (
        "codeActionProvider",
        ["codeActionKinds": ["quickfix", "refactor.extract", "refactor.inline", "refactor.rewrite"]]
      ),
      ("codeLensProvider", ["resolveProvider": false]),
      ("documentLinkProvider", ["resolveProvider": false]),
      ("documentFormattingProvider", true), ("documentRangeFormattingProvider", true),
      (
        "documentOnTypeFormattingProvider",
        ["firstTriggerCharacter": "}", "moreTriggerCharacter": [")", "\n"]]
      ),
      ("renameProvider", ["prepareProvider": true]), ("foldingRangeProvider", true),
      ("selectionRangeProvider", true), ("callHierarchyProvider", true), ("inlayHintProvider", true),
      (
        "semanticTokensProvider",
        ["legend": SemanticTokensFeature.legend, "range": true, "full": ["delta": true]]
      ),
      ("executeCommandProvider", ["commands": .array(Command.allCases.map { JSONValue($0.rawValue) })]),
      (
        "workspace", ["workspaceFolders": ["supported": true, "changeNotifications": true]]
      ),
    ]
    if client.pullsDiagnostics { members.append(("diagnosticProvider", diagnostics)) }
    return .object(members)
  }
}
