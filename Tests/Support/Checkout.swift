import Foundation

/// Where things are in this checkout and in its build.
package enum Checkout {
  package static let root: String = {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    return folder.path
  }()

  /// The folder of built products, beside the running test bundle.
  package static let products: String = {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    var folder = program.deletingLastPathComponent()
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.appendingPathComponent("apus").path) {
      folder.deleteLastPathComponent()
    }
    return folder.path
  }()

  package static var apus: String { products + "/apus" }
}
