import ApusJSON
import ApusTestSupport
import Testing

/// `apus import`: what other programs kept, as files that this one runs.
struct ImportCommandTests {
  private func apus(
    _ folder: TemporaryFolder, _ words: String..., environment: [String: String] = [:]
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus] + words,
      environment: folder.asHome.merging(environment) { $1 })
  }

  private static let http = """
    @host = {{server}}

    ### Total
    POST {{host}}
    Authorization: Bearer {{token}}
    X-REQUEST-TYPE: GraphQL

    query Total { birds { totalCount } }

    ### Script
    POST {{host}}
    X-REQUEST-TYPE: GraphQL

    { __typename }

    > {% client.log("x") %}

    """

  /// The endpoints take the server and the token from the environment, once the person trusts the folder.
  @Test func anImportedRequestRunsAgainstItsEndpoint() async throws {
    let folder = try TemporaryFolder()
    try folder.write("birds.http", Self.http)
    let outcome = try await apus(folder, "import", "birds.http", "--to", "birds")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output == "birds/.graphqlrc.yml\nbirds/Total.graphql\nbirds/Script.graphql\n")
    #expect(outcome.errors.contains("apus: Script: a script\n"), "\(outcome.errors)")
    #expect(outcome.errors.contains("not written: SERVER, TOKEN;"), "\(outcome.errors)")

    let demo = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"], environment: folder.asHome)
    let url = try #require(await demo.nextLine())
    #expect(try await apus(folder, "trust", "--yes", "birds/.graphqlrc.yml").exitCode == 0)
    let answer = try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.path("birds"), Checkout.apus, "query", "default", "-f", "Total.graphql"],
      environment: folder.asHome.merging(["SERVER": url, "TOKEN": "t"]) { $1 })
    #expect(answer.output == "{\"data\":{\"birds\":{\"totalCount\":1248}}}\n", "\(answer.errors)")
  }

  @Test func whatIsThereIsLeftAsItIs() async throws {
    let folder = try TemporaryFolder()
    try folder.write("birds.http", Self.http)
    try folder.write("to/Total.graphql", "mine")
    let outcome = try await apus(folder, "import", "birds.http", "--to", "to")
    #expect(outcome.exitCode == 5)
    #expect(outcome.errors.contains("already with other contents: to/Total.graphql"), "\(outcome.errors)")
    #expect(try folder.read("to/Total.graphql") == "mine")
    #expect(try folder.read("to/Script.graphql") == "# endpoint: default-2\n{ __typename }\n")
    // What is there as it would be written is no reason against.
    try folder.write("to/Total.graphql", "# endpoint: default\nquery Total { birds { totalCount } }\n")
    #expect(try await apus(folder, "import", "birds.http", "--to", "to").exitCode == 0)
  }

  @Test func aFolderOfBrunosIsReadWithItsEnvironments() async throws {
    let folder = try TemporaryFolder()
    try folder.write("b/bruno.json", "{\"version\": \"1\", \"name\": \"b\", \"type\": \"collection\"}")
    try folder.write("b/collection.bru", "headers {\n  X-A: b\n}\n")
    try folder.write("b/environments/local.bru", "vars {\n  host: http://127.0.0.1:1\n}\n")
    try folder.write("b/In/One.bru", "post {\n  url: {{host}}/graphql\n}\n\nbody:graphql {\n  { a }\n}\n")
    #expect(try await apus(folder, "import", "b", "--to", "to").output == "to/.graphqlrc.yml\nto/In/One.graphql\n")
    let configuration = try folder.read("to/.graphqlrc.yml")
    #expect(
      configuration.contains("local:\n      url: \"http://127.0.0.1:1/graphql\"\n      headers:\n        X-A: b\n"))
  }

  @Test func aFileThatHasNoRequestsIsTold() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.json", "{\"openapi\": \"3.0.0\"}")
    let unknown = try await apus(folder, "import", "a.json", "--to", "to")
    #expect(unknown.exitCode == 5 && unknown.errors.contains("a.json is none of what can be imported: curl"))
    try folder.write("a.http", "GET https://a.example/birds\n")
    let none = try await apus(folder, "import", "a.http", "--to", "to")
    #expect(none.exitCode == 5 && none.errors.contains("request 1: it is no GraphQL request\n"))
    #expect(try await apus(folder, "import", "a.http").exitCode == 2)
    #expect(try folder.files(in: "to").isEmpty)
  }

  /// A folder that was fetched may have links where the files are to be.
  @Test(arguments: ["to/.graphqlrc.yml", "to/Total.graphql"])
  func nothingIsWrittenThroughALink(link: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("birds.http", Self.http)
    try folder.write("outside/kept", "")
    try folder.write("to/other", "")
    let made = try await ChildProcess.run("/bin/ln", ["-s", folder.path("outside/new"), folder.path(link)])
    #expect(made.exitCode == 0)
    let outcome = try await apus(folder, "import", "birds.http", "--to", "to")
    #expect(outcome.exitCode == 5, "\(outcome.output)")
    #expect(outcome.errors.contains("\(link) is a link"), "\(outcome.errors)")
    #expect(try folder.files(in: "outside") == ["kept"])
  }
}
