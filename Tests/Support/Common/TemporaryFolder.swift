import Foundation

/// A folder for one test, deleted with this object.
package final class TemporaryFolder: Sendable {
  package let root: String

  package init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("apus-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Environment variables that make it the home of the user's configuration, history and sessions.
  package var asHome: [String: String] {
    Dictionary(
      uniqueKeysWithValues: ["CONFIG", "DATA", "STATE", "CACHE"].map { ("APUS_\($0)_HOME", path($0.lowercased())) })
  }

  package func path(_ name: String) -> String { "\(root)/\(name)" }

  package func write(_ name: String, _ text: String) throws {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
  }

  /// Creates a folder with its parents. Returns its path.
  @discardableResult
  package func make(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  /// Creates a sparse file of zeros.
  package func writeZeros(_ name: String, count: Int) throws {
    let url = URL(fileURLWithPath: path(name))
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: UInt64(count))
    try file.close()
  }

  /// Returns the paths of all files below a folder, relative to it.
  package func files(in name: String) throws -> [String] {
    (FileManager.default.enumerator(atPath: path(name))?.allObjects as? [String] ?? []).sorted()
  }

  /// A file's permission bits.
  package func mode(of name: String) throws -> Int {
    (try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int) ?? 0
  }

  package func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

  package func read(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
}

extension TemporaryFolder {
  /// Overwrites a file with invalid data, except its first quarter.
  package func damage(_ name: String) throws {
    let url = URL(fileURLWithPath: path(name))
    var data = try Data(contentsOf: url)
    let start = data.count / 4
    data.replaceSubrange(start..., with: Data(repeating: 0xA5, count: data.count - start))
    try data.write(to: url)
  }
}
