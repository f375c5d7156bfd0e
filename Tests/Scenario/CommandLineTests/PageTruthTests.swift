import ApusTestSupport
import Foundation
import Testing

/// Sentences of the pages for users that a link check cannot test: options, formats, places of files and exit codes.
@Suite(.timeLimit(.minutes(3))) struct PageTruthTests {
  /// Returns the output of a command.
  private func apus(_ words: String...) async throws -> String {
    try await ChildProcess.run(Checkout.apus, words).output
  }

  private func commands() async throws -> [String] {
    let list = try #require(try await apus("help").components(separatedBy: "Commands:\n\n").last)
    return list.components(separatedBy: "\n\n")[0].split(separator: "\n").compactMap { line in
      line.dropFirst(2).firstRange(of: "  ").map { String(line.dropFirst(2)[..<$0.lowerBound]) }
    }.filter { !$0.isEmpty }
  }

  private func help(_ command: String) async throws -> String {
    try await ChildProcess.run(Checkout.apus, ["help"] + command.split(separator: " ").map(String.init)).output
  }

  private static let developers = [
    "Development/", "Packaging/", "Architecture", "Benchmarks", "CacheStorage", "Modules", "PublicAPI", "Releasing",
    "Testing.md", "CONTRIBUTING", "CHANGELOG", "Platforms",
  ]

  private static func pages() throws -> [MarkdownPage] {
    try MarkdownPage.all.filter { page in developers.allSatisfy { !page.path.contains($0) } }
  }

  /// The options of other programs in the pages for users, with their program.
  private static let optionsOfOtherPrograms = [
    "--branch": "git", "--depth": "git", "--name": "swift", "--type": "swift", "--prefix": "install.sh",
    "--version": "apus itself", "--multiline": "pass", "--force": "pass", "--manual": "apus help",
  ]

  @Test func `an option on a page is that of a command, or of a listed program`() async throws {
    var known = Set(Self.optionsOfOtherPrograms.keys)
    for name in try await commands() + ["network"] {
      known.formUnion(try await help(name).matches(of: /--[a-z][a-z0-9-]*/).map { String($0.output) })
    }
    for page in try Self.pages() {
      for option in page.text.matches(of: /(?:^|[^A-Za-z0-9-])(--[a-z][a-z0-9-]*)/).map({ String($0.1) }) {
        #expect(known.contains(option), "\(page.path): \(option)")
      }
    }
  }

  @Test func `the pipeline page has the report formats of each command`() async throws {
    let page = try MarkdownPage("Docs/HowTo/CI.md")
    var checked = 0
    for line in page.text.split(separator: "\n") where line.hasPrefix("| ") && line.contains("json") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let command = cells[1].firstMatch(of: /`apus (schema [a-z]+|[a-z]+)/)?.1 else { continue }
      let help = try await help(String(command))
      let formats = try #require(help.firstMatch(of: /--output ([a-z|]+)/)?.1, "\(command)")
      #expect(cells[2] == formats.split(separator: "|").joined(separator: ", "), "\(command)")
      checked += 1
    }
    #expect(checked >= 6)
  }

  @Test func `pages, help and doctor name the same places of files`() async throws {
    let page = try MarkdownPage("Docs/Reference/Environment.md").text
    let topic = try await apus("help", "configuration")
    let manual = try await apus("help", "--manual")
    let places = [
      ("~/.local/share/apus/", "history"), ("~/.local/state/apus/", "sessions"), ("~/.cache/apus/", "schemas"),
    ]
    for (folder, content) in places {
      for other in places.map(\.1) {
        let row = page.split(separator: "\n").first { $0.contains("`\(folder)`") } ?? ""
        #expect(row.contains(other) == (other == content), "Environment.md: \(folder) \(other)")
      }
      #expect(topic.contains(folder) && manual.contains(folder))
    }
    // The doctor creates the folders and names them.
    let home = try TemporaryFolder()
    var environment = home.asHome.filter { !$0.key.hasPrefix("APUS_") && !$0.key.hasPrefix("XDG_") }
    environment["HOME"] = home.root
    let report = try await ChildProcess.run(Checkout.apus, ["doctor"], environment: environment).output
    for (folder, content) in places {
      let expected = "\(home.root)\(folder.dropFirst().dropLast())"
      let isNamed = report.split(separator: "\n").contains { line in
        line.contains("  \(content) ") && line.hasSuffix(expected)
      }
      #expect(isNamed, "\(content): \(expected)\n\(report)")
    }
  }

  @Test func `the saved schema of an endpoint is in the cache folder`() async throws {
    let home = try TemporaryFolder()
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    let url = try #require(await server.nextLine())
    let session = try await TmuxSession(columns: 100, rows: 30, home: home)
    try await session.run("\(Checkout.apus) \(url)")
    try await session.wait("the saved schema") { _ in
      (try? home.files(in: "cache/schemas").contains { $0.hasSuffix(".graphql") }) == true
    }
    #expect(!FileManager.default.fileExists(atPath: home.path("data/schemas")))
    try await session.type("C-q")
    server.signal(15)
  }

  @Test func `the page and the help have the same exit codes`() async throws {
    let page = try MarkdownPage("Docs/Reference/ExitCodes.md").text
    let onPage = page.matches(of: /\n\| ([0-9]+) \|/).map { String($0.1) }
    let help = "\n" + (try await apus("help", "exit-codes"))
    let inHelp = help.matches(of: /\n\s{2}([0-9]+)\s/).map { String($0.1) }
    #expect(onPage == inHelp && onPage.count == 10)
  }

  private static let exitCodes: [([String], Int32)] = [
    (["schema", "s.graphql", "Birdd"], 1), (["schema", "s.graphql", "Bird..a"], 2), (["schema", "none.graphql"], 5),
    (["validate", "--schema", "s.graphql", "wrong.graphql"], 1), (["validate", "none.graphql"], 5),
    (["format", "--check", "wrong.graphql"], 0),
    (["schema", "diff", "s.graphql", "s.graphql", "--fail-on", "safe"], 2),
    (["query", "http://127.0.0.1:1", "-q", "{ a }"], 3), (["query", "http://127.0.0.1:1", "-q", "{"], 1),
    (["query", "http://127.0.0.1:1", "-q", "{ a }", "-H", "A: $NOT_SET"], 2), (["audit", "http://127.0.0.1:1"], 3),
    (["audit", "http://127.0.0.1:1", "--limit", "0"], 2), (["cache", "show", "A", "--db", "none.db"], 5),
    (["replay", "none.ndjson"], 5), (["nothing"], 2),
  ]

  @Test(arguments: exitCodes)
  func `a command ends with the exit code that the page gives`(words: [String], code: Int32) async throws {
    let folder = try TemporaryFolder()
    try folder.write("s.graphql", "type Query { bird: Bird }\ntype Bird { a: Int }\n")
    try folder.write("wrong.graphql", "{\n  birds\n}\n")
    let outcome = try await ChildProcess.run(
      "/usr/bin/env", ["-C", folder.root, Checkout.apus] + words, environment: folder.asHome)
    #expect(outcome.exitCode == code, "\(outcome)")
  }

  /// Names of commands of the explorer and of configuration keys in code spans of the guide.
  @Test func `a name in italics that a page calls a palette entry is one`() async throws {
    let titles = try MarkdownPage("Docs/Keys.md").text.matches(of: /\| ([A-Z][^|]+) \| `[A-Za-z]+` \|/).map {
      String($0.1)
    }
    #expect(titles.count > 100)
    let entries = ["Clear the history", "Suspend", "Duplicate the tab", "Save the response"]
    for entry in entries {
      #expect(titles.contains { $0.hasPrefix(entry) }, "\(entry) is not in the palette")
      #expect(try Self.pages().contains { $0.text.contains("*\(entry)*") }, "no page names \(entry)")
    }
  }
}
