import ApusClientImports
import ApusClientNetwork
import ApusConfiguration
import ApusGraphQLProjects
import ApusSecrets

/// `apus import`: writes requests of other programs as documents in a folder, and their endpoints to a graphql-config file.
struct ImportCommand: Sendable {
  let arguments: ParsedArguments

  func run() throws(CommandError) -> ExitCode {
    guard let folder = arguments.value("to") else {
      throw .usage("--to FOLDER is missing", command: "import")
    }
    var collection = ImportedCollection()
    for operand in arguments.operands {
      try Self.read(operand, isOne: arguments.operands.count == 1, into: &collection)
    }
    let result = ImportedFolder(collection, from: arguments.operands.joined(separator: ", "))
    guard !collection.requests.isEmpty else {
      Self.report(result.notes)
      throw .file("there is no GraphQL request in \(arguments.operands.joined(separator: ", "))")
    }
    let root = try Self.root(folder)
    var saved: [String] = []
    for file in result.files {
      try CommandError.checkInterruption()
      let path = "\(folder)/\(file.path)"
      if let link = UserFile.link(below: folder, to: file.path) {
        throw .file("\(link) is a symbolic link; imported files are not written through links")
      }
      if try Self.write(file.text, to: path, in: root) {
        StandardStreams.output("\(path)\n")
      } else {
        saved.append(path)
      }
    }
    Self.report(result.notes)
    guard saved.isEmpty else {
      throw .file("not overwritten, because the contents differ: \(saved.joined(separator: ", "))")
    }
    // The skipped requests are listed in the notes above.
    return collection.skipped > 0 ? .resultErrors : .success
  }

  private static func report(_ notes: [String]) {
    for note in notes { StandardStreams.narrate("apus: \(SingleLineText.line(note, limit: 2000))") }
  }

  /// Adds a file, or the files of a folder that can be imported. If there are several, those without requests are skipped.
  private static func read(
    _ operand: String, isOne: Bool, into collection: inout ImportedCollection
  ) throws(CommandError) {
    if FilePattern.isFolder(operand), let folder = ImportableFolder(operand) {
      guard !folder.isEmpty else { throw .file("\(operand) is a folder without files that can be imported") }
      return folder.read(into: &collection)
    }
    let text = UntrustedText(ImportedText.decoded(try LocalFile.read(operand)))
    let files = operand == "-" ? AdjacentFiles.none : AdjacentFiles(nextTo: operand)
    let name = "\(FilePath(operand).name)"
    guard isOne else { return collection.addOne(text, named: name, files: files) }
    do throws(ImportError) {
      try collection.add(text, named: name, files: files)
    } catch {
      throw .file("\(error)")
    }
  }

  /// Returns the folder to write to and creates it if necessary.
  private static func root(_ folder: String) throws(CommandError) -> ProjectRoot {
    do throws(ConfigurationError) {
      try UserFile.makeFolder(folder, mode: 0o755)
      guard let root = ProjectRoot.folder(folder) else { throw ConfigurationError(file: folder, "it is not a folder") }
      return root
    } catch {
      throw .file("\(error)")
    }
  }

  /// Writes a file if it does not exist. Returns whether the file now has this text.
  private static func write(_ text: String, to path: String, in root: ProjectRoot) throws(CommandError) -> Bool {
    do throws(FileRefusal) {
      return try root.read(path).elementsEqual(text.utf8)
    } catch {
      guard error.reason == .missing else { throw .file("\(error)") }
    }
    do throws(FileRefusal) {
      // The import can be repeated after a power loss; waiting for the disk would take longer than the import.
      try root.replace(path, with: text.utf8, over: nil, isDurable: false)
      return true
    } catch {
      throw .file("\(error)")
    }
  }
}
