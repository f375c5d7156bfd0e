import ApusJSON

/// What generated models know of their schema.
public protocol SchemaMetadata: Sendable {
  /// The object type of that name; `nil` for one that the schema did not have when the source was generated.
  static func objectType(named typename: String) -> ObjectType?

  /// The key of an object's record. The default takes the key fields that the object's type names, and leaves the rest
  /// to the client's rule.
  static func cacheKeyInfo(for type: ObjectType, object: JSONValue) -> CacheKeyInfo?

  /// What the schema's `@fieldPolicy` directives say, for `CachePolicies(schema:)`; none unless the schema has some.
  static var fieldPolicies: [DeclaredFieldPolicy] { get }
}

extension SchemaMetadata {
  public static var fieldPolicies: [DeclaredFieldPolicy] { [] }
  public static func cacheKeyInfo(for type: ObjectType, object: JSONValue) -> CacheKeyInfo? { nil }
}

/// How one field is kept, as a schema declares it by `@fieldPolicy`.
public struct DeclaredFieldPolicy: Sendable, Hashable {
  /// The name of the type that has the field: `Query`.
  public let type: String
  /// The field's name: `book`.
  public let field: String
  /// The arguments that make the key of the record that the field leads to; `nil` where the schema does not say.
  public let keyArguments: [String]?
  /// The arguments whose values nobody should read in the cache; `nil` where the schema does not say.
  public let secretArguments: [String]?
  /// How the field's pages join; `nil` where the schema does not say.
  public let merge: DeclaredFieldMerge?

  /// The policy of a field, by the names of its type and its own: `DeclaredFieldPolicy("Query", "book", keyArguments:
  /// ["isbn"])`.
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

/// How the pages of a field join in the cache, as a schema declares it by the `merge` of `@fieldPolicy`.
public enum DeclaredFieldMerge: Sendable, Hashable {
  /// The field is a connection (GraphQL Cursor Connections Specification, section 2).
  case connection
  /// Pages follow one another; the arguments choose a page.
  case append(arguments: [String])
  /// A page begins at an offset and has no more than a limit; these are the names of both arguments.
  case offset(argument: String, limit: String)
}

/// What an application may say about an object's key instead of its typename and key fields.
public struct CacheKeyInfo: Sendable, Hashable {
  /// The part that is unique within the type, or within the group.
  public let id: String
  /// Types whose objects share their keys, such as the implementations of an interface, name one group.
  public let uniqueKeyGroup: String?

  /// A key by what is unique in it: the record's key is the group, or else the typename, a colon and `id`.
  public init(id: String, uniqueKeyGroup: String? = nil) {
    self.id = id
    self.uniqueKeyGroup = uniqueKeyGroup
  }
}
