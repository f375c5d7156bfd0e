import ApusGraphQLLanguage

/// The files of a project's schema.
package struct SchemaFiles: Equatable, Sendable {
  /// Sources of the schema in the order of the configuration, each with its sorted files. An endpoint has none.
  package var parts: [Part] = []
  package var refusals: [FileRefusal] = []
  /// Patterns that match no file.
  package var unmatched: [String] = []

  package struct Part: Equatable, Sendable {
    package let source: GraphQLConfig.SchemaPart
    package var files: [String] = []
  }

  /// All files, in the order of the schema's sources.
  package var files: [String] { parts.flatMap(\.files) }
}

/// The files of a project's documents.
package struct DocumentFiles: Equatable, Sendable {
  /// Files, sorted.
  package var files: [String] = []
  /// Files that match a pattern but are in a language that is not searched for GraphQL.
  package var otherLanguages: [String] = []
  package var refusals: [FileRefusal] = []
  /// Patterns that match no file.
  package var unmatched: [String] = []
}

extension ProjectDefinition {
  /// Extensions of files that contain only GraphQL.
  package static let documentEndings = [".graphql", ".graphqls", ".gql"]

  /// The maximum number of files read in a folder without a configuration.
  package static let folderLimit = 50_000
  /// The maximum size in bytes of a file that the user did not name.
  package static let fileLimit = 16 << 20

  /// Returns the pattern of all files in a folder with the given extensions.
  package static func pattern(of endings: [String]) -> String { "**/*{\(endings.joined(separator: ","))}" }

  package func schemaFiles() -> SchemaFiles {
    guard case .config(let config, let project) = self else { return SchemaFiles() }
    let list = config.file.root.files(
      project.schema.map { Self.filesOfFolder($0, Self.documentEndings) }, in: config.file.folder)
    var result = SchemaFiles(refusals: list.refusals)
    result.parts = project.schemaParts.filter { part in
      if case .files(let pattern) = part { return !pattern.hasPrefix("!") }
      return true
    }.map { SchemaFiles.Part(source: $0) }
    var left = list.files
    for index in result.parts.indices {
      guard case .files(let pattern) = result.parts[index].source else { continue }
      let matching = FilePatternSet([pattern], hasContents: true)
      // A file that belongs to an earlier part is not read again.
      let position = left.stablePartition { matching.contains($0) }
      result.parts[index].files = Array(left[position...])
      left.removeSubrange(position...)
    }
    result.unmatched = list.unmatched(project.schema)
    return result
  }

  package func documentFiles() -> DocumentFiles {
    switch self {
    case .config(let config, let project): return Self.documentFiles(of: config, project)
    case .folder(let folder):
      guard let root else { return DocumentFiles() }
      let list = root.files([Self.pattern(of: Self.documentEndings)], in: folder)
      let files = list.files.prefix(Self.folderLimit).map { FilePattern.absolute($0, in: folder) }
      return DocumentFiles(files: Self.withoutOtherProjects(files), refusals: list.refusals)
    case .none: return DocumentFiles()
    }
  }

  /// Returns the files without those that belong to a graphql-config file in a subfolder.
  private static func withoutOtherProjects(_ files: [String]) -> [String] {
    var nearest = NearestConfigs()
    return files.filter { nearest.config(of: FilePath($0)) == nil }
  }

  private static func documentFiles(of config: GraphQLConfig, _ project: GraphQLConfig.Project) -> DocumentFiles {
    var list = config.file.root.files(
      project.documents.map { filesOfFolder($0, HostLanguage.endings) }, in: config.file.folder)
    if !project.exclude.isEmpty {
      let excluded = FilePatternSet(project.exclude, hasContents: true)
      list.files.removeAll { file in
        excluded.contains(file) || FilePath(real: file).map { excluded.contains("\($0)") } ?? false
      }
      if let pattern = excluded.exhaustingPattern {
        list.refusals.append(FileRefusal(FilePattern.shortened(pattern), .tooMuchWork))
      }
    }
    var result = DocumentFiles(refusals: list.refusals, unmatched: list.unmatched(project.documents))
    for file in list.files {
      if HostLanguage(path: file) == .other { result.otherLanguages.append(file) } else { result.files.append(file) }
    }
    return result
  }

  /// Returns the pattern of all files with the given extensions if a pattern names a folder; otherwise the pattern,
  /// with existing folders at its beginning taken literally.
  package static func filesOfFolder(_ pattern: String, _ endings: [String], in folder: String = "/") -> String {
    if pattern.hasPrefix("!") { return "!" + FilePattern.preferringExisting(String(pattern.dropFirst()), in: folder) }
    let pattern = FilePattern.preferringExisting(pattern, in: folder)
    guard !FilePattern.isPattern(pattern),
      FilePattern.isFolder(FilePattern.absolute(FilePattern.path(of: pattern), in: folder))
    else { return pattern }
    return "\(FilePath(pattern).withoutSlash)/\(self.pattern(of: endings))"
  }
}

/// Finds the graphql-config files nearest to files. Searches each folder once.
package struct NearestConfigs {
  private var found: [FilePath: FilePath?] = [:]

  package init() {}

  /// Returns the path of the nearest graphql-config file in the folder of a file or above it.
  package mutating func config(of file: FilePath) -> FilePath? {
    let folder = file.folder
    if let config = found[folder] { return config }
    let config = ((try? ProjectFile.find(from: "\(folder)")) ?? nil).map { FilePath($0.path) }
    found[folder] = .some(config)
    return config
  }
}

extension Array {
  /// Moves the elements that satisfy the predicate to the end, keeps the order of both parts, and returns the start of
  /// the second.
  fileprivate mutating func stablePartition(by belongsLast: (Element) -> Bool) -> Int {
    var first: [Element] = []
    var last: [Element] = []
    for element in self { if belongsLast(element) { last.append(element) } else { first.append(element) } }
    self = first + last
    return first.count
  }
}

extension FilePath {
  fileprivate var withoutSlash: FilePath {
    guard let last = bytes.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return self }
    return FilePath(bytes[...last])
  }
}

// MARK: Imports

/// The files that comments of other files import.
package struct ImportedFiles: Sendable {
  package var files: [GraphQLSourceFile] = []
  package var refusals: [FileRefusal] = []
}

extension ProjectRoot {
  /// The maximum number of imported files of a project.
  private static let importLimit = 10_000

  /// Reads the files that comments of some files import, directly or indirectly, each once. The given files are not
  /// included, and files outside the region are rejected.
  ///
  /// - Parameter name: Returns the name of a file in findings.
  package func imports(of files: [GraphQLSourceFile], name: (FilePath) -> String) -> ImportedFiles {
    var result = ImportedFiles()
    var seen = Set(files.compactMap { FilePath(real: $0.source.name) })
    var pending = files[...]
    while let file = pending.popFirst(), result.files.count < Self.importLimit {
      let folder = FilePath(file.source.name).folder
      for path in Set(file.units.flatMap(\.document.imports).map(\.path)).sorted() {
        let place = FilePattern.absolute(path, in: "\(folder)")
        let language = HostLanguage(path: place)
        guard language != .other else { continue }
        let real = FilePath(real: place) ?? FilePath(place)
        guard seen.insert(real).inserted else { continue }
        do throws(FileRefusal) {
          let bytes = try read(place, limit: ProjectDefinition.fileLimit)
          let imported = GraphQLSourceFile(bytes: bytes, name: name(real), language: language)
          result.files.append(imported)
          pending.append(imported)
        } catch {
          result.refusals.append(FileRefusal("\(file.source.name): the import of \(path)", error.reason))
        }
      }
    }
    return result
  }
}
