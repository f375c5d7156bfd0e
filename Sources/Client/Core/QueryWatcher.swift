import ApusClientAPI
import ApusClientCache
import ApusClientOperation
import ApusClientRequestChain
import ApusJSON

/// Emits a query's result again whenever cached data that it uses changes.
///
/// 1. The query is fetched according to its policy, and all results are emitted. Changes made by the user or the
///    application in the meantime are emitted immediately; changes by other responses, when the fetch has ended.
/// 2. The cached data after the fetch is the base. Its dependent keys determine which changes are relevant.
/// 3. If a change affects them and the data differs from the base, it is emitted.
/// 4. If data was lost, the remaining data is emitted, and the query fetched again, once for each loss. Data lost to
///    another response is not emitted as missing: the last complete result stays until the new one arrives. If two
///    watches take fields from each other, neither is fetched again for it.
/// 5. A failed fetch is reported, and repeated after a delay that grows with each failure. Only the failure of the
///    first fetch without any result ends the watch.
struct QueryWatcher<Query: QueryOperation>: Sendable {
  let client: GraphQLClient
  let store: CacheStore
  let query: Query
  let options: RequestOptions

  /// The number of newest results buffered for a slow reader.
  private static var bufferedCount: Int { 16 }

  func results() -> GraphQLClient.Results<Query.Data> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.bufferedCount)) { continuation in
      let task = Task {
        do {
          var watch = await Watch(self, continuation)
          try await watch.run()
          continuation.finish()
        } catch {
          // A watch that was canceled ends; its reader may not have gone yet.
          if Task.isCancelled { continuation.finish() } else { continuation.finish(throwing: error) }
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

private struct Watch<Query: QueryOperation>: ~Copyable {
  private enum Event: Sendable {
    case change(CacheChange)
    case fetched(GraphQLResult<Query.Data>)
    case fetchEnded((any Error)?)
    /// A delay has passed.
    case due
  }

  private let watcher: QueryWatcher<Query>
  private let results: GraphQLClient.Results<Query.Data>.Continuation
  private let start = ContinuousClock.now
  private let events: AsyncStream<Event>
  private let sender: AsyncStream<Event>.Continuation

  private var refetching: RefetchScheduler
  private var timer: Task<Void, Never>?
  /// The current fetch.
  private var fetching: Task<Void, Never>?
  /// Whether the newest fetch follows a loss or a failure.
  private var isRefetch = false
  /// Newest changes during the current fetch, processed when it has ended.
  private var changesMeanwhile: [CacheChange] = []
  private var hasForgottenChanges = false
  private static var keptChanges: Int { 1000 }
  /// Whether the cache contains all of the last fetched result, so that reading the cache loses nothing.
  private var isGivenKept = false
  /// The cached data emitted after the last fetched result.
  private var shown: CacheRead?
  /// The last emitted result, without the errors of failed fetches.
  private var lastResult: GraphQLResult<Query.Data>?
  /// The last fetched result.
  private var given: GraphQLResult<Query.Data>?
  /// The cached data.
  private var base: CacheRead?
  /// Whether the base was emitted. It may contain changes made by others during a fetch, which were not emitted yet.
  private var isBaseKnown = false
  /// The data that the cache is expected to have. Anything else missing counts as lost.
  private var holding = CacheReadSummary.nothing
  /// The cached part of the emitted result that stays valid after another response removed some of its data.
  private var lastSummary: CacheReadSummary?
  /// The number of the newest change at the start of the last fetch.
  private var fetchBegan = 0

  init(_ watcher: QueryWatcher<Query>, _ results: GraphQLClient.Results<Query.Data>.Continuation) async {
    self.watcher = watcher
    self.results = results
    refetching = RefetchScheduler(watcher.options)
    // Listening starts before the fetch, so that no change is missed.
    (events, sender) = await watcher.store.changes { .change($0) }
  }

  deinit {
    timer?.cancel()
    fetching?.cancel()
    sender.finish()
  }

  mutating func run() async throws {
    let (store, query) = (watcher.store, watcher.query)
    // Retained records are exempt from garbage collection and from the size limit.
    let retainer = await store.retain(query.compiled, variables: query.variables)
    defer { Task { await store.release(retainer) } }
    await fetch(watcher.options)
    for await event in events {
      switch event {
      case .change(let change) where fetching != nil: try await changedMeanwhile(change)
      case .change(let change): try await changed(change)
      case .fetched(let result): try await emit(result)
      case .fetchEnded(let error): try await fetchEnded(error)
      case .due: try await execute(refetching.waited())
      }
    }
    try Task.checkCancellation()
  }

  // MARK: Changes

  private mutating func changed(_ change: CacheChange) async throws {
    // The base was read after the fetch's own writes. Other differences come from changes that will be reported.
    guard let base, !isOwn(change), base.dependentKeys.intersects(change.changedKeys) else { return }
    let read = try await read()
    // Missing data in optimistic values will be in the response.
    if change.cause == .optimistic, read.hasLost(since: holding) { return }
    let replacement = try await replacement(of: read)
    if keepsResult(read, change, replacement) {
      self.base = read
      isBaseKnown = true
    } else if !isSame(read, base) {
      self.base = read
      isBaseKnown = true
      publish(read, change)
    } else if !isBaseKnown {
      publishBase(change)
    }
    // Losses before the last fetch are repaired by that fetch.
    guard change.number > fetchBegan else { return }
    let isLoss = read.hasLost(since: holding)
    // The response that took the data is reported later, because the read already contains it.
    if isLoss, replacement?.isLocal == false, !mayTakeData(change) { return }
    holding = CacheReadSummary(read)
    var isConflict = false
    if let replacement {
      isConflict = await watcher.store.noteTaking(in: change, from: identity, replacement).isConflict
    }
    try await execute(
      refetching.changed(by: change, isComplete: read.isComplete, isLoss: isLoss, isConflict: isConflict))
  }

  private var identity: WatchIdentity {
    WatchIdentity(watcher.query.compiled, variables: watcher.query.variables)
  }

  /// Returns the last replacement that took data of the query, if other objects took everything that is missing.
  private func replacement(of read: CacheRead) async throws -> CacheReplacement? {
    guard read.hasLost(since: lastSummary ?? holding) else { return nil }
    let query = watcher.query
    return try await CachedResult.reportingFailures {
      try await watcher.store.replacement(of: read, query.compiled, variables: query.variables)
    }
  }

  /// Whether the emitted result stays, because a response removed data: that of the change, or a later one that the
  /// read already contains.
  private mutating func keepsResult(_ read: CacheRead, _ change: CacheChange, _ replacement: CacheReplacement?) -> Bool
  {
    let isResponse =
      switch change.cause {
      case .write: true
      case .external: replacement != nil
      case .eviction, .clearing, .modification, .collection, .trimming, .optimistic, .rollback, .imported,
        .transaction:
        replacement?.isLocal == false
      }
    if isResponse, lastSummary == nil, read.hasLost(since: holding) { lastSummary = holding }
    guard let lastSummary, read.hasLost(since: lastSummary) else {
      lastSummary = nil
      return false
    }
    // Intentional removals are shown.
    if isResponse || !read.hasLost(since: holding) { return true }
    self.lastSummary = nil
    return false
  }

  /// Whether a change is a response, of this process or another, which can take data from other objects.
  private func mayTakeData(_ change: CacheChange) -> Bool {
    switch change.cause {
    case .write, .external: true
    case .eviction, .clearing, .modification, .collection, .trimming, .optimistic, .rollback, .imported, .transaction:
      false
    }
  }

  /// Processes a change during a fetch. Only changes that are not responses are emitted immediately, because a response
  /// may be that of the fetch itself.
  private mutating func changedMeanwhile(_ change: CacheChange) async throws {
    changesMeanwhile.append(change)
    if changesMeanwhile.count > Self.keptChanges {
      changesMeanwhile.removeFirst()
      hasForgottenChanges = true
    }
    if case .write = change.cause {
      if isOwn(change) { isGivenKept = true }
      return
    }
    guard let given, isGivenKept, shown?.dependentKeys.intersects(change.changedKeys) ?? true else { return }
    let read = try await read()
    // The fetch may bring back the lost data.
    guard !read.hasLost(since: CacheReadSummary(read, after: given)) else { return }
    if isShown(read) { shown = read } else { publish(read, change) }
  }

  /// Reads the query from the cache, including expired data, because it was emitted and is still valid.
  private func read() async throws -> CacheRead {
    try await CachedResult.read(watcher.query, watcher.store, allowStale: true)
  }

  /// Reads the base. It may contain changes by others during the fetch, so losses are determined relative to the
  /// fetched result.
  private mutating func readBase() async throws {
    let read = try await read()
    base = read
    holding = given.map { CacheReadSummary(read, after: $0) } ?? CacheReadSummary(read)
    isBaseKnown = false
  }

  /// Whether the change was made by the last fetch.
  private func isOwn(_ change: CacheChange) -> Bool {
    change.request.map { $0 == given?.request } ?? false
  }

  private func isSame(_ result: GraphQLResult<Query.Data>, _ read: CacheRead) -> Bool {
    let query = watcher.query
    return CachedResult.isSame(
      result, read, plan: SelectionPlan(operation: query.compiled, variables: query.variables))
  }

  private func isSame(_ left: CacheRead, _ right: CacheRead) -> Bool {
    left.isComplete == right.isComplete && left.missing == right.missing && left.data == right.data
      && left.fragments.map(\.state) == right.fragments.map(\.state)
  }

  // MARK: Fetching

  /// Starts a fetch. Its results arrive as events, in order with the changes.
  private mutating func fetch(_ options: RequestOptions) async {
    fetchBegan = await watcher.store.lastChange
    var options = options
    options.watch = identity
    fetching = Task { [sender, watcher, options] in
      do {
        for try await result in watcher.client.fetch(query: watcher.query, options: options) {
          sender.yield(.fetched(result))
        }
        sender.yield(.fetchEnded(nil))
      } catch {
        sender.yield(.fetchEnded(error))
      }
    }
  }

  private mutating func emit(_ result: GraphQLResult<Query.Data>) async throws {
    given = result
    lastSummary = nil
    isGivenKept = result.source == .cache
    shown = nil
    let emitted = try await covered(result) ?? result
    lastResult = emitted
    results.yield(emitted)
  }

  /// Returns a server result with the optimistic layers of the cache applied. `nil` if there are none, or the result is
  /// not in the cache.
  private mutating func covered(_ result: GraphQLResult<Query.Data>) async throws -> GraphQLResult<Query.Data>? {
    let options = watcher.options
    guard result.source == .server, result.completeness == .complete, options.cacheWriteTiming == .beforeResult,
      options.cacheWrites != .never, await watcher.store.hasOptimisticLayers
    else { return nil }
    let read = try await read()
    guard read.isComplete, !isSame(result, read), let data = try? OperationDecoder.decode(read, watcher.query) else {
      return nil
    }
    shown = read
    var covered = GraphQLResult(
      data: data, errors: result.errors, extensions: result.extensions, source: .server, completeness: .complete,
      fragments: read.fragments, changedKeys: result.changedKeys, payloadIndex: result.payloadIndex,
      elapsed: result.elapsed,
      byteCount: result.byteCount, changedPaths: [ResponsePath([])])
    covered.json = read.data
    covered.request = result.request
    return covered
  }

  private mutating func fetchEnded(_ error: (any Error)?) async throws {
    fetching = nil
    if let error, !isAnswered(despite: error) {
      // If the cached data was emitted, the watch continues.
      guard given != nil, !(error is CancellationError) else { throw error }
      try await publishBase(despite: error)
    } else {
      if isRefetch { refetching.succeeded(hasData: hasAnswered) }
      try await readBase()
    }
    isGivenKept = true
    if hasForgottenChanges {
      hasForgottenChanges = false
      publishBase(nil)
    } else if base?.isComplete == true, await watcher.store.hasOptimisticLayers {
      publishBase(nil)
    }
    let changes = changesMeanwhile
    changesMeanwhile = []
    for change in changes {
      // A loss among these changes may have started another fetch.
      if fetching == nil { try await changed(change) } else { changesMeanwhile.append(change) }
    }
  }

  private mutating func execute(_ decision: RefetchScheduler.Decision) async throws {
    switch decision {
    case .nothing: break
    case .fetch(let depth): try await refetch(depth)
    case .wait(let delay):
      timer = Task { [sender, sleep = watcher.options.refetching.sleep] in
        try? await sleep(delay)
        if !Task.isCancelled { sender.yield(.due) }
      }
    }
  }

  private mutating func refetch(_ depth: Int) async throws {
    var options = watcher.options
    options.cachePolicy = .networkOnly
    options.refetchDepth = depth
    isRefetch = true
    await fetch(options)
  }

  /// Emits the cached data with the error of a failed fetch, and schedules another one. If another response removed
  /// data, the last complete result is emitted with the error.
  private mutating func publishBase(despite error: any Error) async throws {
    try Task.checkCancellation()
    if case GraphQLClientError.cacheFailure = error, var partial = given {
      // The result is valid even though it cannot be cached. Fetching again would not help.
      partial.errors.append(GraphQLError(message: "\(error)"))
      results.yield(partial)
      return
    }
    try await readBase()
    isBaseKnown = true
    let failure = GraphQLError(message: "\(error)")
    if lastSummary != nil, base?.isComplete == false, var kept = lastResult {
      kept.errors.append(failure)
      results.yield(kept)
    } else {
      lastSummary = nil
      if let base { publish(base, nil, [failure]) }
    }
    try await execute(refetching.failed(error))
  }

  /// Whether a fetch that ended with a protocol error produced a complete result.
  private func isAnswered(despite error: any Error) -> Bool {
    guard case GraphQLClientError.protocolViolation = error else { return false }
    return given?.source == .server && given?.completeness == .complete
  }

  /// Whether the last fetch returned data. Data that contradicts the schema counts, because the server would return it
  /// again.
  private var hasAnswered: Bool {
    guard let given else { return false }
    return given.json.map { !$0.isNull } ?? false
      || given.errors.contains { $0.extensions?["code"]?.string == GraphQLError.invalidResponseCode }
  }

  // MARK: Publishing

  /// Emits the base, unless it is the same as the last fetched result.
  private mutating func publishBase(_ change: CacheChange?) {
    isBaseKnown = true
    guard let base, !isShown(base) else { return }
    publish(base, change)
  }

  private func isShown(_ read: CacheRead) -> Bool {
    if let shown { return isSame(shown, read) }
    return given.map { isSame($0, read) } ?? false
  }

  private mutating func publish(_ read: CacheRead, _ change: CacheChange?, _ errors: [GraphQLError] = []) {
    shown = read
    // Incomplete data may not be representable by a model. Then the result has no data.
    let data = (try? OperationDecoder.decode(read, watcher.query)) ?? nil
    var result = CachedResult.result(
      data, read, changedKeys: change?.changedKeys.descriptions ?? [], elapsed: start.duration(to: .now))
    lastResult = result
    result.errors += errors
    results.yield(result)
  }
}
