import ApusClientRequestChain
import ApusConfiguration
import ApusExplorerCore
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON
import ApusPlatform

/// The files that an operation uploads: strings for variables of type `Upload` are paths.
///
/// Documents and variables in a repository are untrusted. A file is sent only if the schema has the scalar. For a
/// hidden file, or one outside the document's folder, the user is asked first.
struct UploadFiles {
  private let schema: Schema?
  /// The document's folder with symbolic links resolved.
  private let folder: FilePath
  private let allowed: [UploadCandidate]
  private(set) var files: [GraphQLFile] = []
  /// The files that the user must approve first.
  private(set) var requested: [UploadCandidate] = []

  /// Finds the files to upload.
  ///
  /// - Parameter folder: The folder of the document.
  init(
    of operation: OperationDefinitionNode, variables: JSONValue, _ request: RunRequest, schema: Schema?, folder: String
  ) throws(RunError) {
    self.schema = schema
    self.folder = FilePath(real: folder) ?? FilePath("/dev/null")
    allowed = request.allowedFiles
    for definition in operation.variableDefinitions {
      let name = definition.variable.name.value
      guard let value = variables[name] else { continue }
      try find(in: value, of: definition.type.description[...], at: name)
    }
  }

  private mutating func find(in value: JSONValue, of given: Substring, at path: String) throws(RunError) {
    var type = given
    if type.hasSuffix("!") { type = type.dropLast() }
    if type.hasPrefix("[") {
      let element = type.dropFirst().dropLast()
      if value.kind != .array { return try find(in: value, of: element, at: path) }
      for (index, item) in value.elements.enumerated() { try find(in: item, of: element, at: "\(path).\(index)") }
    } else if type == "Upload" {
      if let text = value.string { try add(text, at: path) }
    } else if let input = schema?.type(named: String(type)), input.kind == .inputObject {
      for (name, member) in value.members {
        guard let field = input.inputField(named: name) else { continue }
        try find(in: member, of: field.type.description[...], at: "\(path).\(name)")
      }
    }
  }

  /// Adds a file. A leading `@` is accepted as on the command line; `~` is the home folder.
  private mutating func add(_ text: String, at path: String) throws(RunError) {
    guard schema?.type(named: "Upload")?.kind == .scalar else {
      let reason = schema == nil ? "no schema is loaded" : "the schema has no such scalar"
      throw RunError(.variables, "$\(path) is an Upload, but \(reason): no file was sent")
    }
    let place = UserFolders.expandingHome(in: text.hasPrefix("@") ? String(text.dropFirst()) : text)
    guard let found = FilePath(real: place), let status = found.status(followsLinks: true),
      status.st_mode & S_IFMT == S_IFREG
    else { throw RunError(.variables, "$\(path) is an Upload, but \"\(place)\" is not a readable file") }
    let real = "\(found)"
    let file = UploadCandidate(path: real, byteCount: Int(status.st_size))
    if !isExpected(found), !isAllowed(file) { requested.append(file) }
    files.append(
      GraphQLFile(
        variablePath: path, name: place.split(separator: "/").last.map(String.init) ?? place,
        // The approved file, even if a symbolic link has changed since.
        content: .file(path: real, byteCount: file.byteCount)))
  }

  private func isAllowed(_ file: UploadCandidate) -> Bool {
    allowed.contains { FilePath($0.path) == FilePath(file.path) && $0.byteCount == file.byteCount }
  }

  /// Whether the file is in the document's folder and neither it nor a folder on the path is hidden.
  private func isExpected(_ file: FilePath) -> Bool {
    folder.components(of: file)?.contains { $0.first == UInt8(ascii: ".") } == false
  }
}
