import Foundation

/// A page of the documentation, as far as its code and its tables go.
package struct MarkdownPage: Sendable {
  /// From the checkout's root: `Docs/Client.md`.
  package let path: String
  package let text: String

  package init(_ path: String) throws {
    self.path = path
    text = try String(contentsOfFile: "\(Checkout.root)/\(path)", encoding: .utf8)
  }

  /// The pages of the root and of the folders of Docs, without decisions and examples.
  package static var all: [MarkdownPage] {
    get throws {
      let folders = ["", "Development/", "Explanation/", "Guide/", "HowTo/", "Packaging/", "Reference/", "Tutorials/"]
      return try ([""] + folders.map { "Docs/" + $0 }).flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: "\(Checkout.root)/\(folder)").sorted()
          .filter { $0.hasSuffix(".md") }.map { try MarkdownPage(folder + $0) }
      }
    }
  }

  /// A fenced block.
  package struct Block: Sendable {
    package let language: String
    package let lines: [String]

    package var text: String { lines.map { $0 + "\n" }.joined() }
  }

  /// The fenced blocks, in their order.
  package var blocks: [Block] {
    var blocks: [Block] = []
    var language: String?
    var lines: [String] = []
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        if let opened = language { blocks.append(Block(language: opened, lines: lines)) }
        language = language == nil ? String(line.dropFirst(3)) : nil
        lines = []
      } else if language != nil {
        lines.append(line)
      }
    }
    return blocks
  }

  /// The fenced blocks of Swift, in their order.
  package var snippets: [String] { blocks.filter { $0.language == "swift" }.map(\.text) }

  /// Whether its snippets, one after the other, are a program: then the first of them says what it imports.
  package var isProgram: Bool { snippets.first?.hasPrefix("import ") == true }

  /// The anchors of the headings, as GitHub makes them.
  package static func anchors(in text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
        return String(title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.map { $0 == " " ? "-" : $0 })
      })
  }

  /// What stands as code in a column of its tables, counted from 0.
  package func code(inColumn column: Int) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap { row -> [String] in
      let cells = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
      guard column < cells.count else { return [] }
      return cells[cells.startIndex + column].split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
  }
}
