import ApusClientOperation
import ApusClientRecords
import ApusJSON
import ApusPlatform
import Synchronization

/// The client's cache. It writes responses as records, reads operations from records, and notifies listeners of changes.
///
/// Responses are normalized and assembled outside the actor; only changes of the underlying cache run inside it. A change is
/// published once, after all of its steps.
public actor CacheStore {
  let cache: any NormalizedCache
  private nonisolated let rules: Mutex<Rules>
  private nonisolated let clock: @Sendable () -> UInt32
  var listeners: [Int: Listener] = [:]
  var nextListener = 0
  private var number = 0
  /// The number of the last published change.
  package var lastChange: Int { number }
  /// A counter of the points in time at which a change may have started or ended. A read between two of them saw one state.
  private var epoch = 0
  /// The number of running refreshes. Until they have published changes by other processes, a remembered read may be
  /// outdated.
  private var refreshCount = 0
  private var memo = ReadMemo()
  private var layers = OptimisticLayers()
  private var retained = RetainedOperations()
  var following: Task<Void, Never>?
  nonisolated let observers = CacheObservers()
  var conflictLog = ConflictLog()
  var conflictListeners: [Int: AsyncStream<CacheConflict>.Continuation] = [:]
  nonisolated let queryTypeName = QueryTypeName()

  private struct Rules: Sendable {
    let resolver: CacheKeyResolver
    let policies: CachePolicies
    /// The number of times that the rules were replaced. It distinguishes remembered reads.
    var number = 0
  }

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - cache: The underlying cache.
  ///   - resolver: The rules for cache keys.
  ///   - policies: The rules for times to live, arguments and merging.
  ///   - clock: Returns the current time in seconds since 1970, for expiry.
  public init(
    cache: any NormalizedCache = InMemoryNormalizedCache(), resolver: CacheKeyResolver = CacheKeyResolver(),
    policies: CachePolicies = CachePolicies(),
    clock: @escaping @Sendable () -> UInt32 = { UInt32(truncatingIfNeeded: time(nil)) }
  ) {
    self.cache = cache
    rules = Mutex(Rules(resolver: resolver, policies: policies))
    self.clock = clock
  }

  deinit {
    following?.cancel()
    for listener in listeners.values { listener.finish() }
    for listener in conflictListeners.values { listener.finish() }
  }

  /// The current time in seconds since 1970.
  nonisolated var now: UInt32 { clock() }

  // MARK: Rules

  /// The rules for the cache keys of objects.
  public nonisolated var resolver: CacheKeyResolver { rules.withLock { $0.resolver } }
  /// The policies for times to live, key arguments and merging.
  public nonisolated var policies: CachePolicies { rules.withLock { $0.policies } }

  /// Replaces the rules for subsequent reads and writes. Existing records keep their keys.
  public nonisolated func configure(_ resolver: CacheKeyResolver, _ policies: CachePolicies) {
    rules.withLock { $0 = Rules(resolver: resolver, policies: policies, number: $0.number + 1) }
  }

  // MARK: Reading

  /// Reads an operation's data.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - variables: The values of its variables, as a JSON object.
  ///   - allowPartial: Whether the result of an incomplete read has data, without missing fields and incomplete deferred
  ///     fragments.
  ///   - allowStale: Whether expired values are returned. Otherwise they are missing.
  /// - Throws: `CacheFileError` if a cache file cannot be read. Missing data is not an error; `CacheRead.missing` lists it.
  public nonisolated func read(
    _ operation: CompiledOperation, variables: JSONValue = .object([]), allowPartial: Bool = false,
    allowStale: Bool = false
  ) async throws -> CacheRead {
    try await read(
      operation, on: nil, variables: variables, allowPartial: allowPartial, allowStale: allowStale)
  }

  /// Reads an operation, or a fragment on the record with a key.
  package nonisolated func read(
    _ operation: CompiledOperation, on key: CacheKey?, variables: JSONValue, allowPartial: Bool, allowStale: Bool
  ) async throws -> CacheRead {
    let rules = rules.withLock { $0 }
    let readOptions = ReadOptions(time: clock(), allowsStale: allowStale, notesUse: rules.policies.byteLimit != nil)
    let request = request(operation, variables, on: key, by: rules)
    let key = ReadMemo.Request(
      operation: operation, key: key, variables: variables, allowPartial: allowPartial, allowStale: allowStale,
      rules: rules.number)
    if let remembered = try await remembered(key, at: readOptions.time) {
      await noteUse(remembered.use)
      return remembered
    }
    let (records, epoch) = try await recordsForReading(request)
    let read = RecordReader.read(request, from: records, readOptions, allowPartial: allowPartial)
    await remember(read, for: key, asOf: epoch)
    await noteUse(read.use)
    return read
  }

  private nonisolated func noteUse(_ use: RecordUse) async {
    if !use.hashes.isEmpty { await cache.recordUse(use) }
  }

  nonisolated func request(
    _ operation: CompiledOperation, _ variables: JSONValue, on key: CacheKey? = nil
  ) -> RecordRequest {
    request(operation, variables, on: key, by: rules.withLock { $0 })
  }

  private nonisolated func request(
    _ operation: CompiledOperation, _ variables: JSONValue, on key: CacheKey?, by rules: Rules
  ) -> RecordRequest {
    var request = RecordRequest(
      plan: SelectionPlan(operation: operation, variables: variables), policies: rules.policies,
      resolver: rules.resolver, fragmentOn: key)
    request.queryTypeName = queryTypeName.name(for: operation, isFragment: request.isFragment)
    return request
  }

  private func remembered(_ request: ReadMemo.Request, at time: UInt32) async throws -> CacheRead? {
    // Changes by other processes can invalidate remembered reads.
    try await refresh()
    return refreshCount == 0 ? memo[request, time] : nil
  }

  private func remember(_ read: CacheRead, for request: ReadMemo.Request, asOf epoch: Int) {
    if epoch == self.epoch { memo.remember(read, for: request) }
  }

  private func recordsForReading(_ request: RecordRequest) async throws -> (RecordSet, Int) {
    let epoch = epoch
    guard !layers.isEmpty else { return (try await cache.records(for: request), epoch) }
    return (layers.applied(to: try await cache.snapshot().records, at: clock()), epoch)
  }

  // MARK: Writing

  /// Writes a response's data, complete or partial.
  ///
  /// - Parameters:
  ///   - data: The `data` object of the response.
  ///   - operation: The operation that was executed.
  ///   - variables: The values of its variables, as a JSON object.
  ///   - options: The options of the write.
  /// - Returns: The changed keys; empty if the cache already had all values.
  /// - Throws: `CacheTransactionError.notFinite` if a value is NaN or infinite; `CacheFileError` if a cache file cannot be
  ///   read or written.
  @discardableResult
  public nonisolated func write(
    _ data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]),
    options: CacheWriteOptions = .complete
  ) async throws -> ChangedKeys {
    try CacheTransactionError.check(data)
    await findQueryTypeName(for: operation)
    return try await change(
      [.merge(records(of: data, operation, variables, options))],
      ChangeOrigin(
        .write(operation: operation.name, part: options.payloadIndex), request: options.request,
        refetchDepth: options.refetchDepth, watch: options.watch))
  }

  nonisolated func records(
    of data: JSONValue, _ operation: CompiledOperation, _ variables: JSONValue, _ options: CacheWriteOptions
  ) -> RecordSet {
    Normalizer.records(of: data, request(operation, variables), options: options, time: now)
  }

  /// Modifies a record with a function. Field keys include arguments. A missing record starts without fields.
  ///
  /// - Throws: `CacheTransactionError.notFinite` if a field becomes NaN or infinite, in which case nothing is changed;
  ///   `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public nonisolated func modify(
    _ key: CacheKey, _ body: @escaping @Sendable (inout RecordDraft) -> Void
  ) async throws -> ChangedKeys {
    try await change([.modify(key, body)], ChangeOrigin(.modification))
  }

  /// Applies mutations as one change, with a title for listeners.
  ///
  /// - Throws: `CacheTransactionError.notFinite` if a function sets a field to NaN or infinity; `CacheFileError` if a cache
  ///   file cannot be read or written. No mutation is applied then.
  @discardableResult
  public nonisolated func apply(
    _ mutations: [CacheMutation], cause: CacheChange.Cause = .transaction, title: String? = nil
  ) async throws -> ChangedKeys {
    try await change(mutations, ChangeOrigin(cause, title: title))
  }

  /// Restores the fields that a change affected to their state in an earlier snapshot, with a title for listeners. Fields
  /// that were changed again after that change are not restored.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public nonisolated func restore(
    _ changed: ChangedKeys, from snapshot: CacheSnapshot, title: String? = nil
  ) async throws -> ChangedKeys {
    let origin = ChangeOrigin(.modification, title: title)
    // Do not write optimistic data to the records.
    let snapshot = snapshot.withoutLayers
    if changed.isEverything { return try await change([.removeAll, .merge(snapshot.records)], origin) }
    let now = try await cache.snapshot()
    var removals: [CacheMutation] = []
    var exports: [(String, JSONValue)] = []
    let places = changed.places
    for key in changed.baseKeys {
      let touched = RestoredFields(places[key] ?? [], now)
      let then = snapshot.record(key)
      let remaining = Set((then?.fields ?? []).map(\.key))
      let present = now.record(key)?.fields ?? []
      if then == nil, present.allSatisfy({ touched.contains($0.key) }) {
        removals.append(.removeRecord(key))
      } else {
        removals += present.filter { !remaining.contains($0.key) && touched.contains($0.key) }
          .map { .removeField(key, field: $0.key) }
      }
      removals += (places[key] ?? []).filter { $0.isAdded(since: snapshot) && touched.contains($0.base) }
        .map { .removeField($0.key, field: $0.field) }
      guard let record = CacheExport.json(key, in: snapshot) else { continue }
      exports.append((key.text, .object(record.members.filter { touched.contains($0.key) }.map { ($0.key, $0.value) })))
    }
    return try await change(removals + [.merge(try CacheImport.records(CacheExport.json(exports)))], origin)
  }

  func change(_ mutations: [CacheMutation], _ origin: ChangeOrigin) async throws -> ChangedKeys {
    let check = ModificationCheck()
    let steps = mutations.map(check.checked)
    if steps.count > 1, check.hasModifications {
      return try await change(origin) { records, _ in
        try check.tryOut(steps, on: records)
        return steps
      }
    }
    let changed = try await change(origin, writing: RecordUse(steps)) { cache, time, isObserved in
      try await cache.apply(steps, at: time, isObserved: isObserved)
    }
    try check.finish()
    return changed
  }

  /// Applies a change that depends on the records, without optimistic layers.
  func change(
    _ origin: ChangeOrigin,
    _ body: @escaping @Sendable (_ records: RecordLookup, _ time: UInt32) throws -> [CacheMutation]
  ) async throws -> ChangedKeys {
    let made = Mutex<[CacheMutation]>([])
    // Writing back the data of an update does not count as use.
    let notesUse = origin.cause == .transaction
    return try await change(origin, writing: notesUse ? RecordUse(made.withLock { $0 }) : nil) {
      cache, time, isObserved in
      try await cache.update(at: time, isObserved: isObserved) { records in
        let mutations = try body(records, time)
        made.withLock { $0 = mutations }
        return mutations
      }
    }
  }

  private func change(
    _ origin: ChangeOrigin, writing use: @autoclosure () -> RecordUse?,
    _ body: (any NormalizedCache, _ time: UInt32, _ isObserved: Bool) async throws -> AppliedChange
  ) async throws -> ChangedKeys {
    // Counted before and after, so that a read that began with the old records is not remembered as a read of the new ones.
    epoch += 1
    defer { epoch += 1 }
    var made = try await body(cache, clock(), !observers.isEmpty || !layers.isEmpty)
    // The change is complete. Later errors do not undo it, and the next read or change encounters them again.
    do { try await refresh() } catch { memo.forgetEverything() }
    made = layered(made)
    publish(made, origin)
    if let limit = policies.byteLimit {
      if let use = use() { await cache.recordUse(use) }
      if let count = try? await cache.byteCount(), count > limit { _ = try? await trim(to: limit - limit / 4) }
    }
    return made.changedKeys
  }

  /// Publishes changes that other processes made to the cache file.
  ///
  /// - Throws: `CacheFileError` if the cache file cannot be read.
  public func refresh() async throws {
    guard cache.isShared else { return }
    refreshCount += 1
    defer { refreshCount -= 1 }
    let changes = try await cache.externalChanges()
    guard !changes.isEmpty else { return }
    // As in `change`: do not remember a read that began before, and forget remembered reads.
    epoch += 1
    for changed in changes { memo.remove(layered(AppliedChange(changed)).changedKeys) }
    for changed in changes { await publishExternal(changed) }
  }

  private func publish(_ made: AppliedChange, _ origin: ChangeOrigin) {
    memo.remove(made.changedKeys)
    guard !made.changedKeys.isEmpty else { return }
    number += 1
    let change = CacheChange(number: number, origin, made.changedKeys)
    for listener in listeners.values { listener.hear(change) }
    if let after = made.after {
      observers.notify(ObservedCacheChange(change: change, before: made.before, after: after))
    }
  }

  /// Returns a change as readers see it through the optimistic layers. The effect of a layer depends on the records below
  /// it, so everything that the layers affect counts as changed, before and after the change. If there are no snapshots of
  /// the change, everything counts as changed.
  private func layered(_ made: AppliedChange) -> AppliedChange {
    if layers.isEmpty || made.changedKeys.isEmpty { return made }
    var changed = made.changedKeys
    if let before = made.before, let after = made.after {
      for snapshot in [before, after] { changed.formUnion(layers.changes(over: snapshot.records, at: clock())) }
    } else {
      changed.formUnion(.everything(of: RecordSet().storage))
    }
    return AppliedChange(changed, before: made.before.map(seen), after: made.after.map(seen))
  }

  /// Publishes a change by another process. There is no snapshot from before it, because it is noticed only afterwards.
  private func publishExternal(_ changed: ChangedKeys) async {
    let after = observers.isEmpty || changed.isEmpty ? nil : try? await cache.snapshot()
    publish(layered(AppliedChange(changed, after: after)), ChangeOrigin(.external))
  }

  /// Imports the records of an export. Existing fields are overwritten.
  ///
  /// - Parameter json: A document written by `CacheExport`.
  /// - Throws: `CacheImportError` if the JSON is not an export, has another version, or contains an invalid record;
  ///   `CacheFileError` if a cache file cannot be written. Nothing is imported then.
  @discardableResult
  public nonisolated func importRecords(_ json: JSONValue) async throws -> ChangedKeys {
    try await change([.merge(try CacheImport.records(json))], ChangeOrigin(.imported))
  }

  // MARK: Removing

  /// Evicts a record. Its dependent readers are notified even if it does not exist.
  ///
  /// - Parameters:
  ///   - key: The key of the record.
  ///   - cascading: Whether keyed records that only this record refers to are also removed.
  /// - Returns: The changed keys.
  /// - Throws: `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public nonisolated func evict(_ key: CacheKey, cascading: Bool = false) async throws -> ChangedKeys {
    try await change([.removeRecord(key, cascading: cascading)], ChangeOrigin(.eviction))
  }

  /// Evicts a field of a record: with the given arguments (`birds({"first":10})`), or with any if only the name is given.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public nonisolated func evict(_ key: CacheKey, field: String) async throws -> ChangedKeys {
    try await change([.removeField(key, field: field)], ChangeOrigin(.eviction))
  }

  /// Evicts all records that match a pattern.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public nonisolated func evict(matching pattern: RecordPattern) async throws -> ChangedKeys {
    try await change([.removeRecords(pattern)], ChangeOrigin(.eviction))
  }

  /// Removes all records.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be written.
  @discardableResult
  public nonisolated func clear() async throws -> ChangedKeys {
    try await change([.removeAll], ChangeOrigin(.clearing))
  }

  // MARK: Garbage collection

  /// Retains an operation. Until it is released, garbage collection keeps its records.
  public func retain(_ operation: CompiledOperation, variables: JSONValue = .object([])) -> Retainer {
    retained.add(request(operation, variables))
  }

  /// Releases a retained operation. Has no effect if it was already released.
  public func release(_ retainer: Retainer) { retained.remove(retainer) }

  /// Removes records that are not reachable from the roots or by retained operations. With `onlyRetained`, first removes the
  /// root fields that no retained operation reads.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public func collectGarbage(onlyRetained: Bool = false) async throws -> ChangedKeys {
    let collection = CacheMutation.collect(
      rootFields: onlyRetained ? retained.rootFields : nil, keeping: retained.requests)
    return try await change([collection], ChangeOrigin(.collection))
  }

  /// Removes the least recently used records until the values have at most `bytes` bytes. Records that retained operations
  /// can reach, and records used in or after the last write, are kept.
  ///
  /// Reads count as use only if `CachePolicies.byteLimit` is set, in which case trimming is automatic. Otherwise, the
  /// records with the oldest writes are removed first.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public func trim(to bytes: Int) async throws -> ChangedKeys {
    epoch += 1
    defer { epoch += 1 }
    let made = layered(
      try await cache.trim(
        to: bytes, keeping: retained.requests, isObserved: !observers.isEmpty || !layers.isEmpty))
    publish(made, ChangeOrigin(.trimming))
    return made.changedKeys
  }

  // MARK: Optimistic layers

  package var hasOptimisticLayers: Bool { !layers.isEmpty }

  /// Adds an optimistic layer with a response's data. Reads and watchers see it until it is rolled back. The records do not
  /// change.
  ///
  /// - Returns: The layer, for `rollBack`.
  /// - Throws: `CacheTransactionError.notFinite` if a value is NaN or infinite; `CacheFileError` if a cache file cannot be
  ///   read.
  public func writeOptimistically(
    _ data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]),
    options: CacheWriteOptions = .complete
  ) async throws -> OptimisticLayer {
    try CacheTransactionError.check(data)
    // Data that was never fetched does not expire.
    await findQueryTypeName(for: operation)
    var request = request(operation, variables)
    request.policies = policies.withoutTimes
    return try await layOver([.merge(Normalizer.records(of: data, request, options: options.from(.layer)))])
  }

  /// Adds an optimistic layer with a modification of a record. Reads and watchers see it until it is rolled back.
  ///
  /// - Returns: The layer, for `rollBack`.
  /// - Throws: `CacheTransactionError.notFinite` if a field becomes NaN or infinite; `CacheFileError` if a cache file cannot
  ///   be read.
  public func modifyOptimistically(
    _ key: CacheKey, _ body: @escaping @Sendable (inout RecordDraft) -> Void
  ) async throws -> OptimisticLayer {
    try await layOver([.modify(key, body)])
  }

  private func layOver(_ mutations: [CacheMutation]) async throws -> OptimisticLayer {
    epoch += 1
    defer { epoch += 1 }
    let check = ModificationCheck()
    let base = try await cache.snapshot()
    let before = observers.isEmpty ? nil : seen(base)
    let (layer, changed) = layers.add(mutations.map(check.checked), over: base.records, at: clock())
    do {
      try check.finish()
    } catch {
      _ = layers.remove(layer, from: base.records, at: clock())
      throw error
    }
    publish(AppliedChange(changed, before: before, after: before.map { _ in seen(base) }), ChangeOrigin(.optimistic))
    return layer
  }

  /// Removes an optimistic layer and notifies its readers. Has no effect if the layer was already removed. If a cache file
  /// cannot be read, everything counts as changed.
  @discardableResult
  public func rollBack(_ layer: OptimisticLayer) async -> ChangedKeys {
    epoch += 1
    defer { epoch += 1 }
    guard layers.contains(layer) else { return ChangedKeys() }
    guard let base = try? await cache.snapshot() else {
      guard layers.remove(layer, from: RecordSet(), at: clock()) != nil else { return ChangedKeys() }
      let everything = ChangedKeys.everything(of: RecordSet().storage)
      publish(AppliedChange(everything), ChangeOrigin(.rollback))
      return everything
    }
    let before = observers.isEmpty ? nil : seen(base)
    // The layer may have been removed while the snapshot was taken.
    guard let changed = layers.remove(layer, from: base.records, at: clock()) else { return ChangedKeys() }
    // Values that the layer covered have expiry times again.
    memo.forgetEverything()
    publish(AppliedChange(changed, before: before, after: before.map { _ in seen(base) }), ChangeOrigin(.rollback))
    return changed
  }

  // MARK: Inspection

  /// Returns a snapshot of the cache, including optimistic layers.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public func snapshot() async throws -> CacheSnapshot {
    seen(try await cache.snapshot())
  }

  /// Returns the snapshot with the optimistic layers applied.
  private func seen(_ snapshot: CacheSnapshot) -> CacheSnapshot {
    guard !layers.isEmpty else { return snapshot }
    return CacheSnapshot(
      layers.applied(to: snapshot.records, at: clock()), belowLayers: snapshot.records, number: snapshot.number)
  }

  /// Returns summaries of the records that match a filter; by default, of all records.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public nonisolated func summaries(_ filter: RecordFilter = RecordFilter()) async throws -> [RecordSummary] {
    try await snapshot().summaries(filter)
  }

  /// Returns the record with a key, including optimistic layers, or `nil` if there is none.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public nonisolated func record(_ key: CacheKey) async throws -> Record? { try await snapshot().record(key) }

  /// Returns the fields that refer to a key.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public nonisolated func referrers(of key: CacheKey) async throws -> [Referrer] {
    try await snapshot().referrers(of: key)
  }
}
