import ApusClientRequestChain
import ApusConfiguration
import ApusExplorerCore
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON
import ApusPlatform

/// The files that an operation uploads: strings for variables of type `Upload` are paths, such as `images/owl.jpg` for
/// `$photo: Upload!`.
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
    for place in UploadPlaces(of: operation, variables: variables, schema: schema).all {
      try add(place.text, at: place.path)
    }
  }

  /// Adds a file.
  private mutating func add(_ text: String, at path: String) throws(RunError) {
    guard schema?.type(named: "Upload")?.kind == .scalar else {
      let reason = schema == nil ? "no schema is loaded" : "the schema has no such scalar"
      throw RunError(.variables, "$\(path) is an Upload, but \(reason): no file was sent")
    }
    let name = UploadPlaces.path(text)
    guard let found = FilePath(real: name), let status = found.status(followsLinks: true),
      status.st_mode & S_IFMT == S_IFREG
    else { throw RunError(.variables, "$\(path) is an Upload, but \"\(name)\" is not a readable file") }
    let real = "\(found)"
    let file = UploadCandidate(path: real, byteCount: Int(status.st_size))
    if !isExpected(found), !isAllowed(file) { requested.append(file) }
    files.append(
      GraphQLFile(
        variablePath: path, name: name.split(separator: "/").last.map(String.init) ?? name,
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

/// The values of variables of type `Upload`: the paths of files.
struct UploadPlaces {
  private let schema: Schema?
  /// The places with the strings there, in order.
  private(set) var all: [(path: String, text: String)] = []

  /// - Parameter schema: The schema, without which only variables are found, not fields of input objects.
  init(of operation: OperationDefinitionNode, variables: JSONValue, schema: Schema?) {
    self.schema = schema
    for definition in operation.variableDefinitions {
      let name = definition.variable.name.value
      guard let value = variables[name] else { continue }
      find(in: value, of: definition.type.description[...], at: name)
    }
  }

  private mutating func find(in value: JSONValue, of given: Substring, at path: String) {
    var type = given
    if type.hasSuffix("!") { type = type.dropLast() }
    if type.hasPrefix("[") {
      let element = type.dropFirst().dropLast()
      if value.kind != .array { return find(in: value, of: element, at: path) }
      for (index, item) in value.elements.enumerated() { find(in: item, of: element, at: "\(path).\(index)") }
    } else if type == "Upload" {
      if let text = value.string { all.append((path, text)) }
    } else if let input = schema?.type(named: String(type)), input.kind == .inputObject {
      for (name, member) in value.members {
        guard let field = input.inputField(named: name) else { continue }
        find(in: member, of: field.type.description[...], at: "\(path).\(name)")
      }
    }
  }

  /// Returns the path in a value. A leading `@` is accepted as on the command line; `~` is the home folder.
  static func path(_ text: String) -> String {
    UserFolders.expandingHome(in: text.hasPrefix("@") ? String(text.dropFirst()) : text)
  }
}
