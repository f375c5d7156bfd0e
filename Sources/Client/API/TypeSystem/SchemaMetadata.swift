public import ApusGraphQLSchema
import ApusJSON

/// The schema information in generated code.
public protocol SchemaMetadata: Sendable {
  /// Returns the object type with a name; `nil` if the schema did not have it when the code was generated.
  static func objectType(named typename: String) -> ObjectType?

  /// The `@fieldPolicy` directives of the schema, for `CachePolicies(schema:)`.
  static var fieldPolicies: [DeclaredFieldPolicy] { get }

  /// Root operation types of the schema; `nil` if the code does not state them. An object of the query root type that a
  /// mutation or event returns updates the query root in the cache.
  static var rootTypes: RootTypes? { get }
}

extension SchemaMetadata {
  public static var fieldPolicies: [DeclaredFieldPolicy] { [] }
  public static var rootTypes: RootTypes? { nil }
}

/// The names of a schema's root operation types (GraphQL specification, section 3.3.1).
public struct RootTypes: Sendable, Hashable {
  /// The query root type, such as `Query`.
  public let query: String
  /// The mutation root type; `nil` if the schema has none.
  public let mutation: String?
  /// The subscription root type; `nil` if the schema has none.
  public let subscription: String?

  /// Creates the names of a schema's root types.
  public init(query: String, mutation: String? = nil, subscription: String? = nil) {
    self.query = query
    self.mutation = mutation
    self.subscription = subscription
  }
}

/// The cache policy of a field, declared in the schema with `@fieldPolicy`.
public struct DeclaredFieldPolicy: Sendable, Hashable {
  /// The name of the type that has the field, such as `Query`.
  public let type: String
  /// The field's name, such as `book`.
  public let field: String
  /// Arguments that form the key of the record that the field refers to; `nil` if not declared.
  public let keyArguments: [String]?
  /// Arguments whose values are hidden in the cache; `nil` if not declared.
  public let secretArguments: [String]?
  /// The rule for merging pages; `nil` if not declared.
  public let merge: DeclaredFieldMerge?

  /// Creates the policy of a field, such as `DeclaredFieldPolicy("Query", "book", keyArguments: ["isbn"])`.
  public init(
    _ type: String, _ field: String, keyArguments: [String]? = nil, secretArguments: [String]? = nil,
    merge: DeclaredFieldMerge? = nil
  ) {
    self.type = type
    self.field = field
    self.keyArguments = keyArguments
    self.secretArguments = secretArguments
    self.merge = merge
  }
}

/// A custom cache key, used instead of the type name and key fields.
public struct CacheKeyInfo: Sendable, Hashable {
  /// The part that is unique within the type or group.
  public let id: String
  /// The group of types whose objects share keys, such as the implementations of an interface.
  public let uniqueKeyGroup: String?

  /// Creates a key. The record's key is the group, or else the type name, followed by a colon and `id`.
  public init(id: String, uniqueKeyGroup: String? = nil) {
    self.id = id
    self.uniqueKeyGroup = uniqueKeyGroup
  }
}
