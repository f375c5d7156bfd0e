import ApusConfiguration
import ApusDigest
import ApusPlatform

/// A configuration file that stands in a project's folder: somebody else may have written it.
///
/// The search for one goes from a folder upwards and ends, with that folder looked into, at the root of a repository
/// (where a `.git` is) and at the home folder. A folder or a file that is not the user's own, or that every user may
/// write to, ends it without being read.
package struct ProjectFile: Equatable, Sendable {
  /// The file's path, with symbolic links followed.
  package let path: String
  package let bytes: [UInt8]
  /// Stands for the path and the content: another place or another byte gives another one.
  package let digest: String

  /// The names of graphql-config files, in the order in which they are looked for.
  package static let graphqlConfigNames = [
    ".graphqlrc", ".graphqlrc.yml", ".graphqlrc.yaml", ".graphqlrc.json", "graphql.config.yml", "graphql.config.yaml",
    "graphql.config.json", ".graphqlrc.toml", "graphql.config.toml",
  ]

  /// The names of those that are programs. They are not run, and so not read.
  package static let unreadNames = [".graphqlrc", "graphql.config"].flatMap { name in
    [".ts", ".cts", ".mts", ".js", ".cjs", ".mjs"].map { name + $0 }
  }

  /// A package's own file, in which `graphql` has the configuration.
  static let packageName = "package.json"

  /// Whether a file of this name may be a graphql-config file.
  package static func isGraphQLConfig(_ path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return graphqlConfigNames.contains(name) || name == packageName
  }

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    digest = SHA256Digest.hexadecimal(of: path + "\n" + String(decoding: bytes, as: UTF8.self))
  }

  package var folder: String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// The graphql-config file of a folder or of the nearest one above it; none where a program is nearer.
  package static func find(
    from folder: String, home: String = UserFolders.home
  ) throws(ConfigurationError) -> ProjectFile? {
    try search(from: folder, home: home).file
  }

  /// The program that says what a graphql-config file would, for a folder where it is what would be read.
  package static func unread(from folder: String, home: String = UserFolders.home) -> String? {
    (try? search(from: folder, home: home))?.unread
  }

  /// What a person is told of such a program; the path is as it is.
  package static func unreadNote(_ path: String) -> String {
    "\(path): it is a program, which is not run; what it says can stand in graphql.config.yml"
  }

  private static func search(
    from folder: String, home: String
  ) throws(ConfigurationError) -> (file: ProjectFile?, unread: String?) {
    var folder = folder
    while let status = status(of: folder) {
      if let reason = distrust(status) {
        // A file there may be anybody's. That nothing is read is said only where there would be something.
        guard let file = file(graphqlConfigNames, in: folder) else { return (nil, nil) }
        throw ConfigurationError(file: file, "it is not read, for its folder \(reason)")
      }
      if let file = file(graphqlConfigNames, in: folder) { return (try read(file), nil) }
      if let path = file([packageName], in: folder), let file = try? read(path), file.hasConfiguration {
        return (file, nil)
      }
      if let file = file(unreadNames, in: folder) { return (nil, file) }
      if folder == home || folder == "/" || Self.status(of: "\(folder)/.git") != nil { return (nil, nil) }
      folder = folder.lastIndex(of: "/").map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "/"
    }
    return (nil, nil)
  }

  /// The configuration as a tree, whichever form the file has.
  package static func tree(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> YAMLNode {
    if file.hasSuffix(".toml") { return try TOMLParser.parse(bytes, file: file) }
    let root = try YAMLParser.parse(bytes, file: file)
    guard file.split(separator: "/").last.map(String.init) == packageName else { return root }
    return root["graphql"] ?? YAMLNode(value: .scalar("", isPlain: true), position: root.position, file: file)
  }

  /// Many packages have no word on GraphQL, and not all are JSON as YAML is: those say nothing here.
  private var hasConfiguration: Bool { (try? Self.tree(bytes, file: path)).map { !$0.isNull } ?? false }

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

  /// A path with symbolic links followed; nil where nothing is.
  package static func realPath(_ path: String) -> String? {
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

  private static func file(_ names: [String], in folder: String) -> String? {
    for name in names {
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
