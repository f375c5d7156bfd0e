import ApusJSON

/// What generated models know of their schema.
public protocol SchemaMetadata: Sendable {
  /// The object type of that name; `nil` for one that the schema did not have when the source was generated.
  static func objectType(named typename: String) -> ObjectType?

  /// The key of an object's record. The default takes the key fields that the object's type names, and leaves the rest
  /// to the client's rule.
  static func cacheKeyInfo(for type: ObjectType, object: JSONValue) -> CacheKeyInfo?
}

extension SchemaMetadata {
  public static func cacheKeyInfo(for type: ObjectType, object: JSONValue) -> CacheKeyInfo? { nil }
}

/// What an application may say about an object's key instead of its typename and key fields.
public struct CacheKeyInfo: Sendable, Hashable {
  /// The part that is unique within the type, or within the group.
  public let id: String
  /// Types whose objects share their keys, such as the implementations of an interface, name one group.
  public let uniqueKeyGroup: String?

  public init(id: String, uniqueKeyGroup: String? = nil) {
    self.id = id
    self.uniqueKeyGroup = uniqueKeyGroup
  }
}
