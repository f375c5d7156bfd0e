import Testing

@testable import ApusGraphQLProjects

@Suite struct FilePatternTests {
  @Test(arguments: [
    ("a/b/c.graphql", "**/*.graphql", true), ("c.graphql", "**/*.graphql", true), ("a/c.graphql", "*.graphql", false),
    ("a/c.graphql", "a/?.graphql", true), ("a/bc.graphql", "a/?.graphql", false), ("abc", "a*c", true),
    ("a/x/y/b", "a/**/b", true), ("a/b", "a/**/b", true),
  ])
  func `a pattern matches paths`(path: String, pattern: String, matches: Bool) {
    #expect(FilePatternSet([pattern]).contains(path) == matches)
  }

  @Test func `names that differ in Unicode normalization are different`() {
    for pattern in ["caf\u{E9}.graphql", "*caf\u{E9}.graphql", "?caf\u{E9}*", "caf\u{E9}/*"] {
      let composed = pattern.replacing("*", with: "x").replacing("?", with: "x")
      #expect(FilePatternSet([pattern]).contains(composed))
      #expect(!FilePatternSet([pattern]).contains(composed.replacing("\u{E9}", with: "e\u{301}")), "\(pattern)")
    }
  }

  @Test func `a name may begin with a combining character`() {
    #expect(FilePatternSet(["*/*.graphql"]).contains("a/\u{301}b.graphql"))
    #expect(FilePattern.fixedPart(of: "/a/\u{301}b/*.graphql") == "/a/\u{301}b")
    #expect(FilePattern.fixedPart(of: "/*.graphql") == "/")
  }

  /// A project's file is untrusted.
  @Test func `a pattern with many alternatives is expanded in limited time`() {
    let many = String(repeating: "{a,b}", count: 60)
    #expect(!FilePatternSet([many]).contains("x"))
    let deep = Array(repeating: "a", count: 60).joined(separator: "/")
    #expect(!FilePatternSet([String(repeating: "**/a/", count: 40) + "b"]).contains(deep))
    #expect(FilePatternSet([String(repeating: "**/", count: 40) + "a"]).contains(deep))
  }

  @Test func `alternatives come in the order of their choices`() {
    let alternatives = FilePattern.alternatives(of: ["./{a,b}/c{,d}", "e"])
    #expect(alternatives.patterns == ["a/c", "a/cd", "b/c", "b/cd", "e"])
    #expect(alternatives.leftOut == nil)
  }

  @Test func `alternatives beyond the limit are omitted and reported`() {
    let many = String(repeating: "{a,b}", count: 60)
    let alternatives = FilePattern.alternatives(of: ["x", many, "y"])
    #expect(alternatives.leftOut == many)
    #expect((30..<20_000).contains(alternatives.patterns.count))
  }

  @Test(arguments: [
    ("aXbXc", "a*b*c", true), ("aXbXcX", "a*b*c", false), ("", "*", true), ("ab", "a**b", true), ("abab", "*ab", true),
    ("\u{E9}x", "?x", true), ("\u{E9}\u{E9}x", "*?x", true), ("x", "*?x", false), ("a", "?*", true),
  ])
  func `a component with wildcards matches names`(name: String, glob: String, fits: Bool) {
    #expect(FilePatternTree.matches(Array(name.utf8), Array(glob.utf8)) == fits)
  }
}
