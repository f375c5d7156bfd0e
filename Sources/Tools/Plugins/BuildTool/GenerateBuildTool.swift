import Foundation
import PackagePlugin

/// Generates on every build what a target's `apus-generate.yml` asks for. The schema and the documents are files; nothing
/// is fetched. The source goes into the build's own folder: `Models.swift` and `Selections.swift`.
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

  /// What the configuration may name: a change of any of them runs the generator, which writes only what changed.
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
