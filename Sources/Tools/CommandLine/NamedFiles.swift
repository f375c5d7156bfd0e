import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusPlatform

/// Finds the files of command-line arguments, which are files, folders or patterns: `a.graphql`, `src`, `'src/**/*.gql'`.
enum NamedFiles {
  /// The use of the files. It decides which files are read, and which ones must not be passed over.
  enum Purpose {
    /// Documents are checked or counted: a file with GraphQL that is passed over is an error.
    case check
    /// Like `check`, with the schema files of a project if no file is named.
    case checkWithSchema
    /// Files are changed.
    case change
    /// The files form a schema.
    case schema

    var isCheck: Bool {
      switch self {
      case .check, .checkWithSchema: true
      case .change, .schema: false
      }
    }

    /// Whether the schema files of a project are meant if no file is named.
    var readsSchema: Bool {
      switch self {
      case .schema, .checkWithSchema: true
      case .change, .check: false
      }
    }

    /// Whether the documents of a project are meant if no file is named.
    var readsDocuments: Bool {
      switch self {
      case .check, .checkWithSchema, .change: true
      case .schema: false
      }
    }
  }

  /// Returns each file once, in the order of the arguments; without arguments, the documents of the current directory's
  /// projects.
  static func named(by arguments: ParsedArguments, for purpose: Purpose) throws(CommandError) -> [LocalFile] {
    var files: [LocalFile] = []
    if arguments.operands.isEmpty {
      let projects = try ProjectSources.all()
      var documents: [LocalFile] = []
      for sources in projects {
        if purpose.readsSchema { files += sources.schemaFiles() }
        if purpose.readsDocuments { documents += try sources.documentFiles(isCheck: purpose.isCheck) }
      }
      // Patterns without a match have already been reported.
      if purpose.readsDocuments, documents.isEmpty, projects.contains(where: \.hasDocumentPatterns) {
        throw .file("the project has no documents: no file matches the patterns of its graphql-config file")
      }
      files += documents
      guard !files.isEmpty else { throw noFiles(arguments.command.name, purpose) }
    }
    return unique(files + (try self.files(named: arguments.operands, for: purpose)))
  }

  private static func noFiles(_ command: String, _ purpose: Purpose) -> CommandError {
    switch purpose {
    case .schema: return .usage("SOURCE is missing", command: command)
    case .check, .checkWithSchema, .change:
      return .usage(
        "FILE is missing: name files, folders or patterns, or write a graphql-config file with documents",
        command: command)
    }
  }

  /// Returns each file once, in the order of the arguments.
  static func files(named words: [String], for purpose: Purpose) throws(CommandError) -> [LocalFile] {
    var files: [LocalFile] = []
    for word in words { files += try self.files(named: word, purpose) }
    return unique(files)
  }

  private static func unique(_ files: [LocalFile]) -> [LocalFile] {
    var seen: Set<FilePath> = []
    return files.filter { seen.insert(FilePath($0.path)).inserted }
  }

  private static func files(named word: String, _ purpose: Purpose) throws(CommandError) -> [LocalFile] {
    if FilePattern.isFolder(word) {
      let folder = word.hasSuffix("/") && word != "/" ? String(word.dropLast()) : word
      // A check also visits files of other languages, to report those with GraphQL.
      let pattern = purpose.isCheck ? "**/*" : ProjectDefinition.pattern(of: HostLanguage.endings)
      let files = try search(pattern, from: folder, in: folder, purpose, respectsIgnoreRules: true)
      guard !files.isEmpty else {
        let endings = ProjectDefinition.documentEndings.joined(separator: ", ")
        throw .file("there is no document (\(endings)) in \(word)")
      }
      return files
    }
    guard word != "-", FilePattern.isPattern(word), access(word, F_OK) != 0 else { return [LocalFile(named: word)] }
    var files: [LocalFile] = []
    for pattern in FilePattern.alternatives(of: [FilePattern.preferringExisting(word, in: ".")]).patterns {
      if FilePattern.hasWildcard(pattern) {
        // The search follows no link out of the current directory, unless the pattern itself begins elsewhere.
        let folder = FilePath(pattern).mayLeaveFolder ? FilePattern.fixedPart(of: pattern) : "."
        files += try search(pattern, from: ".", in: folder, purpose, respectsIgnoreRules: false)
      } else {
        files.append(LocalFile(named: FilePattern.path(of: pattern)))
      }
    }
    guard !files.isEmpty else { throw .file("no file matches '\(word)'") }
    return files
  }

  /// Returns the files in a folder that match a pattern relative to `start`, except files that their project excludes, files
  /// in other languages that are not documents of their project, and files without GraphQL.
  ///
  /// - Throws: For a check, if a file with GraphQL is passed over.
  private static func search(
    _ pattern: String, from start: String, in folder: String, _ purpose: Purpose, respectsIgnoreRules: Bool
  ) throws(CommandError) -> [LocalFile] {
    guard let root = ProjectRoot.folder(folder) else { return [] }
    let list = root.files([pattern], in: start, respectsIgnoreRules: respectsIgnoreRules)
    try ProjectSources.check(
      purpose.isCheck ? try relevant(list.refusals, from: start, root) : list.refusals, mustReadAll: purpose.isCheck)
    var files: [LocalFile] = []
    var unread: [LocalFile] = []
    for path in list.files {
      let language = HostLanguage(path: path)
      if language == .other, !purpose.isCheck || !UnreadLanguage.isCode(path) { continue }
      let file = LocalFile(FilePattern.absolute(path, in: start), in: root)
      switch try ProjectSources.selection(of: file) {
      case .document: files.append(file)
      case .otherLanguage: if try hasGraphQL(file) { files.append(file) }
      case .unknownLanguage: unread.append(file)
      case .skipped: break
      }
    }
    if purpose.isCheck { try ProjectSources.check(unread: unread) }
    return files
  }

  /// Returns the refusals of whole searches and of files that a check would read. Excluded files and images are left out.
  private static func relevant(
    _ refusals: [FileRefusal], from start: String, _ root: ProjectRoot
  ) throws(CommandError) -> [FileRefusal] {
    var relevant: [FileRefusal] = []
    for refusal in refusals {
      let mayHaveGraphQL =
        HostLanguage(path: refusal.path) != .other || UnreadLanguage.isCode(refusal.path)
        || refusal.reason == .unreadable(code: EACCES)
      guard !refusal.isOfSearch else {
        relevant.append(refusal)
        continue
      }
      let file = LocalFile(FilePattern.absolute(refusal.path, in: start), in: root)
      if mayHaveGraphQL, try ProjectSources.selection(of: file) != .skipped { relevant.append(refusal) }
    }
    return relevant
  }

  /// Whether a file in another language contains GraphQL. Such a file that cannot be read counts as one that does.
  private static func hasGraphQL(_ file: LocalFile) throws(CommandError) -> Bool {
    try CommandError.checkInterruption()
    guard let source = try? file.load(limit: ProjectDefinition.fileLimit) else { return true }
    return !source.units.isEmpty || !source.partial.isEmpty
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
  func others() throws(CommandError) -> [Document] { Self.executables(of: try otherFiles()) }

  func otherFiles() throws(CommandError) -> [GraphQLSourceFile] {
    try sources?.others(than: files) ?? ProjectSources.imports(of: files)
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
