import ApusGraphQLLanguage
import ApusJSON

/// A schema that is known while the program runs: documents are checked against it, and caches take over what it says about
/// them. Generated models need none.
public struct GraphQLSchema: Sendable {
  package let schema: Schema

  package init(_ schema: Schema) { self.schema = schema }

  /// A schema in the schema language (GraphQL specification, section 3), extensions included. `name` is what problems call the
  /// text by.
  ///
  /// - Throws: `GraphQLSchemaError.syntax` where the text is not in that language.
  public init(sdl text: String, name: String = "schema") throws(GraphQLSchemaError) {
    let document = Document(parsing: text, name: name)
    guard document.diagnostics.isEmpty else {
      throw .syntax(document.diagnostics.map { DocumentProblem($0, in: document) })
    }
    schema = Schema.load(sdl: [document])
  }

  /// A schema from the answer to an introspection query (section 4), with or without its `data` around it.
  ///
  /// - Throws: `GraphQLSchemaError.introspection` where the answer has no schema, or one that is malformed.
  public init(introspection answer: JSONValue) throws(GraphQLSchemaError) {
    do throws(IntrospectionError) {
      schema = try Schema.load(introspection: answer)
    } catch {
      throw .introspection(reason: error.description)
    }
  }
}

/// Why something is no schema.
public enum GraphQLSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is not in the schema language, at these places.
  case syntax([DocumentProblem])
  /// The answer to an introspection query cannot be used.
  case introspection(reason: String)

  public var description: String {
    switch self {
    case .syntax(let problems): problems.map(\.description).joined(separator: "\n")
    case .introspection(let reason): reason
    }
  }
}
