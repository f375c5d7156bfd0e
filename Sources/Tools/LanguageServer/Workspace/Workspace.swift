import ApusConfiguration
import ApusGraphQLProjects

/// The folders and open texts of a client, with the projects that they belong to. A value: what a request is answered
/// from is the workspace as it was when the request came.
struct Workspace: Sendable {
  /// What tells projects apart.
  enum Key: Hashable, Sendable {
    case config(file: FilePath, project: String?)
    case folder(FilePath)
    /// A file of no project, which knows no other file.
    case file(FilePath)
  }

  /// The folders that the client has open, with links followed.
  var folders: [String] = []
  private(set) var projects: [Key: Project] = [:]
  /// The texts that the client has open, by path.
  private(set) var open: [FilePath: TextFile] = [:]
  /// The project of each path that was asked for.
  private var keys: [FilePath: Key] = [:]

  init() {}

  static func path(of uri: String) -> FilePath {
    guard let path = DocumentURI.path(of: uri) else { return FilePath(uri) }
    if let real = FilePath(real: path) { return real }
    // A file that was not written yet has a folder.
    let place = FilePath(path)
    return FilePath(real: "\(place.folder)").map { $0.appending(place.name.bytes) } ?? place
  }

  func file(at path: FilePath) -> TextFile? { keys[path].flatMap { projects[$0]?.files[path] } ?? open[path] }

  func project(of path: FilePath) -> Project? { keys[path].flatMap { projects[$0] } }

  func key(of path: FilePath) -> Key? { keys[path] }

  /// The projects of which a file is part, or will be now that it exists: one schema may serve several.
  func keys(having path: FilePath) -> [Key] {
    projects.filter { key, project in
      if project.files[path] != nil { return true }
      guard case .config = project.origin else { return key == keys[path] }
      return project.origin.schemaPart(of: "\(path)") != nil || project.origin.isDocument("\(path)")
    }.map(\.key)
  }

  // MARK: Where a file belongs

  /// The project of a file. `note` is the reason why a graphql-config file was not read.
  func origin(of path: FilePath) -> (key: Key, origin: ProjectDefinition, note: String?) {
    var finder = ProjectFinder(folders: folders)
    var note: String?
    var origin: ProjectDefinition
    do throws(ConfigurationError) {
      origin = try finder.project(of: path)
      note = finder.unread.first.map(ProjectFile.unreadNote)
    } catch {
      origin = finder.folder(of: path)
      note = "\(error)"
    }
    return (Self.key(of: origin, path), origin, note)
  }

  private static func key(of origin: ProjectDefinition, _ path: FilePath) -> Key {
    switch origin {
    case .config(let config, let project): .config(file: FilePath(config.file.path), project: project.name)
    case .folder(let folder): .folder(FilePath(folder))
    case .none: .file(path)
    }
  }

  /// The root that a file is read from the disk through.
  func root(of path: FilePath) -> ProjectRoot? {
    let definition = project(of: path)?.origin ?? origin(of: path).origin
    return definition.root ?? (path.isAbsolute ? .project(in: "\(path.folder)") : nil)
  }

  /// The language of a file: one of a schema's is GraphQL, whatever its name is.
  func language(of path: FilePath) -> HostLanguage {
    let language = HostLanguage(path: "\(path)")
    guard language == .other, !path.isJSON else { return language }
    return projects.values.contains { $0.origin.schemaPart(of: "\(path)") != nil } ? .graphql : .other
  }

  /// The projects of the graphql-config file of a folder.
  static func origins(ofFolder folder: String) throws(ConfigurationError) -> [(Key, ProjectDefinition)] {
    var finder = ProjectFinder(folders: [])
    return try finder.projects(of: folder).map { (key(of: $0, FilePath(folder)), $0) }
  }

  // MARK: Changes

  mutating func set(_ project: Project, for key: Key) {
    projects[key] = project
    // A file of several projects belongs to one of them, whichever was read first.
    var owners: ProjectOwners?
    if case .config(let config, _) = project.origin, config.projects.count > 1 { owners = ProjectOwners(config) }
    for path in project.files.keys where keys[path] == nil {
      if let owner = owners?.project(of: "\(path)"), owner.name != project.origin.name { continue }
      keys[path] = key
    }
  }

  mutating func assign(_ path: FilePath, to key: Key) { keys[path] = key }

  mutating func setOpen(_ file: TextFile?, at path: FilePath) { open[path] = file }

  /// Changes a project where it stands, without a copy of it.
  mutating func update<Result>(_ key: Key, _ change: (inout Project) -> Result) -> Result? {
    guard let index = projects.index(forKey: key) else { return nil }
    return change(&projects.values[index])
  }

  /// Forgets all projects, so that they are looked for and read anew.
  mutating func forgetProjects() {
    projects = [:]
    keys = [:]
  }
}
