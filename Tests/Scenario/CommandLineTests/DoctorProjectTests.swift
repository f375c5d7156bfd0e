import ApusTestSupport
import Testing

/// `apus doctor` checks the files of the project in the current directory.
@Suite(.timeLimit(.minutes(3))) struct DoctorProjectTests {
  private static let generate = "schema: schema.graphql\ndocuments: '*.graphql'\noutput: Sources/API\n"

  @Test(arguments: [
    ([:], "ok     generate        no apus-generate.yml in this folder"),
    ([".graphqlrc.yml": "schema: missing.graphql\n"], "WRONG    schema        no file matches 'missing.graphql'"),
    (
      [
        ".graphqlrc.yml": "projects:\n  web:\n    schema: [schema.graphql, 'types/*.graphql']\n",
        "schema.graphql": "type Query { a: Int }",
      ],
      "WRONG    schema of web  no file matches 'types/*.graphql'"
    ),
    (["apus-generate.yml": "output: A\nshema: b\n"], "WRONG  generate        apus-generate.yml:2:1: "),
    (
      ["apus-generate.yml": generate],
      "WRONG  generate        apus-generate.yml: no file matches 'schema.graphql', '*.graphql'"
    ),
    (
      ["apus-generate.yml": generate, "schema.graphql": ""],
      "ok     generate        apus-generate.yml: writes Sources/API"
    ),
    (["apus-generate.yml": "output: A\n"], "WRONG  generate        apus-generate.yml: error: it names no schema"),
  ])
  func `doctor checks the files of a project`(files: [String: String], line: String) async throws {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    let outcome = try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus, "doctor"], environment: folder.asHome)
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    let expected = line.split(separator: " ").joined(separator: " ")
    #expect(lines.contains { $0.hasPrefix(expected) }, "\(outcome.output)")
  }
}
