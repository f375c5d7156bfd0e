import ApusTestSupport
import Foundation
import Testing

/// A request that the server answers is announced to clients and described for users.
@Suite(.timeLimit(.minutes(1))) struct FeatureListTests {
  /// The members of the capabilities for requests whose names differ from theirs.
  private static let providers = [
    "codeAction": "codeActionProvider", "codeLens": "codeLensProvider", "completion": "completionProvider",
    "completionItem/resolve": "completionProvider", "diagnostic": "diagnosticProvider",
    "workspace/diagnostic": "diagnosticProvider", "formatting": "documentFormattingProvider",
    "rangeFormatting": "documentRangeFormattingProvider", "onTypeFormatting": "documentOnTypeFormattingProvider",
    "prepareRename": "renameProvider", "prepareCallHierarchy": "callHierarchyProvider",
    "callHierarchy/incomingCalls": "callHierarchyProvider", "callHierarchy/outgoingCalls": "callHierarchyProvider",
    "semanticTokens/full": "semanticTokensProvider", "semanticTokens/full/delta": "semanticTokensProvider",
    "semanticTokens/range": "semanticTokensProvider", "workspace/symbol": "workspaceSymbolProvider",
  ]

  /// The methods of the table of features: `hover` for `textDocument/hover`, others as they are.
  private static var methods: [String] {
    get throws {
      let path = "\(Checkout.root)/Sources/Tools/LanguageServer/Features/FeatureTable.swift"
      let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      return rows.compactMap { row -> String? in
        guard row.hasPrefix("    \""), let method = row.split(separator: "\"").dropFirst().first else { return nil }
        return String(method.hasPrefix("textDocument/") ? method.dropFirst("textDocument/".count) : method)
      }
    }
  }

  @Test func `every request is announced in the capabilities`() async throws {
    let session = try Session()
    let started = try await session.start(["textDocument": ["diagnostic": [:]]])
    let capabilities = try #require(started["capabilities"])
    let methods = try Self.methods
    #expect(methods.count > 25)
    for method in methods {
      #expect(capabilities[Self.providers[method] ?? "\(method)Provider"] != nil, "\(method)")
    }
  }

  @Test func `the page on editors describes every request`() throws {
    let page = try MarkdownPage("Docs/Editors.md").text
    for method in try Self.methods {
      let names = ["`\(method)`", "`textDocument/\(method)`", "`\(method.prefix { $0 != "/" })`"]
      #expect(names.contains(where: page.contains), "\(method)")
    }
  }
}
