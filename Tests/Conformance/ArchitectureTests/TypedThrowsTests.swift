import ApusTestSupport
import Foundation
import Testing

/// The rule on typed errors in CONTRIBUTING.md for modules that parse text or store data.
struct TypedThrowsTests {
  private static let modules = [
    "System/Configuration", "System/Filters", "System/JSON", "System/Processes", "System/Secrets", "System/WebSocket",
    "GraphQL/Analysis", "GraphQL/Language", "GraphQL/LanguageService", "GraphQL/MediaTypes", "GraphQL/Projects",
    "GraphQL/Schema", "GraphQL/Validation", "Client/Formats", "Client/Incremental", "Client/Operation",
    "Client/ResultExecution", "Explorer/Persistence", "Tools/Audit", "Tools/LanguageServer",
  ]
  /// Files with a function that rethrows the errors of a closure.
  private static let passesErrorsOn: Set = [
    "Sources/System/Configuration/CommandOutput.swift",
    "Sources/Explorer/Persistence/ExplorerEnvironment+Persistence.swift",
  ]
  /// Modules whose asynchronous functions end with their task: only the others name their error.
  private static let cancelable: Set = ["Tools/Audit"]

  @Test(arguments: modules)
  func `a function of a module that reads text or stores data names its error`(module: String) throws {
    let folder = "Sources/\(module)"
    let names = try #require(FileManager.default.enumerator(atPath: "\(Checkout.root)/\(folder)"))
    let files = names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    #expect(!files.isEmpty)
    for file in files where !Self.passesErrorsOn.contains(file) {
      let text = try String(contentsOfFile: "\(Checkout.root)/\(file)", encoding: .utf8)
      let untyped = text.matches(of: /\) (async )?throws(?!\()/)
        .filter { $0.1 == nil || !Self.cancelable.contains(module) }
        .map { text[$0.range.lowerBound...].prefix { $0 != "\n" } }
      #expect(untyped.isEmpty, "\(file): \(untyped)")
    }
  }
}
