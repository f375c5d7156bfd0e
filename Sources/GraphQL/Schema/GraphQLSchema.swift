import ApusGraphQLLanguage
import ApusJSON

/// A schema that is available at run time, for validating documents and configuring caches. Generated models do not
/// need one.
public struct GraphQLSchema: Sendable {
  package let schema: Schema

  package init(_ schema: Schema) { self.schema = schema }

  /// Parses a schema in SDL (GraphQL specification, section 3), including extensions. `name` identifies the text in
  /// diagnostics.
  ///
  /// - Throws: `GraphQLSchemaError.syntax` if the text is not valid SDL.
  public init(sdl text: String, name: String = "schema") throws(GraphQLSchemaError) {
    let document = Document(parsing: text, name: name)
    guard document.diagnostics.isEmpty else {
      throw .syntax(document.diagnostics.map { GraphQLDiagnostic($0, in: document) })
    }
    schema = Schema.load(sdl: [document])
  }

  /// Creates a schema from the result of an introspection query (section 4), with or without the enclosing `data`.
  ///
  /// - Throws: `GraphQLSchemaError.introspection` if the result contains no schema or is malformed.
  public init(introspection answer: JSONValue) throws(GraphQLSchemaError) {
    do throws(IntrospectionError) {
      schema = try Schema.load(introspection: answer)
    } catch {
      throw .introspection(reason: error.description)
    }
  }
}

/// The reason why a schema cannot be loaded.
public enum GraphQLSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text has syntax errors.
  case syntax([GraphQLDiagnostic])
  /// The result of the introspection query cannot be used.
  case introspection(reason: String)

  public var description: String {
    switch self {
    case .syntax(let problems): problems.map(\.description).joined(separator: "\n")
    case .introspection(let reason): reason
    }
  }
}
