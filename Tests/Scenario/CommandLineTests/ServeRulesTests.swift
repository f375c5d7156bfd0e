import ApusTestSupport
import Testing

/// `apus serve --rules FILE`.
@Suite(.timeLimit(.minutes(3))) struct ServeRulesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("schema.graphql", "type Query { name: String! age: Int }\n")
  }

  private var words: [String] {
    ["serve", "--schema", folder.path("schema.graphql"), "--rules", folder.path("rules.yml"), "--delay-scale", "0"]
  }

  /// Asks until the server returns a name.
  private func wait(for name: String, _ url: String) async throws {
    var last = ""
    for _ in 0..<200 {
      last = try await ChildProcess.run(Checkout.apus, ["query", url, "-q", "{ name }", "--jq", ".data.name", "-r"])
        .output
      if last == name + "\n" { return }
    }
    Issue.record("the name is \(last), not \(name)")
  }

  @Test(.timeLimit(.minutes(2))) func `rules are read again when the file changes, unless they have a mistake`()
    async throws
  {
    try folder.write("rules.yml", "Query.name: Ann\n")
    let server = try ChildProcess(Checkout.apus, words)
    let url = try #require(await server.nextLine())
    try await wait(for: "Ann", url)
    try folder.write("rules.yml", "Query.name: Bo\n")
    try await wait(for: "Bo", url)
    try folder.write("rules.yml", "Query.nme: Cy\n")
    // The next valid version shows that the mistake was read.
    try await wait(for: "Bo", url)
    try folder.write("rules.yml", "Query.name: Di\nQuery.age: 3\n")
    try await wait(for: "Di", url)
    server.signal(15)
    let outcome = await server.outcome()
    #expect(
      outcome.errors.contains("rules.yml: 1 rule\n") && outcome.errors.contains("rules.yml: 2 rules\n"), "\(outcome)")
  }

  @Test(arguments: [
    ("Query.nme: Cy\n", 5, "rules.yml:1:1: Query.nme: the type Query has no field nme; did you mean name?"),
    ("Query.name: [\n", 5, "rules.yml:"), ("- a\n", 5, "rules.yml:1:1: a file of rules must be a mapping, not a list"),
  ])
  func `rules with a mistake prevent the start`(rules: String, code: Int32, message: String) async throws {
    try folder.write("rules.yml", rules)
    let outcome = try await ChildProcess.run(Checkout.apus, words)
    #expect(outcome.exitCode == code && outcome.errors.contains(message) && outcome.output.isEmpty, "\(outcome)")
  }

  @Test func `rules need a schema`() async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, ["serve", "--rules", "rules.yml"])
    #expect(outcome.exitCode == 2 && outcome.errors.contains("--rules needs --schema"), "\(outcome)")
  }
}
