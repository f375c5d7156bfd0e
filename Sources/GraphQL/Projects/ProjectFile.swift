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
  /// The digest of the path and the content: another place or another byte gives another one.
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
    let name = "\(FilePath(path).name)"
    return graphqlConfigNames.contains(name) || name == packageName
  }

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    // With the lengths, no path and content together are the bytes of another path and content.
    let parts = [Array(path.utf8), bytes]
    digest = SHA256Digest.hexadecimal(of: parts.flatMap { Array("\($0.count)".utf8) + [0] + $0 + [0] })
  }

  package var folder: String { "\(FilePath(path).folder)" }

  /// The folder of the file, and the region that its paths may reach.
  package var root: ProjectRoot { .project(in: folder) }

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
      if let file = try first(of: graphqlConfigNames, in: folder) { return (file, nil) }
      // Another user could have put any file there.
      if distrust(status) != nil { return (nil, nil) }
      if let file = try? first(of: [packageName], in: folder), file.hasConfiguration { return (file, nil) }
      if let file = file(unreadNames, in: folder) { return (nil, file) }
      let parent = "\(FilePath(folder).folder)"
      if folder == home || folder == parent || Self.status(of: "\(folder)/.git") != nil { return (nil, nil) }
      folder = parent
    }
    return (nil, nil)
  }

  /// The first file in a folder that has one of the names. No user named it: folder and file must be the user's own, and
  /// it must not be a link that leads out of the project.
  package static func first(of names: [String], in folder: String) throws(ConfigurationError) -> ProjectFile? {
    guard let path = file(names, in: folder) else { return nil }
    if let reason = status(of: folder).flatMap(distrust) {
      throw ConfigurationError(file: path, "it is not read, for its folder \(reason)")
    }
    return try read(path, in: .project(in: folder))
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

  /// A path with symbolic links followed; nil where nothing is.
  package static func realPath(_ path: String) -> String? {
    FilePath(real: path).map { "\($0)" }
  }

  /// Reads a file that the user named. It must be the user's own.
  package static func read(_ path: String) throws(ConfigurationError) -> ProjectFile {
    try read(path, in: .project(in: "\((FilePath(real: path) ?? FilePath(path)).folder)"))
  }

  private static func read(_ path: String, in root: ProjectRoot) throws(ConfigurationError) -> ProjectFile {
    do throws(FileRefusal) {
      let bytes = try root.read(path, limit: YAMLParser.maximumSize)
      return ProjectFile(path: realPath(path) ?? path, bytes: bytes)
    } catch {
      throw ConfigurationError(file: path, error.explanation)
    }
  }

  private static func file(_ names: [String], in folder: String) -> String? {
    for name in names {
      let path = FilePattern.absolute(name, in: folder)
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
