import ApusClientOperation
import ApusJSON

/// Changes to a cache that are made as one.
public struct CacheTransaction {
  private let store: CacheStore
  private(set) var mutations: [CacheMutation] = []

  init(store: CacheStore) { self.store = store }

  public mutating func write(
    _ data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]),
    options: CacheWriteOptions = .whole
  ) {
    mutations.append(.merge(store.records(of: data, operation, variables, options)))
  }

  public mutating func merge(_ records: RecordSet) { mutations.append(.merge(records)) }
  public mutating func modify(_ key: CacheKey, _ body: @escaping @Sendable (inout RecordDraft) -> Void) {
    mutations.append(.modify(key, body))
  }
  public mutating func evict(_ key: CacheKey, cascading: Bool = false) {
    mutations.append(.removeRecord(key, cascading: cascading))
  }
  public mutating func evict(_ key: CacheKey, field: String) { mutations.append(.removeField(key, field: field)) }
  public mutating func evict(matching pattern: RecordPattern) { mutations.append(.removeRecords(pattern)) }
  public mutating func clear() { mutations.append(.removeAll) }
}
