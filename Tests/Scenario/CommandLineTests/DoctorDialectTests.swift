import ApusTestSupport
import Testing

/// `apus doctor` shows the dialects of each project, with the reason or the setting.
@Suite(.timeLimit(.minutes(3))) struct DoctorDialectTests {
  private static let schema = "schema: schema.graphql\n"
  private static func setting(_ name: String) -> String { schema + "extensions:\n  apus:\n    dialect: \(name)\n" }

  @Test(arguments: [
    (schema, [], "detected from the documents"), (schema, ["relay.config.json"], "Relay ("),
    (schema, ["apollo.config.js"], "Apollo Client ("), (setting("none"), ["relay.config.json"], "none"),
    (setting("federation"), ["relay.config.json"], "Apollo Federation (selected by extensions.apus.dialect)"),
    (setting("relai"), [], "extensions.apus.dialect: unknown relai"), (nil, ["relay.config.json"], "Relay ("),
    ("projects:\n  web:\n    schema: a.graphql\n    extensions: {apus: {dialect: relay}}\n", [], "Relay (selected"),
  ])
  func `doctor shows the dialects of a project`(
    configuration: String?, files: [String], expected: String
  ) async throws {
    let folder = try TemporaryFolder()
    if let configuration { try folder.write(".graphqlrc.yml", configuration) }
    for name in files { try folder.write(name, "") }
    let outcome = try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus, "doctor"], environment: folder.asHome)
    let lines = outcome.output.split(separator: "\n").filter { $0.contains("dialect") }
    #expect(lines.contains { $0.contains(expected) }, "\(outcome)")
  }
}
