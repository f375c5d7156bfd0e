import ApusJSON

/// The schema information in generated code.
public protocol SchemaMetadata: Sendable {
  /// Returns the object type with a name; `nil` if the schema did not have it when the code was generated.
  static func objectType(named typename: String) -> ObjectType?

  /// Returns the cache key of an object. By default it consists of the key fields of the object's type; without key
  /// fields, the client's configuration applies.
  static func cacheKeyInfo(for type: ObjectType, object: JSONValue) -> CacheKeyInfo?

  /// The `@fieldPolicy` directives of the schema, for `CachePolicies(schema:)`.
  static var fieldPolicies: [DeclaredFieldPolicy] { get }
}

extension SchemaMetadata {
  public static var fieldPolicies: [DeclaredFieldPolicy] { [] }
  public static func cacheKeyInfo(for type: ObjectType, object: JSONValue) -> CacheKeyInfo? { nil }
}

/// The cache policy of a field, declared in the schema with `@fieldPolicy`.
public struct DeclaredFieldPolicy: Sendable, Hashable {
  /// The name of the type that has the field, such as `Query`.
  public let type: String
  /// The field's name, such as `book`.
  public let field: String
  /// The arguments that form the key of the record that the field refers to; `nil` if not declared.
  public let keyArguments: [String]?
  /// The arguments whose values are hidden in the cache; `nil` if not declared.
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

/// The rule for merging pages of a field, declared in the schema by the `merge` argument of `@fieldPolicy`.
public enum DeclaredFieldMerge: Sendable, Hashable {
  /// The field is a connection (GraphQL Cursor Connections Specification, section 2).
  case connection
  /// Pages follow each other. The arguments select a page.
  case append(arguments: [String])
  /// A page has an offset and a limit, which are the names of its arguments.
  case offset(argument: String, limit: String)
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
