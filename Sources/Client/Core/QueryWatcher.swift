import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

/// Gives a query's result again whenever the cache changes under it.
///
/// 1. The query is fetched as its policy says; all its results are passed on.
/// 2. What the cache now has of it is the base: its dependent keys tell which changes matter.
/// 3. When a change meets them and the data has become another, it is published.
/// 4. When something was lost, what is left is published, and the query fetched anew, once for each loss.
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
          continuation.finish(throwing: error)
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
  /// The last result that came from a fetch.
  private var given: GraphQLResult<Query.Data>?
  /// What the cache has.
  private var base: CacheRead?
  /// Whether the base was given out: what others changed while a fetch ran is in it, and nobody has been told.
  private var isBaseKnown = false
  /// How much the cache is to have: what is missing beyond that was lost.
  private var holding = CacheHolding.nothing
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
    sender.finish()
  }

  mutating func run() async throws {
    let (store, query) = (watcher.store, watcher.query)
    // What is watched is not collected, and does not fall to the limit of the cache.
    let retainer = await store.retain(query.compiled, variables: query.variables)
    defer { Task { await store.release(retainer) } }
    fetchBegan = await store.lastChange
    do {
      try await passOn(watcher.options)
      try await readBase()
    } catch let error as CancellationError {
      throw error
    } catch {
      // What the cache had is on the screen already.
      guard given != nil else { throw error }
      try await goOn(after: error)
    }
    for await event in events {
      switch event {
      case .change(let change): try await changed(change)
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
    if !isSame(read, base) {
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

  private func isSame(_ left: CacheRead, _ right: CacheRead) -> Bool {
    left.isComplete == right.isComplete && left.missing == right.missing && left.data == right.data
      && left.fragments.map(\.state) == right.fragments.map(\.state)
  }

  // MARK: Fetching

  /// Fetches, and passes the results on.
  private mutating func passOn(_ options: RequestOptions) async throws {
    for try await result in watcher.client.fetch(query: watcher.query, options: options) {
      given = result
      results.yield(result)
    }
    try Task.checkCancellation()
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
    fetchBegan = await watcher.store.lastChange
    do {
      try await passOn(options)
      refetching.succeeded(hasData: hasAnswered)
      try await readBase()
    } catch let error as CancellationError {
      throw error
    } catch {
      try await goOn(after: error)
    }
  }

  /// Tells of a fetch that failed, beside what the cache has, and asks again later.
  private mutating func goOn(after error: any Error) async throws {
    try Task.checkCancellation()
    try await readBase()
    isBaseKnown = true
    if let base { publish(base, nil, [GraphQLError(message: "\(error)")]) }
    try await carryOut(refetching.failed(error))
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
  private mutating func publishBase(_ change: CacheChange) {
    isBaseKnown = true
    guard let base, given.map({ !CacheAnswer.isSame($0, base) }) ?? true else { return }
    publish(base, change)
  }

  private func publish(_ read: CacheRead, _ change: CacheChange?, _ errors: [GraphQLError] = []) {
    // A model may have no room for what is missing: then there is a result, and no data in it.
    let data = (try? TypedData.make(read, watcher.query)) ?? nil
    results.yield(
      CacheAnswer.result(
        data, read, changedKeys: change?.changedKeys.descriptions ?? [], errors: errors,
        elapsed: start.duration(to: .now)))
  }
}
