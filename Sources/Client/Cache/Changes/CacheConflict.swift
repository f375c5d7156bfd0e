import ApusClientOperation
import ApusJSON

/// Two watched queries or pagers that select different fields of the same objects without keys, so that the response of
/// each removes fields of the other from the cache.
public struct CacheConflict: Sendable, Hashable, CustomStringConvertible {
  /// Names of the two queries; `nil` if a query is anonymous.
  public let first, second: String?
  /// The last replacement, with its reason.
  public let replacement: CacheReplacement

  /// The description on one line, with the way to end the conflict.
  public var description: String {
    let names = [first, second].map { $0.map { "query \($0)" } ?? "an anonymous query" }
    return "\(names[0]) and \(names[1]) replace each other's objects without keys; neither is refetched for it: "
      + (replacement.reason == .keySelection ? "select 'id' in both" : "select 'id' to keep both")
  }
}

/// The identity of a watched query, or of a pager by its initial query.
package struct WatchIdentity: Sendable, Hashable {
  package let name: String?
  private let text: String
  private let variables: JSONValue

  package init(_ operation: CompiledOperation, variables: JSONValue) {
    (name, text, self.variables) = (operation.name, operation.documentText, variables)
  }
}

/// The fields that watched queries took from each other.
struct ConflictLog {
  private struct Taking: Hashable {
    let taker, loser: WatchIdentity
  }

  /// The number of takings that are remembered.
  private static let limit = 1000

  private var takings: Set<Taking> = []
  private(set) var conflicts: [CacheConflict] = []

  /// Records a taking. Returns whether the loser took from the taker before, with the conflict if it is a new one.
  mutating func note(
    _ taker: WatchIdentity, takingFrom loser: WatchIdentity, _ replacement: CacheReplacement
  ) -> (isConflict: Bool, new: CacheConflict?) {
    guard taker != loser else { return (false, nil) }
    if takings.count >= Self.limit { takings = [] }
    let isNew = takings.insert(Taking(taker: taker, loser: loser)).inserted
    guard takings.contains(Taking(taker: loser, loser: taker)) else { return (false, nil) }
    guard isNew else { return (true, nil) }
    let conflict = CacheConflict(first: loser.name, second: taker.name, replacement: replacement)
    conflicts.append(conflict)
    return (true, conflict)
  }
}

extension CacheChange.Cause {
  /// The name of the operation that was written; `nil` for an anonymous operation and other causes.
  fileprivate var operation: String? {
    switch self {
    case .write(let operation, _): operation
    case .eviction, .clearing, .modification, .collection, .trimming, .optimistic, .rollback, .external, .imported,
      .transaction:
      nil
    }
  }
}

extension CacheStore {
  /// Pairs of watched queries that replaced each other's objects without keys, oldest first. Neither is fetched again
  /// for the other's fields.
  public var conflicts: [CacheConflict] { conflictLog.conflicts }

  /// Returns a stream of the conflicts that are found from now on, each once. Each call creates an independent stream,
  /// which ends when its consumer stops or the store is released.
  public func newConflicts() -> AsyncStream<CacheConflict> {
    let id = nextListener
    nextListener += 1
    let (stream, continuation) = AsyncStream.makeStream(of: CacheConflict.self)
    conflictListeners[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.removeConflictListener(id) }
    }
    return stream
  }

  private func removeConflictListener(_ id: Int) { conflictListeners[id] = nil }

  /// Records that a change took fields of a watch. Returns whether the change is the response of another watch from
  /// which the first one took fields before, so that they would refetch by turns, and the conflict if it is reported
  /// now.
  package func noteTaking(
    in change: CacheChange, from loser: WatchIdentity, _ replacement: CacheReplacement
  ) -> (isConflict: Bool, new: CacheConflict?) {
    guard let taker = change.watch, change.cause.operation == replacement.operationName else { return (false, nil) }
    let outcome = conflictLog.note(taker, takingFrom: loser, replacement)
    if let new = outcome.new { for listener in conflictListeners.values { listener.yield(new) } }
    return outcome
  }
}
