import Foundation

/// A folder with files for one test, deleted with this object.
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

  /// Creates a folder in it and returns its path.
  func make(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    return "\(path)/\(name)"
  }

  enum Failure: Error { case cannotCreate }
}
