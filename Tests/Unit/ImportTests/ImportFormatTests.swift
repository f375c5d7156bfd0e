import ApusClientImports
import ApusTestSupport
import Foundation
import Testing

@Suite struct ImportFormatTests {
  @Test func `the documentation names each format`() throws {
    let page = try String(contentsOfFile: "\(Checkout.root)/Docs/Importing.md", encoding: .utf8).lowercased()
    for name in ImportFormat.names.components(separatedBy: ", ") {
      #expect(page.contains(name.lowercased()), "\(name)")
    }
  }
}
