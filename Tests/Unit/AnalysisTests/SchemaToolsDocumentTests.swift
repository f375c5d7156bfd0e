import ApusGraphQLAnalysis
import ApusTestSupport
import Foundation
import Testing

/// Tests that Docs/SchemaTools.md lists all change kinds and lint rules.
struct SchemaToolsDocumentTests {
  private static let path = Checkout.root + "/Docs/SchemaTools.md"

  /// The rules of graphql-eslint.
  private static let eslintRules: Set<String> = [
    "naming-convention", "no-typename-prefix", "unique-enum-value-names", "require-description", "description-style",
    "no-hashtag-description", "require-deprecation-reason", "no-unreachable-types", "strict-id-in-types",
    "relay-connection-types", "relay-edge-types", "relay-arguments", "relay-page-info",
    "no-scalar-result-type-on-mutation", "require-nullable-result-in-root",
  ]

  private var kinds: String {
    var table = "| | kinds |\n|---|---|\n"
    for criticality in Criticality.allCases {
      let names = SchemaChangeKind.allCases.filter { $0.criticality == criticality }.map { "`\($0.rawValue)`" }
      table += "| \(criticality.rawValue) | \(names.joined(separator: ", ")) |\n"
    }
    return table
  }

  private var rules: String {
    var table = "| rule | severity | requirement | options | violation |\n|---|---|---|---|---|\n"
    for rule in SchemaLinter.rules {
      let link = "https://the-guild.dev/graphql/eslint/rules/\(rule.name)"
      let name = Self.eslintRules.contains(rule.name) ? "[`\(rule.name)`](\(link))" : "`\(rule.name)`"
      let options = rule.options.map { option in
        let value = option.takesList ? "[\(option.defaultValues.joined(separator: ", "))]" : option.defaultValues[0]
        return "`\(option.name): \(value)`"
      }
      let summary = rule.summary + (rule.canFix ? " `--fix`." : "")
      let example = rule.example.replacing("\n", with: " ⏎ ")
      table +=
        "| \(name) | \(rule.severity.rawValue) | \(summary) | \(options.joined(separator: ", ")) | `\(example)` |\n"
    }
    return table
  }

  /// Run with APUS_WRITE_DOCS=1 to update the tables.
  @Test func `the tables list all change kinds and rules`() throws {
    var document = try String(contentsOfFile: Self.path, encoding: .utf8)
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      for table in [kinds, rules] { document = replacingTable(table, in: document) }
      try document.write(toFile: Self.path, atomically: true, encoding: .utf8)
    }
    #expect(document.contains(kinds))
    #expect(document.contains(rules))
  }

  /// Replaces the lines from a table's first to the next empty one.
  private func replacingTable(_ table: String, in document: String) -> String {
    var lines = document.components(separatedBy: "\n")
    let head = table.components(separatedBy: "\n")[0]
    guard let start = lines.firstIndex(of: head) else { return document }
    let end = lines[start...].firstIndex(of: "") ?? lines.endIndex
    lines.replaceSubrange(start..<end, with: table.components(separatedBy: "\n").dropLast())
    return lines.joined(separator: "\n")
  }
}
