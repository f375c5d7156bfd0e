import ApusTestSupport
import Testing

/// Compiles the snippets of documentation pages, those of a page together.
@Suite(.timeLimit(.minutes(5))) struct DocumentationTests {
  @Test func `snippets of the documentation compile`() async throws {
    let programs = try MarkdownPage.all.filter(\.isProgram)
    #expect(programs.count > 2)
    for page in programs {
      // The generated code in this package has other module names than a reader's.
      let program = page.snippets.joined().replacing("import Birds", with: "import ApusBirds")
      #expect(try await SwiftCompiler.errors(in: program) == [], "\(page.path)")
    }
  }
}
