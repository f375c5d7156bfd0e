import ApusTestSupport
import Foundation
import Testing

/// Tests that `Docs/Development/Statements.md` is complete and that the names in its last column exist.
struct StatementsTests {
  private struct Statement {
    let number: Int?
    let state: String
    /// The files, symbols and tests in the last column.
    let places: [String]
    let links: [String]
  }

  private static let page = "Docs/Development/Statements.md"

  private func statements() throws -> [Statement] {
    try MarkdownPage(Self.page).text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, cells[0].first?.isNumber == true else { return nil }
      let place = cells[3]
      return Statement(
        number: Int(cells[0]), state: cells[2], places: place.matches(of: /`([^`]+)`/).map { String($0.output.1) },
        links: place.matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) })
    }
  }

  @Test func `every statement of the reference documents has a state`() throws {
    let statements = try statements()
    #expect(statements.map(\.number) == Array(1...131))
    for statement in statements {
      #expect(["holds", "differs", "partly", "no behavior"].contains(statement.state), "\(statement)")
    }
  }

  @Test func `files, symbols and tests that the statements name exist`() throws {
    let symbols = try PublicAPI().names
    let files = try ["Sources", "Tests"].flatMap { folder in
      try #require(FileManager.default.enumerator(atPath: "\(Checkout.root)/\(folder)"))
        .compactMap { ($0 as? String).map { "\(Checkout.root)/\(folder)/\($0)" } }
    }
    let names = Set(files.map { URL(filePath: $0).lastPathComponent })
    let folder = URL(filePath: "\(Checkout.root)/\(Self.page)").deletingLastPathComponent()
    for statement in try statements() {
      for place in statement.places {
        let words = place.split(separator: ".").map(String.init)
        let exists =
          if names.contains(place) || symbols.contains(place) {
            true
          } else if words.count == 2, words[0].hasSuffix("Tests"), let file = files.first(named: words[0] + ".swift") {
            try Self.declares(words[1], in: file)
          } else {
            false
          }
        #expect(exists, "statement \(statement.number ?? 0) names \(place)")
      }
      for link in statement.links {
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: link).path), "\(link)")
      }
    }
  }
}

extension StatementsTests {
  /// Whether a file declares a test of this name, which may be a sentence.
  private static func declares(_ test: String, in file: String) throws -> Bool {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    return text.contains("func \(test)(") || text.contains("func `\(test)`(")
  }
}

extension [String] {
  fileprivate func first(named name: String) -> String? { first { $0.hasSuffix("/" + name) } }
}
