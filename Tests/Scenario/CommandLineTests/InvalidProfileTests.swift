import ApusTestSupport
import Testing

/// Commands with a mistake in `config.yml` that they do not depend on.
@Suite(.timeLimit(.minutes(3))) struct InvalidProfileTests {
  private let server: ScriptedServer
  private let home: TemporaryFolder

  init() throws {
    server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    home = try TemporaryFolder()
  }

  private func query(_ configuration: String, _ words: [String]) async throws -> ChildProcess.Outcome {
    try home.write("config/config.yml", configuration + "profiles:\n  good: \(server.url)\n  bad:\n    timeot: 3\n")
    return try await ChildProcess.run(
      Checkout.apus, ["query"] + words + ["-q", "{ a }"], environment: home.asHome)
  }

  @Test func `a mistake in another profile is reported and the profile works`() async throws {
    let outcome = try await query("", ["good"])
    #expect(outcome.exitCode == 0 && outcome.output == "{\"data\":{\"a\":1}}\n", "\(outcome)")
    #expect(outcome.errors.hasPrefix("apus: skipped: "))
    #expect(outcome.errors.contains("config.yml:4:5: the profile 'bad' has no key 'timeot'; did you mean timeout?"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `a profile with a mistake is unusable`() async throws {
    let outcome = try await query("", ["bad"])
    #expect(outcome.exitCode == 5 && server.requests.isEmpty)
    #expect(outcome.errors.hasPrefix("apus: there is no usable profile 'bad': "), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `a URL does not depend on the profiles`() async throws {
    let outcome = try await query("theem: dark\n", [server.url])
    #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test func `a mistake in cacheKeys stops only commands that use a cache`() async throws {
    let wrong = "cacheKeys: {field: id}\n"
    #expect(try await query(wrong, ["good"]).exitCode == 0)
    let cached = try await query(wrong, ["good", "--db", home.path("a.db")])
    #expect(cached.exitCode == 5 && cached.errors.contains("config.yml:1:13: "), "\(cached)")
  }

  @Test func `a file that is not YAML has no profiles`() async throws {
    try home.write("config/config.yml", "profiles: [\n")
    let url = try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", "{ a }"], environment: home.asHome)
    #expect(url.exitCode == 0)
    let named = try await ChildProcess.run(
      Checkout.apus, ["query", "good", "-q", "{ a }"], environment: home.asHome)
    #expect(named.exitCode == 5 && named.errors.contains("config.yml:"), "\(named)")
  }
}
