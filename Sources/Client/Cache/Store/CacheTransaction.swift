import ApusClientOperation
import ApusJSON
import Synchronization

/// Reads and changes of a cache that are made as one: nobody, in this process or another, changes anything in between,
/// and those who listen hear of one change. Reads see what the transaction wrote before them, and no optimistic layers.
///
/// A transaction ends with the function that it is given to; it cannot be kept.
public struct CacheTransaction: ~Copyable {
  private let store: CacheStore
  private let time: UInt32
  private let records: RecordLookup
  private(set) var mutations: [CacheMutation] = []
  private let check = ModificationCheck()
  /// The first write that was refused by a step that does not throw.
  private(set) var refusal: CacheTransactionError?

  init(_ store: CacheStore, at time: UInt32, _ records: @escaping RecordLookup) {
    self.store = store
    self.time = time
    self.records = records
  }

  // MARK: Reading

  /// What the cache has of an operation. With `allowPartial` the data of an incomplete read is what there is.
  ///
  /// - Throws: `CacheFileError` where a file cannot be read.
  public func read(
    _ operation: CompiledOperation, variables: JSONValue = .object([]), allowPartial: Bool = false
  ) throws -> CacheRead {
    try read(operation, on: nil, variables: variables, allowPartial: allowPartial)
  }

  /// The same for a fragment on the record under `key`.
  package func read(
    _ operation: CompiledOperation, on key: CacheKey?, variables: JSONValue, allowPartial: Bool = false
  ) throws -> CacheRead {
    let request = store.request(operation, variables, on: key)
    let moment = ReadMoment(time: time, allowsStale: false)
    return RecordReader.read(request, from: try records(request, mutations), moment, allowPartial: allowPartial)
  }

  // MARK: Writing

  /// Writes a response's data, whole or as far as it has come.
  public mutating func write(
    _ data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]),
    options: CacheWriteOptions = .whole
  ) {
    do throws(CacheTransactionError) {
      try CacheTransactionError.check(data)
      mutations.append(.merge(store.records(of: data, operation, variables, options)))
    } catch {
      refusal = refusal ?? error
    }
  }

  /// Writes a fragment's data into the record under `key`.
  package mutating func write(
    _ data: JSONValue, fragment: CompiledOperation, on key: CacheKey, variables: JSONValue
  ) throws {
    let request = store.request(fragment, variables, on: key)
    try write(data, request, .whole, known: try records(request, mutations))
  }

  /// Changes what the cache has of an operation, as `CacheStore.update` does. False, and nothing happens, when it is not
  /// all there.
  ///
  /// - Throws: What `body` throws; `CacheFileError` where a cache file cannot be read.
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

  /// The same with all that was read, for an operation, or for a fragment on the record under `key`. `body` tells what it
  /// made another as the data before and after, for it may have the data in a form of its own; an answer of `nil` changes
  /// nothing.
  @discardableResult
  package mutating func update(
    _ operation: CompiledOperation, on key: CacheKey?, variables: JSONValue,
    reading body: (CacheRead) throws -> (before: JSONValue, after: JSONValue)?
  ) throws -> Bool {
    let request = store.request(operation, variables, on: key)
    let known = try records(request, mutations)
    let read = RecordReader.read(
      request, from: known, ReadMoment(time: time, allowsStale: false), allowPartial: false)
    guard read.isComplete, let (before, after) = try body(read) else { return false }
    try CacheTransactionError.check(after)
    let places = DataDifference(resolver: request.resolver).places(from: before, to: after)
    if !places.isEmpty { try write(after, request, CacheWriteOptions(places: places), known: known, isUpdate: true) }
    return true
  }

  private mutating func write(
    _ data: JSONValue, _ request: RecordRequest, _ options: CacheWriteOptions, known: RecordSet,
    isUpdate: Bool = false
  ) throws {
    try CacheTransactionError.check(data)
    if request.isFragment, let typename = request.plan.root.typename(of: data),
      let own = request.resolver.key(for: data, typename: typename), own != request.root
    {
      throw CacheTransactionError.otherKey(request.root, data: own)
    }
    var changed = Normalizer.records(of: data, request, options: options, time: time, known: known)
    // The list that was read is the whole one, or the stretch of it that was asked for: what was made of it stands in its
    // place.
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

  /// Adds records; fields that are there already take the new values, and those that the records do not have stay.
  public mutating func merge(_ records: RecordSet) { mutations.append(.merge(records)) }
  /// Changes a record by a function, which is called again when something is read behind it.
  public mutating func modify(_ key: CacheKey, _ body: @escaping @Sendable (inout RecordDraft) -> Void) {
    mutations.append(check.checked(.modify(key, body)))
  }

  /// Throws the refusal of a step that cannot throw itself.
  func finish() throws {
    if let refusal { throw refusal }
    try check.tryOut(mutations, on: records)
  }

  // MARK: Removing

  /// Removes a record; cascading, each record that only it led to goes too.
  public mutating func evict(_ key: CacheKey, cascading: Bool = false) {
    mutations.append(.removeRecord(key, cascading: cascading))
  }
  /// Removes a field of a record: `birds({"first":10})` with these arguments, `birds` with any.
  public mutating func evict(_ key: CacheKey, field: String) { mutations.append(.removeField(key, field: field)) }
  /// Removes every record that a pattern takes in.
  public mutating func evict(matching pattern: RecordPattern) { mutations.append(.removeRecords(pattern)) }
  /// Removes everything.
  public mutating func clear() { mutations.append(.removeAll) }
}

/// What cannot be done in a transaction of a cache.
public enum CacheTransactionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A fragment's data was to be written under a key, and has the key of another record.
  case otherKey(CacheKey, data: CacheKey)
  /// NaN or infinity was to be written, which JSON cannot write; the path says where it is in the data.
  case notFinite(ResponsePath)
  /// The cache did not call the function that makes the transaction.
  case notMade

  /// Refuses data that JSON cannot write.
  static func check(_ data: JSONValue) throws(CacheTransactionError) {
    if let path = data.nonFinitePath { throw .notFinite(path) }
  }

  public var description: String {
    switch self {
    case .otherKey(let key, let data): "the data of \(data) cannot be written under \(key)"
    case .notFinite(let path):
      "\(path.components.isEmpty ? "the value" : "\(path)") is NaN or infinite, which JSON cannot write: it is not stored; "
        + "give a finite number, or null"
    case .notMade: "the cache did not make the transaction"
    }
  }
}

extension CacheStore {
  /// Reads and changes the cache as one: all changes are made or, when `body` throws, none; those who listen hear of one
  /// change, whose cause is `transaction`; nobody, in this process or another, changes anything in between.
  ///
  ///     try await store.transaction { cache in
  ///       guard let cart = try cache.read(CartQuery()) else { return }
  ///       try cache.update(BadgeFragment.self, key: "User:1") { $0.count = cart.items.count }
  ///       cache.evict("Draft:7")
  ///     }
  ///
  /// It reads and changes what the cache keeps: optimistic layers lie over it before and after. `body` may be called again
  /// when the file of a cache was damaged.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, a `CacheTransactionError` where a step of it cannot be made, and `CacheFileError` where
  ///   a file cannot be read or written.
  @discardableResult
  public nonisolated func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (inout CacheTransaction) throws -> Result
  ) async throws -> Result {
    try await change(.transaction, body).result
  }

  /// The same with a cause of its own, and what was changed.
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
    // A cache of somebody else might not have called it.
    guard let value = result.withLock({ $0 }) else { throw CacheTransactionError.notMade }
    return (value, changedKeys)
  }
}
