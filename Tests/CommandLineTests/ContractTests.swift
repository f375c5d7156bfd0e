import Testing
import TestSupport

/// What every command owes its callers: help, version, usage errors.
struct ContractTests {
  @Test func versionIsOneLineOnStandardOutput() async throws {
    let outcome = try await ChildProcess.apus("--version")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output == "apus 0.1.0\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test func helpListsEveryCommand() async throws {
    let outcome = try await ChildProcess.apus("help")
    #expect(outcome.exitCode == 0)
    for command in ["demo", "serve", "query", "schema", "themes", "completions", "help"] {
      #expect(outcome.output.contains("\n  \(command) "))
    }
  }

  @Test(arguments: [
    (["query"], "apus: URL|PROFILE is missing (see 'apus help query')\n"),
    (["query", "http://x", "--colour", "red"], "apus: unknown option --colour (see 'apus help query')\n"),
    (
      ["query", "http://x", "--output", "xml"],
      "apus: --output is one of json, ndjson, pretty, table, not 'xml' (see 'apus help query')\n"
    ),
    (["query", "http://x", "--timeout"], "apus: --timeout needs a value: S (see 'apus help query')\n"),
    (["completions", "tcsh"], "apus: completions exist for bash, zsh, fish (see 'apus help completions')\n"),
    (["help", "nothing"], "apus: there is no command 'nothing' (see 'apus help')\n"),
  ])
  func wrongUsageIsOneLineAndExitCode2(words: [String], line: String) async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, words)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors == line)
    #expect(outcome.output.isEmpty)
  }

  @Test func bashCompletionsAreValidBash() async throws {
    let script = try await ChildProcess.apus("completions", "bash").output
    let check = try ChildProcess("/bin/bash", ["-n", "/dev/stdin"])
    check.write(script)
    #expect(await check.outcome().exitCode == 0)
  }
}
