import ApusClientAPI
import ApusJSON

/// What a cache holds of an operation's data.
public struct CacheRead: Sendable {
  /// The data: whole, or, where a partial read was allowed, what there is; `nil` when that is nothing.
  public let data: JSONValue?
  /// Whether everything that the operation selects was there, its deferred fragments included.
  public package(set) var isComplete: Bool
  /// Where something is missing: a field that is in no record, or one that refers to a record that is gone. An item
  /// of a list that is gone is null in partial data, and so is a nullable field that an error left without a value.
  public package(set) var missing: [ResponsePath]
  /// The streamed lists that ended before their last item.
  package let openLists: [ResponsePath]
  /// Every deferred fragment that was met: fulfilled when all of it is there, failed when an error tells why it is not, else
  /// pending.
  public package(set) var fragments: [DeferredFragment]
  /// The errors that left fields without a value when they were asked for, and those that tell which values contradict
  /// their types, at the places where they are missing.
  public package(set) var errors: [GraphQLError]
  /// Where a value is there that contradicts its type and that no answer explains: somebody else has put it there.
  package let contradicted: Set<ResponsePath>
  /// Whether something of it has outlived its time. Where stale reads are not allowed, that counts as missing.
  public let isStale: Bool
  /// When the first of it outlives its time, in seconds since 1970; 0 for never.
  let expires: UInt32
  /// The records that were looked at; empty unless the cache has a limit.
  let use: RecordUse
  /// What the read looked at: when a change touches it, the data is another.
  public let dependentKeys: DependentKeys

  /// The data without the nulls that fill missing places.
  package var storedData: JSONValue? { data.flatMap { FieldRemoval.remove(missing, from: $0) } }

  /// The deferred fragments that are still to come.
  public var pendingFragments: [DeferredFragment] { fragments.filter(\.state.isPending) }
}
