import ApusTestSupport
import Foundation
import Testing

/// Tests that the documentation's code compiles, and that its names and links exist.
struct DocumentationTests {
  /// The Swift sources of the tests, without separate packages.
  private static func testSources() throws -> [String] {
    let folder = Checkout.root + "/Tests"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return try names.filter {
      $0.hasSuffix(".swift") && !$0.contains("/.") && !["Fuzzing/", "Benchmarks/"].contains(where: $0.hasPrefix)
    }
    .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
  }

  /// `CodeGenerationTests` compile pages whose first snippet has an import. Other snippets are copies of test code.
  @Test func `every Swift snippet of a page is compiled`() throws {
    let sources = try Self.testSources()
    let pages = try MarkdownPage.all.filter { !$0.snippets.isEmpty }
    #expect(pages.count > 4)
    for page in pages where !page.isProgram {
      for snippet in page.snippets {
        let isCompiled = sources.contains { $0.contains(snippet) }
        #expect(isCompiled, "\(page.path) has a snippet that no test source contains:\n\(snippet)")
      }
    }
  }

  @Test func `the names in the second column of FromApollo are public`() throws {
    let names = try PublicAPI().names
    let shown = try MarkdownPage("Docs/FromApollo.md").code(inColumn: 1)
    #expect(shown.count > 80)
    let unknown = shown.filter { !names.contains($0) }
    #expect(unknown.isEmpty, "Docs/FromApollo.md has names that are not public: \(unknown.joined(separator: ", "))")
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

  private static let developersPages = [
    "CONTRIBUTING", "Docs/Architecture", "Docs/CacheStorage", "Docs/Modules", "Docs/Testing",
  ]

  @Test(arguments: developersPages)
  func `files and folders that a developers' page names exist`(name: String) throws {
    let page = try MarkdownPage("\(name).md")
    let files = FileManager.default.enumerator(atPath: Checkout.root + "/Sources")?.compactMap { $0 as? String } ?? []
    for match in page.text.matches(of: /`([A-Z]\w*(?:\/[\w+.]+)+|[A-Z][\w+]*\.swift)`/) {
      let path = String(match.output.1)
      let exists =
        files.contains { $0 == path || $0.hasSuffix("/\(path)") }
        || ["", "Sources/", "Tests/Support/"].contains {
          FileManager.default.fileExists(atPath: "\(Checkout.root)/\($0)\(path)")
        }
      #expect(exists, "\(page.path) names \(path)")
    }
  }

  @Test func `tests that the page of documented behavior names exist`() throws {
    let sources = try Self.testSources()
    let names = try MarkdownPage("Docs/Development/DocumentedBehavior.md").code(inColumn: 1)
    #expect(names.count > 40)
    for name in names {
      let words = name.split(separator: ".", maxSplits: 1)
      let declarations =
        name.hasSuffix("Tests")
        ? ["struct \(name) {"] : words.suffix(1).flatMap { ["func \($0)(", "func `\($0)`("] }
      let exists = sources.contains { source in declarations.contains { source.contains($0) } }
      #expect(exists, "the page names \(name)")
    }
  }
}
