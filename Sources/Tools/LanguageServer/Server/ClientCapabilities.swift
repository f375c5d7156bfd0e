import ApusJSON

/// The capabilities of a client, as far as the server uses them.
struct ClientCapabilities: Sendable {
  var encoding = PositionEncoding.utf16
  var takesSnippets = false
  var takesMarkdown = true
  var pullsDiagnostics = false
  var refreshesDiagnostics = false
  var takesRelatedInformation = false
  var takesDocumentChanges = false
  var takesProgress = false
  var registersWatchers = false
  var showsDocuments = false
  var takesLabelOffsets = false
  /// Whether types are shown after names, if the user enabled it.
  var showsTypeHints = false

  init() {}

  init(initialize params: JSONValue) {
    let capabilities = params["capabilities"] ?? .null
    let text = capabilities["textDocument"] ?? .null
    let workspace = capabilities["workspace"] ?? .null
    let window = capabilities["window"] ?? .null
    encoding = PositionEncoding(offered: capabilities["general"]?["positionEncodings"])
    takesSnippets = text["completion"]?["completionItem"]?["snippetSupport"]?.bool ?? false
    if let formats = text["hover"]?["contentFormat"] {
      takesMarkdown = formats.elements.contains { $0.string == "markdown" }
    }
    pullsDiagnostics = text["diagnostic"]?.kind == .object
    refreshesDiagnostics = workspace["diagnostics"]?["refreshSupport"]?.bool ?? false
    takesRelatedInformation = text["publishDiagnostics"]?["relatedInformation"]?.bool ?? false
    takesDocumentChanges = workspace["workspaceEdit"]?["documentChanges"]?.bool ?? false
    takesProgress = window["workDoneProgress"]?.bool ?? false
    registersWatchers = workspace["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool ?? false
    showsDocuments = window["showDocument"]?["support"]?.bool ?? false
    takesLabelOffsets =
      text["signatureHelp"]?["signatureInformation"]?["parameterInformation"]?["labelOffsetSupport"]?.bool ?? false
    apply(options: params["initializationOptions"] ?? .null)
  }

  /// Applies the user's options: `{"inlayHints": true}`.
  mutating func apply(options: JSONValue) {
    if let hints = (options["apus"] ?? options)["inlayHints"]?.bool { showsTypeHints = hints }
  }
}
