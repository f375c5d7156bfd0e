import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusPlatform

/// The files that the words of a command line mean: files, folders and patterns.
enum NamedFiles {
  /// Every file once, in the order of the words; without words, the documents of the working folder's projects.
  static func named(by arguments: ParsedArguments) throws(CommandFailure) -> [LocalFile] {
    var files: [LocalFile] = []
    if arguments.operands.isEmpty {
      let projects = try ProjectSources.all()
      for sources in projects { files += try sources.documentFiles() }
      guard !files.isEmpty else {
        // The patterns without a match are reported already.
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

  /// Every file once, in the order of the words.
  static func files(named words: [String]) throws(CommandFailure) -> [LocalFile] {
    var files: [LocalFile] = []
    for word in words { files += try self.files(named: word) }
    return unique(files)
  }

  private static func unique(_ files: [LocalFile]) -> [LocalFile] {
    var seen: Set<FilePath> = []
    return files.filter { seen.insert(FilePath($0.path)).inserted }
  }

  private static func files(named word: String) throws(CommandFailure) -> [LocalFile] {
    if FilePattern.isFolder(word) {
      let folder = word.hasSuffix("/") && word != "/" ? String(word.dropLast()) : word
      let files = try search(ProjectDefinition.pattern(of: HostLanguage.endings), from: folder, in: folder)
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
        // Below the working folder no link leads out of it; a path that begins elsewhere says so itself.
        let folder = FilePath(pattern).mayLeaveFolder ? FilePattern.fixedPart(of: pattern) : "."
        files += try search(pattern, from: ".", in: folder)
      } else {
        files.append(LocalFile(named: pattern))
      }
    }
    guard !files.isEmpty else { throw .file("no file matches '\(word)'") }
    return files
  }

  /// The files in a folder that a pattern matches, which begins at `start`. What its project excludes is left out, and so
  /// is a file of another language that is none of its project's documents.
  private static func search(
    _ pattern: String, from start: String, in folder: String
  ) throws(CommandFailure) -> [LocalFile] {
    guard let root = ProjectRoot.folder(folder) else { return [] }
    let list = root.files([pattern], in: start)
    try ProjectSources.check(list.refusals)
    var files: [LocalFile] = []
    for path in list.files {
      let file = LocalFile(FilePattern.absolute(path, in: start), in: root)
      if try ProjectSources.isDocument(file) { files.append(file) }
    }
    return files
  }
}

/// The files of one call that belong to one project.
struct ProjectGroup {
  /// nil where the user named the schema, whatever the projects are.
  let sources: ProjectSources?
  var files: [GraphQLSourceFile] = []

  /// Reads some files and divides them by their projects, in the order in which those are met.
  ///
  /// - Parameter isOne: The user named the schema of all of them.
  static func groups(_ files: [LocalFile], isOne: Bool = false) throws(CommandFailure) -> [ProjectGroup] {
    var groups: [ProjectGroup] = []
    for file in files {
      let sources = isOne ? nil : try ProjectSources.find(for: file.path)
      let index = groups.firstIndex { $0.sources == sources } ?? groups.endIndex
      if index == groups.endIndex { groups.append(ProjectGroup(sources: sources)) }
      groups[index].files.append(try file.load())
    }
    return groups
  }

  /// The name of the project; nil where the user named the schema.
  var name: String? { sources?.title }

  /// The pieces with something to execute.
  var executables: [Document] { Self.executables(of: files) }

  static func executables(of files: [GraphQLSourceFile]) -> [Document] {
    files.flatMap(\.units).map(\.document).filter { !$0.isTypeSystem }
  }

  /// The documents that are known beside those of the files, for the fragments in them.
  func others() throws(CommandFailure) -> [Document] {
    Self.executables(of: try sources?.others(than: files) ?? ProjectSources.imports(of: files))
  }

  /// The pieces of some files with something to execute, as `wholeDocuments(of:)` has them.
  static func wholeDocuments(of files: [LocalFile]) throws(CommandFailure) -> [Document] {
    var read: [GraphQLSourceFile] = []
    for file in files { read.append(try file.load()) }
    return try wholeDocuments(of: read + ProjectSources.imports(of: read))
  }

  /// The pieces of some files with something to execute, each a document by itself: one with syntax errors is
  /// refused, and one with interpolated values is left out and reported.
  static func wholeDocuments(of files: [GraphQLSourceFile]) throws(CommandFailure) -> [Document] {
    report(partial: files)
    var documents: [Document] = []
    for unit in files.flatMap(\.units) where !unit.hasGaps {
      if let diagnostic = unit.document.diagnostics.first {
        let place = unit.document.source.location(at: diagnostic.range.lowerBound)
        throw CommandFailure(
          exitCode: .resultHasErrors,
          message: "\(unit.document.source.name):\(place.line):\(place.column): \(diagnostic.message)")
      }
      if !unit.document.isTypeSystem { documents.append(unit.document) }
    }
    return documents
  }

  /// Prints how many literals are not read, or in part, and where the first are.
  static func report(partial files: [GraphQLSourceFile]) {
    let all = files.flatMap { file in
      file.partial.map { "\(file.source.name):\($0.location.line):\($0.location.column) (\($0.reason.reason))" }
    }
    guard !all.isEmpty else { return }
    let count = all.count == 1 ? "1 literal is" : "\(all.count) literals are"
    let more = all.count > 5 ? " and \(all.count - 5) more" : ""
    ProjectSources.tell([
      "\(count) read in part or not at all: \(all.prefix(5).joined(separator: ", "))\(more)"
    ])
  }
}
