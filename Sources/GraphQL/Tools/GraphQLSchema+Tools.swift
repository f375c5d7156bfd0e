import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// Conversion, validation and comparison of schemas.
extension GraphQLSchema {
  /// The introspection query for `init(introspection:)` (GraphQL specification, section 4).
  public static var introspectionQuery: String { Schema.introspectionQuery() }

  /// The schema as SDL, as printed by the reference implementation: without built-in types and applied directives.
  public var sdl: String { schema.printSDL() }

  /// The introspection result of the schema: an object with `__schema`.
  public var introspection: JSONValue { schema.introspectionJSON() }

  /// Validation errors of the schema (GraphQL specification, section 3), in source order. An introspected schema is
  /// also validated, but the locations refer to generated text.
  public var diagnostics: [GraphQLDiagnostic] {
    let document = schema.documents.count == 1 ? schema.documents[0] : Document(joining: schema.documents)
    return Validator.validate(schema: schema).map { GraphQLDiagnostic($0, in: document) }
  }

  /// A change between two versions of a schema.
  public struct Change: Sendable, Hashable, CustomStringConvertible {
    /// The effect of the change on clients.
    public let criticality: Criticality
    /// The kind of the change by its name in the reference implementation, such as `FIELD_REMOVED`.
    public let type: String
    /// The schema coordinate of the changed element (`Bird.name`); `nil` for the schema itself.
    public let coordinate: String?
    /// A description of the change in one sentence.
    public let message: String

    /// The change in the form `breaking: Field Bird.name was removed.`
    public var description: String { "\(criticality.rawValue): \(message)" }
  }

  /// Returns the changes from this schema to a newer version, the worst first, otherwise in the order of this schema.
  /// Applied directives are compared only if both schemas are from SDL, because introspection does not include them.
  public func changes(to newer: GraphQLSchema) -> [Change] {
    let hasTexts = !schema.isIntrospected && !newer.schema.isIntrospected
    let difference = SchemaDiff(from: schema, to: newer.schema, comparesAppliedDirectives: hasTexts)
    return difference.changes.map { change in
      Change(
        criticality: change.criticality, type: change.kind.rawValue,
        coordinate: change.coordinate.map { "\($0)" }, message: change.message)
    }
  }
}
