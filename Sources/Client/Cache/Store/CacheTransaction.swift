import ApusClientOperation
import ApusJSON
import Synchronization

/// Reads and changes of a cache that are executed atomically: no other change, from this or another process, comes between
/// them, and listeners are notified of one change. Reads see earlier writes of the transaction, but not optimistic layers.
///
/// A transaction is valid only during the function that receives it.
public struct CacheTransaction: ~Copyable {
  let store: CacheStore
  private let time: UInt32
  let records: RecordLookup
  private(set) var mutations: [CacheMutation] = []
  private let check = ModificationCheck()
  /// The first error of a step that does not throw.
  private(set) var refusal: CacheTransactionError?

  init(_ store: CacheStore, at time: UInt32, _ records: @escaping RecordLookup) {
    self.store = store
    self.time = time
    self.records = records
  }

  // MARK: Reading

  /// Reads an operation. With `allowPartial`, the result of an incomplete read has the available data.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public func read(
    _ operation: CompiledOperation, variables: JSONValue = .object([]), allowPartial: Bool = false
  ) throws -> CacheRead {
    try read(operation, on: nil, variables: variables, allowPartial: allowPartial)
  }

  /// Reads an operation, or a fragment on the record with a key.
  package func read(
    _ operation: CompiledOperation, on key: CacheKey?, variables: JSONValue, allowPartial: Bool = false
  ) throws -> CacheRead {
    let request = store.request(operation, variables, on: key)
    let readOptions = ReadOptions(time: time, allowsStale: false)
    return RecordReader.read(request, from: try records(request, mutations), readOptions, allowPartial: allowPartial)
  }

  // MARK: Writing

  /// Writes data of an operation, complete or partial. Only what differs from the cache is written. If a value is NaN or
  /// infinite, the transaction fails at its end.
  public mutating func write(
    _ data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]),
    options: CacheWriteOptions = .complete
  ) {
    do throws(CacheTransactionError) {
      try CacheTransactionError.check(data)
      findQueryTypeName(for: operation)
      mutations.append(.merge(store.records(of: data, operation, variables, options.from(.local))))
    } catch {
      refusal = refusal ?? error
    }
  }

  /// Writes a fragment's data to the record with a key.
  package mutating func write(
    _ data: JSONValue, fragment: CompiledOperation, on key: CacheKey, variables: JSONValue
  ) throws {
    let request = store.request(fragment, variables, on: key)
    try write(data, request, .complete, existing: try records(request, mutations))
  }

  /// Updates cached data of an operation; see `CacheStore.update`.
  ///
  /// - Returns: Whether the data was complete. If not, `body` is not called and nothing changes.
  /// - Throws: The error of `body`; `CacheTransactionError.notFinite` if a value is NaN or infinite; `CacheFileError` if a
  ///   cache file cannot be read.
  @discardableResult
  public mutating func update(
    _ operation: CompiledOperation, variables: JSONValue = .object([]), _ body: (inout JSONValue) throws -> Void
  ) throws -> Bool {
    try update(operation, on: nil, variables: variables) { read in
      guard var data = read.data else { return nil }
      let before = data
      try body(&data)
      return (before, after: data)
    }
  }

  /// Updates cached data of an operation, or of a fragment on the record with a key.
  ///
  /// `body` receives the read and returns the data before and after its changes, because it may use another representation
  /// of the data. If it returns `nil`, nothing changes.
  @discardableResult
  package mutating func update(
    _ operation: CompiledOperation, on key: CacheKey?, variables: JSONValue,
    reading body: (CacheRead) throws -> (before: JSONValue, after: JSONValue)?
  ) throws -> Bool {
    let request = store.request(operation, variables, on: key)
    let existing = try records(request, mutations)
    let read = RecordReader.read(
      request, from: existing, ReadOptions(time: time, allowsStale: false), allowPartial: false)
    guard read.isComplete, let (before, after) = try body(read) else { return false }
    try CacheTransactionError.check(after)
    let places = DataDifference(resolver: request.resolver).places(from: before, to: after)
    if !places.isEmpty {
      try write(after, request, CacheWriteOptions(paths: places), existing: existing, isUpdate: true)
    }
    return true
  }

  private mutating func write(
    _ data: JSONValue, _ request: RecordRequest, _ options: CacheWriteOptions, existing: RecordSet,
    isUpdate: Bool = false
  ) throws {
    try CacheTransactionError.check(data)
    if request.isFragment, let typename = request.plan.root.typename(of: data),
      let resolved = request.resolver.key(for: data, typename: typename), resolved != request.root
    {
      throw CacheTransactionError.otherKey(request.root, data: resolved)
    }
    var changed = Normalizer.records(
      of: data, request, options: options.from(.local), time: time, existing: existing)
    // The new list replaces the complete list, or the range of it, that was read.
    if isUpdate {
      changed.merges = changed.merges.compactMapValues { pending in
        if case .append = pending.merge { return nil }
        var update = pending
        update.isUpdate = true
        return update
      }
    }
    mutations.append(.merge(changed))
  }

  /// Writes records. Existing fields that they do not have are kept.
  public mutating func merge(_ records: RecordSet) { mutations.append(.merge(records)) }
  /// Modifies a record with a function. The function may be called again for later reads of the transaction.
  public mutating func modify(_ key: CacheKey, _ body: @escaping @Sendable (inout RecordDraft) -> Void) {
    mutations.append(check.checked(.modify(key, body)))
  }

  /// Throws the first error of the steps that do not throw.
  func finish() throws {
    if let refusal { throw refusal }
    try check.tryOut(mutations, on: records)
  }

  // MARK: Removing

  /// Evicts a record. With `cascading`, also removes keyed records that only it refers to.
  public mutating func evict(_ key: CacheKey, cascading: Bool = false) {
    mutations.append(.removeRecord(key, cascading: cascading))
  }
  /// Evicts a field of a record: with the given arguments (`birds({"first":10})`), or with any if only the name is given.
  public mutating func evict(_ key: CacheKey, field: String) { mutations.append(.removeField(key, field: field)) }
  /// Evicts all records that match a pattern.
  public mutating func evict(matching pattern: RecordPattern) { mutations.append(.removeRecords(pattern)) }
  /// Removes all records.
  public mutating func clear() { mutations.append(.removeAll) }
}

