import ApusClientAPI
import ApusJSON

/// The result of reading an operation from the cache.
public struct CacheRead: Sendable {
  /// The data: complete, or partial if the read allowed it; `nil` if there is none.
  public let data: JSONValue?
  /// Whether the cache has everything that the operation selects, including deferred fragments.
  public package(set) var isComplete: Bool
  /// Paths of missing fields and dangling references. In partial data, a missing list item is null, and so is a
  /// nullable field for which an error is stored.
  public package(set) var missing: [ResponsePath]
  /// Streamed lists that are incomplete.
  package let openLists: [ResponsePath]
  /// All deferred fragments: fulfilled if complete, failed if an error is stored for missing data, otherwise pending.
  public package(set) var fragments: [DeferredFragment]
  /// Errors stored in place of values, and errors for values that contradict their types, with the paths of the missing
  /// fields.
  public package(set) var errors: [GraphQLError]
  /// Paths of values that contradict their types although no stored error explains it, because another program wrote
  /// them.
  package let contradicted: Set<ResponsePath>
  /// Whether any value has expired. If stale reads are not allowed, expired values are missing.
  public let isStale: Bool
  /// The earliest expiry time of a value that was read, in seconds since 1970; 0 for never.
  let expires: UInt32
  /// Records that were read; empty unless the cache has a size limit.
  let use: RecordUse
  /// Keys that the read depends on. If a change affects them, the data is out of date.
  public let dependentKeys: DependentKeys

  /// The data without the nulls that replace missing values.
  package var storedData: JSONValue? { data.flatMap { FieldRemoval.remove(missing, from: $0) } }

  /// Deferred fragments that are pending.
  public var pendingFragments: [DeferredFragment] { fragments.filter(\.state.isPending) }
}
