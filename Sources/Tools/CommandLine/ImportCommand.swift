import ApusClientFormats
import ApusClientNetwork
import ApusConfiguration
import ApusGraphQLProjects
import ApusSecrets

/// `apus import`: requests of other programs as documents in a folder, with the endpoints in a graphql-config file.
struct ImportCommand: Sendable {
  let arguments: ParsedArguments

  func run() throws(CommandFailure) -> ExitCode {
    guard let folder = arguments.value("to") else {
      throw .usage("--to is missing: the folder to write", command: "import")
    }
    var collection = ImportedCollection()
    for operand in arguments.operands {
      for file in try Self.files(of: operand) { try Self.read(file.path, named: file.name, into: &collection) }
    }
    let result = ImportedFolder(collection, from: arguments.operands.joined(separator: ", "))
    guard !collection.requests.isEmpty else {
      Self.tell(result.notes)
      throw .file("there is no GraphQL request in \(arguments.operands.joined(separator: ", "))")
    }
    var kept: [String] = []
    for file in result.files {
      try CommandFailure.checkInterruption()
      let path = "\(folder)/\(file.path)"
      if let link = UserFile.link(below: folder, to: file.path) {
        throw .file("\(link) is a link: a file that was imported is not written through it")
      }
      if try Self.write(file.text, to: path) { StandardStreams.output("\(path)\n") } else { kept.append(path) }
    }
    Self.tell(result.notes)
    guard kept.isEmpty else {
      throw .file("left as it was, for it is there already with other contents: \(kept.joined(separator: ", "))")
    }
    return .success
  }

  private static func tell(_ notes: [String]) {
    for note in notes { StandardStreams.narrate("apus: \(PlainText.line(note, limit: 2000))") }
  }

  /// The file, or of a folder all files of Bruno's: those that hold for others first.
  private static func files(of operand: String) throws(CommandFailure) -> [(path: String, name: String)] {
    guard FilePattern.isFolder(operand) else {
      return [(operand, operand.split(separator: "/").last.map(String.init) ?? operand)]
    }
    var found: [(path: String, name: String)] = []
    var folders = [""]
    while let folder = folders.popLast(), found.count < 10_000 {
      let path = folder.isEmpty ? operand : "\(operand)/\(folder)"
      let prefix = folder.isEmpty ? "" : "\(folder)/"
      let names = UserFile.names(in: path, endings: [".bru"])
      let first = names.filter { ["collection.bru", "folder.bru"].contains($0) }
      for name in first + names.filter({ !first.contains($0) }) { found.append(("\(path)/\(name)", prefix + name)) }
      folders += UserFile.folders(in: path).filter { $0 != "node_modules" }.reversed().map { prefix + $0 }
    }
    guard !found.isEmpty else { throw .file("\(operand) is a folder without files of Bruno's (.bru)") }
    return found
  }

  private static func read(
    _ path: String, named name: String, into collection: inout ImportedCollection
  ) throws(CommandFailure) {
    let text = ForeignText(String(decoding: try LocalFile.read(path), as: UTF8.self))
    do throws(ImportFailure) {
      try collection.add(text, named: name)
    } catch {
      throw .file("\(error)")
    }
  }

  /// Writes a file that is not there; whether it now has this text.
  private static func write(_ text: String, to path: String) throws(CommandFailure) -> Bool {
    do throws(ConfigurationError) {
      if let there = try UserFile.read(path, limit: 64 << 20) { return there.elementsEqual(text.utf8) }
      if let slash = path.lastIndex(of: "/") { try UserFile.makeFolder(String(path[..<slash]), mode: 0o755) }
      // It can be imported again after a loss of power: waiting for the disk would take longer than all the rest.
      try UserFile.replace(path, with: text.utf8, mode: 0o644, isDurable: false)
      return true
    } catch {
      throw .file("\(error)")
    }
  }
}
