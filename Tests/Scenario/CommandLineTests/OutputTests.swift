import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// The printed output: filters, cumulative lines, cache policies, replays, lists.
@Suite(.timeLimit(.minutes(3))) struct OutputTests {
  private func apus(_ words: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(Checkout.apus, words)
  }

  private func lines(_ outcome: ChildProcess.Outcome) throws -> [JSONValue] {
    try outcome.output.split(separator: "\n").map { try JSONDocument(parsing: String($0)).root }
  }

  // MARK: ndjson

  @Test func `errors and deferred states accumulate, and the last line is complete`() async throws {
    let server = try ScriptedServer([
      .multipart([
        .text(#"{"data":{"a":1},"errors":[{"message":"first"}],"hasNext":true}"#),
        .text(
          #"{"incremental":[{"path":[],"label":"x","data":null,"errors":[{"message":"second"}]}],"hasNext":true}"#),
        .text(#"{"incremental":[{"path":[],"label":"y","data":{"c":3}}],"extensions":{"cost":2},"hasNext":true}"#),
        .text(#"{"hasNext":false}"#),
      ])
    ])
    let outcome = try await apus([
      "query", server.url, "-q", "{ a ... @defer(label: \"x\") { b } ... @defer(label: \"y\") { c } }", "--output",
      "ndjson",
    ])
    #expect(outcome.exitCode == 1)
    let lines = try lines(outcome)
    #expect(lines.map { $0["part"]?.int } == [0, 1, 2, 3])
    #expect(lines.map { $0["response"]?.string } == ["partial", "partial", "partial", "complete"])
    #expect(
      lines.map { $0["errors"]?.elements.compactMap { $0["message"]?.string } ?? [] } == [
        ["first"], ["first", "second"], ["first", "second"], ["first", "second"],
      ])
    #expect(
      lines.map { $0["deferred"]?.elements.compactMap { $0["state"]?.string } ?? [] } == [
        ["pending", "pending"], ["failed", "pending"], ["failed", "fulfilled"], ["failed", "fulfilled"],
      ])
    #expect(lines.last?["deferred"]?[0]?["errors"]?[0]?["message"] == "second")
    #expect(lines.map { $0["extensions"] } == [nil, nil, ["cost": 2], ["cost": 2]])
    #expect(lines.last?["data"] == ["a": 1, "c": 3])
    #expect(lines.allSatisfy { $0["source"] == "server" && $0["changedKeys"] == [] })
  }

  @Test func `changedKeys lists the records written to the cache`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Apus"}}}"#)])
    let folder = try TemporaryFolder()
    let outcome = try await apus([
      "query", server.url, "-q", "{ bird { id name } }", "--db", folder.path("cache"), "--output", "ndjson",
    ])
    #expect(try lines(outcome).first?["changedKeys"] == ["Bird:1", "QUERY_ROOT"])
  }

  // MARK: Cache policies

  @Test(arguments: [
    ("cacheFirst", ["cache"], 0), ("cacheOnly", ["cache"], 0), ("networkFirst", ["server"], 1),
    ("networkOnly", ["server"], 1), ("cacheAndNetwork", ["cache", "server"], 1),
  ])
  func `a cache policy determines the order of cache and server`(
    policy: String, sources: [String], requests: Int
  ) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Apus"}}}"#)])
    let folder = try TemporaryFolder()
    let words = ["query", server.url, "-q", "{ bird { id name } }", "--db", folder.path("cache"), "--output", "ndjson"]
    _ = try await apus(words)
    let outcome = try await apus(words + ["--cache-policy", policy])
    #expect(outcome.exitCode == 0)
    #expect(try lines(outcome).map { $0["source"]?.string } == sources)
    #expect(server.requests.count == 1 + requests)
    #expect(try lines(outcome).allSatisfy { $0["data"] == ["bird": ["id": "1", "name": "Apus"]] })
    server.stop()
    let without = try await apus(words + ["--cache-policy", policy])
    let answersAlone = ["cacheFirst", "cacheOnly", "networkFirst"].contains(policy)
    #expect(without.exitCode == (answersAlone ? 0 : 3))
    // The cached data is printed although the network failed afterwards.
    #expect(try lines(without).count == (policy == "networkOnly" ? 0 : 1))
  }

  @Test func `cacheFirst prints a cached base, then the server's result or its failure`() async throws {
    let bird = #"{"__typename":"Bird","id":"1","name":"Apus"#
    let server = try ScriptedServer([
      .json(#"{"data":{"bird":\#(bird)"}}}"#), .json(#"{"data":{"bird":\#(bird)","wingspan":40}}}"#),
    ])
    let folder = try TemporaryFolder()
    func words(_ deferred: String) -> [String] {
      let query = "{ bird { id name \(deferred) } }"
      return ["query", server.url, "-q", query, "--db", folder.path("cache"), "--output", "ndjson"]
    }
    _ = try await apus(words(""))
    let answered = try await apus(words("... @defer(label: \"late\") { wingspan }"))
    #expect(answered.exitCode == 0)
    #expect(try lines(answered).map { $0["source"]?.string } == ["cache", "server"])
    server.stop()
    let failed = try await apus(words("... @defer(label: \"late\") { weight }"))
    #expect(failed.exitCode == 3)
    #expect(try lines(failed).map { $0["source"]?.string }.first == "cache")
    #expect(try lines(failed).last?["data"] == ["bird": ["id": "1", "name": "Apus"]])
  }

  // MARK: Filters

  @Test func `a filter applies to each object`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"birds":[{"id":1},{"id":2}]}}"#)])
    let words = ["query", server.url, "-q", "{ birds { id } }"]
    #expect(try await apus(words + ["--jq", ".data.birds[].id"]).output == "1\n2\n")
    #expect(try await apus(words + ["--jq", ".data.birds[].id", "--output", "ndjson"]).output == "1\n2\n")
    #expect(try await apus(words + ["--jq", "empty"]).output == "")
    #expect(try await apus(words + ["--jq", ".data", "--output", "pretty"]).output.contains("  \"birds\": ["))
    #expect(
      try await apus(words + ["--jq", "[.data.birds[] | {n: .id}]", "--output", "table"]).output == "n\n─\n1\n2\n")
    let failed = try await apus(words + ["--jq", ".data.birds.x"])
    #expect(failed.exitCode == 1)
    #expect(failed.errors.hasPrefix("apus: --jq: the filter failed: "))
    let wrong = try await apus(words + ["--jq", "{"])
    #expect(wrong.exitCode == 2)
    #expect(server.requests.count == 6, "a filter that cannot be read is refused before anything is sent")
  }

  // MARK: Exit codes

  @Test func `--max-results also limits pages`() async throws {
    let page =
      #"{"data":{"birds":{"edges":[{"node":{"id":"1"}}],"pageInfo":{"hasNextPage":true,"endCursor":"NUMBER"}}}}"#
    let server = try ScriptedServer { _, index in .json(page.replacing("NUMBER", with: "\(index)")) }
    let query =
      "query($after: String) { birds(after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } } }"
    let outcome = try await apus([
      "query", server.url, "-q", query, "--all-pages", "--output", "ndjson", "--max-results", "2",
    ])
    #expect(try lines(outcome).count == 2)
    #expect(server.requests.count == 2)
    #expect(outcome.exitCode == 0)
  }

  @Test func `a subscription with errors in one event exits with 1`() async throws {
    let event = "event: next\ndata: "
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "text/event-stream")],
        [
          .text("\(event){\"data\":{\"n\":1},\"errors\":[{\"message\":\"x\"}]}\n\n\(event){\"data\":{\"n\":2}}\n\n"),
          .text("event: complete\ndata:\n\n"),
        ])
    ])
    let outcome = try await apus(["query", server.url, "-q", "subscription { n }", "--subscription-transport", "sse"])
    #expect(try lines(outcome) == [["data": ["n": 1], "errors": [["message": "x"]]], ["data": ["n": 2]]])
    #expect(outcome.exitCode == 1)
  }

  @Test func `SIGTERM closes the connection and exits with 143`() async throws {
    let server = try ScriptedServer([.never])
    let process = try ChildProcess(Checkout.apus, ["query", server.url, "-q", "{ a }"])
    _ = try await server.request()
    process.signal(15)
    let outcome = await process.outcome()
    #expect(outcome.exitCode == 143)
    #expect(outcome.errors == "apus: terminated\n")
    try await server.clientClosed()
  }

  // MARK: Replays

  @Test func `a replay keeps the timing divided by --speed`() async throws {
    let folder = try TemporaryFolder()
    let events = [
      #"{"event":"request","atMs":0,"url":"http://x/","operationName":null,"query":"{ a }","variables":{}}"#,
      #"{"event":"head","atMs":1,"status":200,"contentType":"application/json"}"#,
      #"{"event":"part","atMs":400,"payload":{"data":{"a":1}}}"#, #"{"event":"end","atMs":400,"exitCode":0}"#,
    ]
    try folder.write("session", events.joined(separator: "\n"))
    func replay(_ words: String...) async throws -> (Duration, ChildProcess.Outcome) {
      let start = ContinuousClock.now
      let outcome = try await apus(["replay", folder.path("session")] + words)
      return (start.duration(to: .now), outcome)
    }
    let (complete, outcome) = try await replay()
    #expect(complete >= .milliseconds(400))
    #expect(try lines(outcome).first?["data"] == ["a": 1])
    #expect(try lines(outcome).first?["elapsedMs"]?.double == 400)
    #expect(try await replay("--speed", "0", "--output", "json").1.output == "{\"data\":{\"a\":1}}\n")
    #expect(try await replay("--speed", "0.5").0 >= .milliseconds(800))
  }

  // MARK: Listings

  @Test func `keys of any length and with blanks are listed completely`() async throws {
    let text = "two  blanks and " + String(repeating: "x", count: 400)
    let server = try ScriptedServer([.json(#"{"data":{"bird":{"__typename":"Bird","id":"\#(text)"}}}"#)])
    let folder = try TemporaryFolder()
    _ = try await apus(["query", server.url, "-q", "{ bird { id } }", "--db", folder.path("cache")])
    #expect(try await apus(["cache", "keys", "--db", folder.path("cache")]).output.contains("\nBird:\(text)\n"))
    #expect(try await apus(["cache", "stats", "--db", folder.path("cache")]).output.hasPrefix("records       2\n"))
    let shown = try await apus(["cache", "show", "Bird:\(text)", "--db", folder.path("cache")])
    #expect(shown.output.contains("id: \"\(text)\"\n"))
  }

  @Test func `themes prints one line per theme`() async throws {
    let outcome = try await apus(["themes"])
    #expect(outcome.exitCode == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count > 5)
    #expect(lines.allSatisfy { $0.contains("  dark ") || $0.contains("  light") })
  }

  /// Returns the commands that `apus help` lists, without the explorer, which has none.
  private static func commands(in overview: String) -> [String] {
    let list = overview.components(separatedBy: "Commands:\n\n").last?.components(separatedBy: "\n\n").first ?? ""
    return list.split(separator: "\n").compactMap { line in
      line.dropFirst(2).firstRange(of: "  ").map { String(line.dropFirst(2)[..<$0.lowerBound]) }
    }.filter { $0 != "explore" && !$0.isEmpty }
  }

  @Test func `the end of the overview is wrapped at the width of the terminal`() async throws {
    let overview = try await apus(["help"]).output
    #expect(overview.contains("\nStart with 'apus demo'. See 'apus help COMMAND' for a command"))
  }

  @Test func `the page on output names each report format`() async throws {
    let page = try MarkdownPage("Docs/Reference/Output.md").text
    for command in ["validate", "schema lint", "schema diff", "audit", "coverage", "query"] {
      let help = try await apus(["help"] + command.split(separator: " ").map(String.init)).output
      let lists = help.components(separatedBy: "--output ").map { $0.prefix { $0.isLetter || $0 == "|" } }
      let choices = lists.first { $0.contains("|") }?.split(separator: "|") ?? []
      #expect(choices.count > 1)
      // Text is for people and has no fixed form.
      for format in choices where format != "text" {
        #expect(page.contains("`\(format)`") || page.contains("--output \(format)"), "\(command): \(format)")
      }
    }
  }

  @Test func `every command has help and a section in the manual`() async throws {
    let overview = try await apus(["help"]).output
    let manual = try await apus(["help", "--manual"]).output
    let pages = try MarkdownPage.all.map(\.text)
    let commands = Self.commands(in: overview)
    #expect(commands.count > 20)
    for command in commands {
      #expect(pages.contains { $0.contains("apus \(command)") }, "no page shows apus \(command)")
      #expect(manual.contains("\(command)"), "\(command)")
      let words = command.split(separator: " ").map(String.init)
      let outcome = try await apus(["help"] + words)
      #expect(outcome.exitCode == 0 && outcome.output.contains("apus \(command)"), "\(outcome.output)")
      #expect(outcome.output.contains("\nExamples:\n  apus "), "\(command)")
      // Examples and lists of choices are not wrapped; all other lines fit into 80 columns.
      let long = outcome.output.split(separator: "\n").filter {
        $0.count > 80 && !$0.contains("  apus ") && !$0.contains("|")
      }
      #expect(long.isEmpty, "\(command)")
      #expect(try await apus(words + ["--help"]).output == outcome.output || command == "help")
    }
  }

  /// The overview is the first page that a newcomer sees.
  @Test(arguments: [[], ["topics"]])
  func `the overview fills lines of at most 80 columns`(page: [String]) async throws {
    let lines = try await apus(["help"] + page).output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    let last = lines.lastIndex { !$0.isEmpty } ?? 0
    let paragraph = lines[...last].reversed().prefix { !$0.isEmpty }
    // Each line of the last paragraph but its last one is filled.
    #expect(paragraph.count <= 3 && paragraph.dropFirst().allSatisfy { $0.count > 60 }, "\(paragraph)")
  }

  @Test func `the manual lists network options once`() async throws {
    let topic = try await apus(["help", "network"]).output
    let query = try await apus(["help", "query"]).output
    let manual = try await apus(["help", "--manual"]).output
    let titles = manual.split(separator: "\n").filter { $0.hasPrefix(".B ") }.map { $0.split(separator: " ") }
    // A command with a few of them, such as tap, lists these itself.
    for option in ["--header", "--netrc", "--redirect-anywhere"] {
      #expect(topic.contains(option))
      #expect(!query.contains("  \(option)"))
      #expect(titles.count { $0.contains { $0 == option.replacing("-", with: "\\-") } } == 1)
    }
    #expect(query.contains("see 'apus help network'"))
    #expect(manual.contains(".SH EXAMPLES\n") && manual.contains(".SH SEE ALSO\n"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions contain every command and option`(shell: String) async throws {
    let script = try await apus(["completions", shell]).output
    for word in [
      "query", "replay", "doctor", "subscription-transport", "connection-payload", "legacy-ws", "page-limit",
    ] {
      #expect(script.contains(word), "\(word)")
    }
  }

  /// The completions that a shell offers at the end of a line with the script loaded.
  private static let completed: [(line: String, offered: String)] = [
    ("apus se", "serve"), ("apus --fre", "--fresh"), ("apus query --outp", "--output"),
    ("apus query --output nd", "ndjson"), ("apus completions z", "zsh"), ("apus cache ev", "evict"),
    ("apus help dem", "demo"), ("apus help cov", "coverage"),
    ("apus help schema d", "diff"), ("apus help schema l", "lint"), ("apus demo --delay", "--delay-scale"),
    ("apus http://127.0.0.1:9 --fre", "--fresh"),
    ("apus --theme dracu", "dracula"), ("apus demo --theme nor", "nord"), ("apus stag", "staging"),
    ("apus query stag", "staging"), ("apus schema di", "diff"), ("apus schema diff --fail", "--fail-on"),
    ("apus schema diff --fail-on bre", "breaking"), ("apus schema lint --fi", "--fix"),
    ("apus bundle --form", "--format"), ("apus query --incremental 2", "20220824"),
  ]

  private static var folder: String { String(Checkout.apus.dropLast("/apus".count)) }

  /// Returns a home directory with a profile whose name a shell would run if it expanded it.
  private static func homeWithProfiles() throws -> TemporaryFolder {
    let home = try TemporaryFolder()
    try home.write(
      "config/config.yml",
      """
      profiles:
        staging: { url: "http://127.0.0.1:9/graphql" }
        "stop$(touch expanded)": { url: "http://127.0.0.1:9/graphql" }

      """)
    return home
  }

  @Test func `a completed name is not run by the shell`() async throws {
    let home = try Self.homeWithProfiles()
    let script = """
      source <('\(Checkout.apus)' completions bash); PATH='\(Self.folder)':$PATH; cd '\(home.path(""))'
      COMP_WORDS=(apus query sto); COMP_CWORD=2; _apus; echo "${COMPREPLY[@]}"; ls
      """
    let outcome = try await ChildProcess.run(
      "/bin/bash", ["--norc", "-c", script], environment: home.asHome)
    #expect(outcome.output == #"stop\$\(touch\ expanded\)"# + "\nconfig\n", "\(outcome.errors)")
  }

  @Test(arguments: completed)
  func `bash completes commands, options, names`(line: String, offered: String) async throws {
    let script = """
      source <('\(Checkout.apus)' completions bash)
      PATH='\(Self.folder)':$PATH
      COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _apus; echo "${COMPREPLY[@]}"
      """
    // In bash a colon splits words, as in an interactive shell.
    guard !line.contains(":") else { return }
    let home = try Self.homeWithProfiles()
    let outcome = try await ChildProcess.run(
      "/bin/bash", ["--norc", "-c", script], environment: home.asHome)
    #expect(outcome.output == offered + "\n", "\(outcome.errors)")
  }

  private static let completedFiles: [(line: String, offered: String)] = [
    ("apus query -f ~/doc", "-f ~/document.graphql"), ("apus query --file=~/doc", "--file=~/document.graphql"),
    ("apus query -f $HOME/doc", "-f $HOME/document.graphql"), ("apus query -f \"a b", "-f \"a b.graphql\""),
    ("apus query -f a\\ b", "-f a\\ b.graphql"), ("apus query --output=nd", "--output=ndjson"),
    ("apus query --header @head", "--header @headers.txt"), ("apus query -H @head", "-H @headers.txt"),
    ("apus query --variables=@var", "--variables=@variables.json"),
    ("apus schema diff --fail-on=bre", "--fail-on=breaking"), ("apus query -H @~/head", "-H @~/headers.txt"),
    ("apus query --variables=@~/var", "--variables=@~/variables.json"),
  ]

  /// Lines that zsh and fish complete in another way, or not at all.
  private static let completedInBash: [(line: String, offered: String)] = [
    ("apus query -f \"$HOME/doc", "-f \"$HOME/document.graphql\""), ("apus query -fdoc", "-fdocument.graphql"),
    ("apus query -H \"@head", "-H \"@headers.txt\""), ("apus query -H @$HOME/head", "-H @$HOME/headers.txt"),
    ("apus validate 'a b", "validate 'a b.graphql'"),
  ]

  /// Returns a folder with files to complete, which is also the home directory.
  private static func homeWithFiles() throws -> TemporaryFolder {
    let home = try homeWithProfiles()
    for name in ["document.graphql", "a b.graphql", "headers.txt", "variables.json"] { try home.write(name, "") }
    return home
  }

  /// Types lines into a shell and waits for their completions.
  private func complete(
    _ lines: [(line: String, offered: String)], in session: TmuxSession
  ) async throws {
    for (line, offered) in lines {
      try await session.run("clear")
      try await session.wait("the prompt") { screen in
        screen.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) } == ">"
      }
      try await session.send(line)
      try await session.type("Tab")
      try await session.wait("'\(offered)' after '\(line)'") { $0.contains(offered) }
      try await session.type("C-u")
    }
  }

  @Test func `bash keeps the completed word`() async throws {
    let home = try Self.homeWithFiles()
    let session = try await TmuxSession(columns: 100, rows: 30, home: home)
    try await session.run(
      "cd '\(home.path(""))'; export HOME=$PWD PATH='\(Self.folder)':$PATH; exec bash --norc --noprofile")
    try await session.run("source <(apus completions bash); PS1='> '")
    try await complete(Self.completedFiles + Self.completedInBash, in: session)
  }

  /// Lines that shells do not complete by default: options and files in one word.
  private static let completedWords = completedFiles.filter { $0.line.contains("@") || $0.line.contains("=n") }

  @Test(.enabled(if: finds("zsh"), "zsh is not installed")) func `zsh completes files after @`() async throws {
    let home = try Self.homeWithFiles()
    try home.write("_apus", try await apus(["completions", "zsh"]).output)
    let session = try await TmuxSession(columns: 100, rows: 30, home: home)
    try await session.run("cd '\(home.path(""))'; export HOME=$PWD PATH='\(Self.folder)':$PATH; exec zsh -f")
    try await session.run("fpath=('\(home.path(""))' $fpath); autoload -Uz compinit; compinit -u -D; PS1='> '")
    try await complete(Self.completedWords, in: session)
  }

  @Test(.enabled(if: finds("fish"), "fish is not installed")) func `fish completes files after @`() async throws {
    let home = try Self.homeWithFiles()
    for (line, offered) in Self.completedWords {
      let script =
        "cd '\(home.path(""))'; set PATH '\(Self.folder)' $PATH; '\(Checkout.apus)' completions fish | source;"
        + " complete -C '\(line)'"
      let outcome = try await ChildProcess.run(
        "/usr/bin/env", ["fish", "--no-config", "-c", script],
        environment: home.asHome.merging(["HOME": home.path("")]) { $1 })
      let word = offered.split(separator: " ").last ?? ""
      #expect(
        outcome.output.split(separator: "\n").first?.hasPrefix(word) == true, "\(outcome.output)\(outcome.errors)")
    }
  }

  private static func finds(_ shell: String) -> Bool {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)")
    }
  }

  @Test(.enabled(if: finds("fish"), "fish is not installed"))
  func `fish describes every value`() async throws {
    let script = try await apus(["completions", "fish"]).output
    let lists = script.matches(of: #/-a '((?:[^'\\]|\\.)+)'/#).map(\.output.1).filter { !$0.hasPrefix("(") }
    #expect(lists.count > 20)
    for list in lists {
      let bare = list.replacing(#/\S+\\t"[^"]*"/#, with: "").split(separator: " ")
      #expect(bare.isEmpty, "\(bare) have no description")
    }
    let complete = "'\(Checkout.apus)' completions fish | source; complete -C 'apus query u --output c'"
    let outcome = try await ChildProcess.run("/usr/bin/env", ["fish", "--no-config", "-c", complete])
    #expect(outcome.output == "csv\tthe same rows as CSV\n", "\(outcome)")
  }

  @Test(.enabled(if: finds("fish"), "fish is not installed"), arguments: completed)
  func `fish completes commands, options, names`(line: String, offered: String) async throws {
    let home = try Self.homeWithProfiles()
    let script = "set PATH '\(Self.folder)' $PATH; '\(Checkout.apus)' completions fish | source; complete -C '\(line)'"
    let outcome = try await ChildProcess.run(
      "/usr/bin/env", ["fish", "--no-config", "-c", script],
      environment: home.asHome.merging(["HOME": home.path("")]) { $1 })
    let words = outcome.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
    #expect(words == [offered], "\(outcome.output)\(outcome.errors)")
  }

  @Test(.enabled(if: finds("zsh"), "zsh is not installed"))
  func `zsh completes commands, options, names`() async throws {
    let home = try Self.homeWithProfiles()
    try home.write("_apus", try await apus(["completions", "zsh"]).output)
    let session = try await TmuxSession(columns: 100, rows: 30, home: home)
    try await session.run("export PATH='\(Self.folder)':$PATH; exec zsh -f")
    try await session.run("fpath=('\(home.path(""))' $fpath); autoload -Uz compinit; compinit -u -D; PS1='> '; clear")
    for (line, offered) in Self.completed {
      try await session.wait("the prompt") { screen in
        screen.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) } == ">"
      }
      try await session.send(line)
      try await session.type("Tab")
      let begun = line.split(separator: " ").dropLast().joined(separator: " ")
      try await session.wait("'\(offered)' after '\(begun)'") { $0.contains("> \(begun) \(offered)") }
      try await session.type("C-u")
      try await session.run("clear")
    }
  }

  // MARK: Serving

  @Test func `serve uses the given port and reports a port in use`() async throws {
    let taken = try ScriptedServer([])
    let outcome = try await apus(["serve", "--port", "\(taken.port)"])
    #expect(outcome.exitCode == 3)
    #expect(outcome.errors.contains("\(taken.port)"))
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    taken.stop()
    let server = try ChildProcess(Checkout.apus, ["serve"])
    let url = try #require(await server.nextLine())
    server.signal(15)
    #expect(await server.outcome().exitCode == 0)
    let port = try #require(url.split(separator: ":").last?.split(separator: "/").first)
    let again = try ChildProcess(Checkout.apus, ["serve", "--port", String(port)])
    #expect(await again.nextLine() == url)
  }

  @Test func `serve mocks a schema`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("s.graphql", "type Query { bird: Bird } type Bird { id: ID! name: String! }")
    func name(_ seed: String) async throws -> JSONValue? {
      let server = try ChildProcess(
        Checkout.apus, ["serve", "--schema", folder.path("s.graphql"), "--seed", seed, "--delay-scale", "0"])
      let url = try #require(await server.nextLine())
      return try lines(try await apus(["query", url, "-q", "{ bird { id name } }"])).first?["data"]?["bird"]
    }
    let first = try await name("1")
    #expect(first?["name"]?.string != nil)
    #expect(try await name("1") == first)
    #expect(try await name("2") != first)
  }
}
