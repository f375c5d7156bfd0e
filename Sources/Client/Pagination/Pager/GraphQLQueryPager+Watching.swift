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
/// 4. If a pager and a watch, or two pagers, take fields from each other, neither is fetched again for it.
/// 5. If a fetched page has other items than before, the page after it is fetched again too.
/// 6. If a fetch fails, the error is published, and it is repeated after a delay that grows with each failure.
extension GraphQLQueryPager.Actor {
  /// Returns the number of the latest change of the cache, at the start of a fetch.
  func beginFetch() async -> Int { await source.store?.lastChange ?? 0 }

  /// After the last running fetch, the changes during fetches are no longer needed.
  func fetchEnded() {
    if load == nil, refetcher.task == nil { (changesDuringFetches, forgottenChange) = ([], 0) }
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
    let missedChange = changesDuringFetches.last {
      $0.number > fetchBegan && $0.request != page.result.request && read.dependentKeys.intersects($0.changedKeys)
    }
    // If changes were dropped, compare the page with the current state of the cache.
    let change = missedChange ?? (forgottenChange > fetchBegan ? changesDuringFetches.last : nil)
    guard let change, await reread(position, change) else { return }
    execute(refetcher.refetching.changed(by: change, isComplete: false, isLoss: true))
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
    if load != nil || refetcher.task != nil { noteDuringFetches(change) }
    var isLoss = false
    for position in watch.pages(touchedBy: change) {
      if await reread(position, change) { isLoss = true }
    }
    execute(refetcher.refetching.changed(by: change, isComplete: refetcher.lost.isEmpty, isLoss: isLoss))
  }

  /// Keeps the latest changes during fetches, with a limit in case a fetch never ends.
  private func noteDuringFetches(_ change: CacheChange) {
    changesDuringFetches.append(change)
    if changesDuringFetches.count > 1000 { forgottenChange = changesDuringFetches.removeFirst().number }
  }

