import ApusTestSupport
import Testing

@testable import ApusGraphQLProjects

@Suite struct FilePathTests {
  @Test(arguments: [
    ("/a", "/a", true), ("/a", "/a/b", true), ("/a", "/ab", false), ("/a/b", "/a", false), ("/", "/a", true),
    ("/a", "a/b", false), ("/A", "/a/b", false), ("/caf\u{E9}", "/caf\u{E9}/x", true),
    ("/caf\u{E9}", "/cafe\u{301}/x", false), ("/cafe\u{301}", "/caf\u{E9}", false), ("/a", "/a/\u{301}b", true),
    ("/a\u{301}", "/a", false),
  ])
  func `containment is determined by bytes`(folder: String, path: String, isInside: Bool) {
    #expect(FilePath(folder).contains(FilePath(path)) == isInside)
  }

  @Test func `names that are not UTF-8 are compared by bytes`() {
    let one = FilePath("/a/".utf8 + [0xFF])
    let other = FilePath("/a/".utf8 + [0xFE])
    #expect(one != other && !one.contains(other.appending("x".utf8)))
    #expect("\(one)" == "\(other)")
  }

  @Test(arguments: [
    ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("/", "/", ""), ("/a/\u{301}b", "/a", "\u{301}b"),
  ])
  func `a path has a folder and a name`(path: String, folder: String, name: String) {
    #expect(FilePath(path).folder == FilePath(folder) && FilePath(path).name == FilePath(name))
  }

  @Test func `the digest of a file depends on every byte of its path and its content`() {
    func digest(_ path: String, _ bytes: [UInt8]) -> String { ProjectFile(path: path, bytes: bytes).digest }
    #expect(digest("/a\nb", Array("c".utf8)) != digest("/a", Array("b\nc".utf8)))
    #expect(digest("/a", [0xFF]) != digest("/a", [0xFE]))
    #expect(digest("/a", [0xFF]) != digest("/a", Array("\u{FFFD}".utf8)))
    #expect(digest("/caf\u{E9}", []) != digest("/cafe\u{301}", []))
    #expect(digest("/a\0", []) != digest("/a", [0]))
  }
}
