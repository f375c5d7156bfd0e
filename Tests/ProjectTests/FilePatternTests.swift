import ApusTestSupport
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

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for place in ["deep/er", ".hidden", "node_modules/of"] { try folder.make(place) }
    for file in [
      "one.graphql", "deep/er/two.gql", "deep/three.txt", ".hidden/four.graphql", "node_modules/of/others.graphql",
    ] { try folder.write(file, "") }
    return folder
  }

  @Test func filesAreFoundByPatternsAndTakenAwayByOthers() throws {
    let folder = try folder()
    #expect(FilePattern.files(["**/*.{graphql,gql}"], in: folder.root) == ["deep/er/two.gql", "one.graphql"])
    #expect(FilePattern.files(["**/*.{graphql,gql}", "!deep/**"], in: folder.root) == ["one.graphql"])
    #expect(FilePattern.files(["\(folder.root)/**/*.gql"], in: "/") == ["\(folder.root)/deep/er/two.gql"])
  }

  @Test func linksThatLeadBackAreFollowedOnce() throws {
    let folder = try folder()
    for name in ["back", "again", "more"] {
      try FileManager.default.createSymbolicLink(atPath: "\(folder.root)/deep/\(name)", withDestinationPath: "..")
    }
    #expect(FilePattern.files(["**/*.graphql"], in: folder.root) == ["one.graphql"])
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
