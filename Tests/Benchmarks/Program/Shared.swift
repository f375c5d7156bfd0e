import FoundationEssentials

/// The files that lie beside the project and are measured with.
enum Shared {
  /// A folder in `../shared`, or in what `APUS_SHARED` names.
  static func folder(_ name: String) throws -> String {
    let root = ProcessInfo.processInfo.environment["APUS_SHARED"] ?? "../shared"
    let folder = "\(root)/\(name)"
    guard FileManager.default.fileExists(atPath: folder) else {
      throw BenchmarkError("no \(folder): run in the project's folder, or set APUS_SHARED")
    }
    return folder
  }
}

/// The program that is measured: the one that `APUS_PROGRAM` names, or the one that `install.sh` built.
enum MeasuredProgram {
  static func path() throws -> String {
    let path = ProcessInfo.processInfo.environment["APUS_PROGRAM"] ?? ".build/install/release/apus"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchmarkError("no \(path): build it with ./install.sh in the project's folder, or set APUS_PROGRAM")
    }
    return path
  }
}
