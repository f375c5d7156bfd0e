import ClientOperation
import JSON

/// The client's cache: writes responses as records, reads operations back from them, and tells who listens what changed.
///
/// Responses are taken apart and put together outside the actor; inside it only the cache itself is changed. A change
/// is published, once, after all of it was made.
public actor CacheStore {
  private let cache: any NormalizedCache
  /// How objects get their keys.
  public nonisolated let resolver: CacheKeyResolver
  private var listeners: [Int: AsyncStream<CacheChange>.Continuation] = [:]
  private var nextListener = 0
  private var number = 0
  /// Counts the moments at which a change may have begun or ended: a read between two is of one state.
  private var epoch = 0
  private var memo = ReadMemo()

  public init(cache: any NormalizedCache = InMemoryNormalizedCache(), resolver: CacheKeyResolver = CacheKeyResolver()) {
    self.cache = cache
    self.resolver = resolver
  }

  // MARK: Reading

  /// Reads an operation's data. With `allowPartial` the data of an incomplete read is what there is, without the fields
  /// and the deferred fragments that are not.
  public nonisolated func read(
    _ operation: CompiledOperation, variables: JSONValue = .object([]), allowPartial: Bool = false
  ) async throws -> CacheRead {
    let request = ReadMemo.Request(operation: operation, variables: variables, allowPartial: allowPartial)
    if let known = await remembered(request) { return known }
    let (records, epoch) = try await recordsForReading(operation.rootKey)
    let plan = SelectionPlan(operation: operation, variables: variables)
    let read = RecordReader.read(plan, from: records, allowPartial: allowPartial)
    await remember(read, for: request, asOf: epoch)
    return read
  }

  private func remembered(_ request: ReadMemo.Request) -> CacheRead? { memo[request] }

  private func remember(_ read: CacheRead, for request: ReadMemo.Request, asOf epoch: Int) {
    if epoch == self.epoch { memo[request] = read }
  }

  private func recordsForReading(_ root: CacheKey) async throws -> (RecordSet, Int) {
    let epoch = epoch
    return (try await cache.records(for: [root]), epoch)
  }

  // MARK: Writing

  /// Writes a response's data, whole or as far as it has come.
  @discardableResult
  public nonisolated func write(
    _ data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]),
    options: CacheWriteOptions = .whole
  ) async throws -> ChangedKeys {
    let records = Normalizer.records(
      of: data, operation: operation, variables: variables, resolver: resolver, options: options)
    return try await change([.merge(records)], cause: .write(operation: operation.name, part: options.part))
  }

  /// Removes a record, and tells its fields as changed, and those who listen, even if there was none.
  @discardableResult
  public nonisolated func evict(_ key: CacheKey) async throws -> ChangedKeys {
    try await change([.removeRecord(key)], cause: .eviction)
  }

  /// Removes a field of a record: `birds({"first":10})` with these arguments, `birds` with any.
  @discardableResult
  public nonisolated func evict(_ key: CacheKey, field: String) async throws -> ChangedKeys {
    try await change([.removeField(key, field: field)], cause: .eviction)
  }

  /// Removes everything.
  @discardableResult
  public nonisolated func clear() async throws -> ChangedKeys {
    try await change([.removeAll], cause: .clearing)
  }

  /// Makes several changes as one: all or, when `body` throws, none, and those who listen hear of one change.
  @discardableResult
  public nonisolated func transaction(
    _ body: (inout CacheTransaction) throws -> Void
  ) async throws -> ChangedKeys {
    var transaction = CacheTransaction(resolver: resolver)
    try body(&transaction)
    guard !transaction.mutations.isEmpty else { return ChangedKeys() }
    return try await change(transaction.mutations, cause: .transaction)
  }

  private func change(_ mutations: [CacheMutation], cause: CacheChange.Cause) async throws -> ChangedKeys {
    // Counted before and after, so that a read that began with the old records is not remembered as one of the new.
    epoch += 1
    defer { epoch += 1 }
    let changed = try await cache.apply(mutations)
    guard !changed.isEmpty else { return changed }
    number += 1
    memo.forget(changed)
    let change = CacheChange(number: number, cause: cause, changedKeys: changed)
    for listener in listeners.values { listener.yield(change) }
    return changed
  }

  // MARK: Listening

  /// Every change from now on. Many may listen; each ends when its consumer does.
  public func changes() -> AsyncStream<CacheChange> {
    let id = nextListener
    nextListener += 1
    let (stream, continuation) = AsyncStream.makeStream(of: CacheChange.self)
    listeners[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.removeListener(id) }
    }
    return stream
  }

  private func removeListener(_ id: Int) { listeners[id] = nil }

  // MARK: Inspecting

  /// The cache as it is now, to be looked through outside the actor.
  public nonisolated func snapshot() async throws -> CacheSnapshot { try await cache.snapshot() }

  public nonisolated func summaries(_ filter: RecordFilter = RecordFilter()) async throws -> [RecordSummary] {
    try await snapshot().summaries(filter)
  }

  public nonisolated func record(_ key: CacheKey) async throws -> Record? { try await snapshot().record(key) }

  /// The fields that refer to a key.
  public nonisolated func referrers(of key: CacheKey) async throws -> [Referrer] {
    try await snapshot().referrers(of: key)
  }
}

/// Changes to a cache that are made as one.
public struct CacheTransaction {
  private let resolver: CacheKeyResolver
  private(set) var mutations: [CacheMutation] = []

  init(resolver: CacheKeyResolver) { self.resolver = resolver }

  public mutating func write(
    _ data: JSONValue, operation: CompiledOperation, variables: JSONValue = .object([]),
    options: CacheWriteOptions = .whole
  ) {
    mutations.append(
      .merge(
        Normalizer.records(
          of: data, operation: operation, variables: variables, resolver: resolver, options: options)))
  }

  public mutating func merge(_ records: RecordSet) { mutations.append(.merge(records)) }
  public mutating func evict(_ key: CacheKey) { mutations.append(.removeRecord(key)) }
  public mutating func evict(_ key: CacheKey, field: String) { mutations.append(.removeField(key, field: field)) }
  public mutating func clear() { mutations.append(.removeAll) }
}

/// The last reads, so that reading again what did not change costs nothing.
struct ReadMemo {
  struct Request {
    let operation: CompiledOperation
    let variables: JSONValue
    let allowPartial: Bool
  }

  private static let limit = 8
  private var entries: [(request: Request, read: CacheRead)] = []

  subscript(request: Request) -> CacheRead? {
    get {
      entries.first {
        $0.request.operation === request.operation && $0.request.allowPartial == request.allowPartial
          && $0.request.variables == request.variables
      }?.read
    }
    set {
      guard let newValue else { return }
      if entries.count == Self.limit { entries.removeFirst() }
      entries.append((request, newValue))
    }
  }

  mutating func forget(_ changed: ChangedKeys) {
    entries.removeAll { $0.read.dependentKeys.areTouched(by: changed) }
  }
}
