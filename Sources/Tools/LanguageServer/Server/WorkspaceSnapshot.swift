import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// The state for a request: the workspace at the time of the request, and the client's capabilities.
struct WorkspaceSnapshot: Sendable {
  let workspace: Workspace
  let client: ClientCapabilities
  /// Semantic tokens sent to the client.
  let tokens: SemanticTokenCache

  /// A location in a unit of GraphQL.
  struct GraphQLLocation {
    let project: Project
    let file: TextFile
    let unit: GraphQLRegion
    /// The offset in the unit's document, in bytes.
    let offset: Int

    var schema: Schema? { project.schema(of: unit, in: file) }

    var service: LanguageService { project.service(unit, of: file) }
  }

  func file(_ params: JSONValue) throws(RPCError) -> (project: Project, file: TextFile) {
    guard let uri = params["textDocument"]?["uri"]?.string else { throw .params("textDocument.uri is missing") }
    let path = Workspace.path(of: uri)
    guard let file = workspace.file(at: path), let project = workspace.project(of: path) else {
      throw .params("the document is not open: \(uri)")
    }
    return (project, file)
  }

  /// Returns the location of `position`; nil if it is not in GraphQL.
  func sourceLocation(_ params: JSONValue) throws(RPCError) -> GraphQLLocation? {
    guard let position = Position(params["position"]) else { throw .params("position is missing") }
    return try sourceLocation(position, params)
  }

  func sourceLocation(_ position: Position, _ params: JSONValue) throws(RPCError) -> GraphQLLocation? {
    let (project, file) = try file(params)
    let offset = client.encoding.offset(of: position, in: file.source)
    guard let unit = file.unit(at: offset) else { return nil }
    return GraphQLLocation(project: project, file: file, unit: unit, offset: offset - unit.start)
  }

  /// Returns the bytes of `range` in a file.
  func range(_ params: JSONValue, in file: TextFile) throws(RPCError) -> Range<Int> {
    guard let range = client.encoding.range(params["range"], in: file.source) else {
      throw .params("range is missing")
    }
    return range
  }

  // MARK: Responses

  /// Returns the JSON of a range of a file's bytes.
  func json(_ range: Range<Int>, in file: TextFile) -> JSONValue { client.encoding.range(of: range, in: file.source) }

  /// Returns the JSON of a range of a unit's bytes.
  func json(_ range: Range<Int>, of unit: GraphQLRegion, in file: TextFile) -> JSONValue {
    json(range.lowerBound + unit.start..<range.upperBound + unit.start, in: file)
  }

  func location(_ range: Range<Int>, in file: TextFile) -> JSONValue {
    ["uri": JSONValue(file.uri), "range": json(range, in: file)]
  }

  func edit(_ edit: TextEdit, of unit: GraphQLRegion, in file: TextFile) -> JSONValue {
    ["range": json(edit.range, of: unit, in: file), "newText": JSONValue(edit.text)]
  }

  /// Returns edits of several files, each with its document version.
  func workspaceEdit(_ edits: [(file: TextFile, edits: [JSONValue])]) -> JSONValue {
    guard client.takesDocumentChanges else {
      return ["changes": .object(edits.map { ($0.file.uri, .array($0.edits)) })]
    }
    let changes = edits.map { file, edits -> JSONValue in
      [
        "textDocument": ["uri": JSONValue(file.uri), "version": file.version.map { JSONValue($0) } ?? .null],
        "edits": .array(edits),
      ]
    }
    return ["documentChanges": .array(changes)]
  }

  func markup(_ text: String) -> JSONValue {
    ["kind": client.takesMarkdown ? "markdown" : "plaintext", "value": JSONValue(text)]
  }

  /// Throws if the request was canceled, to end a long computation.
  static func checkCancellation() throws(RPCError) {
    if Task.isCancelled { throw .cancelled }
  }
}
