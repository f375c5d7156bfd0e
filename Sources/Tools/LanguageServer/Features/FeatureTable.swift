import ApusJSON

/// The requests that need only a snapshot, by method.
enum FeatureTable {
  typealias Feature = @Sendable (WorkspaceSnapshot, JSONValue) throws(RPCError) -> JSONValue

  static let features: [String: Feature] = [
    "textDocument/completion": { (snapshot, params) throws(RPCError) in try snapshot.completion(params) },
    "completionItem/resolve": { (snapshot, params) throws(RPCError) in try snapshot.resolvedCompletion(params) },
    "textDocument/signatureHelp": { (snapshot, params) throws(RPCError) in try snapshot.signatureHelp(params) },
    "textDocument/hover": { (snapshot, params) throws(RPCError) in try snapshot.hover(params) },
    "textDocument/definition": { (snapshot, params) throws(RPCError) in try snapshot.definition(params) },
    "textDocument/typeDefinition": { (snapshot, params) throws(RPCError) in try snapshot.typeDefinition(params) },
    "textDocument/implementation": { (snapshot, params) throws(RPCError) in try snapshot.implementations(params) },
    "textDocument/references": { (snapshot, params) throws(RPCError) in try snapshot.references(params) },
    "textDocument/documentHighlight": { (snapshot, params) throws(RPCError) in try snapshot.highlights(params) },
    "textDocument/prepareRename": { (snapshot, params) throws(RPCError) in try snapshot.preparedRename(params) },
    "textDocument/rename": { (snapshot, params) throws(RPCError) in try snapshot.rename(params) },
    "textDocument/codeAction": { (snapshot, params) throws(RPCError) in try snapshot.codeActions(params) },
    "textDocument/codeLens": { (snapshot, params) throws(RPCError) in try snapshot.codeLenses(params) },
    "textDocument/documentLink": { (snapshot, params) throws(RPCError) in try snapshot.documentLinks(params) },
    "textDocument/formatting": { (snapshot, params) throws(RPCError) in try snapshot.formatting(params) },
    "textDocument/rangeFormatting": { (snapshot, params) throws(RPCError) in try snapshot.rangeFormatting(params) },
    "textDocument/onTypeFormatting": { (snapshot, params) throws(RPCError) in try snapshot.onTypeFormatting(params) },
    "textDocument/documentSymbol": { (snapshot, params) throws(RPCError) in try snapshot.documentSymbols(params) },
    "workspace/symbol": { (snapshot, params) throws(RPCError) in try snapshot.workspaceSymbols(params) },
    "textDocument/foldingRange": { (snapshot, params) throws(RPCError) in try snapshot.foldingRanges(params) },
    "textDocument/selectionRange": { (snapshot, params) throws(RPCError) in try snapshot.selectionRanges(params) },
    "textDocument/inlayHint": { (snapshot, params) throws(RPCError) in try snapshot.inlayHints(params) },
    "textDocument/semanticTokens/full": { (snapshot, params) throws(RPCError) in try snapshot.semanticTokens(params) },
    "textDocument/semanticTokens/full/delta": { (snapshot, params) throws(RPCError) in
      try snapshot.semanticTokensDelta(params)
    },
    "textDocument/semanticTokens/range": { (snapshot, params) throws(RPCError) in
      try snapshot.semanticTokensOfRange(params)
    },
    "textDocument/diagnostic": { (snapshot, params) throws(RPCError) in try snapshot.pulledDiagnostics(params) },
    "workspace/diagnostic": { (snapshot, params) throws(RPCError) in try snapshot.workspaceDiagnostics(params) },
    "textDocument/prepareCallHierarchy": { (snapshot, params) throws(RPCError) in
      try snapshot.preparedCallHierarchy(params)
    },
    "callHierarchy/incomingCalls": { (snapshot, params) throws(RPCError) in try snapshot.incomingCalls(params) },
    "callHierarchy/outgoingCalls": { (snapshot, params) throws(RPCError) in try snapshot.outgoingCalls(params) },
  ]
}
