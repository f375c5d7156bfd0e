import ApusConfiguration
import ApusGraphQLProjects

/// The folders and open documents of a client, and their projects. It is a value type: each request works on a copy.
struct Workspace: Sendable {
  /// The identity of a project.
  enum Key: Hashable, Sendable {
    case config(file: FilePath, project: String?)
    case folder(FilePath)
    /// A file that belongs to no project.
    case file(FilePath)
  }

  /// Folders that the client has open, with symbolic links resolved.
  var folders: [String] = []
  /// Folders that the client has closed: of their files, only open ones have diagnostics.
  private(set) var closedFolders: Set<FilePath> = []
  private(set) var projects: [Key: Project] = [:]
  /// Documents that the client has open, by path.
  private(set) var open: [FilePath: TextFile] = [:]
  /// The project of each path that was looked up.
  private var keys: [FilePath: Key] = [:]

  init() {}

  static func path(of uri: String) -> FilePath {
    guard let path = DocumentURI.path(of: uri) else { return FilePath(uri) }
    if let real = FilePath(real: path) { return real }
    // A new file may not exist yet, but its folder does.
    let place = FilePath(path)
    return FilePath(real: "\(place.folder)").map { $0.appending(place.name.bytes) } ?? place
  }

  func file(at path: FilePath) -> TextFile? { keys[path].flatMap { projects[$0]?.files[path] } ?? open[path] }

  func project(of path: FilePath) -> Project? { keys[path].flatMap { projects[$0] } }

  func key(of path: FilePath) -> Key? { keys[path] }

  /// Returns the projects that contain a file or match a new one: several may share a schema.
  func keys(having path: FilePath) -> [Key] {
    projects.filter { key, project in
      if project.files[path] != nil { return true }
      guard case .config = project.origin else { return key == keys[path] }
      return project.origin.schemaPart(of: "\(path)") != nil || project.origin.isDocument("\(path)")
    }.map(\.key)
  }

  // MARK: Project lookup

  /// Returns the project of a file. `note` is the reason why a graphql-config file was not read.
  func origin(of path: FilePath) -> (key: Key, origin: ProjectDefinition, note: String?) {
    var finder = ProjectFinder(folders: folders)
    var note: String?
    var origin: ProjectDefinition
    do throws(ConfigurationError) {
      origin = try finder.project(of: path)
      note = finder.notes.first
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

  /// Returns the root through which a file is read from disk.
  func root(of path: FilePath) -> ProjectRoot? {
    let definition = project(of: path)?.origin ?? origin(of: path).origin
    return definition.root ?? (path.isAbsolute ? .project(in: "\(path.folder)") : nil)
  }

  /// Returns the language of a file. Schema files are GraphQL regardless of their names.
  func language(of path: FilePath) -> HostLanguage {
    let language = HostLanguage(path: "\(path)")
    guard language == .other, !path.isJSON else { return language }
    return projects.values.contains { $0.origin.schemaPart(of: "\(path)") != nil } ? .graphql : .other
  }

  /// Returns the projects of the graphql-config file in a folder.
  static func origins(ofFolder folder: String) throws(ConfigurationError) -> [(Key, ProjectDefinition)] {
    var finder = ProjectFinder(folders: [])
    return try finder.projects(of: folder).map { (key(of: $0, FilePath(folder)), $0) }
  }

  /// Whether diagnostics of a file are reported.
  func hasDiagnostics(_ path: FilePath) -> Bool {
    let isClosed = closedFolders.contains { $0.contains(path) }
    return !isClosed || open[path] != nil || folders.contains { FilePath($0).contains(path) }
  }

  /// Whether diagnostics of the file of a URI are reported, as far as it belongs to a project.
  func reports(_ uri: String) -> Bool {
    let path = Self.path(of: uri)
    return key(of: path) != nil && hasDiagnostics(path)
  }

  /// The maximum number of files that are read beside one that no project names.
  private static let neighborLimit = 500

  /// Returns the files with definitions in a folder that no project names. Open documents are used instead of their
  /// files.
  func unnamedFiles(inFolder folder: FilePath) -> [TextFile] {
    guard folder.isAbsolute, let root = ProjectRoot.folder("\(folder)") else { return [] }
    var finder = ProjectFinder(folders: folders)
    let list = root.files(["*"], in: "\(folder)", limit: Self.neighborLimit)
    let paths = Set(list.files.map { folder.appending($0.utf8) })
      .union(open.keys.filter { $0.folder == folder })
    return paths.sorted().compactMap { path in
      guard open[path] != nil || HostLanguage(path: "\(path)") != .other,
        (try? finder.project(of: path))?.names("\(path)") != true,
        (try? finder.isExcluded(path)) != true || open[path] != nil
      else { return nil }
      return open[path] ?? ProjectLoader.file(at: path, in: root)
    }.filter { !$0.definitions.isEmpty }
  }

  // MARK: Changes

  /// Takes the folders that the client has opened and closed.
  mutating func changeFolders(added: [FilePath], removed: Set<FilePath>) {
    folders.removeAll { removed.contains(FilePath($0)) }
    let existing = Set(folders.map { FilePath($0) })
    folders += added.filter { !existing.contains($0) }.map(\.description)
    closedFolders = closedFolders.union(removed).subtracting(added)
  }

  mutating func set(_ project: Project, for key: Key) {
    projects[key] = project
    // A file in several projects belongs to the first one loaded, unless a nearer configuration has it, or the
    // configuration names its owner.
    var owners: ProjectOwners?
    var nearest = NearestConfigs()
    for path in project.files.keys where keys[path] == nil {
      if case .config(let config, _) = project.origin {
        if let other = nearest.config(of: path), other != FilePath(config.file.path) { continue }
        if config.projects.count > 1 { owners = owners ?? ProjectOwners(config) }
      }
      if let owner = owners?.project(of: "\(path)"), owner.name != project.origin.name { continue }
      keys[path] = key
    }
  }

  mutating func assign(_ path: FilePath, to key: Key) { keys[path] = key }

  mutating func setOpen(_ file: TextFile?, at path: FilePath) { open[path] = file }

  /// Changes a project in place, without copying it.
  mutating func update<Result>(_ key: Key, _ change: (inout Project) -> Result) -> Result? {
    guard let index = projects.index(forKey: key) else { return nil }
    return change(&projects.values[index])
  }

  /// Removes all projects, to find and read them again.
  mutating func forgetProjects() {
    projects = [:]
    keys = [:]
  }
}
