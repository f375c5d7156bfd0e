import Foundation
import PackagePlugin

/// Generates the code described by a target's `apus-generate.yml` on every build. The schema and the documents are
/// local files. The output is `Models.swift` and `Selections.swift` in the build folder.
@main
struct GenerateBuildTool: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let configuration = target.directoryURL.appending(path: "apus-generate.yml")
    guard FileManager.default.fileExists(atPath: configuration.path) else {
      Diagnostics.error("the target \(target.name) has no apus-generate.yml")
      return []
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "Generated")
    return [
      .buildCommand(
        displayName: "Generating GraphQL models for \(target.name)",
        executable: try context.tool(named: "ApusGenerate").url,
        arguments: [configuration.path, output.path, "--plugin"],
        inputFiles: [configuration] + sources(in: context.package.directoryURL),
        outputFiles: ["Models.swift", "Selections.swift"].map { output.appending(path: $0) })
    ]
  }

  /// Returns the files that the configuration may use. If any of them changes, the generator runs and writes only
  /// changed files.
  private func sources(in folder: URL) -> [URL] {
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    var found: [URL] = []
    while let file = files?.nextObject() as? URL {
      if ["graphql", "graphqls", "gql", "json"].contains(file.pathExtension) { found.append(file) }
    }
    return found.sorted { $0.path < $1.path }
  }
}
