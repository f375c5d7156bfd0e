import ApusTestSupport
import Foundation
import Testing

/// All commands print file names and contents without control characters, and a program without free descriptors
/// reports that.
@Suite(.timeLimit(.minutes(5))) struct CraftedFileNameTests {
  private static let name = "a\u{1B}]0;stolen\u{7}\u{1B}[31m.graphql"

  private func printed(_ folder: TemporaryFolder, _ arguments: [String]) async throws -> String {
    let outcome = try await ChildProcess.run(
      "/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", folder.root, Checkout.apus] + arguments,
      environment: folder.asHome)
    return outcome.output + outcome.errors
  }

  @Test func `names and contents are printed without control characters`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.name, "{a}")
    try folder.write("b\u{9B}31m.graphql", "{ a }}")
    try folder.write("config/themes/c\u{1B}[31m.yaml", "system: base16\nname: \"evil \\e[31m\"\n")
    try folder.write(".graphqlrc.yml", "projects:\n  \"p\\e[31m\":\n    schema: \"s\\e[31m.graphql\"\n")
    try folder.write(
      "config/config.yml", "profiles:\n  \"q\\e[31m\":\n    url: \"http://127.0.0.1/\\e[31m\"\n    oops: 1\n")
    for arguments in [
      ["format", "--check", Self.name], ["format", "--check", "b\u{9B}31m.graphql"],
      ["validate", "b\u{9B}31m.graphql"], ["themes"], ["doctor"], ["query", "nobody\u{1B}[31m", "-q", "{a}"],
      ["cache", "keys", "--db", Self.name], ["generate", "--config", "none\u{1B}[31m.yml"], ["replay", Self.name],
    ] {
      let text = try await printed(folder, arguments)
      #expect(!text.isEmpty, "\(arguments)")
      #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" || $0 == "\u{9B}" }, "\(arguments)")
    }
  }
}
