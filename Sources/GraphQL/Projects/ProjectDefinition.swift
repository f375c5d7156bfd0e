import ApusConfiguration

/// The project of a file: a project of a graphql-config file, or a folder without one.
///
/// All commands and the language server find the schema and the documents of a file here.
package enum ProjectDefinition: Equatable, Sendable {
  case config(GraphQLConfig, GraphQLConfig.Project)
  /// A working folder, without symbolic links. Its documents form one project, and the definitions among them are the
  /// schema.
  case folder(String)
  /// No project: the graphql-config file excludes the file or has no project for it, or the file is outside of the
  /// working folders.
  case none

  /// The root of the project's files; `nil` for no project.
  package var root: ProjectRoot? {
    switch self {
    case .config(let config, _): config.file.root
    case .folder(let folder): ProjectRoot.folder(folder)
    case .none: nil
    }
  }

  /// The name of the graphql-config project; `nil` if there is none.
  package var name: String? {
    guard case .config(_, let project) = self else { return nil }
    return project.name
  }

  /// The line width of formatted documents; `nil` for the default layout.
  package var formatWidth: Int? {
    guard case .config(_, let project) = self else { return nil }
    return project.formatWidth
  }

  package var namesSchema: Bool {
    guard case .config(_, let project) = self else { return false }
    return !project.schemaParts.isEmpty
  }

  /// Whether the definitions among the documents are the schema.
  package var takesSchemaFromDocuments: Bool {
    guard case .folder = self else { return false }
    return true
  }

  /// Whether the project names a file as part of its schema or documents. A file that it does not name belongs to it
  /// only because there is no other project.
  package func names(_ path: String) -> Bool {
    switch self {
    case .config(_, let project): project.schemaPart(of: path) != nil || project.names(path)
    case .folder: true
    case .none: false
    }
  }

  /// Returns the index of the schema part that contains a file; `nil` for any other file.
  package func schemaPart(of path: String) -> Int? {
    guard case .config(_, let project) = self else { return nil }
    return project.schemaPart(of: path)
  }

  /// Whether a file, which may be new, is one of the project's documents.
  package func isDocument(_ path: String) -> Bool {
    switch self {
    case .config(_, let project): project.isDocument(path) && HostLanguage(path: path) != .other
    case .folder(let folder):
      FilePath(folder).contains(FilePath(path)) && HostLanguage(path: path) == .graphql
    case .none: false
    }
  }
}

/// Finds the projects of files. Reads each graphql-config file once.
package struct ProjectFinder: Sendable {
  /// Working folders, without symbolic links. `/` and the home directory are excluded, because all files of the user
  /// would be one project.
  private let folders: [String]
  private let home: String
  private var configs: [String: Configuration?] = [:]
  /// Configurations by the digest of their file, which many folders have in common.
  private var configsOfFiles: [String: Configuration] = [:]
  /// Messages about configurations that have no effect: files that are not read, misspelled keys and unknown dialects.
  package private(set) var notes: [String] = []

  private struct Configuration: Sendable {
    let config: GraphQLConfig
    let owners: ProjectOwners
  }

  package init(folders: [String], home: String = UserFolders.home) {
    let realHome = FilePath(real: home) ?? FilePath(home)
    self.folders = folders.filter { FilePath($0) != realHome && FilePath($0) != FilePath("/") }
    self.home = home
  }

  /// Returns the project of a file, by its path with symbolic links resolved; no project if the path is not absolute.
  package mutating func project(of path: FilePath) throws(ConfigurationError) -> ProjectDefinition {
    guard path.isAbsolute else { return .none }
    if let found = try configuration(of: "\(path.folder)") {
      return found.owners.project(of: "\(path)").map { .config(found.config, $0) } ?? .none
    }
    return folder(of: path)
  }

  /// Whether a project of the nearest graphql-config file excludes a file.
  package mutating func isExcluded(_ path: FilePath) throws(ConfigurationError) -> Bool {
    try configuration(of: "\(path.folder)")?.owners.excludes("\(path)") ?? false
  }

  /// Returns the project of a file whose graphql-config file cannot be used.
  package func folder(of path: FilePath) -> ProjectDefinition {
    let containing = folders.filter { FilePath($0).contains(path) }
    return containing.max { $0.utf8.count < $1.utf8.count }.map { .folder($0) } ?? .none
  }

  /// Returns the projects of the nearest graphql-config file of a folder.
  package mutating func projects(of folder: String) throws(ConfigurationError) -> [ProjectDefinition] {
    guard let config = try configuration(of: folder)?.config else { return [] }
    return config.projects.map { .config(config, $0) }
  }

  private mutating func configuration(of folder: String) throws(ConfigurationError) -> Configuration? {
    if let configuration = configs[folder] { return configuration }
    let found = try ProjectFile.find(from: folder, home: home).map { (file) throws(ConfigurationError) in
      try configuration(in: file)
    }
    configs[folder] = .some(found)
    let new =
      found?.config.notes ?? ProjectFile.unread(from: folder, home: home).map { [ProjectFile.unreadNote($0)] }
      ?? []
    notes += new.filter { !notes.contains($0) }
    return found
  }

  private mutating func configuration(in file: ProjectFile) throws(ConfigurationError) -> Configuration {
    if let existing = configsOfFiles[file.digest] { return existing }
    let config = try GraphQLConfig(file)
    let read = Configuration(config: config, owners: ProjectOwners(config))
    configsOfFiles[file.digest] = read
    return read
  }
}
