import ApusTestSupport
import Foundation
import Testing

/// Tests have one style of names: a sentence in a raw identifier that states the behavior. The tests that a page shows to
/// readers with Swift 6.1 have plain names.
struct TestNamesTests {
  private static let shown = "TestingTests/DocumentedTests.swift"

  @Test func `each test is named by a sentence`() throws {
    let root = "\(Checkout.root)/Tests"
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    var count = 0
    for file in files where file.hasSuffix(".swift") && !file.contains(".build/") && !file.hasSuffix(Self.shown) {
      let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
      // The attribute is written in two parts, so that this line is not a test.
      for piece in text.components(separatedBy: "@" + "Test").dropFirst() {
        guard let keyword = piece.firstRange(of: "func ") else { continue }
        count += 1
        let name = piece[keyword.upperBound...].prefix { $0 != "(" && $0 != "<" }
        #expect(name.hasPrefix("`") && name.contains(" "), "Tests/\(file): \(name)")
      }
    }
    #expect(count > 2000)
  }
}
