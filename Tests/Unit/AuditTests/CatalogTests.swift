import ApusDemo
import ApusTestSupport
import Foundation
import Testing

@testable import ApusAudit

/// The list of audits, and the documentation page that contains it.
struct CatalogTests {
  private static let page = "\(Checkout.root)/Docs/Development/AuditCatalog.md"

  @Test func `ids are unique and begin with their group`() {
    #expect(Set(Audit.all.map(\.id)).count == Audit.all.count)
    #expect(Audit.all.allSatisfy { $0.id.hasPrefix("\($0.group.rawValue)-") })
    #expect(Audit.all.count == 170)
    for group in AuditGroup.allCases { #expect(Audit.all.contains { $0.group == group }) }
  }

  @Test func `every audit has an expectation, a source and a reason`() {
    for audit in Audit.all {
      #expect(!audit.expectation.isEmpty && !audit.source.document.isEmpty && !audit.reason.isEmpty, "\(audit.id)")
      #expect(!audit.expectation.contains("\n"), "\(audit.id)")
    }
  }

  private static let head = "| audit | level | expected | source | `--break` |"

  private var table: String {
    "\(Self.head)\n|---|---|---|---|---|\n"
      + Audit.all.map { audit in
        let cells = [
          "`\(audit.id)`", audit.level.rawValue, audit.expectation, "\(audit.source)", Self.broken(audit),
        ]
        return "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |\n"
      }.joined()
  }

  /// Whether the demo server can break the rule, and the audits that fail as well.
  private static func broken(_ audit: Audit) -> String {
    guard let one = ServerBreak.named(audit.id) else { return "" }
    let companions = one.companions.sorted().map { "`\($0)`" }
    return companions.isEmpty ? "yes" : "yes, and \(companions.joined(separator: ", "))"
  }

  /// Run with APUS_WRITE_DOCS=1 to update the table.
  @Test func `the page lists every audit`() throws {
    var document = try String(contentsOfFile: Self.page, encoding: .utf8)
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      var lines = document.components(separatedBy: "\n")
      if let start = lines.firstIndex(where: { $0.hasPrefix("| audit | level |") }) {
        let end = lines[start...].firstIndex(of: "") ?? lines.endIndex
        lines.replaceSubrange(start..<end, with: table.components(separatedBy: "\n").dropLast())
      }
      document = lines.joined(separator: "\n")
      try document.write(toFile: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(document.contains(table))
  }
}
