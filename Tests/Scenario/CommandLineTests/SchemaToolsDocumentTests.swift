import ApusTestSupport
import Foundation
import Testing

/// `Docs/SchemaTools.md`: its files are written, its commands are run, and their output is compared.
@Suite(.timeLimit(.minutes(3))) struct SchemaToolsDocumentTests {
  private static func blocks() throws -> [MarkdownPage.Block] { try MarkdownPage("Docs/SchemaTools.md").blocks }

  /// A repository with the files of the page and the older schema committed.
  private func folder() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for block in try Self.blocks() where block.lines.first?.hasPrefix("# ") == true {
      let name = String(block.lines[0].dropFirst(2))
      try folder.write(name, block.lines.joined(separator: "\n") + "\n")
    }
    let new = try folder.read("schema.graphql")
    try folder.write("schema.graphql", try folder.read("old.graphql"))
    for words in [
      ["init", "-q"], ["add", "schema.graphql"],
      ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one", "--no-gpg-sign"],
      ["update-ref", "refs/remotes/origin/main", "HEAD"],
    ] {
      let outcome = try await ChildProcess.run("/usr/bin/env", ["git", "-C", folder.root] + words)
      try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }
    try folder.write("schema.graphql", new)
    return folder
  }

  private func run(_ command: String, in folder: TemporaryFolder) async throws -> ChildProcess.Outcome {
    let programs = (Checkout.apus as NSString).deletingLastPathComponent
    let environment = folder.asHome.merging([
      "GITHUB_STEP_SUMMARY": folder.path("summary.md"), "CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD",
    ]) { $1 }
    return try await ChildProcess.run(
      "/bin/bash", ["-c", "PATH='\(programs)':$PATH; cd '\(folder.root)' && \(command)"], environment: environment)
  }

  @Test func `the commands print the output shown on the page`() async throws {
    let folder = try await folder()
    let consoles = try Self.blocks().filter { $0.language == "console" }
    #expect(consoles.count > 5)
    for block in consoles {
      let command = String(block.lines[0].dropFirst(2))
      let outcome = try await run(command, in: folder)
      #expect([0, 1].contains(outcome.exitCode), "\(command)\n\(outcome.errors)")
      let shown = block.lines.dropFirst().joined(separator: "\n")
      #expect(!shown.isEmpty && outcome.output == shown + "\n", "\(command)\n\(outcome.output)")
    }
  }

  @Test func `the recipes of the page run`() async throws {
    let folder = try await folder()
    var count = 0
    for line in try Self.blocks().filter({ $0.language == "yaml" }).flatMap(\.lines) {
      guard let start = line.range(of: "- run: apus ") ?? line.range(of: "- apus ") else { continue }
      let command = "apus " + line[start.upperBound...].replacing("${{ github.base_ref }}", with: "main")
      let outcome = try await run(command, in: folder)
      count += 1
      #expect([0, 1].contains(outcome.exitCode), "\(command)\n\(outcome.errors)")
      #expect(!outcome.errors.contains("usage"), "\(command)\n\(outcome.errors)")
    }
    #expect(count == 8)
    #expect(try folder.read("schema.sarif").contains("FIELD_REMOVED"))
    #expect(try folder.read("summary.md").contains("### Schema changes: 0 breaking"))
  }
}
