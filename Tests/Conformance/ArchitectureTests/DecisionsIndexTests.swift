import ApusTestSupport
import Foundation
import Testing

struct DecisionsIndexTests {
  @Test func `the index has a row for each decision, with its title, date and status`() throws {
    let folder = "\(Checkout.root)/Docs/Decisions"
    let index = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
    let rows = index.split(separator: "\n").filter { $0.wholeMatch(of: /\| \d+ \|.*/) != nil }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "README.md" }.sorted()
    #expect(rows.count == files.count && files.count > 60)
    for file in files {
      let page = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let head = try #require(
        page.firstMatch(of: /# (\d+)\. (.+)\n\nStatus: (.+?)\. Date: (\d{4}-\d\d-\d\d)\./), "\(file)")
      let row = try #require(rows.first { $0.contains("](\(file))") }, "the index has no row for \(file)")
      #expect(row.hasPrefix("| \(head.1) | [\(head.2)]("), "\(file)")
      #expect(row.contains("| \(head.4) | "), "\(file)")
      let status = head.3.hasPrefix("accepted") ? "accepted" : "superseded"
      #expect(row.contains(status), "\(file)")
    }
  }
}
