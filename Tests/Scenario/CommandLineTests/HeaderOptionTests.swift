import ApusTestSupport
import Testing

/// The references in the values of `--header` and `--user`.
@Suite(.timeLimit(.minutes(3))) struct HeaderOptionTests {
  private static let good = ScriptedAnswer.json(#"{"data":{"a":1}}"#)

  private func run(
    _ server: ScriptedServer, _ words: [String], environment: [String: String] = ["SET": "value", "EMPTY": ""]
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", "{ a }"] + words, environment: environment)
  }

  @Test(arguments: [
    ("plain", "plain"), ("$SET", "value"), ("${SET}!", "value!"), ("$EMPTY", ""), ("$$SET", "$SET"), ("a$$b", "a$b"),
    ("$5", "$5"), ("a$", "a$"), ("${", "${"), ("$(date)", "$(date)"), ("$(date) $SET", "$(date) $SET"),
    ("$$5 $SET", "$5 value"),
  ])
  func `a header value is sent with its variables replaced`(typed: String, sent: String) async throws {
    let server = try ScriptedServer([Self.good])
    let outcome = try await run(server, ["-H", "X-Value: \(typed)"])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(server.requests.first?.header("X-Value") ?? "" == sent)
  }

  @Test(arguments: [
    (["-H", "X: $UNSET"], "--header X: "), (["-H", "X: Bearer ${UNSET}"], "--header X: "),
    (["-H", "X: $SET $UNSET"], "--header X: "), (["-u", "me:$UNSET"], "--user: "),
  ])
  func `a reference without a value stops the run`(words: [String], place: String) async throws {
    let server = try ScriptedServer([Self.good])
    let outcome = try await run(server, words)
    #expect(outcome.exitCode == 2)
    let reason = "apus: \(place)the environment has no variable 'UNSET'; set it, or write $$ for a dollar sign"
    #expect(outcome.errors.hasPrefix(reason), "\(outcome.errors)")
    #expect(server.requests.isEmpty)
  }

  @Test func `a header file has comments and unchanged values`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("headers.txt", "# of the test server\nX-One: $SET\n\n   # indented\r\nX-Two: 2\n")
    let server = try ScriptedServer([Self.good])
    let outcome = try await run(server, ["-H", "@\(folder.path("headers.txt"))"])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let request = try #require(server.requests.first)
    #expect(request.header("X-One") == "$SET" && request.header("X-Two") == "2")
  }

  @Test func `an invalid line of a header file is reported with its number and without its text`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("headers.txt", "X-One: 1\n\n# comment\nBearer hush\n")
    let server = try ScriptedServer([Self.good])
    let outcome = try await run(server, ["-H", "@\(folder.path("headers.txt"))"])
    #expect(outcome.exitCode == 2 && !outcome.errors.contains("hush"))
    #expect(outcome.errors.contains("headers.txt:4: not a header: write 'Name: value'"), "\(outcome.errors)")
  }
}
