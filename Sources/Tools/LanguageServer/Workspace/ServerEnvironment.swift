import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusJSON

/// A schema and the time when it was fetched.
package struct TimestampedSchema: Sendable {
  package let schema: Schema
  /// The time in seconds since 1970.
  package let time: Int

  package init(schema: Schema, time: Int) {
    self.schema = schema
    self.time = time
  }
}

/// The reason why a schema cannot be fetched or an operation not be run, as a message for the user.
package struct ServerEnvironmentError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The source of a schema that is not a file.
package enum SchemaEndpoint: Sendable, Hashable {
  /// A source given by the user when starting the server.
  case named(String)
  /// An endpoint in a project's file, used if the user trusts the file.
  case project(GraphQLConfig, GraphQLConfig.Endpoint)

  /// The endpoint in a project's file; nil for a source given by the user.
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

/// An operation to run, with the fragments that it needs.
package struct OperationRequest: Sendable {
  package let document: String
  package let operationName: String?
  package let variables: JSONValue
  package let address: SchemaEndpoint
}

/// The server's access to the outside, except to the files of the workspace.
package struct ServerEnvironment: Sendable {
  /// The version that the server reports.
  package var version: String
  /// Schema sources of files that belong to no project, in the order in which they are combined.
  package var schemaSources: [String]
  /// The folder for read-only copies of schemas that are not in the user's files.
  package var cacheFolder: String
  /// Returns the schema saved by the last fetch.
  package var keptSchema: @Sendable (SchemaEndpoint) -> TimestampedSchema?
  /// Fetches a schema and saves it.
  package var fetchSchema: @Sendable (SchemaEndpoint) async -> Result<TimestampedSchema, ServerEnvironmentError>
  /// Runs an operation and returns the response as text.
  package var run: @Sendable (OperationRequest) async -> Result<String, ServerEnvironmentError>

  package init(
    version: String, schemaSources: [String], cacheFolder: String,
    keptSchema: @escaping @Sendable (SchemaEndpoint) -> TimestampedSchema?,
    fetchSchema: @escaping @Sendable (SchemaEndpoint) async -> Result<TimestampedSchema, ServerEnvironmentError>,
    run: @escaping @Sendable (OperationRequest) async -> Result<String, ServerEnvironmentError>
  ) {
    self.version = version
    self.schemaSources = schemaSources
    self.cacheFolder = cacheFolder
    self.keptSchema = keptSchema
    self.fetchSchema = fetchSchema
    self.run = run
  }
}
