import ApusClientCache
import ApusClientOperation
import ApusJSON

/// Two operations of an application that take each other's fields from its cache, because they select different fields of objects
/// without a key.
package struct TrafficConflict: Sendable, Equatable {
  /// The names of the two operations; `nil` for an anonymous one.
  package let first, second: String?
  /// The record and the field that the second operation took from the first one, such as "`QUERY_ROOT.birds.0.name`".
  package let field: String
  /// The way to keep the fields of both.
  package let advice: String

  /// The description on one line.
  package var description: String {
    let names = [first, second].map { $0.map { "query \($0)" } ?? "an anonymous query" }
    return "\(names[0]) and \(names[1]) take each other's fields, such as \(field): \(advice)"
  }
}

/// Finds conflicts, by reading the latest queries from the cache after each response.
struct ConflictFinder {
  private struct Query {
    let identity: WatchIdentity
    let operation: CompiledOperation
    let variables: JSONValue
  }

  private struct Taking: Hashable {
    let taker, loser: WatchIdentity
  }

  /// The number of queries that are read.
  private static let limit = 32
  /// The number of takings that are remembered.
  private static let takingLimit = 1000

  private var queries: [Query] = []
  private var takings: Set<Taking> = []
  private var reported: Set<Taking> = []

  /// Processes the end of a response that was written. Returns the conflicts that it completes, each once.
  mutating func ended(
    _ operation: CompiledOperation, variables: JSONValue, in store: CacheStore
  ) async -> [TrafficConflict] {
    guard operation.operationType == .query else { return [] }
    let taker = WatchIdentity(operation, variables: variables)
    var conflicts: [TrafficConflict] = []
    for query in queries where query.identity != taker {
      guard let (field, replacement) = await Self.loss(of: query, to: operation.name, in: store) else { continue }
      if takings.count >= Self.takingLimit { (takings, reported) = ([], []) }
      takings.insert(Taking(taker: taker, loser: query.identity))
      let reverse = Taking(taker: query.identity, loser: taker)
      guard takings.contains(reverse), reported.insert(reverse).inserted,
        reported.insert(Taking(taker: taker, loser: query.identity)).inserted
      else { continue }
      conflicts.append(
        TrafficConflict(
          first: query.operation.name, second: operation.name, field: field,
          advice: replacement.reason == .keySelection ? "select 'id' in both" : "select 'id' to keep both"))
    }
    queries.removeAll { $0.identity == taker }
    queries.append(Query(identity: taker, operation: operation, variables: variables))
    if queries.count > Self.limit { queries.removeFirst() }
    return conflicts
  }

  /// Returns a field of a query that a write of the operation with a name took; `nil` if there is none.
  private static func loss(
    of query: Query, to name: String?, in store: CacheStore
  ) async -> (field: String, CacheReplacement)? {
    guard let read = try? await store.read(query.operation, variables: query.variables, allowPartial: true),
      !read.isComplete,
      let misses = try? await store.misses(of: query.operation, variables: query.variables, limit: 100)
    else { return nil }
    for miss in misses {
      if case .replaced(let replacement) = miss.reason, replacement.operationName == name, !replacement.isLocal {
        return ("\(miss.record.text).\(miss.field)", replacement)
      }
    }
    return nil
  }
}
