import ApusJSON
import Testing

/// The dialects of a project, detected from files of other tools or selected by the setting, and shown in the log.
@Suite(.timeLimit(.minutes(1))) struct DialectTests {
  private static let relayDocument = "fragment F on Query @refetchable(queryName: \"FQuery\") { a }\n"

  private func session(_ files: [String: String], setting: String = "") async throws -> Session {
    var files = files
    files[".graphqlrc.yml"] =
      "schema: schema.graphql\ndocuments: 'src/*'\n"
      + (setting.isEmpty ? "" : "extensions:\n  apus:\n    dialect: \(setting)\n")
    files["schema.graphql"] = "type Query { a: Int }\n"
    let session = try Session(files)
    try await session.start()
    return session
  }

  /// Returns the messages of the log about dialects, without the paths of files.
  private func log(_ session: Session) -> [String] {
    session.reported("window/logMessage").compactMap { $0["message"]?.string }.filter { $0.contains("dialects") }
      .map { $0.replacing("\(session.folder.root)/", with: "") }
  }

  @Test(arguments: [
    ("relay.config.json", "{}", "", "Relay (found relay.config.json)"),
    ("relay.config.js", "", "", "Relay (found relay.config.js)"),
    ("package.json", #"{"devDependencies": {"relay-compiler": "18"}}"#, "", "Relay (package.json configures it)"),
    ("package.json", #"{"relay": {"src": "./src"}}"#, "", "Relay (package.json configures it)"),
    ("package.json", #"{"dependencies": {"react": "19"}}"#, "", nil),
    ("apollo.config.ts", "", "", "Apollo Client (found apollo.config.ts)"),
    ("apollo-codegen-config.json", "{}", "", "Apollo Client (found apollo-codegen-config.json)"),
    ("relay.config.json", "{}", "none", nil),
    ("relay.config.json", "{}", "apollo", "Apollo Client (selected by extensions.apus.dialect)"),
    (
      "notes.txt", "", "[relay, apollo]",
      "Relay (selected by extensions.apus.dialect), Apollo Client (selected by extensions.apus.dialect)"
    ),
  ])
  func `the log shows the dialects and their reasons`(
    file: String, text: String, setting: String, expected: String?
  ) async throws {
    let session = try await session([file: text], setting: setting)
    #expect(log(session) == (expected.map { ["apus: dialects: \($0)"] } ?? []))
  }

  @Test(arguments: [("", true), ("relay", true), ("none", false), ("apollo", false)])
  func `the setting determines the dialects of documents`(setting: String, isKnown: Bool) async throws {
    let session = try await session(["src/f.graphql": Self.relayDocument], setting: setting)
    let problems = session.problems("src/f.graphql") ?? []
    #expect(problems.contains { $0.contains("@refetchable") } == !isKnown, "\(problems)")
  }
}
