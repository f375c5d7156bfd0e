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

  /// The values of Bash, and of fill-range, which globby uses.
  @Test(arguments: [
    ("{1..3}", ["1", "2", "3"]), ("{3..1}", ["3", "2", "1"]), ("{-1..1}", ["-1", "0", "1"]),
    ("{01..03}", ["01", "02", "03"]),
    ("{1..003}", ["001", "002", "003"]), ("{-01..01}", ["-01", "000", "001"]), ("{-1..01}", ["-1", "00", "01"]),
    ("{08..11}", ["08", "09", "10", "11"]), ("{0..2}", ["0", "1", "2"]), ("{a..c}", ["a", "b", "c"]),
    ("{-0..1}", ["0", "1"]),
  ])
  func `a range in braces fills its values with zeros if one end has them`(pattern: String, values: [String]) {
    #expect(FilePattern.alternatives(of: [pattern]).patterns == values)
  }

  @Test func `alternatives beyond the limit are omitted and reported`() {
    let many = String(repeating: "{a,b}", count: 60)
    let alternatives = FilePattern.alternatives(of: ["x", many, "y"])
    #expect(alternatives.leftOut == many)
    #expect((30..<20_000).contains(alternatives.patterns.count))
  }

  @Test(arguments: [
    ("aXbXc", "a*b*c", true), ("aXbXcX", "a*b*c", false), ("", "*", false), ("ab", "a**b", true), ("abab", "*ab", true),
    ("\u{E9}x", "?x", true), ("\u{E9}\u{E9}x", "*?x", true), ("x", "*?x", false), ("a", "?*", true),
  ])
  func `a component with wildcards matches names`(name: String, glob: String, fits: Bool) {
    #expect(FilePatternMatcher([glob]).matches(name) == fits)
  }

  // MARK: Compared with a model

  /// An independent matcher: it tries every way to split the path.
  private static func fits(_ names: ArraySlice<Substring>, _ parts: ArraySlice<Substring>) -> Bool {
    guard let part = parts.first else { return names.isEmpty }
    if part == "**" {
      return names.indices.contains { fits(names[$0...], parts.dropFirst()) } || fits([], parts.dropFirst())
    }
    guard let name = names.first, fits(name, part) else { return false }
    return fits(names.dropFirst(), parts.dropFirst())
  }

  private static func fits(_ name: Substring, _ part: Substring) -> Bool {
    guard let first = part.first else { return name.isEmpty }
    if first == "*" { return fits(name, part.dropFirst()) || !name.isEmpty && fits(name.dropFirst(), part) }
    guard let character = name.first, first == "?" || first == character else { return false }
    return fits(name.dropFirst(), part.dropFirst())
  }

  private static func words(_ letters: [Character], upTo count: Int) -> [String] {
    var words = [""]
    var last = [""]
    for _ in 0..<count {
      last = last.flatMap { word in letters.map { word + String($0) } }
      words += last
    }
    return words
  }

  /// All patterns of up to five characters against all paths of up to five, alone and together.
  @Test func `patterns match like a model that tries everything`() {
    let paths = Self.words(["a", "é", "/"], upTo: 5).filter {
      !$0.hasPrefix("/") && !$0.hasSuffix("/") && !$0.contains("//")
    }
    let patterns = Self.words(["a", "*", "?", "/"], upTo: 5)
    let names = Dictionary(uniqueKeysWithValues: paths.map { ($0, $0.split(separator: "/")) })
    let all = FilePatternMatcher(patterns)
    var expected: [String: Set<String>] = [:]
    for pattern in patterns {
      let parts = pattern.split(separator: "/")
      let matcher = FilePatternMatcher([pattern])
      for path in paths {
        let fits = Self.fits((names[path] ?? [])[...], parts[...])
        if fits { expected[path, default: []].insert(pattern) }
        if matcher.matches(path) != fits { Issue.record("\(pattern) \(path): expected \(fits)") }
      }
    }
    #expect(all.exhaustingPattern == nil)
    for path in paths {
      // Patterns with the same parts are one pattern.
      let found = Set(all.patternIndices(matching: path).map { Self.normal(patterns[$0]) })
      #expect(found == Set((expected[path] ?? []).map(Self.normal)), "\(path)")
    }
  }

  private static func normal(_ pattern: String) -> String {
    var parts: [Substring] = []
    for part in pattern.split(separator: "/") where part != "**" || parts.last != "**" {
      var name = ""
      for character in part where part == "**" || character != "*" || name.last != "*" { name.append(character) }
      parts.append(Substring(name))
    }
    return parts.joined(separator: "/")
  }

  // MARK: Compared with globby

  private static let paths = [
    "a", "b", "ab", "c", "abc", "d", "a.ts", "b.ts", "a.d.ts", "foo", "foobar", "foo.js", "bar.js", "a/b", "a/c",
    "a/b/c", "foo/x.ts", "bar/x.ts", "foobar/x.ts", "bar/foo/x.ts", "[slug]", "s", "é", "è", "z", "[a", "a*b", "{x}",
    "bx", "1", "2", "(main)", "main", "x/foo", "x/bar",
  ]

  /// Returns the paths of a single name, except some.
  private static func names(except left: [String]) -> [String] {
    paths.filter { !$0.contains("/") && !left.contains($0) }
  }

  /// The matches of picomatch 4.0, which globby uses.
  private static let picomatch: [(pattern: String, matches: [String])] = [
    (#"[ab]"#, ["a", "b"]),
    (#"[a-c]"#, ["a", "b", "c"]),
    (#"[!a]"#, ["b", "c", "d", "s", "é", "è", "z", "1", "2"]),
    (#"[^ab]"#, ["c", "d", "s", "é", "è", "z", "1", "2"]),
    (#"[é]"#, ["é"]),
    (#"[à-ê]"#, ["é", "è"]),
    (#"[slug]"#, ["s"]),
    (#"[a"#, []),
    (#"{a,{b,c}}"#, ["a", "b", "c"]),
    (#"{a,b/{c,d}}"#, ["a"]),
    (#"a{b,}c"#, ["abc"]),
    (#"{1..2}"#, ["1", "2"]),
    (#"{a..c}"#, ["a", "b", "c"]),
    (#"{x}"#, []),
    (#"{{x}}"#, []),
    (#"b{x}"#, []),
    (#"@(a|b)"#, ["a", "b"]),
    (#"@(a|b).ts"#, ["a.ts", "b.ts"]),
    (#"?(a)b"#, ["b", "ab"]),
    (#"+(a|b)"#, ["a", "b", "ab"]),
    (#"*(a|b)"#, ["a", "b", "ab"]),
    (#"*(a)c"#, ["c"]),
    (#"!(a)"#, names(except: ["a"])),
    (#"!(a|b)"#, names(except: ["a", "b"])),
    (#"!(foo)"#, names(except: ["foo"])),
    (#"!(foo).js"#, ["bar.js"]),
    (#"!(*.d).ts"#, ["a.ts", "b.ts"]),
    (#"!(foo)/x.ts"#, ["bar/x.ts"]),
    (#"!(foo)/**/*.ts"#, ["bar/x.ts", "bar/foo/x.ts"]),
    (#"**/!(foo)/*.ts"#, ["bar/x.ts"]),
    (#"x/!(foo)"#, ["x/bar"]),
    (#"a!(b)c"#, []),
    (#"(a|b)"#, ["a", "b"]),
    (#"@(a/b|x/foo)"#, ["a/b", "x/foo"]),
    (#"a\*b"#, ["a*b"]),
    (#"\[slug\]"#, ["[slug]"]),
    (#"@(a|@(b|c))"#, ["a", "b", "c"]),
    (#"!(@(a|b))"#, names(except: ["a", "b"])),
    (#"{@(a|b),c}"#, ["a", "b", "c"]),
    (#"+([ab])"#, ["a", "b", "ab"]),
    (#"*.!(d).ts"#, []),
    (#"a/!(b)"#, ["a/c"]),
    (#"!(a)b"#, ["b"]),
    (#"?("#, []),
    (#"@(a"#, []),
    (#"[a-]"#, ["a"]),
    (#"[]a]"#, ["a"]),
    (#"[\]a-c]"#, ["a", "b", "c"]),
    (#"[a\-c]"#, ["a", "c"]),
  ]

  @Test(arguments: picomatch)
  func `brackets, braces and groups match as in globby`(pattern: String, matches: [String]) {
    // A list of patterns excludes files with a leading `!`, also of a group.
    let set = FilePatternMatcher(FilePattern.alternatives(of: [pattern]).patterns)
    // A path that is written like the pattern depends on the existing files.
    #expect(Self.paths.filter { $0 != pattern && set.matches($0) } == matches)
  }

  @Test func `the escaped path of a folder matches only that path`() {
    for path in ["b{x}", "{{a}}", "a*", "q?", "[ab]", "(a|b)", "!(a)", "a\\b", "{a,b}", "+(x)"] {
      let pattern = FilePattern.matching(path)
      #expect(!FilePattern.isPattern(pattern))
      #expect(FilePattern.path(of: pattern) == path)
      let set = FilePatternSet(["\(pattern)/*.graphql"])
      #expect(FilePattern.fixedPart(of: "\(pattern)/*.graphql") == path)
      for other in [
        "b{x}", "bx", "{{a}}", "a", "a*", "ab", "q?", "qa", "[ab]", "(a|b)", "!(a)", "a\\b", "{a,b}", "+(x)", "x",
      ] {
        #expect(set.contains("\(other)/q.graphql") == (other == path), "\(path) \(other)")
      }
    }
  }

  @Test func `a negation with too many states is named and matches nothing`() {
    let pattern = "x/!(*a" + String(repeating: "?", count: 14) + ").graphql"
    let set = FilePatternSet([pattern, "b.gql"])
    #expect(set.exhaustingPattern == pattern)
    #expect(set.contains("b.gql"))
    #expect(!set.contains("x/c.graphql"))
  }

  @Test func `long patterns of brackets, braces and groups are read in limited time`() {
    for part in ["{", "{a,", "[", "[a", "@(", "@(a|", "!(", "+(a)", "(", "{1..999}", "\\", "[!a]"] {
      let pattern = String(repeating: part, count: 20_000 / part.count)
      _ = FilePatternSet([pattern]).contains("a/b")
      _ = FilePattern.isPattern(pattern)
    }
  }

  // MARK: Work

  /// Each set would take minutes if every pattern were tried for every path.
  @Test(arguments: ["*%a*%b*", "**/%*x", "*?%*", "{a,b}*%c*d"])
  func `many patterns against many long names take limited work and name a pattern if they do not`(form: String) {
    let patterns = (0..<2000).map { form.replacing("%", with: String($0, radix: 36)) }
    let paths = (0..<400).map { index in
      (0..<40).map { String(index * 41 + $0 * 7919, radix: 36) }.joined(separator: "x")
    }
    let set = FilePatternSet(patterns)
    let count = paths.count { set.contains($0) }
    #expect(count <= paths.count)
    if let pattern = set.exhaustingPattern { #expect(pattern.contains("*")) }
  }

  @Test func `a pattern with too many states is named`() {
    // The states remember the positions of the last forty letters.
    let set = FilePatternSet(["*a" + String(repeating: "?", count: 40)])
    var random = SystemRandomNumberGenerator()
    let path = String((0..<200_000).map { _ in Bool.random(using: &random) ? Character("a") : "b" })
    #expect(set.exhaustingPattern == nil)
    _ = set.contains(path)
    #expect(set.exhaustingPattern?.hasPrefix("*a???") == true)
  }
}
