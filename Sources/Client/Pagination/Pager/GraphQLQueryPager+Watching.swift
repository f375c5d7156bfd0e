import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientOperation
import ApusClientRequestChain
import ApusJSON

/// Updates pages after changes of the cache.
///
/// 1. If a change affects a page's data, the page is published again.
/// 2. If a change removes data of a page, the page is kept and fetched again. Such pages are fetched one at a time,
///    after the current load.
/// 3. If a fetch also completes other pages, these are not fetched.
/// 4. If a fetch fails, the error is published, and it is repeated after a delay that grows with each failure.
extension GraphQLQueryPager.Actor {
  /// Returns the number of the latest change of the cache, at the start of a fetch.
  func beginFetch() async -> Int { await source.store?.lastChange ?? 0 }

  /// After the last running fetch, the changes during fetches are no longer needed.
  func fetchEnded() {
    if load == nil, mending.task == nil { (changesDuringFetches, forgottenChange) = ([], 0) }
  }

  func watchPage<Query: QueryOperation>(
    _ page: Page<Query>, at position: Position, fetchBegan: Int, mayFetch: Bool,
    while isWanted: (isolated GraphQLQueryPager.Actor) -> Bool
  ) async {
    guard let store = source.store, let read = await cached(page.query, in: store), isWanted(self) else { return }
    watch.loaded(position, page.result, read, fetchBegan: fetchBegan, mayFetch: mayFetch)
    // Retained records are kept by garbage collection and by the cache's size limit.
    let retainer = await store.retain(page.query.compiled, variables: page.query.variables)
    if let former = retainers.updateValue(retainer, forKey: position) { await store.release(former) }
    guard isWanted(self) else { return releaseUnwatched() }
    // Changes by others during the fetch were published before the page was watched.
    let existing = changesDuringFetches.last {
      $0.number > fetchBegan && $0.request != page.result.request && read.dependentKeys.intersects($0.changedKeys)
    }
    // If changes were dropped, compare the page with the current state of the cache.
    let change = existing ?? (forgottenChange > fetchBegan ? changesDuringFetches.last : nil)
    guard let change, await reread(position, change) else { return }
    execute(mending.refetching.changed(by: change, isComplete: false, isLoss: true))
  }

  /// Returns the cached data of a page. Expired data is included, because expiry is not a loss.
  private func cached<Query: QueryOperation>(_ query: Query, in store: CacheStore) async -> CacheRead? {
    try? await CachedResult.read(query, store, allowStale: true)
  }

  /// Releases the retained operations of pages that are no longer watched.
  func releaseUnwatched() {
    let given = retainers.filter { !watch.has($0.key) }
    guard !given.isEmpty, let store = source.store else { return }
    retainers = retainers.filter { watch.has($0.key) }
    Task { for retainer in given.values { await store.release(retainer) } }
  }

  func cacheChanged(_ change: CacheChange) async {
    if load != nil || mending.task != nil { noteDuringFetches(change) }
    var isLoss = false
    for position in watch.pages(touchedBy: change) {
      if await reread(position, change) { isLoss = true }
    }
    execute(mending.refetching.changed(by: change, isComplete: mending.lost.isEmpty, isLoss: isLoss))
  }

  /// Keeps the latest changes during fetches, with a limit in case a fetch never ends.
  private func noteDuringFetches(_ change: CacheChange) {
    changesDuringFetches.append(change)
    if changesDuringFetches.count > 1000 { forgottenChange = changesDuringFetches.removeFirst().number }
  }

  /// Reads a page from the cache and publishes it if its data changed. Returns true if the change removed data from it.
  @discardableResult
  private func reread(_ position: Position, _ change: CacheChange?) async -> Bool {
    switch position {
    case .first:
      guard let page = output.initialPage else { return false }
      return await reread(page, at: position, change) { pager, other in
        guard pager.output.initialPage?.key == page.key else { return false }
        pager.output.initialPage = other ?? pager.output.initialPage
        return true
      }
    case .side(let direction, let arrival):
      guard let page = side(direction).arrival(arrival) else { return false }
      return await reread(page, at: position, change) { pager, other in
        guard pager.side(direction).arrival(arrival)?.key == page.key else { return false }
        if let other { pager.setSide(direction, arrival, to: other) }
        return true
      }
    }
  }

  /// Reads a page from the cache. `show` replaces the page if it is given one, and returns false if the page no longer
  /// exists.
  private func reread<Query: QueryOperation>(
    _ page: Page<Query>, at position: Position, _ change: CacheChange?,
    show: (isolated GraphQLQueryPager.Actor, Page<Query>?) -> Bool
  ) async -> Bool {
    guard let store = source.store else { return false }
    var read: CacheRead?
    var count: Int
    repeat {
      count = watch.rereadCount(position)
      read = await cached(page.query, in: store)
    } while count != watch.rereadCount(position)
    guard let read, show(self, nil) else { return false }
    switch watch.reread(position, read, change) {
    case .lost(let mayFetch): return mayFetch && mending.markLost(position)
    case .same: mending.remove(position)
    case .other:
      mending.remove(position)
      // If a model cannot represent partial data, there is a result without data.
      let data = (try? OperationDecoder.decode(read, page.query)) ?? nil
      let result = CachedResult.result(
        data, read, changedKeys: change?.changedKeys.descriptions ?? [], errors: page.errors,
        elapsed: page.result.elapsed)
      _ = show(self, Page(query: page.query, result: result))
      output.lastUpdated = page.variables
      updateBoundaries()
      publish()
    }
    return false
  }

