import ApusClientAPI
import ApusClientCache
import ApusClientOperation
import ApusClientRequestChain
import ApusJSON

/// Gives a query's result again whenever the cache changes under it.
///
/// 1. The query is fetched as its policy says; all its results are passed on. What the user or the application does to the
///    cache meanwhile is shown at once; what other responses bring, when the fetch has ended.
/// 2. What the cache now has of it is the base: its dependent keys tell which changes matter.
/// 3. When a change meets them and the data has become another, it is published.
/// 4. When something was lost, what is left is published, and the query fetched again, once for each loss. A loss to another
///    response is not published: the last complete result stays until the answer is there.
/// 5. A fetch that fails is told, and comes again after a wait that grows with each failure. Only the first one, where
///    nothing was given yet, ends the watch.
struct QueryWatcher<Query: QueryOperation>: Sendable {
  let client: GraphQLClient
  let store: CacheStore
  let query: Query
  let options: RequestOptions

  /// How many results are kept for a reader who does not take them: the newest.
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

/// One watch while it runs.
private struct Watch<Query: QueryOperation>: ~Copyable {
  private enum Event: Sendable {
    case change(CacheChange)
    case fetched(GraphQLResult<Query.Data>)
    case fetchEnded((any Error)?)
    /// A wait is over.
    case due
  }

  private let watcher: QueryWatcher<Query>
  private let results: GraphQLClient.Results<Query.Data>.Continuation
  private let start = ContinuousClock.now
  private let events: AsyncStream<Event>
  private let sender: AsyncStream<Event>.Continuation

  private var refetching: Refetching
  private var timer: Task<Void, Never>?
  /// The fetch that runs, which may take long or hang.
  private var fetching: Task<Void, Never>?
  /// Whether the newest fetch is to make good a loss or a failure.
  private var isRefetch = false
  /// What changed while it runs, the newest of it: what it means is known when it has ended.
  private var changesMeanwhile: [CacheChange] = []
  private var hasForgottenChanges = false
  private static var keptChanges: Int { 1000 }
  /// Whether the cache has all of the last result that came from a fetch, so that a read takes nothing back.
  private var isGivenKept = false
  /// What was given out behind the last result of a fetch.
  private var shown: CacheRead?
  /// The last result that came from a fetch.
  private var given: GraphQLResult<Query.Data>?
  /// What the cache has.
  private var base: CacheRead?
  /// Whether the base was given out: what others changed while a fetch ran is in it, and nobody has been told.
  private var isBaseKnown = false
  /// How much the cache is to have: what is missing beyond that was lost.
  private var holding = CacheHolding.nothing
  /// The cache's part of the result that stays, while another response has taken something from it.
  private var kept: CacheHolding?
  /// The number of the newest change when the last fetch began.
  private var fetchBegan = 0

  init(_ watcher: QueryWatcher<Query>, _ results: GraphQLClient.Results<Query.Data>.Continuation) async {
    self.watcher = watcher
    self.results = results
    refetching = Refetching(watcher.options)
    // Before the fetch, so that no change falls between it and the listening.
    (events, sender) = await watcher.store.changes { .change($0) }
  }

  deinit {
    timer?.cancel()
    fetching?.cancel()
    sender.finish()
  }

  mutating func run() async throws {
    let (store, query) = (watcher.store, watcher.query)
    // What is watched is not collected, and does not fall to the limit of the cache.
    let retainer = await store.retain(query.compiled, variables: query.variables)
    defer { Task { await store.release(retainer) } }
    await fetch(watcher.options)
    for await event in events {
      switch event {
      case .change(let change) where fetching != nil: try await changedMeanwhile(change)
      case .change(let change): try await changed(change)
      case .fetched(let result): try await pass(result)
      case .fetchEnded(let error): try await fetchEnded(error)
      case .due: try await carryOut(refetching.waited())
      }
    }
    try Task.checkCancellation()
  }

  // MARK: Changes

  private mutating func changed(_ change: CacheChange) async throws {
    // The base was read behind the fetch's own writes. What is different by now, others did, and are about to tell.
    guard let base, !isOwn(change), base.dependentKeys.areTouched(by: change.changedKeys) else { return }
    let read = try await read()
    // What a guess does not tell, the real answer will.
    if change.cause == .optimism, read.hasLost(since: holding) { return }
    if keepsResult(read, change) {
      self.base = read
      isBaseKnown = true
    } else if !isSame(read, base) {
      self.base = read
      isBaseKnown = true
      publish(read, change)
    } else if !isBaseKnown {
      publishBase(change)
    }
    // What was lost before the last fetch began, that fetch made good.
    guard change.number > fetchBegan else { return }
    let isLoss = read.hasLost(since: holding)
    holding = CacheHolding(read)
    try await carryOut(refetching.changed(by: change, isComplete: read.isComplete, isLoss: isLoss))
  }

  /// Whether the result that was given out stays, because a response took something that a fetch will bring back.
  private mutating func keepsResult(_ read: CacheRead, _ change: CacheChange) -> Bool {
    guard refetching.isAllowed else { return false }
    if case .write = change.cause, kept == nil, read.hasLost(since: holding) { kept = holding }
    guard let kept, read.hasLost(since: kept) else {
      kept = nil
      return false
    }
    switch change.cause {
    case .write: return true
    case .eviction, .clearing, .modification, .collection, .trimming, .optimism, .rollback, .foreign, .importing,
      .transaction:
      // A removal on purpose is shown.
      if !read.hasLost(since: holding) { return true }
      self.kept = nil
      return false
    }
  }

