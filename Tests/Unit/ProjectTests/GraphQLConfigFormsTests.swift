import ApusConfiguration
import ApusTestSupport
import Testing

@testable import ApusGraphQLProjects

/// The formats of a graphql-config file.
struct GraphQLConfigFormsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func find() throws -> GraphQLConfig? { try GraphQLConfig.find(from: folder.root, home: "/nowhere") }

  @Test(arguments: ["", ".json", ".yml", ".yaml"])
  func `a file of graphql-config 2 is named with its successor`(ending: String) throws {
    try folder.write(".graphqlconfig\(ending)", "{}")
    #expect(try find() == nil)
    let note = try #require(ProjectFile.unread(from: folder.root, home: "/nowhere").map(ProjectFile.unreadNote))
    #expect(note.contains("graphql.config.yml"))
  }

  private static let toml = """
    schema = "schema.graphql"
    documents = ["src/**/*.graphql"]

    [extensions.endpoints.local]
    url = "http://localhost:4000/graphql"
    headers = { Authorization = "Bearer $TOKEN" }

    """
  private static let json = """
    {"schema": "schema.graphql", "documents": ["src/**/*.graphql"], "extensions": {"endpoints": {"local": {
    \t"url": "http://localhost:4000/graphql", "headers": {"Authorization": "Bearer $TOKEN"}}}}}
    """

  @Test(arguments: [
    (".graphqlrc.toml", toml), ("graphql.config.toml", toml), ("graphql.config.json", json),
    ("graphql.config.yml", json),
    (
      "package.json",
      "{\n\t\"name\": \"birds\", \"dependencies\": {\"graphql\": \"^16.0.0\"},\n\t\"graphql\": \(json)\n}"
    ),
  ])
  func `every format results in the same project`(_ name: String, _ text: String) throws {
    try folder.write(name, text)
    let config = try #require(try find())
    let root = try #require(ProjectFile.realPath(folder.root))
    #expect(config.projects[0].schema == ["\(root)/schema.graphql"])
    #expect(config.projects[0].documents == ["\(root)/src/**/*.graphql"])
    #expect(config.endpoints.map(\.url.source) == ["http://localhost:4000/graphql"])
    #expect(config.endpoints[0].headers.map(\.value.source) == ["Bearer $TOKEN"])
  }

  @Test(arguments: ["{\"name\": \"birds\", \"dependencies\": {\"graphql\": \"^16.0.0\"}}", "{\"name\": ", "[]", ""])
  func `a package without a configuration is skipped`(_ text: String) throws {
    let inner = try folder.make("in")
    try folder.write("in/package.json", text)
    try folder.write(".graphqlrc.yml", "schema: a.graphql\n")
    let config = try GraphQLConfig.find(from: inner, home: "/nowhere")
    #expect(config?.file.path.hasSuffix("/.graphqlrc.yml") == true)
  }

  @Test(arguments: ["graphql.config.ts", ".graphqlrc.js", "graphql.config.mjs"])
  func `a configuration in a programming language is reported and hides those above it`(_ name: String) throws {
    try folder.write(".graphqlrc.yml", "schema: a.graphql\n")
    let inner = try folder.make("in")
    try folder.write("in/\(name)", "export default {}\n")
    #expect(try GraphQLConfig.find(from: inner, home: "/nowhere") == nil)
    #expect(ProjectFile.unread(from: inner, home: "/nowhere") == "\(inner)/\(name)")
    // A readable file next to it is used.
    try folder.write("in/graphql.config.toml", "schema = 'b.graphql'\n")
    #expect(try GraphQLConfig.find(from: inner, home: "/nowhere") != nil)
    #expect(ProjectFile.unread(from: inner, home: "/nowhere") == nil)
  }
}