  // MARK: Fetching lost data

  private func execute(_ decision: RefetchScheduler.Decision) {
    switch decision {
    case .nothing: break
    case .fetch(let depth):
      mending.depth = depth
      refetchLostPages()
    case .wait(let delay):
      mending.timer = Task { [weak self, sleep = options.refetching.sleep] in
        try? await sleep(delay)
        if !Task.isCancelled { await self?.waited() }
      }
    }
  }

  private func waited() { execute(mending.refetching.waited()) }

  /// Starts to fetch pages with lost data, unless this is already in progress or a load is running.
  func refetchLostPages() {
    guard mending.task == nil, load == nil, mending.depth != nil, !mending.lost.isEmpty else { return }
    // The task does not retain the pager during a request; releasing the pager cancels the task.
    mending.task = Task { [weak self, source] in
      while !Task.isCancelled, let lost = await self?.nextLost() {
        do {
          switch lost {
          case .first(let query, let options, let fetchBegan):
            let result = try await Self.result(of: query, options, from: source)
            await self?.mended(Page(query: query, result: result), fetchBegan)
          case .other(let query, let options, let fetchBegan, let position):
            let result = try await Self.result(of: query, options, from: source)
            await self?.mended(Page(query: query, result: result), fetchBegan, at: position)
          }
        } catch {
          await self?.mendingFailed(error)
          return
        }
      }
      await self?.mendingEnded()
    }
  }

  private enum LostPage: Sendable {
    case first(InitialQuery, RequestOptions, fetchBegan: Int)
    case other(PaginatedQuery, RequestOptions, fetchBegan: Int, Position)
  }

  /// Returns the next page to fetch. Skips pages that have become complete in the meantime.
  private func nextLost() async -> LostPage? {
    while load == nil, let position = mending.lost.first, let depth = mending.depth {
      await reread(position, nil)
      let fetchBegan = await beginFetch()
      guard mending.lost.first == position, load == nil else { continue }
      var options = options
      options.cachePolicy = .networkOnly
      options.refetchDepth = depth
      switch position {
      case .first: if let page = output.initialPage { return .first(page.query, options, fetchBegan: fetchBegan) }
      case .side(let direction, let arrival):
        if let page = side(direction).arrival(arrival) {
          return .other(page.query, options, fetchBegan: fetchBegan, position)
        }
      }
      mending.remove(position)
    }
    return nil
  }

  private static func result<Query: QueryOperation>(
    of query: Query, _ options: RequestOptions, from source: any PageSource
  ) async throws -> GraphQLResult<Query.Data> {
    var last: GraphQLResult<Query.Data>?
    for try await result in source.results(of: query, options: options) { last = result }
    try Task.checkCancellation()
    guard let last, last.hasData else { throw PagerError.noData(last?.errors ?? []) }
    return last
  }

  // The page may have been replaced, which cancels this fetch.
  private func mended(_ page: Page<InitialQuery>, _ fetchBegan: Int) async {
    guard !Task.isCancelled, output.initialPage?.key == page.key else { return }
    output.initialPage = page
    await mended(page, fetchBegan, .first)
  }

  private func mended(_ page: Page<PaginatedQuery>, _ fetchBegan: Int, at position: Position) async {
    guard !Task.isCancelled, case .side(let direction, let arrival) = position,
      side(direction).arrival(arrival)?.key == page.key
    else { return }
    setSide(direction, arrival, to: page)
    await mended(page, fetchBegan, position)
  }

  private func mended<Query: QueryOperation>(_ page: Page<Query>, _ fetchBegan: Int, _ position: Position) async {
    mending.remove(position)
    if mending.hasFailed { output.failure = nil }
    mending.hasFailed = false
    output.lastUpdated = page.variables
    updateBoundaries()
    publish()
    await watchPage(page, at: position, fetchBegan: fetchBegan, mayFetch: true) { pager in
      !Task.isCancelled && pager.has(page, at: position)
    }
  }

  /// Returns whether a page is still at its position.
  private func has<Query: QueryOperation>(_ page: Page<Query>, at position: Position) -> Bool {
    switch position {
    case .first: output.initialPage?.key == page.key
    case .side(let direction, let arrival): side(direction).arrival(arrival)?.key == page.key
    }
  }

  private func mendingEnded() {
    guard !Task.isCancelled else { return }
    mending.task = nil
    fetchEnded()
    guard mending.lost.isEmpty else { return refetchLostPages() }
    mending.depth = nil
    mending.refetching.succeeded(hasData: true)
  }

  private func mendingFailed(_ error: any Error) {
    guard !Task.isCancelled else { return }
    mending.task = nil
    fetchEnded()
    mending.depth = nil
    mending.hasFailed = true
    output.failure = PagerError(error, isCancelled: false)
    publish()
    execute(mending.refetching.failed(error))
  }
}
