/// The key of a record in a normalized cache, such as `QUERY_ROOT` or `Bird:12`. An object that has no key field
/// is identified by its path: `QUERY_ROOT.birds({"first":1}).edges.0`.
public struct CacheKey: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The text of the key, as in cache files and exports: `Bird:12`.
  public let text: String

  /// Creates a key from its text.
  public init(_ text: String) { self.text = text }
  public init(stringLiteral text: String) { self.init(text) }

  public var description: String { text }

  public static func < (left: CacheKey, right: CacheKey) -> Bool { left.text < right.text }

  /// The record with the fields of queries.
  public static let queryRoot = CacheKey("QUERY_ROOT")
  /// The record with the fields of mutations.
  public static let mutationRoot = CacheKey("MUTATION_ROOT")
  /// The record with the fields of subscriptions.
  public static let subscriptionRoot = CacheKey("SUBSCRIPTION_ROOT")

  /// Roots whose fields are cached. For mutations and subscriptions, only objects with cache keys are cached.
  static let keptRoots = [queryRoot]
  static let forgottenRoots = [mutationRoot, subscriptionRoot]

  /// The three root records.
  public static let roots = [queryRoot, mutationRoot, subscriptionRoot]

  /// Whether this is the key of a root record.
  public var isRoot: Bool { self == .queryRoot || self == .mutationRoot || self == .subscriptionRoot }
}

/// A reference from a record's field to another record: `nest` of `Bird:b42` refers to `Nest:n7`.
public struct CacheReference: Hashable, Sendable, CustomStringConvertible {
  /// The key of the referenced record. The record itself may be missing.
  public let key: CacheKey

  /// Creates a reference to the record with a key. The record need not exist.
  public init(_ key: CacheKey) { self.key = key }

  public var description: String { "-> \(key.text)" }
}
