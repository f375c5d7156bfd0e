import Foundation
import PackagePlugin

/// `swift package apus-generate`: writes the code described by each target's `apus-generate.yml` into its sources.
@main
struct GenerateCommandPlugin: CommandPlugin {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let requested = extractor.extractOption(named: "target")
    let tool = try context.tool(named: "ApusGenerate").url
    var count = 0
    for target in context.package.targets where requested.isEmpty || requested.contains(target.name) {
      let configuration = target.directoryURL.appending(path: "apus-generate.yml")
      guard FileManager.default.fileExists(atPath: configuration.path) else { continue }
      let process = Process()
      process.executableURL = tool
      process.arguments = [configuration.path]
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failed(description: "\(target.name): nothing was generated") }
      count += 1
    }
    if count == 0 { throw Failed(description: "no target has an apus-generate.yml") }
  }
}
