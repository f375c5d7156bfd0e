import GraphQLLanguage
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The real-world schemas and operations that lie beside the project; absent on most machines.
enum Corpus {
  static let folder: String? = {
    var candidates = ["\(#filePath)".split(separator: "/").dropLast(3).map(String.init)].map {
      "/" + $0.joined(separator: "/") + "/../shared"
    }
    if let given = ProcessInfo.processInfo.environment["APUS_SHARED"] { candidates.insert(given, at: 0) }
    return candidates.first { FileManager.default.fileExists(atPath: $0 + "/schemas") }
  }()

  static let absence: Comment = "no schemas: set APUS_SHARED or put them in ../shared"

  /// Paths of the files with the ending, relative to the folder of schemas.
  static func files(_ ending: String) -> [String] {
    guard let folder, let names = try? FileManager.default.subpathsOfDirectory(atPath: folder + "/schemas") else {
      return []
    }
    return names.filter { $0.hasSuffix(ending) }.sorted()
  }

  static func bytes(_ file: String) throws -> [UInt8] {
    let folder = try #require(folder)
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder + "/schemas/" + file)))
  }

  static func document(_ file: String) throws -> Document {
    try Document(parsing: bytes(file), name: file)
  }
}
