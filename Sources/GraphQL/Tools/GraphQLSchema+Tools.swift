import ApusGraphQLDifference
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// A schema as a text, as JSON, and judged.
extension GraphQLSchema {
  /// The query whose answer `init(introspection:)` takes (specification, section 4).
  public static var introspectionQuery: String { Schema.introspectionQuery() }

  /// The schema in the schema language, as the reference implementation prints it: built-in types and the directives that are
  /// applied are left out.
  public var sdl: String { schema.printSDL() }

  /// The answer to an introspection query, as a server with this schema would give it: an object with `__schema`.
  public var introspection: JSONValue { schema.introspectionJSON() }

  /// All that is wrong with the schema by the rules of the specification's section 3, in the order of its text. One that was
  /// introspected is judged as well, and its places are those of a text that nobody has seen.
  public var problems: [DocumentProblem] {
    let document = schema.documents.count == 1 ? schema.documents[0] : Document(joining: schema.documents)
    return Validator.validate(schema: schema).map { DocumentProblem($0, in: document) }
  }

  /// One thing that differs between two versions of a schema.
  public struct Change: Sendable, Hashable, CustomStringConvertible {
    /// What a change may do to a client of the older version.
    public enum Criticality: String, Sendable, Hashable, CaseIterable {
      /// An operation that was right may be wrong now, or its result of another type.
      case breaking
      /// Every operation is still right, and yet one may get what it does not expect.
      case dangerous
      /// Nobody needs to notice.
      case safe
    }

    /// What the change may do to a client.
    public let criticality: Criticality
    /// The kind of change by its name in the reference implementation, such as `FIELD_REMOVED`.
    public let type: String
    /// What it is about, as a schema coordinate (`Bird.name`); `nil` for the schema itself.
    public let coordinate: String?
    /// What differs, in one sentence.
    public let message: String

    /// `breaking: Field Bird.name was removed.`
    public var description: String { "\(criticality.rawValue): \(message)" }
  }

  /// What differs in a newer version of the schema, the worst first, else in the order of this one. The directives on
  /// definitions are compared where both versions were given as text: introspection does not tell them.
  public func changes(to newer: GraphQLSchema) -> [Change] {
    let hasTexts = !schema.isIntrospected && !newer.schema.isIntrospected
    let difference = SchemaDifference(from: schema, to: newer.schema, comparesAppliedDirectives: hasTexts)
    return difference.changes.map { change in
      Change(
        criticality: Change.Criticality(change.criticality), type: change.kind.rawValue,
        coordinate: change.coordinate.map { "\($0)" }, message: change.message)
    }
  }
}

extension GraphQLSchema.Change.Criticality {
  fileprivate init(_ criticality: ApusGraphQLDifference.Criticality) {
    switch criticality {
    case .breaking: self = .breaking
    case .dangerous: self = .dangerous
    case .safe: self = .safe
    }
  }
}
