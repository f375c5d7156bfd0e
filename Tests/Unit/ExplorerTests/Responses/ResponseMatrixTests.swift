import ApusExplorerCore
import ApusExplorerTestSupport
import ApusTestSupport
import Foundation
import Testing

/// Every kind of response in every feature: the screen, or the reason why the feature is not offered.
@Suite(.timeLimit(.minutes(3))) struct ResponseMatrixTests {
  @Test func `every feature has exactly one answer to each kind`() {
    for feature in ResponseFeatures.all {
      for kind in ResponseKind.allCases {
        let groups = feature.groups.filter { $0.kinds.contains(kind) }
        #expect(groups.count == 1, "\(feature.name): \(kind.rawValue) is in \(groups.map(\.name))")
      }
    }
  }

  @Test(arguments: ResponseKind.allCases)
  func `each feature treats the kinds of a group alike`(kind: ResponseKind) async throws {
    let gate = Gate()
    let scene = try await ResponseScene(kind, gate: gate)
    for feature in ResponseFeatures.all {
      guard let group = feature.groups.first(where: { $0.kinds.contains(kind) }) else { continue }
      let views = try await scene.views(of: feature.subject)
      let last = views.last ?? ""
      let cell = "\(feature.name), \(group.name), \(kind.rawValue)"
      switch group.expected {
      case .shows(let texts):
        for text in texts { #expect(last.contains(text), "\(cell): no '\(text)' in\n\(last)") }
      // The next key dismisses the reason.
      case .refused(let reason):
        #expect(views.contains { $0.contains(reason) }, "\(cell): no '\(reason)' in\n\(last)")
      }
      #expect(!last.contains("formatting …") && !last.contains("comparing …"), "\(cell): \(last)")
    }
    gate.open()
    scene.server.stop()
  }

  /// `APUS_WRITE_DOCS=1` writes the table again.
  @Test func `Responses.md in Docs lists the answers of every feature`() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5).joined(separator: "/")
    let path = root + "/Docs/Development/Responses.md"
    let document = ResponseDocument.text
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      try Data(document.utf8).write(to: URL(filePath: path))
    }
    let bytes = try #require(FileManager.default.contents(atPath: path), "Docs/Development/Responses.md is not there")
    #expect(String(decoding: bytes, as: UTF8.self) == document)
  }
}

/// The page for developers that lists the matrix.
enum ResponseDocument {
  static var text: String {
    """
    # Responses in the features of the explorer

    This page is generated from `ResponseFeatures` in `Tests/Unit/ExplorerTests/Responses`, which the tests walk cell by
    cell: each feature has one answer to each kind of response. `APUS_WRITE_DOCS=1 APUS_TESTS=ExplorerTests swift test
    --filter ResponseMatrixTests` writes it again.

    `ResponseContent` distinguishes four contents: nothing, errors without data, `data: null`, and data. A kind that is not
    GraphQL (HTML, text, an empty body, status 204) has no content, only a failure. A feature that is not offered says why.

    \(ResponseFeatures.all.map(section).joined(separator: "\n"))
    """
  }

  private static func section(_ feature: FeatureRow) -> String {
    let rows = feature.groups.map { group in
      let answer =
        switch group.expected {
        case .shows(let texts): texts.map(quoted).joined(separator: ", ")
        case .refused(let reason): "not offered: \(reason)"
        }
      return "| \(group.name) | \(answer) | \(group.kinds.map(\.rawValue).joined(separator: "; ")) |\n"
    }
    return """
      ## \(feature.name.prefix(1).uppercased() + feature.name.dropFirst())

      \(subject(feature.subject))

      | group | answer | kinds |
      |---|---|---|
      \(rows.joined())
      """
  }

  private static func subject(_ subject: FeatureRow.Subject) -> String {
    switch subject {
    case .keys("", _): "The screen."
    case .keys(let keys, let ofEvent):
      "The screen after \(quoted(keys))\(ofEvent ? ", of an event the opened one" : "")."
    case .notification: "The notification when the run ends in the background."
    case .refetch: "The requests after all records are removed from the cache."
    }
  }

  private static func quoted(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }
}
