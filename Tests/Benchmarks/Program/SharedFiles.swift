import FoundationEssentials

/// The shared files used as input.
enum SharedFiles {
  /// Returns a folder of the shared files, whose location can be set with `APUS_SHARED`.
  static func folder(_ name: String) throws -> String {
    let root = ProcessInfo.processInfo.environment["APUS_SHARED"] ?? "../shared"
    let folder = "\(root)/\(name)"
    guard FileManager.default.fileExists(atPath: folder) else {
      throw BenchmarkError("no \(folder): run in the project's folder, or set APUS_SHARED")
    }
    return folder
  }
}

/// The measured program: the value of `APUS_PROGRAM`, or the one built by `install.sh`.
enum MeasuredProgram {
  static func path() throws -> String {
    let path = ProcessInfo.processInfo.environment["APUS_PROGRAM"] ?? ".build/install/release/apus"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchmarkError("no \(path): build it with ./install.sh in the project's folder, or set APUS_PROGRAM")
    }
    return path
  }
}
