import Foundation

/// A folder of a test's own, gone when the test has ended.
package final class TemporaryFolder: Sendable {
  package let root: String

  package init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("apus-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Variables that make it the place of a person's configuration, history and workspaces.
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

  /// A file of so many zeros, which takes no place on the disk.
  package func writeZeros(_ name: String, count: Int) throws {
    let url = URL(fileURLWithPath: path(name))
    try Data().write(to: url)
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: UInt64(count))
    try file.close()
  }

  /// The paths of all files beneath a folder, from there.
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
  /// Writes nonsense over all of a file but its first quarter.
  package func damage(_ name: String) throws {
    let url = URL(fileURLWithPath: path(name))
    var data = try Data(contentsOf: url)
    let start = data.count / 4
    data.replaceSubrange(start..., with: Data(repeating: 0xA5, count: data.count - start))
    try data.write(to: url)
  }
}
