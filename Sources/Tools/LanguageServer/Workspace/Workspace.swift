import ApusConfiguration
import ApusGraphQLProjects

/// The folders and open texts of a client, with the projects that they belong to. A value: what a request is answered
/// from is the workspace as it was when the request came.
struct Workspace: Sendable {
  /// What tells projects apart.
  enum Key: Hashable, Sendable {
    case config(file: FilePath, project: String?)
    case folder(FilePath?)
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

  /// The projects of which a file is part: one schema may serve several.
  func keys(having path: FilePath) -> [Key] { projects.filter { $0.value.files[path] != nil }.map(\.key) }

  // MARK: Where a file belongs

  /// What a file belongs to, by the graphql-config file that is nearest. `note` tells why such a file was not read.
  func origin(of path: FilePath) -> (key: Key, origin: Project.Origin, note: String?) {
    var note: String?
    if path.isAbsolute {
      let folder = "\(path.folder)"
      do throws(ConfigurationError) {
        if let config = try GraphQLConfig.find(from: folder), let project = config.project(of: "\(path)") {
          return (.config(file: FilePath(config.file.path), project: project.name), .config(config, project), nil)
        }
        note = ProjectFile.unread(from: folder).map(ProjectFile.unreadNote)
      } catch {
        note = "\(error)"
      }
      let root = folders.filter { FilePath($0).contains(path) }.max { $0.utf8.count < $1.utf8.count }
      if let root { return (.folder(FilePath(root)), .folder(root), note) }
    }
    return (.folder(nil), .folder(nil), note)
  }

  /// The root that a file is read from the disk through.
  func root(of path: FilePath) -> ProjectRoot? { (project(of: path)?.origin ?? origin(of: path).origin).root }

  /// The projects of the graphql-config file of a folder.
  static func origins(ofFolder folder: String) throws(ConfigurationError) -> [(Key, Project.Origin)] {
    guard let config = try GraphQLConfig.find(from: folder) else { return [] }
    return config.projects.map { project in
      (.config(file: FilePath(config.file.path), project: project.name), .config(config, project))
    }
  }

  // MARK: Changes

  mutating func set(_ project: Project, for key: Key) {
    projects[key] = project
    for path in project.files.keys where keys[path] == nil { keys[path] = key }
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
