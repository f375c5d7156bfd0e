import Foundation

/// Real schemas and operations in a folder next to the checkout, which most machines lack.
package enum Corpus {
  package static let folder: String? = {
    var candidates = [Checkout.root + "/../shared"]
    if let given = ProcessInfo.processInfo.environment["APUS_SHARED"] { candidates.insert(given, at: 0) }
    return candidates.first { FileManager.default.fileExists(atPath: $0 + "/schemas") }
  }()

  package static let absence = "no schemas: set APUS_SHARED or put them in ../shared"

  /// Returns the paths of files with an extension, relative to the folder of schemas.
  package static func files(_ ending: String) -> [String] {
    guard let folder, let names = try? FileManager.default.subpathsOfDirectory(atPath: folder + "/schemas") else {
      return []
    }
    return names.filter { $0.hasSuffix(ending) }.sorted()
  }

  package static func bytes(_ file: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: (folder ?? "") + "/schemas/" + file)))
  }
}
