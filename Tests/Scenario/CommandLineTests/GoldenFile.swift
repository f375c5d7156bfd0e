import ApusTestSupport
import Foundation
import Testing

/// A file with the expected output of the program. `APUS_WRITE_DOCS=1` writes it again; review the changes.
struct GoldenFile {
  private static let folder = "\(Checkout.root)/Tests/Scenario/CommandLineTests/Golden"

  /// Compares text with the file of a name: `Help/query`.
  static func check(_ text: String, _ name: String, _ location: SourceLocation = #_sourceLocation) throws {
    let path = "\(folder)/\(name).txt"
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let golden = try String(contentsOfFile: path, encoding: .utf8)
    let (found, expected) = (text.split(separator: "\n"), golden.split(separator: "\n"))
    let first = zip(found, expected).first { $0.0 != $0.1 }
    #expect(
      text == golden, "\(name): \(first.map { "'\($0.0)' is not '\($0.1)'" } ?? "the number of lines differs")",
      sourceLocation: location)
  }

  /// The names of the files in a subfolder.
  static func names(in subfolder: String) throws -> Set<String> {
    Set(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(subfolder)").filter { $0.hasSuffix(".txt") }
        .map { String($0.dropLast(4)) })
  }
}
