import ClientRequestChain
import GraphQLLanguage
import GraphQLSchema
import JSON

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files that an operation takes along: a text where its types want an `Upload` is the path of one.
struct UploadFiles {
  private let schema: Schema?
  private(set) var files: [GraphQLFile] = []

  init(of operation: OperationDefinitionNode, variables: JSONValue, schema: Schema?) throws(RunFailure) {
    self.schema = schema
    for definition in operation.variableDefinitions {
      let name = definition.variable.name.value
      guard let value = variables[name] else { continue }
      try find(in: value, of: definition.type.description[...], at: name)
    }
  }

  private mutating func find(in value: JSONValue, of given: Substring, at path: String) throws(RunFailure) {
    var type = given
    if type.hasSuffix("!") { type = type.dropLast() }
    if type.hasPrefix("[") {
      let element = type.dropFirst().dropLast()
      if value.kind != .array { return try find(in: value, of: element, at: path) }
      for (index, item) in value.elements.enumerated() { try find(in: item, of: element, at: "\(path).\(index)") }
    } else if type == "Upload" {
      if let text = value.string { files.append(try Self.file(text, at: path)) }
    } else if let input = schema?.type(named: String(type)), input.kind == .inputObject {
      for (name, member) in value.members {
        guard let field = input.inputField(named: name) else { continue }
        try find(in: member, of: field.type.description[...], at: "\(path).\(name)")
      }
    }
  }

  /// `@` before a path is taken as the command line has it, `~` for the home folder.
  private static func file(_ text: String, at path: String) throws(RunFailure) -> GraphQLFile {
    var place = text.hasPrefix("@") ? String(text.dropFirst()) : text
    if place.hasPrefix("~/"), let home = getenv("HOME") { place = String(cString: home) + place.dropFirst() }
    var status = stat()
    guard stat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw RunFailure(.variables, "$\(path) is an Upload, and \"\(place)\" is no file to send")
    }
    return GraphQLFile(
      variablePath: path, name: place.split(separator: "/").last.map(String.init) ?? place,
      content: .file(path: place, byteCount: Int(status.st_size)))
  }
}
