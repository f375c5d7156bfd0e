import ApusClientAPI
import ApusClientCore
import ApusClientFormats
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusConfiguration
import ApusExplorerPersistence
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON
import ApusLanguageServer
import ApusPlatform
import ApusSecrets

/// `apus lsp`: runs the language server on standard input and output, for an editor that starts it.
///
/// Standard output carries only messages. The command ends when the client sends `exit` or closes standard input.
struct LanguageServerCommand: Sendable {
  let arguments: ParsedArguments

  func run() async throws(CommandError) -> ExitCode {
    guard !StandardStreams.inputIsTerminal else {
      throw .usage("the language server is started by an editor; see Docs/Editors.md", command: "lsp")
    }
    let output = OutputLine()
    let server = LanguageServer(environment: world) { output.write(MessageReader.framed($0)) }
    var reader = MessageReader()
    var isRead = true
    for await bytes in InputThread.portions() {
      reader.append(bytes)
      while isRead, !Task.isCancelled {
        do throws(FramingError) {
          guard let body = try reader.next() else { break }
          await server.receive(body)
          isRead = await server.exitCode == nil
        } catch {
          await server.receive(error)
          // After an overlong header, the start of the next message cannot be found.
          if error == .headerTooLong { isRead = false }
        }
      }
      if !isRead || Task.isCancelled { break }
      output.waitWhileFull()
    }
    try CommandError.checkInterruption()
    await server.cancelAll()
    await server.idle()
    output.finish()
    return await server.exitCode == 0 ? .success : .resultErrors
  }

  // MARK: Environment

  private var world: ServerEnvironment {
    ServerEnvironment(
      version: ApusVersion.number, schemaSources: arguments.values("schema"), cacheFolder: UserFolders().cache,
      keptSchema: { Self.store(of: $0)?.load().map { TimestampedSchema(schema: $0.schema, time: $0.savedAt) } },
      fetchSchema: { address in
        do throws(CommandError) {
          return .success(try await schema(at: address))
        } catch {
          return .failure(ServerEnvironmentError(error.message))
        }
      },
      run: { request in
        do throws(CommandError) {
          return .success(try await answer(to: request))
        } catch {
          return .failure(ServerEnvironmentError(error.message))
        }
      })
  }

  /// Returns the store for an endpoint's schema; `nil` for a file.
  private static func store(of address: SchemaEndpoint) -> SchemaStore? {
    switch address {
    case .named(let source):
      SchemaSource.isFile(source) ? nil : SchemaStore(endpoint: source, secrets: StandardStreams.secrets)
    case .project(let config, let endpoint):
      SchemaStore(
        endpoint: "\(endpoint.name) \(config.file.path) \(endpoint.url.source)", secrets: StandardStreams.secrets)
    }
  }

  private func schema(at address: SchemaEndpoint) async throws(CommandError) -> TimestampedSchema {
    let schema: Schema
    switch address {
    case .named(let source):
      // Go to definition needs the absolute path of a file.
      let path = SchemaSource.isFile(source) ? ProjectFile.realPath(source) ?? source : source
      schema = try await SchemaSource.load(path, arguments)
    case .project(let config, let endpoint):
      schema = try await SchemaSource.fetch(try ProjectSources.reached(endpoint.request, of: config.file, arguments))
    }
    guard let store = Self.store(of: address) else {
      return TimestampedSchema(schema: schema, time: 0)
    }
    guard store.write(schema) else {
      StandardStreams.narrate("apus: \(SchemaStore.refusal)")
      return TimestampedSchema(schema: schema, time: 0)
    }
    // Reload the schema from the store, so that its definitions have locations in a file.
    return store.load().map { TimestampedSchema(schema: $0.schema, time: $0.savedAt) }
      ?? TimestampedSchema(schema: schema, time: 0)
  }

  /// Runs an operation and returns its last result; for a subscription, the first event.
  private func answer(to request: OperationRequest) async throws(CommandError) -> String {
    var features = RequestFeatures()
    var subscriptions = SubscriptionOptions()
    let endpoint: HTTPRequest
    switch request.address {
    case .named(let source):
      // A schema may have several sources; one of them is the endpoint.
      guard let name = arguments.values("schema").first(where: { !SchemaSource.isFile($0) }) else {
        throw .file("\(source) is a schema, not an endpoint")
      }
      let profile = try NamedEndpoints().settings.profile(named: name)
      if let profile, profile.isProduction, request.isMutation {
        throw .file("\(name) is production: run this mutation in the explorer, which asks first")
      }
      let reached = try EndpointRequest.reached(name, arguments)
      endpoint = reached.request
      features.renewableHeaders = reached.renewable
      subscriptions = try TransportOptions.subscriptions(
        arguments, profile: profile, reached.renewable, secrets: StandardStreams.secrets)
    case .project(let config, let named):
      let reached = try ProjectSources.reached(named.request, of: config.file, arguments)
      endpoint = reached.request
      features.renewableHeaders = reached.renewable
    }
    StandardStreams.secrets.add(document: request.document, variables: request.variables)
    let isSubscription = request.operation == .subscription
    do {
      let results = try GraphQLClient(
        endpoint: endpoint, subscriptions: subscriptions, features: features
      ).run(
        request.document, operationName: request.operationName, variables: request.variables,
        options: RequestOptions(cachePolicy: .networkOnly, cacheWrites: .never))
      var last: JSONValue?
      for try await result in results {
        last = result.responseObject
        if isSubscription { break }
      }
      guard let last else { throw GraphQLClientError.noResult }
      return JSONWriter.pretty(last)
    } catch {
      if let failure = CommandError(error) { throw failure }
      throw CommandError(
        exitCode: ExitCode(rawValue: GraphQLClientError.exitCode(for: error)) ?? .networkError, message: "\(error)")
    }
  }
}

extension OperationRequest {
  /// The type of the operation to run; `nil` if the document does not contain it.
  fileprivate var operation: OperationType? {
    let operations = Document(parsing: document).operations
    return (operations.first { $0.name?.value == operationName } ?? operations.first)?.operation
  }

  fileprivate var isMutation: Bool { operation == .mutation }
}
