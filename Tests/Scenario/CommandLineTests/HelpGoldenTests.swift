import ApusTestSupport
import Testing

/// The help of every command and topic at three widths.
/// `APUS_WRITE_DOCS=1 swift test --filter HelpGoldenTests` writes the files again.
@Suite(.timeLimit(.minutes(3))) struct HelpGoldenTests {
  /// The names of a list in help: lines that begin with two spaces and a name.
  private func names(_ words: [String], after title: String) async throws -> [String] {
    let outcome = try await ChildProcess.run(Checkout.apus, words)
    let list = try #require(outcome.output.components(separatedBy: "\(title)\n\n").dropFirst().first)
    return try #require(list.components(separatedBy: "\n\n").first).split(separator: "\n").compactMap { line in
      guard line.hasPrefix("  "), let gap = line.dropFirst(2).firstRange(of: "  ") else { return nil }
      let name = String(line.dropFirst(2)[..<gap.lowerBound])
      return name.isEmpty ? nil : name
    }
  }

  @Test func `the help of every command and topic is as expected at 40, 80 and 120 columns`() async throws {
    let commands = try await names(["help"], after: "Commands:")
    let topics = try await names(["help", "topics"], after: "Topics:")
    #expect(commands.count > 20 && topics.count > 12)
    // The help of keys is a table of all keys, which Docs/Keys.md has too.
    let all = ["", "topics"] + commands + topics.filter { $0 != "keys" && !commands.contains($0) }
    var expected: Set<String> = []
    for name in all {
      var text = ""
      for width in [40, 80, 120] {
        let words = ["help"] + name.split(separator: " ").map(String.init)
        let outcome = try await ChildProcess.run(Checkout.apus, words, environment: ["COLUMNS": "\(width)"])
        #expect(outcome.exitCode == 0, "\(name): \(outcome.errors)")
        let shown = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
          .prefix { !$0.hasPrefix("The pages named Docs/") }
        text += "=== \(width) columns ===\n\(shown.joined(separator: "\n"))\n"
      }
      let file = name.isEmpty ? "overview" : name.replacing(" ", with: "-")
      expected.insert(file)
      try GoldenFile.check(text, "Help/\(file)")
    }
    #expect(try GoldenFile.names(in: "Help") == expected)
  }
}
