import ApusTestSupport
import Testing

/// The contract of every command: help, version, usage errors.
@Suite(.timeLimit(.minutes(3))) struct ContractTests {
  @Test func `version prints one line on standard output`() async throws {
    let outcome = try await ChildProcess.apus("--version")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output == "apus 0.2.0\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test func `help lists every command`() async throws {
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
      "apus: --output must be one of json, ndjson, pretty, table, csv, tsv, yaml, not 'xml' (see 'apus help query')\n"
    ),
    (["query", "http://x", "--timeout"], "apus: --timeout needs a value: S (see 'apus help query')\n"),
    (
      ["completions", "tcsh"],
      "apus: unknown shell 'tcsh'; completions exist for bash, zsh, fish (see 'apus help completions')\n"
    ),
    (["help", "nothing"], "apus: unknown command 'nothing' (see 'apus help')\n"),
    (["help", "qurey"], "apus: unknown command 'qurey'; did you mean query? (see 'apus help')\n"),
    (["qurey"], "apus: there is no command, URL or profile 'qurey'; did you mean 'apus query'? (see 'apus help')\n"),
    (
      ["query", "http://x", "--ouput", "json"],
      "apus: unknown option --ouput; did you mean --output? (see 'apus help query')\n"
    ),
    (
      ["mock", "s.graphql"],
      "apus: there is no command, URL or profile 'mock'; did you mean 'apus serve --schema'? (see 'apus help')\n"
    ),
    (
      ["lint", "s.graphql"],
      "apus: there is no command, URL or profile 'lint'; did you mean 'apus schema lint'? (see 'apus help')\n"
    ),
    (
      ["version"],
      "apus: there is no command, URL or profile 'version'; did you mean 'apus --version'? (see 'apus help')\n"
    ),
    (["nowhere"], "apus: there is no command, URL or profile 'nowhere' (see 'apus help')\n"),
    (["q.graphql"], "apus: pass a document file with -f: 'q.graphql' (see 'apus help explore')\n"),
    (["birds.sqlite"], "apus: pass a cache file with --db: 'birds.sqlite' (see 'apus help explore')\n"),
    (
      ["query", "http://x", "q.graphql"],
      "apus: pass a document file with -f: 'q.graphql' (see 'apus help query')\n"
    ),
    (["serve", "s.graphql"], "apus: pass a schema with --schema: 's.graphql' (see 'apus help serve')\n"),
    (
      ["serve", "--early-execution", "s.graphql"],
      "apus: pass a schema with --schema: 's.graphql' (see 'apus help serve')\n"
    ),
    (
      ["serve", "--early"],
      "apus: unknown option --early; did you mean --early-execution? (see 'apus help serve')\n"
    ),
    (
      ["validate", "q.graphql", "http://x"],
      "apus: pass a schema with --schema (see 'apus help validate')\n"
    ),
    (
      ["query", "http://x", "-v", "id=1"],
      "apus: pass a variable with --var (see 'apus help query')\n"
    ),
    (["format", "http://x"], "apus: this command takes files, not URLs (see 'apus help format')\n"),
    (["http://x", "http://me:pw@y?key=k"], "apus: unexpected argument 'http://y' (see 'apus help explore')\n"),
    (["htp://me:pw@x/y"], "apus: 'htp://x/y' is not a URL; did you mean http://x/y? (see 'apus help explore')\n"),
    (["me:pw@x"], "apus: there is no command, URL or profile 'x' (see 'apus help')\n"),
    (["schema.graphqls"], "apus: pass a schema with --schema: 'schema.graphqls' (see 'apus help explore')\n"),
    (
      ["cache", "birds.sqlite"], "apus: pass a cache file with --db: 'birds.sqlite' (see 'apus help cache')\n"
    ),
    (["generate", "g.yml"], "apus: pass a configuration with --config: 'g.yml' (see 'apus help generate')\n"),
    (["query", "htp://x/y"], "apus: 'htp://x/y' is not a URL; did you mean http://x/y? (see 'apus help query')\n"),
    (
      ["htps:/x.org/y"],
      "apus: 'htps:/x.org/y' is not a URL; did you mean https://x.org/y? (see 'apus help explore')\n"
    ),
  ])
  func `wrong usage prints one line and exits with 2`(words: [String], line: String) async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, words)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors == line)
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: ["query", "schema", "serve", "cache", "doctor"])
  func `every command prints its help with -h`(command: String) async throws {
    let short = try await ChildProcess.apus(command, "-h")
    #expect(short.exitCode == 0)
    #expect(short.output == (try await ChildProcess.apus("help", command)).output)
  }

  @Test func `the explore command equals a URL alone`() async throws {
    let url = "http://127.0.0.1:1/graphql"
    let alone = try await ChildProcess.apus(url)
    #expect(try await ChildProcess.apus("explore", url).errors == alone.errors)
    #expect(alone.errors.hasPrefix("apus: the explorer needs a terminal"))
    let mistyped = try await ChildProcess.apus("explore", url, "more")
    #expect(mistyped.errors == "apus: unexpected argument 'more' (see 'apus help explore')\n")
  }

  @Test func `an address needs no scheme, and a document is read from standard input`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let process = try ChildProcess(Checkout.apus, ["query", String(server.url.dropFirst("http://".count))])
    process.write("{ a }")
    let outcome = await process.outcome()
    #expect(outcome.output == "{\"data\":{\"a\":1}}\n")
    #expect(outcome.exitCode == 0)
  }

  @Test func `bash completions are valid bash`() async throws {
    let script = try await ChildProcess.apus("completions", "bash").output
    let check = try ChildProcess("/bin/bash", ["-n", "/dev/stdin"])
    check.write(script)
    #expect(await check.outcome().exitCode == 0)
  }
}
