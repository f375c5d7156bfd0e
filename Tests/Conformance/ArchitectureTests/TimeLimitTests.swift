import ApusTestSupport
import Foundation
import Testing

/// A test that waits for something that does not come would keep the whole run from ending.
@Suite(.timeLimit(.minutes(1))) struct TimeLimitTests {
  @Test func `suites whose tests wait have a time limit`() throws {
    let root = "\(Checkout.root)/Tests"
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    var count = 0
    for file in files where file.hasSuffix(".swift") && !file.contains(".build/") {
      for suite in Self.waitingSuites(try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)) {
        count += 1
        #expect(suite.hasLimit, "Tests/\(file): \(suite.name)")
      }
    }
    #expect(count > 300)
  }

  private static let waiting = "{\n  @Test func `b c`() async { await d() }\n}\n"

  @Test(arguments: [
    ("struct A \(waiting)", ["A without"]),
    ("@Suite(.timeLimit(.minutes(1))) struct A \(waiting)", ["A with"]),
    ("@Suite(\n  .serialized,\n  .timeLimit(.minutes(1)))\nstruct A \(waiting)", ["A with"]),
    ("struct A {\n  @Test(.timeLimit(.minutes(1))) func `b c`() async { await d() }\n}\n", ["A without"]),
    ("struct A {\n  @Test func `b c`() {}\n}\nactor B {\n  func c() async { await d() }\n}\n", []),
    ("@Suite(.timeLimit(.minutes(1))) struct A \(waiting)\n@Suite final class B \(waiting)", ["A with", "B without"]),
  ])
  func `a limit belongs to one suite`(text: String, suites: [String]) {
    #expect(Self.waitingSuites(text).map { "\($0.name) \($0.hasLimit ? "with" : "without")" } == suites)
  }

  /// The suites of a file with a test that awaits. Every declaration ends with a brace in the first column.
  private static func waitingSuites(_ text: String) -> [(name: String, hasLimit: Bool)] {
    text.components(separatedBy: "\n}").compactMap { declaration in
      guard declaration.contains("@" + "Test"), declaration.contains("await "),
        let body = declaration.firstRange(of: " {\n")
      else { return nil }
      let head = declaration[..<body.lowerBound]
      guard let name = head.firstMatch(of: /\b(?:struct|class|actor|enum) (\w+)[^\n]*$/) else { return nil }
      return (String(name.1), head.contains(".timeLimit("))
    }
  }
}
