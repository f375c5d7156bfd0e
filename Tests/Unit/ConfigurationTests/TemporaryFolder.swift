import Foundation

/// A folder with some files for one test, removed when the test lets go of it.
final class TemporaryFolder: Sendable {
  let path: String

  init(_ contents: [String: String] = [:]) throws {
    var template = Array("/tmp/apus-configuration-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure.cannotCreate }
    path = String(cString: made)
    for (name, text) in contents { try write(name, text) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
  }

  /// Makes a folder in it, and tells its path.
  func make(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    return "\(path)/\(name)"
  }

  enum Failure: Error { case cannotCreate }
}
