import ApusClientOperation
import ApusClientRecords
import ApusJSON
import ApusPlatform
import Synchronization

/// The client's cache: writes responses as records, reads operations back from them, and tells who listens what changed.
///
/// Responses are taken apart and put together outside the actor; inside it only the cache itself is changed. A change
/// is published, once, after all of it was made.
public actor CacheStore {
  let cache: any NormalizedCache
  private nonisolated let rules: Mutex<Rules>
  private nonisolated let clock: @Sendable () -> UInt32
  var listeners: [Int: Listener] = [:]
  var nextListener = 0
  private var number = 0
  /// The number of the newest change that was told.
  package var lastChange: Int { number }
  /// Counts the moments at which a change may have begun or ended: a read between two is of one state.
  private var epoch = 0
  /// How many refreshes are under way: until they have published what others wrote, a remembered read may be outdated.
  private var refreshCount = 0
  private var memo = ReadMemo()
  private var layers = OptimisticLayers()
  private var retained = RetainedOperations()
  var following: Task<Void, Never>?
  nonisolated let observers = CacheObservers()

  private struct Rules: Sendable {
    let resolver: CacheKeyResolver
    let policies: CachePolicies
    /// How often they were replaced: a read by other rules is another read.
    var number = 0
  }

  /// - Parameter clock: seconds since 1970; what decides when something has outlived its time.
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
  }

  /// Seconds since 1970.
  nonisolated var now: UInt32 { clock() }

  // MARK: Rules

  /// How objects get their keys.
  public nonisolated var resolver: CacheKeyResolver { rules.withLock { $0.resolver } }
  /// For how long and by which arguments fields are kept, and how their values join.
  public nonisolated var policies: CachePolicies { rules.withLock { $0.policies } }

  /// Gives what is written and read from now on other keys and policies; what was written keeps its keys.
  public nonisolated func use(_ resolver: CacheKeyResolver, _ policies: CachePolicies) {
    rules.withLock { $0 = Rules(resolver: resolver, policies: policies, number: $0.number + 1) }
  }

  // MARK: Reading

  /// Reads an operation's data. With `allowPartial` the data of an incomplete read is what there is, without the fields
  /// and the deferred fragments that are not; without `allowStale` what has outlived its time is missing.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read. What is not in the cache is no error:
  ///   `CacheRead.missing` lists it.
  public nonisolated func read(
    _ operation: CompiledOperation, variables: JSONValue = .object([]), allowPartial: Bool = false,
    allowStale: Bool = false
  ) async throws -> CacheRead {
    try await read(
      operation, on: nil, variables: variables, allowPartial: allowPartial, allowStale: allowStale)
  }

  /// The same for a fragment on the record under `key`.
  package nonisolated func read(
    _ operation: CompiledOperation, on key: CacheKey?, variables: JSONValue, allowPartial: Bool, allowStale: Bool
  ) async throws -> CacheRead {
    let rules = rules.withLock { $0 }
    let moment = ReadMoment(time: clock(), allowsStale: allowStale, notesUse: rules.policies.byteLimit != nil)
    let request = request(operation, variables, on: key, by: rules)
    let key = ReadMemo.Request(
      operation: operation, key: key, variables: variables, allowPartial: allowPartial, allowStale: allowStale,
      rules: rules.number)
    if let known = try await remembered(key, at: moment.time) {
      await noteUse(known.use)
      return known
    }
    let (records, epoch) = try await recordsForReading(request)
    let read = RecordReader.read(request, from: records, moment, allowPartial: allowPartial)
    await remember(read, for: key, asOf: epoch)
    await noteUse(read.use)
    return read
  }

  private nonisolated func noteUse(_ use: RecordUse) async {
    if !use.hashes.isEmpty { await cache.note(use) }
  }

  nonisolated func request(
    _ operation: CompiledOperation, _ variables: JSONValue, on key: CacheKey? = nil
  ) -> RecordRequest {
    request(operation, variables, on: key, by: rules.withLock { $0 })
  }

  private nonisolated func request(
    _ operation: CompiledOperation, _ variables: JSONValue, on key: CacheKey?, by rules: Rules
  ) -> RecordRequest {
    RecordRequest(
      plan: SelectionPlan(operation: operation, variables: variables), policies: rules.policies,
      resolver: rules.resolver, fragmentOn: key)
  }

  private func remembered(_ request: ReadMemo.Request, at time: UInt32) async throws -> CacheRead? {
    // What others wrote to a file makes a remembered read another.
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

  /// Writes a response's data, whole or as far as it has come.
  ///
  /// - Parameters:
  ///   - data: The response's `data`, an object.
  ///   - variables: An object with the operation's variables.
  /// - Returns: What was changed; empty where everything was there already.
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func write(
    _ data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]),
    options: CacheWriteOptions = .whole
  ) async throws -> ChangedKeys {
    try CacheTransactionError.check(data)
    return try await change(
      [.merge(records(of: data, operation, variables, options))],
      ChangeOrigin(
        .write(operation: operation.name, part: options.part), request: options.request,
        refetchDepth: options.refetchDepth))
  }

  nonisolated func records(
    of data: JSONValue, _ operation: CompiledOperation, _ variables: JSONValue, _ options: CacheWriteOptions
  ) -> RecordSet {
    Normalizer.records(of: data, request(operation, variables), options: options, time: now)
  }

  /// Changes a record by a function. Fields are named by their keys, arguments included; a record that is not there
  /// begins without fields.
  ///
  /// - Throws: `CacheTransactionError.notFinite` where a field becomes NaN or infinite: then nothing is changed;
  ///   `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func modify(
    _ key: CacheKey, _ body: @escaping @Sendable (inout RecordDraft) -> Void
  ) async throws -> ChangedKeys {
    try await change([.modify(key, body)], ChangeOrigin(.modification))
  }

  /// Makes a change of several steps; `title` is what those who listen are told that it is.
  ///
  /// - Throws: `CacheTransactionError.notFinite` where a function makes a field NaN or infinite, `CacheFileError` where a
  ///   cache file cannot be read or written; then none of the steps is made.
  @discardableResult
  public nonisolated func apply(
    _ mutations: [CacheMutation], cause: CacheChange.Cause = .transaction, title: String? = nil
  ) async throws -> ChangedKeys {
    try await change(mutations, ChangeOrigin(cause, title: title))
  }

  /// Makes the fields that a change touched what they were in a snapshot from before it, as far as they still are what the
  /// change left: what others have written since is theirs. `title` is what those who listen are told that it is.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func restore(
    _ changed: ChangedKeys, from snapshot: CacheSnapshot, title: String? = nil
  ) async throws -> ChangedKeys {
    let origin = ChangeOrigin(.modification, title: title)
    // What only lies over the records is not kept.
    let snapshot = snapshot.withoutLayers
    if changed.isEverything { return try await change([.removeAll, .merge(snapshot.records)], origin) }
    let now = try await cache.snapshot()
    var removals: [CacheMutation] = []
    var exports: [(String, JSONValue)] = []
    let places = changed.places
    for key in changed.baseKeys {
      let touched = RestoredFields(places[key] ?? [], now)
      let then = snapshot.record(key)
      let kept = Set((then?.fields ?? []).map(\.key))
      let present = now.record(key)?.fields ?? []
      if then == nil, present.allSatisfy({ touched.contains($0.key) }) {
        removals.append(.removeRecord(key))
      } else {
        removals += present.filter { !kept.contains($0.key) && touched.contains($0.key) }
          .map { .removeField(key, field: $0.key) }
      }
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

  /// Makes a change that depends on what the cache holds, without its optimistic layers.
  func change(
    _ origin: ChangeOrigin,
    _ body: @escaping @Sendable (_ records: RecordLookup, _ time: UInt32) throws -> [CacheMutation]
  ) async throws -> ChangedKeys {
    let made = Mutex<[CacheMutation]>([])
    // An update writes what it has read, which is no use of it.
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
    _ body: (any NormalizedCache, _ time: UInt32, _ isObserved: Bool) async throws -> MadeChange
  ) async throws -> ChangedKeys {
    // Counted before and after, so that a read that began with the old records is not remembered as one of the new.
    epoch += 1
    defer { epoch += 1 }
    var made = try await body(cache, clock(), !observers.isEmpty || !layers.isEmpty)
    // The change is made. What fails from here on does not undo it, and is met again: by the next read, by the next change.
    do { try await refresh() } catch { memo.forgetEverything() }
    made = layered(made)
    publish(made, origin)
    if let limit = policies.byteLimit {
      if let use = use() { await cache.note(use) }
      if let count = try? await cache.byteCount(), count > limit { _ = try? await trim(to: limit - limit / 4) }
    }
    return made.changedKeys
  }

  /// Looks whether other processes changed the file, and publishes what they did.
  ///
  /// - Throws: `CacheFileError` where the cache file cannot be read.
  public func refresh() async throws {
    guard cache.isShared else { return }
    refreshCount += 1
    defer { refreshCount -= 1 }
    let changes = try await cache.foreignChanges()
    guard !changes.isEmpty else { return }
    // As with a change of one's own: a read that began before is not remembered, one that is remembered is forgotten.
    epoch += 1
    for changed in changes { memo.forget(layered(MadeChange(changed)).changedKeys) }
    for changed in changes { await publishForeign(changed) }
  }

  private func publish(_ made: MadeChange, _ origin: ChangeOrigin) {
    memo.forget(made.changedKeys)
    guard !made.changedKeys.isEmpty else { return }
    number += 1
    let change = CacheChange(number: number, origin, made.changedKeys)
    for listener in listeners.values { listener.hear(change) }
    if let after = made.after {
      observers.tell(ObservedCacheChange(change: change, before: made.before, after: after))
    }
  }

  /// A change of the cache as readers see it through the optimistic layers. The effect of a layer depends on the records
  /// below it, so all that the layers touch, before the change and after it, counts as changed. Where only the change is
  /// known, everything does.
  private func layered(_ made: MadeChange) -> MadeChange {
    if layers.isEmpty || made.changedKeys.isEmpty { return made }
    var changed = made.changedKeys
    if let before = made.before, let after = made.after {
      for snapshot in [before, after] { changed.formUnion(layers.changes(over: snapshot.records, at: clock())) }
    } else {
      changed.formUnion(.everything(of: RecordSet().storage))
    }
    return MadeChange(changed, before: made.before.map(seen), after: made.after.map(seen))
  }

  /// What another process wrote is seen when it is there already: nobody has the cache before it.
  private func publishForeign(_ changed: ChangedKeys) async {
    let after = observers.isEmpty || changed.isEmpty ? nil : try? await cache.snapshot()
    publish(layered(MadeChange(changed, after: after)), ChangeOrigin(.foreign))
  }

  /// Adds the records of an export; fields that are there already take its values.
  ///
  /// - Parameter json: What `CacheExport` wrote.
  /// - Throws: `CacheImportError` where the JSON is no export or one of another version, `CacheFileError` where a cache
  ///   file cannot be written; nothing is imported then.
  @discardableResult
  public nonisolated func importRecords(_ json: JSONValue) async throws -> ChangedKeys {
    try await change([.merge(try CacheImport.records(json))], ChangeOrigin(.importing))
  }

  // MARK: Removing

  /// Removes a record, and tells its fields as changed, and those who listen, even if there was none. Cascading, each
  /// record that only it led to goes too.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func evict(_ key: CacheKey, cascading: Bool = false) async throws -> ChangedKeys {
    try await change([.removeRecord(key, cascading: cascading)], ChangeOrigin(.eviction))
  }

  /// Removes a field of a record: `birds({"first":10})` with these arguments, `birds` with any.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func evict(_ key: CacheKey, field: String) async throws -> ChangedKeys {
    try await change([.removeField(key, field: field)], ChangeOrigin(.eviction))
  }

  /// Removes every record that a pattern takes in.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func evict(matching pattern: RecordPattern) async throws -> ChangedKeys {
    try await change([.removeRecords(pattern)], ChangeOrigin(.eviction))
  }

  /// Removes everything.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be written.
  @discardableResult
  public nonisolated func clear() async throws -> ChangedKeys {
    try await change([.removeAll], ChangeOrigin(.clearing))
  }

  // MARK: Collecting

  /// Keeps what an operation reads when the roots are collected down to what is retained, until it is released.
  public func retain(_ operation: CompiledOperation, variables: JSONValue = .object([])) -> Retainer {
    retained.add(request(operation, variables))
  }

  /// Ends what `retain` began; releasing twice is no matter.
  public func release(_ retainer: Retainer) { retained.remove(retainer) }

  /// Removes every record that cannot be reached from the roots. With `onlyRetained` the roots first lose the fields
  /// that no retained operation reads.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public func collect(onlyRetained: Bool = false) async throws -> ChangedKeys {
    let collection = CacheMutation.collect(
      rootFields: onlyRetained ? retained.rootFields : nil, keeping: retained.requests)
    return try await change([collection], ChangeOrigin(.collection))
  }

  /// Removes the records that were used the longest ago, until at most `bytes` of values are left: all but what retained
  /// operations lead to and what was used in the last write or since. What was used is noted where
  /// `CachePolicies.byteLimit` is set, which trims by itself; else the oldest writes go first.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
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

  /// Whether anything lies over the records.
  package var hasOptimisticLayers: Bool { !layers.isEmpty }

  /// Lays a write over the records until it is rolled back: reads and watchers see it, the records stay as they are.
  ///
  /// - Returns: The layer, for `rollBack`.
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public func writeOptimistically(
    _ data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]),
    options: CacheWriteOptions = .whole
  ) async throws -> OptimisticLayer {
    try CacheTransactionError.check(data)
    // What was never fetched has no time to outlive.
    var request = request(operation, variables)
    request.policies = policies.withoutTimes
    return try await layOver([.merge(Normalizer.records(of: data, request, options: options))])
  }

  /// Lays a change of one record over the records until it is rolled back.
  ///
  /// - Returns: The layer, for `rollBack`.
  /// - Throws: `CacheTransactionError.notFinite` where a field becomes NaN or infinite; `CacheFileError` where a cache file cannot be read.
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
    publish(MadeChange(changed, before: before, after: before.map { _ in seen(base) }), ChangeOrigin(.optimism))
    return layer
  }

  /// Takes a layer away: everyone who read it reads again. One that is gone already is no matter. Where a cache file
  /// cannot be read just now, everything counts as changed.
  @discardableResult
  public func rollBack(_ layer: OptimisticLayer) async -> ChangedKeys {
    epoch += 1
    defer { epoch += 1 }
    guard layers.contains(layer) else { return ChangedKeys() }
    guard let base = try? await cache.snapshot() else {
      guard layers.remove(layer, from: RecordSet(), at: clock()) != nil else { return ChangedKeys() }
      let everything = ChangedKeys.everything(of: RecordSet().storage)
      publish(MadeChange(everything), ChangeOrigin(.rollback))
      return everything
    }
    let before = observers.isEmpty ? nil : seen(base)
    // Someone else may have taken it away meanwhile.
    guard let changed = layers.remove(layer, from: base.records, at: clock()) else { return ChangedKeys() }
    // What a layer covered has times of its own again.
    memo.forgetEverything()
    publish(MadeChange(changed, before: before, after: before.map { _ in seen(base) }), ChangeOrigin(.rollback))
    return changed
  }

  // MARK: Inspecting

  /// The cache as it is now, optimistic layers included, to be looked through outside the actor.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public func snapshot() async throws -> CacheSnapshot {
    seen(try await cache.snapshot())
  }

  /// The records of the cache as they look through the optimistic layers.
  private func seen(_ snapshot: CacheSnapshot) -> CacheSnapshot {
    guard !layers.isEmpty else { return snapshot }
    return CacheSnapshot(
      layers.applied(to: snapshot.records, at: clock()), beneathLayers: snapshot.records, number: snapshot.number)
  }

  /// A line for each record that the filter takes in; without one for all records.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public nonisolated func summaries(_ filter: RecordFilter = RecordFilter()) async throws -> [RecordSummary] {
    try await snapshot().summaries(filter)
  }

  /// The record under a key, optimistic layers included; `nil` where there is none.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public nonisolated func record(_ key: CacheKey) async throws -> Record? { try await snapshot().record(key) }

  /// The fields that refer to a key.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public nonisolated func referrers(of key: CacheKey) async throws -> [Referrer] {
    try await snapshot().referrers(of: key)
  }
}
