import Foundation

/// Where things are in this checkout and in its build.
package enum Checkout {
  package static let root: String = {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.path
  }()

  /// The servers in other languages, and their certificates and schemas.
  package static let servers = root + "/Tests/Support/Servers"

  /// The folder of built products, beside the running test bundle.
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

  /// The program under test: the one that `APUS_PROGRAM` names, or the one of this build.
  package static let apus = ProcessInfo.processInfo.environment["APUS_PROGRAM"] ?? products + "/apus"
}
