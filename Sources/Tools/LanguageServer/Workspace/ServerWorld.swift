import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// A schema with when it was asked for.
package struct TimedSchema: Sendable {
  package let schema: Schema
  /// In seconds since 1970.
  package let time: Int

  package init(schema: Schema, time: Int) {
    self.schema = schema
    self.time = time
  }
}

/// Why there is no schema, or why an operation was not run, in words for a person.
package struct WorldFailure: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Where a schema that no file has is asked for.
package enum SchemaAddress: Sendable, Hashable {
  /// What the person named when the server was started.
  case named(String)
  /// What a project's file names: used as far as the person trusts it.
  case project(GraphQLConfig, GraphQLConfig.Endpoint)

  /// The endpoint that a project's file names; nil for a source that the user named.
  var endpoint: GraphQLConfig.Endpoint? {
    switch self {
    case .named: nil
    case .project(_, let endpoint): endpoint
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .named(let source): hasher.combine(source)
    case .project(let config, let endpoint):
      hasher.combine(config.file.digest)
      hasher.combine(endpoint.url.source)
    }
  }
}

/// An operation to be run, with the fragments it needs.
package struct RunRequest: Sendable {
  package let document: String
  package let operationName: String?
  package let variables: JSONValue
  package let address: SchemaAddress
}

/// What the server reaches outside of itself and of the files of a workspace.
package struct ServerWorld: Sendable {
  /// The version that the server tells.
  package var version: String
  /// Where the schema comes from for files of no project; nil where the person named none.
  package var schemaSource: String?
  /// Read-only texts of schemas that are in no file of a person's are put here.
  package var cacheFolder: String
  /// The schema as it was kept when it was asked for last.
  package var keptSchema: @Sendable (SchemaAddress) -> TimedSchema?
  /// Asks for a schema, and keeps it.
  package var fetchSchema: @Sendable (SchemaAddress) async -> Result<TimedSchema, WorldFailure>
  /// Runs an operation and gives what came as text.
  package var run: @Sendable (RunRequest) async -> Result<String, WorldFailure>

  package init(
    version: String, schemaSource: String?, cacheFolder: String,
    keptSchema: @escaping @Sendable (SchemaAddress) -> TimedSchema?,
    fetchSchema: @escaping @Sendable (SchemaAddress) async -> Result<TimedSchema, WorldFailure>,
    run: @escaping @Sendable (RunRequest) async -> Result<String, WorldFailure>
  ) {
    self.version = version
    self.schemaSource = schemaSource
    self.cacheFolder = cacheFolder
    self.keptSchema = keptSchema
    self.fetchSchema = fetchSchema
    self.run = run
  }
}
