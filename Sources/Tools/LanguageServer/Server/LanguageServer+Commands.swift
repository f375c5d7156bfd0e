import ApusConfiguration
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusJSON

/// The commands of `workspace/executeCommand`.
extension LanguageServer {
  /// Handles `workspace/executeCommand`. Each command has the argument `{"textDocument": …, "position": …}`.
  func execute(_ params: JSONValue) async throws(RPCError) -> JSONValue {
    let name = params["command"]?.string ?? ""
    let arguments = params["arguments"]?[0] ?? .null
    guard let command = ServerCapabilities.Command(rawValue: name) else { throw .params("unknown command \(name)") }
    let snapshot = snapshot
    switch command {
    case .references: return try snapshot.references(arguments)
    case .refreshSchema: return refreshSchemas()
    case .run: return try await run(arguments, snapshot)
    }
  }

  private func refreshSchemas() -> JSONValue {
    for (key, addresses) in addresses { for address in addresses { refresh(address, of: key) } }
    return .null
  }

  /// Runs the operation at a position, with the fragments that it needs from all files, and shows the response.
  private func run(_ params: JSONValue, _ snapshot: WorkspaceSnapshot) async throws(RPCError) -> JSONValue {
    guard let place = try snapshot.sourceLocation(params),
      let operation = LanguageService(document: place.unit.document, schema: nil).operation(at: place.offset)
    else { throw .failed("there is no operation here") }
    guard let address = address(of: place) else {
      throw .failed("the project has no endpoint; add one to 'schema' or 'endpoints' in its graphql-config file")
    }
    let joined = place.project.joined(place.unit, of: place.file)
    let service = LanguageService(document: joined.document, schema: nil)
    guard let complete = joined.document.operations.first(where: { $0.range == operation.range }) else {
      throw .failed("there is no operation here")
    }
    let fragments = service.fragments(neededBy: complete).map(\.text)
    let request = OperationRequest(
      document: ([operation.text] + fragments).joined(separator: "\n\n") + "\n", operationName: operation.name?.value,
      variables: params["variables"] ?? .null, address: address)
    switch await environment.run(request) {
    case .success(let text):
      showMessage("ran \(operation.name?.value ?? operation.operation.rawValue)", .information)
      return ["output": JSONValue(text)]
    case .failure(let failure): throw .failed("\(failure)")
    }
  }

  private func address(of place: WorkspaceSnapshot.GraphQLLocation) -> SchemaEndpoint? {
    if let key = workspace.key(of: place.file.path), let address = addresses[key]?.first { return address }
    guard case .config(let config, _) = place.project.origin, let endpoint = place.project.endpoint else { return nil }
    return .project(config, endpoint)
  }
}
