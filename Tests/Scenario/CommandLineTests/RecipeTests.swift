import ApusTestSupport
import Foundation
import Testing

/// The commands in `Docs/Recipes.md`, run in order against the demo API.
@Suite(.timeLimit(.minutes(3))) struct RecipeTests {
  /// A command of the page with its output.
  private struct Recipe {
    let command: String
    var shown = ""
  }

  private static func recipes() throws -> [Recipe] {
    try MarkdownPage("Docs/Recipes.md").blocks.filter { $0.language == "console" }.flatMap { block in
      block.lines.reduce(into: [Recipe]()) { recipes, line in
        if line.hasPrefix("$ ") {
          recipes.append(Recipe(command: String(line.dropFirst(2))))
        } else if !recipes.isEmpty {
          recipes[recipes.count - 1].shown += line + "\n"
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(2))) func `the recipes print the output shown on the page`() async throws {
    let folder = try TemporaryFolder()
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0.01"])
    let url = try #require(await server.nextLine())
    let programs = (Checkout.apus as NSString).deletingLastPathComponent
    let recipes = try Self.recipes()
    #expect(recipes.count > 20)
    for recipe in recipes {
      let outcome = try await ChildProcess.run(
        "/bin/bash", ["-c", "PATH='\(programs)':$PATH; cd '\(folder.root)' && \(recipe.command)"],
        environment: folder.asHome.merging(["URL": url]) { $1 })
      #expect(outcome.exitCode == 0, "\(recipe.command)\n\(outcome.errors)")
      #expect(outcome.output == recipe.shown, "\(recipe.command)\n\(outcome.errors)")
    }
    withExtendedLifetime(server) {}
  }
}
