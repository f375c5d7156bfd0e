import Foundation
import Testing

@testable import ApusGraphQLProjects

@Suite struct FilePatternTests {
  @Test(arguments: [
    ("a/b/c.graphql", "**/*.graphql", true), ("c.graphql", "**/*.graphql", true), ("a/c.graphql", "*.graphql", false),
    ("a/c.graphql", "a/?.graphql", true), ("a/bc.graphql", "a/?.graphql", false), ("abc", "a*c", true),
    ("a/x/y/b", "a/**/b", true), ("a/b", "a/**/b", true),
  ])
  func aPatternMatches(path: String, pattern: String, matches: Bool) {
    #expect(FilePattern.matches(path, pattern) == matches)
  }

  @Test func `names that differ in Unicode normalization are two names`() {
    for pattern in ["caf\u{E9}.graphql", "*caf\u{E9}.graphql", "?caf\u{E9}*", "caf\u{E9}/*"] {
      let composed = pattern.replacing("*", with: "x").replacing("?", with: "x")
      #expect(FilePattern.matches(composed, pattern))
      #expect(!FilePattern.matches(composed.replacing("\u{E9}", with: "e\u{301}"), pattern), "\(pattern)")
    }
  }

  @Test func `a name may begin with a combining character`() {
    #expect(FilePattern.matches("a/\u{301}b.graphql", "*/*.graphql"))
    #expect(FilePattern.fixedPart(of: "/a/\u{301}b/*.graphql") == "/a/\u{301}b")
    #expect(FilePattern.fixedPart(of: "/*.graphql") == "/")
  }

  /// A project's file may be anybody's.
  @Test func aPatternThatStandsForVeryMuchCostsLittle() {
    let many = String(repeating: "{a,b}", count: 60)
    #expect(!FilePattern.matches("x", anyOf: [many]))
    let deep = Array(repeating: "a", count: 60).joined(separator: "/")
    #expect(!FilePattern.matches(deep, String(repeating: "**/a/", count: 40) + "b"))
    #expect(FilePattern.matches(deep, String(repeating: "**/", count: 40) + "a"))
  }
}
