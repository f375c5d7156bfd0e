import Foundation

/// Locations in this checkout and its build.
package enum Checkout {
  package static let root: String = {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.path
  }()

  /// The servers in other languages, with their certificates and schemas.
  package static let servers = root + "/Tests/Support/Servers"

  /// The folder of built products, next to the running test bundle.
  package static let products: String = {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let beside = program.deletingLastPathComponent()
    var folder = beside
    while !["apus", "ApusClientLoad"].contains(where: {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
    }) {
      guard folder.path != "/" else { return beside.path }
      folder.deleteLastPathComponent()
    }
    return folder.path
  }()

  /// The program under test: `APUS_PROGRAM`, or the one of this build.
  package static let apus = ProcessInfo.processInfo.environment["APUS_PROGRAM"] ?? products + "/apus"
}
