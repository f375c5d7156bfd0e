import ApusDigest

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A configuration file that stands in a project's folder: somebody else may have written it.
///
/// The search for one goes from a folder upwards and ends, with that folder looked into, at the root of a repository
/// (where a `.git` is) and at the home folder. A folder or a file that is not the user's own, or that every user may
/// write to, ends it without being read.
package struct ProjectFile: Hashable, Sendable {
  /// The file's path, with symbolic links followed.
  package let path: String
  package let bytes: [UInt8]
  /// Stands for the path and the content: another place or another byte gives another one.
  package let digest: String

  /// The names of graphql-config files, in the order in which they are looked for.
  package static let graphqlConfigNames = [
    ".graphqlrc", ".graphqlrc.yml", ".graphqlrc.yaml", ".graphqlrc.json", "graphql.config.yml", "graphql.config.yaml",
    "graphql.config.json",
  ]

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    digest = SHA256Digest.hexadecimal(of: path + "\n" + String(decoding: bytes, as: UTF8.self))
  }

  package var folder: String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// The graphql-config file of a folder or of the nearest one above it.
  package static func find(
    from folder: String, home: String = UserFolders.home
  ) throws(ConfigurationError) -> ProjectFile? {
    var folder = folder
    while let status = status(of: folder) {
      if let reason = distrust(status) {
        // A file there may be anybody's. That nothing is read is said only where there would be something.
        guard let file = file(in: folder) else { return nil }
        throw ConfigurationError(file: file, "it is not read, for its folder \(reason)")
      }
      if let file = file(in: folder) { return try read(file) }
      if folder == home || folder == "/" || Self.status(of: "\(folder)/.git") != nil { return nil }
      folder = folder.lastIndex(of: "/").map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "/"
    }
    return nil
  }

  /// The folder of the project that a folder belongs to: the repository around it, or the folder itself. The home folder
  /// is nobody's project.
  package static func root(of folder: String, home: String = UserFolders.home) -> String {
    let own = realPath(folder) ?? folder
    let home = realPath(home) ?? home
    var current = own
    while current != home, current != "/", !current.isEmpty {
      if status(of: "\(current)/.git") != nil { return current }
      current = current.lastIndex(of: "/").map { $0 == current.startIndex ? "/" : String(current[..<$0]) } ?? ""
    }
    return own
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// A file that is the user's own.
  package static func read(_ path: String) throws(ConfigurationError) -> ProjectFile {
    guard let path = realPath(path) else {
      throw ConfigurationError(file: path, "the file cannot be read: \(String(cString: strerror(errno)))")
    }
    // Asked of the file that was opened: another one may have taken its name since.
    let bytes = try UserFile.read(path) { (status) throws(ConfigurationError) in
      if let reason = distrust(status) { throw ConfigurationError(file: path, "it is not read, for it \(reason)") }
    }
    guard let bytes else { throw ConfigurationError(file: path, "there is no such file") }
    return ProjectFile(path: path, bytes: bytes)
  }

  private static func file(in folder: String) -> String? {
    for name in graphqlConfigNames {
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      if status(of: path) != nil { return path }
    }
    return nil
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Why what is there may be the work of another user; nil where it is the user's own.
  private static func distrust(_ status: stat) -> String? {
    if status.st_uid != geteuid() { return "belongs to another user" }
    return status.st_mode & S_IWOTH != 0 ? "can be written by every user" : nil
  }
}
