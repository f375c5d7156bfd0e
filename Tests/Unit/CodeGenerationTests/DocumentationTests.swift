import ApusTestSupport
import Testing

/// The pages whose snippets are a program compile: those of a page together.
struct DocumentationTests {
  @Test func theSnippetsCompile() async throws {
    let programs = try MarkdownPage.all.filter(\.isProgram)
    #expect(programs.count > 2)
    for page in programs {
      // The package's own copies of what a reader generates have names of their own.
      let program = page.snippets.joined().replacing("import Birds", with: "import ApusBirds")
      #expect(try await SwiftCompiler.errors(in: program) == [], "\(page.path)")
    }
  }
}
