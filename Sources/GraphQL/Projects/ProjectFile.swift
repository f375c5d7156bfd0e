import ApusConfiguration
import ApusDigest
import ApusPlatform

/// A configuration file in a project's folder, which is untrusted.
///
/// The search for it goes from a folder upwards and ends at the root of a repository (the folder with `.git`) or at the
/// home directory, both included. It also ends, without reading, at a folder or file that the user does not own or that
/// is world-writable.
package struct ProjectFile: Equatable, Sendable {
  /// The path with symbolic links resolved.
  package let path: String
  package let bytes: [UInt8]
  /// The digest of the path and the content. It changes if the file is moved or changed.
  package let digest: String

  /// Names of graphql-config files, in the order of the search.
  package static let graphqlConfigNames = [
    ".graphqlrc", ".graphqlrc.yml", ".graphqlrc.yaml", ".graphqlrc.json", "graphql.config.yml", "graphql.config.yaml",
    "graphql.config.json", ".graphqlrc.toml", "graphql.config.toml",
  ]

  /// Names of configuration files in programming languages, which are not run or read, and of graphql-config 2.
  package static let unreadNames =
    [".graphqlrc", "graphql.config"].flatMap { name in
      [".ts", ".cts", ".mts", ".js", ".cjs", ".mjs"].map { name + $0 }
    } + legacyNames

  private static let legacyNames = ["", ".json", ".yaml", ".yml"].map { ".graphqlconfig\($0)" }

  /// The package file whose `graphql` member may contain the configuration.
  static let packageName = "package.json"

  /// Whether a file with this name may be a graphql-config file.
  package static func isGraphQLConfig(_ path: String) -> Bool {
    let name = "\(FilePath(path).name)"
    return graphqlConfigNames.contains(name) || name == packageName
  }

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    // Includes the lengths, so that different paths and contents cannot result in the same bytes.
    let parts = [Array(path.utf8), bytes]
    digest = SHA256Digest.hexadecimal(of: parts.flatMap { Array("\($0.count)".utf8) + [0] + $0 + [0] })
  }

  package var folder: String { "\(FilePath(path).folder)" }

  /// The folder of the file, with the region that its paths may reach.
  package var root: ProjectRoot { .project(in: folder) }

  /// Returns the graphql-config file of a folder or of the nearest folder above it; `nil` if one in a programming
  /// language is nearer.
  package static func find(
    from folder: String, home: String = UserFolders.home
  ) throws(ConfigurationError) -> ProjectFile? {
    try search(from: folder, home: home).file
  }

  /// Returns the path of a configuration that is not read if it takes the place of the graphql-config file.
  package static func unread(from folder: String, home: String = UserFolders.home) -> String? {
    (try? search(from: folder, home: home))?.unread
  }

  /// Returns the message about a configuration that is not read. The path is not escaped.
  package static func unreadNote(_ path: String) -> String {
    if legacyNames.contains("\(FilePath(path).name)") {
      return "\(path): files of graphql-config 2 are not read; "
        + "write its successor, graphql.config.yml, with 'schema' for schemaPath and 'documents' for includes"
    }
    return "\(path): Apus does not run configuration files in programming languages; use graphql.config.yml"
  }

  private static func search(
    from folder: String, home: String
  ) throws(ConfigurationError) -> (file: ProjectFile?, unread: String?) {
    var folder = folder
    while let status = status(of: folder) {
      if let file = try first(of: graphqlConfigNames, in: folder) { return (file, nil) }
      // In this folder another user could create any file.
      if distrust(status) != nil { return (nil, nil) }
      if let file = try? first(of: [packageName], in: folder), file.hasConfiguration { return (file, nil) }
      if let file = file(unreadNames, in: folder) { return (nil, file) }
      let parent = "\(FilePath(folder).folder)"
      if folder == home || folder == parent || Self.status(of: "\(folder)/.git") != nil { return (nil, nil) }
      folder = parent
    }
    return (nil, nil)
  }

  /// Returns the first file in a folder with one of the names. As the user did not name it, the user must own the
  /// folder and the file, and it must not be a link out of the project.
  package static func first(of names: [String], in folder: String) throws(ConfigurationError) -> ProjectFile? {
    guard let path = file(names, in: folder) else { return nil }
    if let reason = status(of: folder).flatMap(distrust) {
      throw ConfigurationError(file: path, "it is not read, because its folder \(reason)")
    }
    return try read(path, in: .project(in: folder))
  }

  /// Parses the configuration in any of the formats, with the variables of its paths and names resolved.
  ///
  /// - Parameter value: Returns the value of an environment variable.
  package static func tree(
    _ bytes: [UInt8], file: String, _ value: @Sendable (String) -> String? = ProjectVariables.ofProcess
  ) throws(ConfigurationError) -> YAMLNode {
    ProjectVariables.resolved(try parsed(bytes, file: file), value)
  }

  private static func parsed(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> YAMLNode {
    if file.hasSuffix(".toml") { return try TOMLParser.parse(bytes, file: file) }
    let hidden = file.hasSuffix(".json") ? nil : ProjectVariableText.hiding(bytes)
    let parsed = try YAMLParser.parse(hidden ?? bytes, file: file)
    let root = hidden == nil ? parsed : ProjectVariableText.restoring(parsed)
    guard file.split(separator: "/").last.map(String.init) == packageName else { return root }
    return root["graphql"] ?? YAMLNode(value: .scalar("", isPlain: true), position: root.position, file: file)
  }

  /// Whether the file contains a configuration. Packages without one, or that cannot be parsed, are ignored.
  private var hasConfiguration: Bool { (try? Self.tree(bytes, file: path)).map { !$0.isNull } ?? false }

  /// Returns a path with symbolic links resolved; `nil` if it does not exist.
  package static func realPath(_ path: String) -> String? {
    FilePath(real: path).map { "\($0)" }
  }

  /// Reads a file that the user named. The user must own it.
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

  /// Returns why another user may have written the item; `nil` if it is the user's.
  private static func distrust(_ status: stat) -> String? {
    if status.st_uid != geteuid() { return "belongs to another user" }
    return status.st_mode & S_IWOTH != 0 ? "is world-writable" : nil
  }
}
