import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusPlatform

/// Finds the files of command-line arguments, which are files, folders or patterns.
enum NamedFiles {
  /// Returns each file once, in the order of the arguments; without arguments, the documents of the current directory's
  /// projects.
  static func named(by arguments: ParsedArguments) throws(CommandError) -> [LocalFile] {
    var files: [LocalFile] = []
    if arguments.operands.isEmpty {
      let projects = try ProjectSources.all()
      for sources in projects { files += try sources.documentFiles() }
      guard !files.isEmpty else {
        // Patterns without a match have already been reported.
        if projects.contains(where: \.hasDocumentPatterns) {
          throw .file("the project has no documents: no file matches the patterns of its graphql-config file")
        }
        throw .usage(
          "FILE is missing: name files, folders or patterns, or write a graphql-config file with documents",
          command: arguments.command.name)
      }
    }
    return unique(files + (try self.files(named: arguments.operands)))
  }

  /// Returns each file once, in the order of the arguments.
  static func files(named words: [String]) throws(CommandError) -> [LocalFile] {
    var files: [LocalFile] = []
    for word in words { files += try self.files(named: word) }
    return unique(files)
  }

  private static func unique(_ files: [LocalFile]) -> [LocalFile] {
    var seen: Set<FilePath> = []
    return files.filter { seen.insert(FilePath($0.path)).inserted }
  }

  private static func files(named word: String) throws(CommandError) -> [LocalFile] {
    if FilePattern.isFolder(word) {
      let folder = word.hasSuffix("/") && word != "/" ? String(word.dropLast()) : word
      let files = try search(
        ProjectDefinition.pattern(of: HostLanguage.endings), from: folder, in: folder, readsOtherLanguages: false)
      guard !files.isEmpty else {
        let endings = ProjectDefinition.documentEndings.joined(separator: ", ")
        throw .file("there is no document (\(endings)) in \(word)")
      }
      return files
    }
    guard word != "-", FilePattern.isPattern(word), access(word, F_OK) != 0 else { return [LocalFile(named: word)] }
    var files: [LocalFile] = []
    for pattern in FilePattern.alternatives(of: [word]).patterns {
      if FilePattern.hasWildcard(pattern) {
        // The search follows no link out of the current directory, unless the pattern itself begins elsewhere.
        let folder = FilePath(pattern).mayLeaveFolder ? FilePattern.fixedPart(of: pattern) : "."
        files += try search(pattern, from: ".", in: folder, readsOtherLanguages: true)
      } else {
        files.append(LocalFile(named: pattern))
      }
    }
    guard !files.isEmpty else { throw .file("no file matches '\(word)'") }
    return files
  }

  /// Returns the files in a folder that match a pattern relative to `start`, except files that their project excludes, and
  /// files in other languages that are not documents of their project.
  ///
  /// - Parameter readsOtherLanguages: Whether files in other languages are read without a graphql-config file. If not,
  ///   those that contain GraphQL are reported.
  private static func search(
    _ pattern: String, from start: String, in folder: String, readsOtherLanguages: Bool
  ) throws(CommandError) -> [LocalFile] {
    guard let root = ProjectRoot.folder(folder) else { return [] }
    let list = root.files([pattern], in: start)
    try ProjectSources.check(list.refusals)
    var files: [LocalFile] = []
    var unread: [LocalFile] = []
    for path in list.files {
      let file = LocalFile(FilePattern.absolute(path, in: start), in: root)
      switch try ProjectSources.selection(of: file) {
      case .document: files.append(file)
      case .otherLanguage: if readsOtherLanguages { files.append(file) } else { unread.append(file) }
      case .skipped: break
      }
    }
    try report(unread: unread)
    return files
  }

  /// Reports the files in other languages that contain GraphQL and are not read.
  private static func report(unread files: [LocalFile]) throws(CommandError) {
    var names: [String] = []
    for file in files {
      try CommandError.checkInterruption()
      guard let source = try? file.load(limit: ProjectDefinition.fileLimit), !source.units.isEmpty else { continue }
      names.append(source.source.name)
    }
    guard !names.isEmpty else { return }
    let count = names.count == 1 ? "1 file" : "\(names.count) files"
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    ProjectSources.report([
      "\(count) with GraphQL in other languages not read: \(names.prefix(5).joined(separator: ", "))\(more); "
        + "name each file, or list them as 'documents' in a graphql-config file"
    ])
  }
}

/// The files of one command that belong to the same project.
struct ProjectGroup {
  /// `nil` if the user named the schema, which then applies to the files of all projects.
  let sources: ProjectSources?
  var files: [GraphQLSourceFile] = []

  /// Reads files and groups them by project, in the order of first occurrence.
  ///
  /// - Parameter isOne: Whether the user named one schema for all files.
  static func groups(_ files: [LocalFile], isOne: Bool = false) throws(CommandError) -> [ProjectGroup] {
    var groups: [ProjectGroup] = []
    for file in files {
      let sources = isOne ? nil : try ProjectSources.find(for: file.path)
      let index = groups.firstIndex { $0.sources == sources } ?? groups.endIndex
      if index == groups.endIndex { groups.append(ProjectGroup(sources: sources)) }
      groups[index].files.append(try file.load())
    }
    return groups
  }

  /// The name of the project; `nil` if the user named the schema.
  var name: String? { sources?.title }

  /// The documents with executable definitions.
  var executables: [Document] { Self.executables(of: files) }

  static func executables(of files: [GraphQLSourceFile]) -> [Document] {
    files.flatMap(\.units).map(\.document).filter { !$0.isTypeSystem }
  }

  /// Returns the other documents whose fragments the files can use.
  func others() throws(CommandError) -> [Document] {
    Self.executables(of: try sources?.others(than: files) ?? ProjectSources.imports(of: files))
  }

  /// Returns the complete executable documents of some files.
  static func wholeDocuments(of files: [LocalFile]) throws(CommandError) -> [Document] {
    var read: [GraphQLSourceFile] = []
    for file in files { read.append(try file.load()) }
    return try wholeDocuments(of: read + ProjectSources.imports(of: read))
  }

  /// Returns the executable documents of some files. Throws if one has syntax errors; omits and reports documents with
  /// interpolated values.
  static func wholeDocuments(of files: [GraphQLSourceFile]) throws(CommandError) -> [Document] {
    report(partial: files)
    var documents: [Document] = []
    for unit in files.flatMap(\.units) where !unit.hasGaps {
      if let diagnostic = unit.document.diagnostics.first {
        let place = unit.document.source.location(at: diagnostic.range.lowerBound)
        throw CommandError(
          exitCode: .resultErrors,
          message: "\(unit.document.source.name):\(place.line):\(place.column): \(diagnostic.message)")
      }
      if !unit.document.isTypeSystem { documents.append(unit.document) }
    }
    return documents
  }

  /// Reports the literals that are read partly or not at all: their number and the first five locations.
  static func report(partial files: [GraphQLSourceFile]) {
    let all = files.flatMap { file in
      file.partial.map { "\(file.source.name):\($0.location.line):\($0.location.column) (\($0.reason.reason))" }
    }
    guard !all.isEmpty else { return }
    let count = all.count == 1 ? "1 literal was" : "\(all.count) literals were"
    let more = all.count > 5 ? " and \(all.count - 5) more" : ""
    ProjectSources.report([
      "\(count) skipped or read only in part: \(all.prefix(5).joined(separator: ", "))\(more)"
    ])
  }
}
