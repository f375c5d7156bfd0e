import ApusTestSupport
import Testing

@testable import ApusGraphQLProjects

@Suite struct IgnoreRulesTests {
  /// The results are those of `git check-ignore`.
  @Test(arguments: [
    ("dist", "dist", true), ("dist", "a/dist", true), ("dist/", "a/dist", false), ("/dist", "a/dist", false),
    ("/dist", "dist", true), ("a/dist", "a/dist", true), ("a/dist", "b/a/dist", false), ("*.js", "a/b.js", true),
    ("*.js\n!keep.js", "keep.js", false), ("!keep.js\n*.js", "keep.js", true), ("x\n!x\nx", "x", true),
    ("# x", "# x", false), ("\\#x", "#x", true), ("a  ", "a", true), ("**/b", "a/c/b", true), ("a/**", "a/b/c", true),
    ("[ab].js", "b.js", true), ("[!a].js", "a.js", false), ("f(a)", "f(a)", true), ("{a,b}", "a", false),
  ])
  func `rules match as in git`(text: String, path: String, isIgnored: Bool) {
    #expect((IgnoreRules(text: text).ignores(path, isFolder: false) ?? false) == isIgnored)
  }

  @Test func `a rule for folders matches folders only`() {
    let rules = IgnoreRules(text: "dist/")
    #expect(rules.ignores("a/dist", isFolder: true) == true)
    #expect(rules.ignores("a/dist", isFolder: false) == nil)
  }

  @Test func `a search skips what git ignores in each folder`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.gql", "dist/b.gql", "p/c.gql", "p/gen/d.gql", "p/keep/gen/e.gql", "q/gen/f.gql"] {
      try folder.write(name, "{ a }")
    }
    try folder.write(".gitignore", "dist/\n")
    try folder.write("p/.gitignore", "gen\n!keep/gen\n")
    let root = try #require(ProjectRoot.folder(folder.root))
    let found = root.files(["**/*.gql"], in: folder.root, respectsIgnoreRules: true).files
    #expect(found == ["a.gql", "p/c.gql", "p/keep/gen/e.gql", "q/gen/f.gql"])
    #expect(root.files(["**/*.gql"], in: folder.root).files.count == 6)
  }

  @Test func `the rules of the repository hold in its folders`() throws {
    let folder = try TemporaryFolder()
    try folder.write(".git/HEAD", "")
    try folder.write(".gitignore", "/src/old\n*.tmp.gql\n")
    for name in ["src/a.gql", "src/old/b.gql", "src/c.tmp.gql"] { try folder.write(name, "{ a }") }
    let root = try #require(ProjectRoot.folder(folder.path("src")))
    #expect(root.files(["**/*.gql"], in: folder.path("src"), respectsIgnoreRules: true).files == ["a.gql"])
  }
}
