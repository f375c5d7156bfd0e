import ApusTestSupport
import Testing

/// Options as curl, gh and httpie name them: the message says what Apus has instead.
@Suite(.timeLimit(.minutes(3))) struct OtherProgramOptionTests {
  @Test(arguments: [
    ("-k", "; did you mean --insecure?"), ("-x", "; did you mean --proxy?"), ("-m", "; did you mean --timeout?"),
    ("-b", "; --cookie-jar FILE reads and saves cookies; --header 'Cookie: NAME=VALUE' sends one"),
    ("--cookie", "; --cookie-jar FILE reads and saves cookies; --header 'Cookie: NAME=VALUE' sends one"),
    ("-o", "; write '> FILE' to save the output; --output selects a format"),
    ("-d", "; pass the document with -q or -f and variables with --variables or --var"),
    ("--data", "; pass the document with -q or -f and variables with --variables or --var"),
    ("-s", "; messages are on standard error: '2>/dev/null' hides them"),
    ("-X", "; requests are sent by POST; --get sends a query as GET"), ("--max-time", "; did you mean --timeout?"),
    ("--format", "; did you mean --output?"),
    ("--verify", "; --insecure accepts any certificate; --cacert FILE trusts an authority"),
    ("-V", "; 'apus --version' prints the version"), ("-c", "; did you mean --cookie-jar?"),
    ("-E", "; did you mean --cert?"), ("-n", "; did you mean --netrc?"), ("-L", "; redirects are always followed"),
    ("-F", "; --upload VARIABLE.PATH=FILE uploads a file; --var NAME=VALUE sets a variable"),
    ("-A", "; pass it with --header 'User-Agent: NAME'"), ("--paginate", "; did you mean --all-pages?"),
    ("-XPOST", "; requests are sent by POST; --get sends a query as GET"), ("--verify=no", "; --insecure accepts"),
    ("--auth", "; did you mean --user?"), ("--ouput", "; did you mean --output?"), ("--colour", " (see"),
    ("-y", " (see"),
  ])
  func `an option of another program has a hint`(option: String, hint: String) async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, ["query", "http://127.0.0.1:1", option, "x"])
    #expect(outcome.exitCode == 2)
    let shown = option.hasPrefix("--") ? option.prefix { $0 != "=" } : Substring(option)
    #expect(outcome.errors.hasPrefix("apus: unknown option \(shown)\(hint)"), "\(outcome.errors)")
  }

  @Test(arguments: ["-k", "-x", "-b", "-o", "-d", "-X", "--max-time", "--format"])
  func `a hint names no option that the command lacks`(option: String) async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, ["format", option, "x"])
    #expect(outcome.errors == "apus: unknown option \(option) (see 'apus help format')\n")
  }

  @Test(arguments: [
    (["help", "lint"], "Lint a schema"), (["help", "diff"], "List breaking, dangerous and safe changes"),
    (["help", "--help"], "Show help for Apus"), (["help", "help"], "Show help for Apus"),
    (["help", "query", "-h"], "Show help for Apus"), (["help", "schema", "lint"], "Lint a schema"),
    (["schema", "lint", "--help"], "Lint a schema"),
  ])
  func `help finds a command by any of its names`(words: [String], start: String) async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, words)
    #expect(outcome.exitCode == 0 && outcome.output.hasPrefix(start), "\(outcome)")
  }

  @Test func `the overview fits the width`() async throws {
    for (width, environment) in [(40, ["COLUMNS": "40"]), (80, [:]), (100, ["COLUMNS": "200"])] {
      for words in [["help"], ["help", "query"], ["help", "topics"], ["help", "network"]] {
        let outcome = try await ChildProcess.run(Checkout.apus, words, environment: environment)
        let long = outcome.output.split(separator: "\n").filter { $0.count > width && !$0.hasPrefix("  apus ") }
        #expect(long.allSatisfy { !$0.dropFirst(2).contains(" ") }, "\(long)")
      }
    }
  }
}
