import ApusTestSupport
import Foundation
import Testing

/// Every Swift snippet of the two pages compiles: those of a page make one program.
struct DocumentationTests {
  @Test(arguments: ["CodeGeneration", "Selections"])
  func theSnippetsCompile(_ page: String) async throws {
    let text = try String(contentsOfFile: "\(Checkout.root)/Docs/\(page).md", encoding: .utf8)
    var program = ""
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```swift"
      } else if isInside {
        program += line + "\n"
      }
    }
    #expect(program.contains("import"))
    // The package's own copies of what a reader generates have names of their own.
    program = program.replacing("import Birds", with: "import ApusBirds")
    #expect(try await SwiftCompiler.errors(in: program) == [])
  }
}
