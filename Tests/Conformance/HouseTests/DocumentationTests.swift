import ApusTestSupport
import Foundation
import Testing

/// What the pages show is code that is compiled, and what they name is there.
struct DocumentationTests {
  /// A page whose first snippet imports something is a program, which `CodeGenerationTests` compile. The snippets of all
  /// others stand, to the letter, in a source of the tests.
  @Test func everySnippetIsCompiled() throws {
    let folder = Checkout.root + "/Tests"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let sources = try names.filter {
      $0.hasSuffix(".swift") && !$0.contains("/.") && !["Fuzzing/", "Benchmarks/"].contains(where: $0.hasPrefix)
    }
    .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    let pages = try MarkdownPage.all.filter { !$0.snippets.isEmpty }
    #expect(pages.count > 4)
    for page in pages where !page.isProgram {
      for snippet in page.snippets {
        let isThere = sources.contains { $0.contains(snippet) }
        #expect(isThere, "\(page.path) shows what is compiled nowhere:\n\(snippet)")
      }
    }
  }

  /// The second column of its tables has our names, as the list of what is public has them.
  @Test func theNamesForThoseWhoComeFromElsewhereAreThere() throws {
    let names = try PublicAPI().names
    let shown = try MarkdownPage("Docs/FromApollo.md").code(inColumn: 1)
    #expect(shown.count > 80)
    let unknown = shown.filter { !names.contains($0) }
    #expect(unknown.isEmpty, "Docs/FromApollo.md names what is not public: \(unknown.joined(separator: ", "))")
  }

  @Test func `a link between pages leads to a file, and its anchor to a heading`() throws {
    var count = 0
    for page in try MarkdownPage.all + [MarkdownPage("Docs/Examples/README.md")] {
      let file = URL(filePath: "\(Checkout.root)/\(page.path)")
      for link in page.text.matches(of: /\]\(([^)#:\s]*)(?:#([^)]+))?\)/) where link.output.0 != "]()" {
        count += 1
        let path = String(link.output.1)
        let target = path.isEmpty ? file : file.deletingLastPathComponent().appending(path: path)
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page.path) links to \(path)")
        guard let anchor = link.output.2, target.pathExtension == "md" else { continue }
        let text = try String(contentsOf: target, encoding: .utf8)
        #expect(MarkdownPage.anchors(in: text).contains(String(anchor)), "\(page.path) links to \(path)#\(anchor)")
      }
    }
    #expect(count > 100)
  }
}