/// An error in a transaction of a cache.
public enum CacheTransactionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The data of a fragment has another cache key than the record to be written.
  case otherKey(CacheKey, data: CacheKey)
  /// A value is NaN or infinite, which JSON cannot represent. The path is its location in the data.
  case notFinite(ResponsePath)
  /// The `NormalizedCache` did not call the function of the transaction.
  case notMade

  /// Throws if a value is NaN or infinite, which JSON cannot represent.
  static func check(_ data: JSONValue) throws(CacheTransactionError) {
    if let path = data.nonFinitePath { throw .notFinite(path) }
  }

  public var description: String {
    switch self {
    case .otherKey(let key, let data): "the data of \(data) cannot be written to the record \(key)"
    case .notFinite(let path):
      "\(path.components.isEmpty ? "the value" : "\(path)") is NaN or infinite, which JSON cannot represent; not stored; "
        + "use a finite number or null"
    case .notMade: "the cache did not execute the transaction"
    }
  }
}

extension CacheStore {
  /// Reads and changes the cache atomically: all changes are applied, or none if `body` throws. Listeners are notified of
  /// one change, with the cause `transaction`. No other change, from this or another process, comes between.
  ///
  ///     try await store.transaction { cache in
  ///       guard let cart = try cache.read(CartQuery()) else { return }
  ///       try cache.update(BadgeFragment.self, key: "User:1") { $0.count = cart.items.count }
  ///       cache.evict("Draft:7")
  ///     }
  ///
  /// It reads and changes the records without optimistic layers. `body` may be called again if a cache file turns out to be
  /// damaged.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; `CacheTransactionError` if a step is invalid; `CacheFileError` if a cache file cannot be
  ///   read or written.
  @discardableResult
  public nonisolated func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (inout CacheTransaction) throws -> Result
  ) async throws -> Result {
    try await change(.transaction, body).result
  }

  /// Executes a transaction with a given cause, and also returns the changed keys.
  package nonisolated func change<Result: Sendable>(
    _ cause: CacheChange.Cause, _ body: @escaping @Sendable (inout CacheTransaction) throws -> Result
  ) async throws -> (result: Result, changedKeys: ChangedKeys) {
    let result = Mutex<Result?>(nil)
    let changedKeys = try await change(ChangeOrigin(cause)) { [self] records, time in
      try withoutActuallyEscaping(records) { records in
        var transaction = CacheTransaction(self, at: time, records)
        let value = try body(&transaction)
        try transaction.finish()
        result.withLock { $0 = value }
        return transaction.mutations
      }
    }
    // A custom `NormalizedCache` may not have called the function.
    guard let value = result.withLock({ $0 }) else { throw CacheTransactionError.notMade }
    return (value, changedKeys)
  }
}