  /// Reads a page from the cache and publishes it if its data changed. Returns true if the change removed data from it, or
  /// if it restored a page so that the next one is outdated.
  @discardableResult
  private func reread(_ position: Position, _ change: CacheChange?) async -> Bool {
    switch position {
    case .first:
      guard let page = output.initialPage else { return false }
      return await reread(page, at: position, change) { pager, other in
        guard pager.output.initialPage?.key == page.key else { return false }
        if let other { pager.set(other) }
        return true
      }
    case .side(let direction, let arrival):
      guard let page = side(direction).arrival(arrival)?.loaded else { return false }
      return await reread(page, at: position, change) { pager, other in
        guard pager.side(direction).arrival(arrival)?.key == page.key else { return false }
        if let other { pager.set(other, direction, arrival) }
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
    case .lost(let mayFetch):
      guard mayFetch else { return false }
      if let change {
        let count = watch.rereadCount(position)
        let isContested = await isContested(page.query, read, at: position, change)
        // In the meantime, another read may have found the page in a newer state.
        guard count == watch.rereadCount(position) else { return false }
        if isContested {
          refetcher.contest(position)
          return false
        }
      }
      return refetcher.markLost(position)
    case .same: refetcher.restored(position)
    case .other:
      // If a model cannot represent partial data, there is a result without data.
      let data = (try? OperationDecoder.decode(read, page.query)) ?? nil
      let result = CachedResult.result(
        data, read, changedKeys: change?.changedKeys.descriptions ?? [], errors: page.errors,
        elapsed: page.result.elapsed)
      let outdated = refetcher.outdated
      _ = show(self, Page(query: page.query, result: result))
      refetcher.restored(position)
      output.lastUpdated = page.variables
      updateBoundaries()
      publish()
      return !refetcher.outdated.isSubset(of: outdated)
    }
    return false
  }

  /// Returns whether the lost data of a page is not fetched: this pager and a watch take it from each other, and no single
  /// request has taken it since.
  private func isContested<Query: QueryOperation>(
    _ query: Query, _ read: CacheRead, at position: Position, _ change: CacheChange
  ) async -> Bool {
    guard let store = source.store, change.watch != nil,
      let replacement = try? await store.replacement(of: read, query.compiled, variables: query.variables)
    else { return refetcher.contested.contains(position) && !change.isSingleResponse }
    return await store.noteTaking(in: change, from: identity, replacement).isConflict
      || refetcher.contested.contains(position)
  }

  // MARK: Fetching lost data

  private func execute(_ decision: RefetchScheduler.Decision) {
    switch decision {
    case .nothing: break
    case .fetch(let depth):
      refetcher.depth = depth
      refetchLostPages()
    case .wait(let delay):
      refetcher.timer = Task { [weak self, sleep = options.refetching.sleep] in
        try? await sleep(delay)
        if !Task.isCancelled { await self?.waited() }
      }
    }
  }

  private func waited() { execute(refetcher.refetching.waited()) }

  /// Starts to fetch pages with lost data, unless this is already in progress or a load is running.
  func refetchLostPages() {
    guard refetcher.task == nil, load == nil, refetcher.depth != nil, !refetcher.lost.isEmpty else { return }
    // The task does not retain the pager during a request; releasing the pager cancels the task.
    refetcher.task = Task { [weak self, source] in
      while !Task.isCancelled, let lost = await self?.nextLost() {
        do {
          switch lost {
          case .first(let query, let options, let fetchBegan):
            let result = try await Self.result(of: query, options, from: source)
            await self?.replace(Page(query: query, result: result), fetchBegan)
          case .other(let query, let options, let fetchBegan, let position):
            let result = try await Self.result(of: query, options, from: source)
            await self?.replace(Page(query: query, result: result), fetchBegan, at: position)
          }
        } catch {
          await self?.refetchingFailed(error)
          return
        }
      }
      await self?.refetchingEnded()
    }
  }

  private enum LostPage: Sendable {
    case first(InitialQuery, RequestOptions, fetchBegan: Int)
    case other(PaginatedQuery, RequestOptions, fetchBegan: Int, Position)
  }

  /// Returns the next page to fetch. Skips pages that have become complete in the meantime.
  private func nextLost() async -> LostPage? {
    while load == nil, let position = refetcher.lost.first, let depth = refetcher.depth {
      if !refetcher.outdated.contains(position) { await reread(position, nil) }
      let fetchBegan = await beginFetch()
      guard refetcher.lost.first == position, load == nil else { continue }
      var options = options
      options.cachePolicy = .networkOnly
      options.refetchDepth = depth
      options.watch = identity
      switch position {
      case .first: if let page = output.initialPage { return .first(page.query, options, fetchBegan: fetchBegan) }
      case .side(let direction, let arrival):
        if let query = queryOfLost(direction, arrival) {
          return .other(query, options, fetchBegan: fetchBegan, position)
        }
        removePages(direction, from: arrival)
      }
      refetcher.remove(position)
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
  private func replace(_ page: Page<InitialQuery>, _ fetchBegan: Int) async {
    guard !Task.isCancelled, output.initialPage?.key == page.key else { return }
    set(page)
    await replace(page, fetchBegan, .first)
  }

  private func replace(_ page: Page<PaginatedQuery>, _ fetchBegan: Int, at position: Position) async {
    guard !Task.isCancelled, case .side(let direction, let arrival) = position,
      let former = side(direction).arrival(arrival)?.key,
      former == page.key || refetcher.outdated.contains(position)
    else { return }
    if positions[former] == position { positions[former] = nil }
    positions[page.key] = position
    refetcher.arrived(position)
    set(page, direction, arrival)
    await replace(page, fetchBegan, position)
  }

  private func replace<Query: QueryOperation>(_ page: Page<Query>, _ fetchBegan: Int, _ position: Position) async {
    refetcher.remove(position)
    if refetcher.hasFailed { output.failure = nil }
    refetcher.hasFailed = false
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

  private func refetchingEnded() {
    guard !Task.isCancelled else { return }
    refetcher.task = nil
    fetchEnded()
    guard refetcher.lost.isEmpty else { return refetchLostPages() }
    refetcher.depth = nil
    refetcher.refetching.succeeded(hasData: true)
  }

  private func refetchingFailed(_ error: any Error) {
    guard !Task.isCancelled else { return }
    refetcher.task = nil
    fetchEnded()
    refetcher.depth = nil
    refetcher.hasFailed = true
    output.failure = PagerError(error, isCancelled: false)
    publish()
    execute(refetcher.refetching.failed(error))
  }
}
