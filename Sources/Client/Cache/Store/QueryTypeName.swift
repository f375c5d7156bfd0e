import ApusClientOperation
import ApusClientRecords
import ApusJSON
import Synchronization

/// The name of the query root type, by which an object that another operation returns is recognized as the query root:
/// `RootQuery` for `schema { query: RootQuery }`.
///
/// It is taken from the schema of the operation or from generated code. Without these, it is the `__typename` that a
/// query selected on its root, in this store or in its cache file. A type that is merely named `Query` is another type.
final class QueryTypeName: Sendable {
  private let seen = Mutex<String?>(nil)

  /// Returns the name if it is known without reading the cache.
  func name(for operation: CompiledOperation, isFragment: Bool) -> String? {
    let isRootKnown =
      operation.operationType == .query && operation.isRootTypeKnown && !operation.rootIsAbstract && !isFragment
    let known = operation.queryTypeName ?? (isRootKnown ? operation.rootTypeName : nil)
    return seen.withLock { seen in
      if let known { seen = known }
      return seen
    }
  }

  /// Remembers the name that the query root of a cache has.
  func find(in records: RecordSet) {
    guard let root = records.findRecord(.queryRoot), let field = records.storage.fieldNames.find("__typename"),
      let value = records.storage.value(of: field, in: root), value.kind == .scalar,
      let name = records.storage.json(value).string
    else { return }
    seen.withLock { $0 = name }
  }

  /// A request for the query root without its fields.
  static let root = RecordRequest(
    plan: SelectionPlan(
      operation: CompiledOperation(
        operationType: .query, name: nil, documentText: "",
        selections: CompiledSelectionSet(parentType: nil, selections: []), hasIncremental: false),
      variables: .object([])),
    policies: CachePolicies(), resolver: CacheKeyResolver())
}

extension CacheStore {
  /// Finds the name of the query root type in the cache, if an operation can return the query root and the name is
  /// unknown.
  nonisolated func findQueryTypeName(for operation: CompiledOperation) async {
    guard operation.operationType != .query, queryTypeName.name(for: operation, isFragment: false) == nil,
      let records = try? await cache.records(for: QueryTypeName.root)
    else { return }
    queryTypeName.find(in: records)
  }
}

extension CacheTransaction {
  /// Finds the name of the query root type, as for a write outside of a transaction.
  func findQueryTypeName(for operation: CompiledOperation) {
    guard operation.operationType != .query,
      store.queryTypeName.name(for: operation, isFragment: false) == nil,
      let existing = try? records(QueryTypeName.root, mutations)
    else { return }
    store.queryTypeName.find(in: existing)
  }
}
