import ApusConfiguration

/// The files that belong together: a project of a graphql-config file, or a folder without one.
///
/// Every command and the language server take schema and documents of a file from here.
package enum ProjectDefinition: Equatable, Sendable {
  case config(GraphQLConfig, GraphQLConfig.Project)
  /// A folder that the user works in, without links. Its documents belong together, and the definitions among them are
  /// their schema.
  case folder(String)
  /// A file that belongs to nothing else: one that its graphql-config file excludes or has no project for, or one outside
  /// of the folders that the user works in.
  case none

  /// The root of the project's files; nil for a file of no project.
  package var root: ProjectRoot? {
    switch self {
    case .config(let config, _): config.file.root
    case .folder(let folder): ProjectRoot.folder(folder)
    case .none: nil
    }
  }

  /// The graphql-config project's name; nil where there is none.
  package var name: String? {
    guard case .config(_, let project) = self else { return nil }
    return project.name
  }

  /// Whether the project names where its schema is.
  package var namesSchema: Bool {
    guard case .config(_, let project) = self else { return false }
    return !project.schemaParts.isEmpty
  }

  /// Whether the definitions among the documents are the schema.
  package var takesSchemaFromDocuments: Bool {
    guard case .folder = self else { return false }
    return true
  }

  /// The position in the project's schema of a file; nil for any other file.
  package func schemaPart(of path: String) -> Int? {
    guard case .config(_, let project) = self else { return nil }
    return project.schemaPart(of: path)
  }

  /// Whether a file, which may have come just now, is one of the project's documents.
  package func isDocument(_ path: String) -> Bool {
    switch self {
    case .config(_, let project): project.isDocument(path) && HostLanguage(path: path) != .other
    case .folder(let folder):
      FilePath(folder).contains(FilePath(path)) && HostLanguage(path: path) == .graphql
    case .none: false
    }
  }
}

/// Finds the projects that files belong to. Each graphql-config file is read once.
package struct ProjectFinder: Sendable {
  /// The folders that the user works in, without links. `/` and the home folder are none: all of a user's files would be one
  /// project.
  private let folders: [String]
  private let home: String
  private var configs: [String: Configuration?] = [:]
  /// The programs in place of a graphql-config file that were met. They are not run.
  package private(set) var unread: [String] = []

  private struct Configuration: Sendable {
    let config: GraphQLConfig
    let owners: ProjectOwners
  }

  package init(folders: [String], home: String = UserFolders.home) {
    let realHome = FilePath(real: home) ?? FilePath(home)
    self.folders = folders.filter { FilePath($0) != realHome && FilePath($0) != FilePath("/") }
    self.home = home
  }

  /// The project of a file, by its path with links followed. A path that is not absolute belongs to none.
  package mutating func project(of path: FilePath) throws(ConfigurationError) -> ProjectDefinition {
    guard path.isAbsolute else { return .none }
    if let found = try configuration(of: "\(path.folder)") {
      return found.owners.project(of: "\(path)").map { .config(found.config, $0) } ?? .none
    }
    return folder(of: path)
  }

  /// Whether some project of the nearest graphql-config file excludes a file.
  package mutating func isExcluded(_ path: FilePath) throws(ConfigurationError) -> Bool {
    try configuration(of: "\(path.folder)")?.owners.excludes("\(path)") ?? false
  }

  /// The project of a file whose graphql-config file cannot be used.
  package func folder(of path: FilePath) -> ProjectDefinition {
    let containing = folders.filter { FilePath($0).contains(path) }
    return containing.max { $0.utf8.count < $1.utf8.count }.map { .folder($0) } ?? .none
  }

  /// The projects of the nearest graphql-config file of a folder.
  package mutating func projects(of folder: String) throws(ConfigurationError) -> [ProjectDefinition] {
    guard let config = try configuration(of: folder)?.config else { return [] }
    return config.projects.map { .config(config, $0) }
  }

  private mutating func configuration(of folder: String) throws(ConfigurationError) -> Configuration? {
    if let known = configs[folder] { return known }
    let found = try GraphQLConfig.find(from: folder, home: home)
      .map { Configuration(config: $0, owners: ProjectOwners($0)) }
    configs[folder] = .some(found)
    if found == nil, let program = ProjectFile.unread(from: folder, home: home), !unread.contains(program) {
      unread.append(program)
    }
    return found
  }
}