  /// A change while a fetch runs. Only what is no response is shown at once: it was done here and now. A response may be
  /// the fetch's own, on its way here too.
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
    guard let given, isGivenKept, shown?.dependentKeys.areTouched(by: change.changedKeys) ?? true else { return }
    let read = try await read()
    // What was lost, the fetch may be about to make good.
    guard !read.hasLost(since: CacheHolding(read, after: given)) else { return }
    if isShown(read) { shown = read } else { publish(read, change) }
  }

  /// What has outlived its time is read too: it was given out, and nothing was taken from it.
  private func read() async throws -> CacheRead {
    try await CacheAnswer.read(watcher.query, watcher.store, allowStale: true)
  }

  /// What others did while the fetch ran may be in it, and is told of only now: it is measured by what the fetch gave.
  private mutating func readBase() async throws {
    let read = try await read()
    base = read
    holding = given.map { CacheHolding(read, after: $0) } ?? CacheHolding(read)
    isBaseKnown = false
  }

  /// Whether the last fetch itself wrote it: what it gave is known.
  private func isOwn(_ change: CacheChange) -> Bool {
    change.request.map { $0 == given?.request } ?? false
  }

  private func isSame(_ result: GraphQLResult<Query.Data>, _ read: CacheRead) -> Bool {
    let query = watcher.query
    return CacheAnswer.isSame(
      result, read, plan: SelectionPlan(operation: query.compiled, variables: query.variables))
  }

  private func isSame(_ left: CacheRead, _ right: CacheRead) -> Bool {
    left.isComplete == right.isComplete && left.missing == right.missing && left.data == right.data
      && left.fragments.map(\.state) == right.fragments.map(\.state)
  }

  // MARK: Fetching

  /// Begins to fetch. The results come as events, as what changes meanwhile does.
  private mutating func fetch(_ options: RequestOptions) async {
    fetchBegan = await watcher.store.lastChange
    fetching = Task { [sender, watcher] in
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

  private mutating func pass(_ result: GraphQLResult<Query.Data>) async throws {
    given = result
    kept = nil
    isGivenKept = result.source == .cache
    shown = nil
    results.yield(try await covered(result) ?? result)
  }

  /// An answer of the server as it looks beneath the optimistic values that lie over the cache: the server does not know of
  /// them yet. `nil` where none lies over it, or it is not in the cache.
  private mutating func covered(_ result: GraphQLResult<Query.Data>) async throws -> GraphQLResult<Query.Data>? {
    let options = watcher.options
    guard result.source == .server, result.response == .complete, options.cacheWriteTiming == .beforeResult,
      options.cacheWrites != .never, await watcher.store.hasOptimisticLayers
    else { return nil }
    let read = try await read()
    guard read.isComplete, !isSame(result, read), let data = try? TypedData.make(read, watcher.query) else {
      return nil
    }
    shown = read
    var covered = GraphQLResult(
      data: data, errors: result.errors, extensions: result.extensions, source: .server, response: .complete,
      fragments: read.fragments, changedKeys: result.changedKeys, part: result.part, elapsed: result.elapsed,
      byteCount: result.byteCount, changedPaths: [ResponsePath([])])
    covered.json = read.data
    covered.request = result.request
    return covered
  }

  private mutating func fetchEnded(_ error: (any Error)?) async throws {
    fetching = nil
    if let error, !isAnswered(despite: error) {
      // What the cache had is on the screen already.
      guard given != nil, !(error is CancellationError) else { throw error }
      try await goOn(after: error)
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
      // A loss among them may have begun another fetch.
      if fetching == nil { try await changed(change) } else { changesMeanwhile.append(change) }
    }
  }

  private mutating func carryOut(_ decision: Refetching.Decision) async throws {
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

  /// Tells of a fetch that failed, beside what the cache has, and asks again later.
  private mutating func goOn(after error: any Error) async throws {
    try Task.checkCancellation()
    if case GraphQLClientError.cacheFailure = error, var told = given {
      // What arrived is not lost because it cannot be kept; asked again, it could not be kept either.
      told.errors.append(GraphQLError(message: "\(error)"))
      results.yield(told)
      return
    }
    try await readBase()
    isBaseKnown = true
    kept = nil
    if let base { publish(base, nil, [GraphQLError(message: "\(error)")]) }
    try await carryOut(refetching.failed(error))
  }

  /// Whether a fetch that ended with an error has brought a complete answer, whose errors say what broke the protocol.
  private func isAnswered(despite error: any Error) -> Bool {
    guard case GraphQLClientError.brokenProtocol = error else { return false }
    return given?.source == .server && given?.response == .complete
  }

  /// Whether the last fetch brought data. What contradicts the schema is data too, even where nothing of it could be
  /// given out: asked again, the server would say the same.
  private var hasAnswered: Bool {
    guard let given else { return false }
    return given.json.map { !$0.isNull } ?? false
      || given.errors.contains { $0.extensions?["code"]?.string == GraphQLError.invalidResponseCode }
  }

  // MARK: Publishing

  /// Gives the base out, unless a fetch has just brought the same.
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
    // A model may have no room for what is missing: then there is a result, and no data in it.
    let data = (try? TypedData.make(read, watcher.query)) ?? nil
    results.yield(
      CacheAnswer.result(
        data, read, changedKeys: change?.changedKeys.descriptions ?? [], errors: errors,
        elapsed: start.duration(to: .now)))
  }
}
