import ApusTestSupport
import Foundation
import Testing

/// The setup lines in `Docs/Editors.md`, in the editors that are installed.
@Suite(.timeLimit(.minutes(3))) struct EditorPageTests {
  private static let neovim = "/usr/bin/nvim"

  /// Returns the minor version of Neovim 0; nil if it is not installed.
  private func minorVersion() async throws -> Int? {
    guard FileManager.default.isExecutableFile(atPath: Self.neovim) else { return nil }
    let outcome = try await ChildProcess.run(Self.neovim, ["--version"])
    return outcome.output.firstMatch(of: /NVIM v0\.([0-9]+)/).flatMap { Int($0.1) }
  }

  @Test(.timeLimit(.minutes(1))) func `the lines for Neovim before 0.11 start the server`() async throws {
    guard let minor = try await minorVersion(), (7...10).contains(minor) else { return }
    let page = try MarkdownPage("Docs/Editors.md").text
    let section = try #require(page.components(separatedBy: "Neovim 0.7 (Debian 12) to 0.10").last)
    let lines = section.split(separator: "\n").drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }
    let folder = try TemporaryFolder()
    try folder.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: '*.graphql'\n")
    try folder.write("schema.graphql", "type Query { a: Int }\n")
    try folder.write("q.graphql", "{ nope }\n")
    try folder.write("init.lua", lines.map { $0.dropFirst(4) + "\n" }.joined())
    try folder.write(
      "check.lua",
      """
      vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 50)
      for _, d in ipairs(vim.diagnostic.get(0)) do io.stdout:write(d.message) end
      vim.cmd('qa!')
      """)
    let programs = (Checkout.apus as NSString).deletingLastPathComponent
    let outcome = try await ChildProcess.run(
      "/bin/bash",
      [
        "-c",
        "cd '\(folder.root)' && PATH='\(programs)':$PATH '\(Self.neovim)' --headless -u init.lua q.graphql"
          + " -c 'luafile check.lua'",
      ], environment: folder.asHome)
    #expect(outcome.output.contains("Cannot query field \"nope\" on type \"Query\""), "\(outcome)")
  }
}
