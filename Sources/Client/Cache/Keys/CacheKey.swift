/// The name of a record in a normalized cache: `QUERY_ROOT`, `Bird:12`, or, for an object that has no key of its own,
/// the path that leads to it: `QUERY_ROOT.birds({"first":1}).edges.0`.
public struct CacheKey: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The key as text, `Bird:12`: what stands in a cache file and in an export.
  public let text: String

  /// A key from its text.
  public init(_ text: String) { self.text = text }
  public init(stringLiteral text: String) { self.init(text) }

  public var description: String { text }

  public static func < (left: CacheKey, right: CacheKey) -> Bool { left.text < right.text }

  /// The record that the fields of queries lie in.
  public static let queryRoot = CacheKey("QUERY_ROOT")
  /// The record that the fields of mutations lie in.
  public static let mutationRoot = CacheKey("MUTATION_ROOT")
  /// The record that the fields of subscriptions lie in.
  public static let subscriptionRoot = CacheKey("SUBSCRIPTION_ROOT")

  /// The roots whose fields are kept: of mutations and subscriptions only the objects with keys of their own are.
  static let keptRoots = [queryRoot]
  static let forgottenRoots = [mutationRoot, subscriptionRoot]

  /// The three root records.
  public static let roots = [queryRoot, mutationRoot, subscriptionRoot]

  /// Whether it is the key of one of the three root records.
  public var isRoot: Bool { self == .queryRoot || self == .mutationRoot || self == .subscriptionRoot }
}

/// A record's field that holds another record, by its key.
public struct CacheReference: Hashable, Sendable, CustomStringConvertible {
  /// The key of the record that the field leads to; the record itself may be gone.
  public let key: CacheKey

  /// A reference to the record under a key, which need not be there.
  public init(_ key: CacheKey) { self.key = key }

  public var description: String { "-> \(key.text)" }
}
