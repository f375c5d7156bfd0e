import ApusTestSupport
import Foundation
import Testing

@testable import ApusGraphQLProjects

/// The files that a search in a folder finds, and those that it rejects.
@Suite struct FileSearchTests {
  private let place: TemporaryFolder
  private let root: ProjectRoot

  init() throws {
    place = try TemporaryFolder()
    for file in [
      "r/one.graphql", "r/deep/er/two.gql", "r/deep/three.txt", "r/.hidden/four.graphql",
      "r/node_modules/of/five.graphql",
      "out/s.graphql",
    ] { try place.write(file, "") }
    root = try #require(ProjectRoot.folder(place.path("r")))
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: place.path(name), withDestinationPath: target)
  }

  private func search(_ patterns: String...) -> FileList { root.files(patterns, in: place.path("r")) }

  private func refusals(_ list: FileList) -> [String: FileRefusal.Reason] {
    Dictionary(list.refusals.map { ($0.path, $0.reason) }) { one, _ in one }
  }

  private var outside: FileRefusal.Reason { .outside("\(root.region)") }

  @Test func `files are found by patterns and excluded by others`() {
    #expect(search("**/*.{graphql,gql}") == FileList(files: ["deep/er/two.gql", "one.graphql"]))
    #expect(search("**/*.{graphql,gql}", "!deep/**") == FileList(files: ["one.graphql"]))
    #expect(search("./one.graphql", "one.graphql", "o?e.*") == FileList(files: ["one.graphql"]))
    let complete = root.files(["\(place.path("r"))/**/*.gql"], in: "/")
    #expect(complete == FileList(files: ["\(place.path("r"))/deep/er/two.gql"]))
  }

  @Test func `links to folders are not followed, and links to files stay inside`() throws {
    try link("r/deep/back", to: "..")
    try link("r/deep/root", to: "/")
    try link("r/deep/out", to: "../../out")
    try link("r/far.graphql", to: "../out/s.graphql")
    try link("r/near.graphql", to: "one.graphql")
    try link("r/gone.graphql", to: "nothing.graphql")
    try link("r/README.md", to: "../out/s.graphql")
    let list = search("**/*.graphql")
    #expect(list.files == ["near.graphql", "one.graphql"])
    #expect(
      refusals(list) == [
        "deep/back": .linkToFolder, "deep/root": .linkToFolder, "deep/out": .linkToFolder, "far.graphql": outside,
      ])
    #expect(search("**/*.graphql", "!deep/**", "!far.graphql") == FileList(files: ["near.graphql", "one.graphql"]))
  }

  /// A pattern, the files that it finds, and the links that are refused: those in the folders that it searches.
  @Test(
    arguments: [
      ("**/*.graphql", ["one.graphql"], ["deep/out", "linked"]),
      ("*/*.graphql", [], ["deep/out", "linked"]),
      ("*", ["one.graphql"], ["deep/out", "linked"]),
      ("deep/*", ["deep/three.txt"], ["deep/out"]),
      ("deep/*/*.graphql", [], ["deep/out"]),
      ("linked/*", ["linked/er/two.gql", "linked/three.txt"], ["linked/out"]),
    ] as [(String, [String], [String])])
  func `links to folders are refused for each form of pattern`(pattern: String, files: [String], refused: [String])
    throws
  {
    try link("r/deep/out", to: "../../out")
    try link("r/linked", to: "deep")
    let list = search(pattern)
    #expect(Set(list.files).isSubset(of: files), "\(list.files)")
    #expect(list.refusals.map(\.path) == refused)
    #expect(list.refusals.allSatisfy { $0.reason == .linkToFolder })
  }

  /// An excluding pattern, and the links that are refused nevertheless. A link to a folder is excluded by its name and by a
  /// pattern that excludes every entry of the folder.
  @Test(
    arguments: [
      ("linked", ["deep/out"]), ("linked/*", ["deep/out"]), ("linked/**", ["deep/out"]),
      ("linked/*.gql", ["deep/out", "linked"]), ("deep/*", ["linked"]), ("*/out/**", ["linked"]),
      ("deep", ["deep/out", "linked"]),
      ("*", ["deep/out"]), ("**", []),
    ] as [(String, [String])])
  func `a link to a folder is excluded like the entries of the folder`(pattern: String, refused: [String]) throws {
    try link("r/deep/out", to: "../../out")
    try link("r/linked", to: "deep")
    #expect(search("**/*.graphql", "!\(pattern)").refusals.map(\.path) == refused)
  }

  @Test func `the fixed part of a pattern can be a link inside the region but not out of it`() throws {
    try link("r/inside", to: "deep")
    try link("r/outside", to: "../out")
    #expect(search("inside/**/*.gql") == FileList(files: ["inside/er/two.gql"]))
    for pattern in ["outside/*.graphql", "../out/*.graphql", "\(place.path("out"))/**/*.graphql", "inside/../../out/*"]
    {
      let list = search(pattern)
      #expect(list.files.isEmpty && list.refusals.map(\.reason) == [outside], "\(pattern)")
    }
    #expect(search("{../out,deep/er}/*.g*").files == ["deep/er/two.gql"])
    #expect(search("*/../../out/*.graphql").files.isEmpty)
  }

  @Test func `names without wildcards are checked like found names`() throws {
    try link("r/far.graphql", to: "../out/s.graphql")
    let list = search("one.graphql", "none.graphql", "far.graphql", "../out/s.graphql", "/etc/hostname")
    #expect(list.files == ["one.graphql"])
    #expect(
      refusals(list) == [
        "none.graphql": .missing, "far.graphql": outside, "../out/s.graphql": outside, "/etc/hostname": outside,
      ])
  }

  @Test func `a sibling in another normalization is outside a folder`() throws {
    try place.write("caf\u{E9}/a.graphql", "")
    try place.write("cafe\u{301}/b.graphql", "")
    let root = try #require(ProjectRoot.folder(place.path("caf\u{E9}")))
    #expect(root.files(["**/*.graphql"], in: place.path("caf\u{E9}")).files == ["a.graphql"])
    let list = root.files(["../cafe\u{301}/*.graphql"], in: place.path("caf\u{E9}"))
    #expect(list.files.isEmpty && list.refusals.map(\.reason) == [.outside("\(root.region)")])
  }

  @Test func `names that differ in normalization are different files`() throws {
    try place.write("r/n/caf\u{E9}.graphql", "")
    try place.write("r/n/cafe\u{301}.graphql", "")
    #expect(search("n/*.graphql").files.count == 2)
  }

  @Test func `names with line breaks are found, and names that are not UTF-8 are rejected`() throws {
    try place.write("r/n/a\nb.graphql", "")
    // A Swift string cannot contain such bytes.
    let folder = FilePath(place.path("r/n/")).bytes + [0xFF] + Array(".graphql".utf8)
    let file = folder.withCString { open($0, O_CREAT | O_WRONLY, 0o600) }
    #expect(file >= 0)
    close(file)
    let list = search("n/*.graphql")
    #expect(list.files == ["n/a\nb.graphql"])
    #expect(list.refusals.map(\.reason) == [.nameNotUTF8])
  }

  @Test func `pipes and sockets are not found`() throws {
    mkfifo(place.path("r/pipe.graphql"), 0o600)
    try place.make("r/folder.graphql")
    #expect(search("*.graphql") == FileList(files: ["one.graphql"]))
  }

  @Test func `a search ends at the limit of files and folders`() throws {
    for number in 0..<20 { try place.write("r/many/\(number).graphql", "") }
    let list = root.files(["**/*.graphql"], in: place.path("r"), limit: 10)
    #expect(list.files.count <= 10)
    #expect(list.refusals.map(\.reason) == [.tooMany(limit: 10)])
    #expect(root.files(["**/*.graphql"], in: place.path("r"), limit: 100).refusals.isEmpty)
  }

  // MARK: Projects

  private func config(_ text: String, at name: String = "r/.graphqlrc.yml") throws -> GraphQLConfig {
    try place.write(name, text)
    return try #require(try GraphQLConfig.find(from: place.path("\(FilePath(name).folder)"), home: "/nowhere"))
  }

  @Test func `a project names files of its repository`() throws {
    try place.make("r/.git")
    let config = try config(
      "schema: ../one.graphql\ndocuments: [../deep, ../../out, ../../out/s.graphql]\n", at: "r/web/.graphqlrc.yml")
    let real = try #require(FilePath(real: place.path("r")))
    let project = ProjectDefinition.config(config, config.projects[0])
    #expect(project.schemaFiles().files == ["\(real)/one.graphql"])
    let documents = project.documentFiles()
    #expect(documents.files == ["\(real)/deep/er/two.gql"])
    #expect(documents.refusals.map(\.reason) == [outside, outside])
    #expect(ProjectOwners(config).project(of: "\(real)/one.graphql")?.name == nil)
  }

  @Test func `a path above the configuration belongs to the project that names it`() throws {
    try place.make("r/.git")
    let config = try config(
      "projects:\n  one: { documents: ../deep/**/*.gql }\n  default: { documents: ./x.graphql }\n",
      at: "r/web/.graphqlrc.yml")
    let real = try #require(FilePath(real: place.path("r")))
    #expect(ProjectOwners(config).project(of: "\(real)/deep/er/two.gql")?.name == "one")
    #expect(ProjectOwners(config).project(of: "\(real)/other.gql")?.name == "default")
  }

  @Test func `a configuration that is a link out of its repository is not read`() throws {
    try place.write("out/.graphqlrc.yml", "schema: s.graphql\n")
    try link("r/.graphqlrc.yml", to: "../out/.graphqlrc.yml")
    #expect(throws: (any Error).self) { try GraphQLConfig.find(from: place.path("r"), home: "/nowhere") }
    try place.make(".git")
    #expect(try GraphQLConfig.find(from: place.path("r"), home: "/nowhere") != nil)
  }
}
