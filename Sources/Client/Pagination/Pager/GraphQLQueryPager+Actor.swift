import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

extension GraphQLQueryPager {
  /// Loads the pages of a query's results, one load at a time.
  ///
  /// 1. `fetch` loads the initial page, `loadNext` and `loadPrevious` the adjacent pages, and `loadAll` all remaining pages.
  /// 2. Each result is published, including cached results and partial results of pages with deferred fragments.
  /// 3. A call returns when its request is complete; with `cacheAndNetwork`, when the network's result is complete. A
  ///    second call in the meantime throws `loadInProgress`.
  /// 4. From then on, the page is watched: if a change of the cache affects its data, it is published again.
  ///
  /// Canceling the calling task, `cancel` and `reset` cancel the request. Later results are not published.
  public actor Actor {
    typealias Strategy = PagingStrategy<InitialQuery, PaginatedQuery>
    typealias Position = PagePosition

    let source: any PageSource
    private let firstQuery: InitialQuery
    let strategy: Strategy
    let options: RequestOptions
    nonisolated let channel: Multicast<Output>

    var output = Output()
    /// The positions of all completely loaded pages, to detect a cursor that was already used.
    var positions: [PageKey: Position] = [:]
    /// The number of the current load. Results of other loads are discarded.
    var load: Int?
    private var lastLoad = 0
    private var task: Task<Void, any Error>?

    private var emptyPages = EmptyPageCount()
    /// The items of all pages, if the strategy ends at repeated ones.
    private var loadedItems = LoadedItems()
    /// The items of all pages by key, to leave out repeated ones.
    var items = PageItems()

    var watch = PageWatcher<Position>()
    /// The retainers of the watched pages' records.
    var retainers: [Position: Retainer] = [:]
    private var watchTask: Task<Void, Never>?
    /// Changes that were received while a page was being fetched.
    var changesDuringFetches: [CacheChange] = []
    /// The number of the latest change that was dropped because there were too many; 0 for none.
    var forgottenChange = 0
    var refetcher: PageRefetcher<Position>

    /// Creates a pager for the results of a query.
    ///
    /// - Parameters:
    ///   - source: The source of the results, such as a `GraphQLClient`.
    ///   - initialQuery: The query of the initial page.
    ///   - strategy: The strategy that finds the other pages.
    ///   - options: The options of all requests. The cache policy is a parameter of each call instead.
    public init(
      source: any PageSource, initialQuery: InitialQuery, strategy: PagingStrategy<InitialQuery, PaginatedQuery>,
      options: RequestOptions = .init()
    ) {
      self.source = source
      firstQuery = initialQuery
      self.strategy = strategy
      self.options = options
      refetcher = PageRefetcher(options)
      channel = Multicast(Output())
    }

    /// Creates a pager with an initial page that was already loaded.
    public init(
      source: any PageSource, startingWith page: Page<InitialQuery>,
      strategy: PagingStrategy<InitialQuery, PaginatedQuery>, options: RequestOptions = .init()
    ) {
      self.source = source
      firstQuery = page.query
      self.strategy = strategy
      self.options = options
      refetcher = PageRefetcher(options)
      emptyPages.came(at: nil, isEmpty: page.isEmpty)
      var output = Output()
      output.initialPage = page
      _ = items.set(page, at: .first)
      output.lastUpdated = page.variables
      positions = [page.key: .first]
      if strategy.endsAtRepeatedItems { loadedItems.add(page) }
      (output.canLoadNext, output.end) = Self.outlook(
        strategy.nextStep(.next, from: .first(page)), isLoop: { $0.key == page.key })
      (output.canLoadPrevious, output.start) = Self.outlook(
        strategy.nextStep(.previous, from: .first(page)), isLoop: { $0.key == page.key })
      self.output = output
      channel = Multicast(output)
    }

    deinit {
      watchTask?.cancel()
      task?.cancel()
      refetcher.cancel()
      if let store = source.store, !retainers.isEmpty {
        Task { [retainers] in for retainer in retainers.values { await store.release(retainer) } }
      }
    }

    // MARK: State

    /// The current state of all pages.
    public var current: Output { output }
    /// Whether there is a next page.
    public var canLoadNext: Bool { output.canLoadNext }
    /// Whether there is a previous page.
    public var canLoadPrevious: Bool { output.canLoadPrevious }

    /// The pager's output now and after each change, for any number of iterators.
    public nonisolated var outputs: PagerValues<Output> { PagerValues(channel) { $0 } }
    /// Whether there is a next page, now and after each change.
    public nonisolated var canLoadNextValues: PagerValues<Bool> { PagerValues(channel) { $0.canLoadNext }.distinct() }
    /// Whether there is a previous page, now and after each change.
    public nonisolated var canLoadPreviousValues: PagerValues<Bool> {
      PagerValues(channel) { $0.canLoadPrevious }.distinct()
    }

    func publish() { channel.send(output) }

    // MARK: Loading

    /// Loads the initial page. Previously loaded pages are discarded when it arrives.
    ///
    /// - Throws: `PagerError`: `loadInProgress`, `cancelled`, `noData`, or `failed` for any other error of the request.
    public func fetch(cachePolicy: CachePolicy = .cacheFirst) async throws(PagerError) {
      _ = try await perform(.first(cachePolicy))
    }

    /// Reloads the initial page. The existing pages remain until it arrives.
    ///
    /// - Throws: `PagerError`; see `fetch(cachePolicy:)`.
    public func refetch(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
      _ = try await perform(.first(cachePolicy))
    }

    /// Loads the page after the last loaded page.
    ///
    /// - Throws: `PagerError`: `missingInitialPage` before the initial page is loaded, `noMoreContent` after the last page,
    ///   `noQuery` if the strategy does not support this direction, and the errors of `fetch(cachePolicy:)`.
    public func loadNext(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
      _ = try await perform(.side(.next, cachePolicy))
    }

    /// Loads the page before the first loaded page.
    ///
    /// - Throws: `PagerError`; see `loadNext(cachePolicy:)`.
    public func loadPrevious(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
      _ = try await perform(.side(.previous, cachePolicy))
    }

    /// Loads pages forward and then backward, until both ends are reached, `pageLimit` pages are loaded, or the task is
    /// canceled.
    ///
    /// - Parameters:
    ///   - fetchFromInitialPage: Whether to reload the initial page first instead of continuing from the loaded pages.
    ///   - cachePolicy: The cache policy of the requests.
    ///   - pageLimit: The maximum number of loaded pages; `nil` for no limit.
    ///   - progress: A closure that is called after each page. `Output.progress` has the same value.
    /// - Returns: The reason why loading stopped.
    /// - Throws: `PagerError`; see `loadNext(cachePolicy:)`. The end of the list is not an error, except after too many
    ///   consecutive empty pages (`noMoreContent(.emptyPages)`).
    @discardableResult
    public func loadAll(
      fetchFromInitialPage: Bool = true, cachePolicy: CachePolicy = .networkOnly, pageLimit: Int? = nil,
      progress: (@Sendable (PagerProgress) -> Void)? = nil
    ) async throws(PagerError) -> PagingStopReason {
      try await perform(
        .all(fetchFromInitialPage: fetchFromInitialPage, cachePolicy, pageLimit: pageLimit, progress: progress))
    }

    /// Executes a call and returns the reason why it stopped.
    func perform(_ call: PagerCall) async throws(PagerError) -> PagingStopReason {
      try await finish(begin(call))
      if case .all(_, _, let limit?, _) = call, output.pageCount >= limit,
        output.canLoadNext || output.canLoadPrevious
      {
        return .pageLimit
      }
      return output.end ?? output.start ?? .lastPage
    }

    /// Starts a load without waiting for its end. A call after this one finds the load in progress.
    func launch(_ call: PagerCall, _ launches: PagerTask, completion: GraphQLQueryPager.Completion?) {
      let load: Load
      do throws(PagerError) {
        if launches.isOver { throw .cancelled }
        load = try begin(call)
        launches.hold(load.task)
      } catch {
        completion?(error)
        return
      }
      Task {
        do throws(PagerError) {
          try await self.finish(load)
          completion?(nil)
        } catch {
          completion?(error)
        }
      }
    }

    private func run(_ call: PagerCall, load: Int) async throws {
      switch call {
      case .first(let policy): try await loadFirst(policy, load: load)
      case .side(let direction, let policy): try await loadSide(direction, policy, load: load)
      case .all(let fromFirst, let policy, let limit, let progress):
        try await loadEach(fromFirst, policy, limit, progress, load: load)
      }
    }

    private func loadEach(
      _ fetchFromInitialPage: Bool, _ policy: CachePolicy, _ pageLimit: Int?,
      _ progress: (@Sendable (PagerProgress) -> Void)?, load: Int
    ) async throws {
      let start = ContinuousClock.now
      func reportProgress() {
        let state = PagerProgress(pages: output.pageCount, elapsed: start.duration(to: .now))
        output.progress = state
        publish()
        progress?(state)
      }
      if fetchFromInitialPage {
        try await loadFirst(policy, load: load)
        reportProgress()
      }
      guard output.initialPage != nil else { throw PagerError.missingInitialPage }
      for direction in [PagingDirection.next, .previous] {
        while canLoad(direction), pageLimit.map({ output.pageCount < $0 }) ?? true {
          try await loadSide(direction, policy, load: load)
          reportProgress()
        }
        if emptyPages[direction] >= strategy.emptyPageLimit { throw PagerError.noMoreContent(.emptyPages) }
      }
    }

    private func canLoad(_ direction: PagingDirection) -> Bool {
      direction == .next ? output.canLoadNext : output.canLoadPrevious
    }

    /// Cancels the current load, if any. Loaded pages are kept.
    public func cancel() {
      endLoad(.cancelled)
      refetchLostPages()
    }

    /// Cancels the current load and discards all pages.
    public func reset() {
      endLoad(nil)
      output = Output()
      positions = [:]
      loadedItems = LoadedItems()
      items = PageItems()
      watch.removeAll()
      releaseUnwatched()
      refetcher.reset()
      publish()
    }

    private func endLoad(_ failure: PagerError?) {
      guard load != nil else { return }
      task?.cancel()
      loadEnded(failure)
    }

    private func loadEnded(_ failure: PagerError?) {
      load = nil
      task = nil
      fetchEnded()
      output.isLoading = false
      output.progress = nil
      output.failure = failure
      updateBoundaries()
      publish()
    }

    // MARK: A single load

    private struct Load {
      let number: Int
      let task: Task<Void, any Error>
    }

    private func begin(_ call: PagerCall) throws(PagerError) -> Load {
      guard load == nil else { throw .loadInProgress }
      if Task.isCancelled { throw .cancelled }
      lastLoad += 1
      let number = lastLoad
      load = number
      output.isLoading = true
      output.failure = nil
      publish()
      let task = Task { try await run(call, load: number) }
      self.task = task
      return Load(number: number, task: task)
    }

    /// Waits for the end of a load. Canceling the waiting task cancels the load.
    private func finish(_ begun: Load) async throws(PagerError) {
      let outcome = await withTaskCancellationHandler {
        await begun.task.result
      } onCancel: {
        begun.task.cancel()
      }
      // The load was ended by `cancel` or `reset`, which published the new state.
      guard load == begun.number else { throw .cancelled }
      var failure: PagerError?
      if case .failure(let error) = outcome { failure = PagerError(error, isCancelled: begun.task.isCancelled) }
      loadEnded(failure)
      refetchLostPages()
      if let failure { throw failure }
    }

    private func loadFirst(_ policy: CachePolicy, load: Int) async throws {
      try await run(firstQuery, policy, load: load, at: .first) { pager, page in
        if page.isOfAnotherLoad {
          pager.output.previousPages = PageList(isReversed: true)
          pager.output.nextPages = PageList()
          pager.positions = [:]
          pager.loadedItems = LoadedItems()
          pager.items = PageItems()
          pager.watch.removeAll()
          pager.releaseUnwatched()
          pager.refetcher.reset()
        }
        pager.set(page.page)
      }
    }

    private func loadSide(_ direction: PagingDirection, _ policy: CachePolicy, load: Int) async throws {
      guard let edge = edge(direction) else { throw PagerError.missingInitialPage }
      let count = side(direction).count
      // Load a partially loaded page again.
      if case .other(let page) = edge, positions[page.key] == nil {
        return try await runSide(page.query, direction, count - 1, policy, load: load)
      }
      switch strategy.nextStep(direction, from: edge) {
      case nil, .noQuery: throw PagerError.noQuery
      case .end(let end): throw PagerError.noMoreContent(end)
      case .page(let query):
        guard positions[PageKey(query)] == nil else { throw PagerError.noMoreContent(.repeatedCursor) }
        guard !loadedItems.endedDirections.contains(direction) else { throw PagerError.noMoreContent(.repeatedItems) }
        guard emptyPages[direction] < strategy.emptyPageLimit else { throw PagerError.noMoreContent(.emptyPages) }
        try await runSide(query, direction, count, policy, load: load)
      }
    }

    private func runSide(
      _ query: PaginatedQuery, _ direction: PagingDirection, _ arrival: Int, _ policy: CachePolicy, load: Int
    ) async throws {
      try await run(query, policy, load: load, at: .side(direction, arrival)) { pager, page in
        pager.set(page.page, direction, arrival)
      }
    }

    /// A page to publish, and whether it is the first one of its load.
    private struct Shown<Query: QueryOperation> {
      let page: Page<Query>
      let isOfAnotherLoad: Bool
    }

    private func run<Query: QueryOperation>(
      _ query: Query, _ policy: CachePolicy, load: Int, at position: Position,
      show: (isolated Actor, Shown<Query>) -> Void
    ) async throws {
      await startWatching()
      var options = options
      options.cachePolicy = policy
      options.watch = identity
      var last: GraphQLResult<Query.Data>?
      var isFirst = true
      var isRepetition = false
      var violation: GraphQLClientError?
      refetcher.remove(position)
      let fetchBegan = await beginFetch()
      do {
        for try await result in source.results(of: query, options: options) {
          try check(load)
          last = result
          // A page that was shown is next to itself, and not a repetition.
          isRepetition = isFirst && isRepeated(Page(query: query, result: result), at: position)
          guard result.hasData, !isRepetition else { continue }
          show(self, Shown(page: Page(query: query, result: result), isOfAnotherLoad: isFirst))
          isFirst = false
          output.lastUpdated = query.variables
          updateBoundaries()
          publish()
        }
      } catch let failure as GraphQLClientError {
        guard var complete = last, complete.hasData, complete.completeness == .complete else { throw failure }
        if case .protocolViolation = failure {
          // The page is complete, with an error for each invalid entry. Publish it before the call fails.
          violation = failure
        } else if case .cacheFailure = failure {
          // Publish a page that cannot be cached, with the failure as an error.
          complete.errors.append(GraphQLError(message: "\(failure)"))
          last = complete
          show(self, Shown(page: Page(query: query, result: complete), isOfAnotherLoad: isFirst))
        } else {
          throw failure
        }
      }
      try check(load)
      guard let last, last.hasData else { throw PagerError.noData(last?.errors ?? []) }
      let page = Page(query: query, result: last)
      if let direction = position.direction, isRepetition {
        loadedItems.end(direction)
        updateBoundaries()
        return publish()
      }
      positions[PageKey(query)] = position
      if strategy.endsAtRepeatedItems { loadedItems.add(page) }
      emptyPages.came(at: position.direction, isEmpty: page.isEmpty)
      updateBoundaries()
      publish()
      await watchPage(page, at: position, fetchBegan: fetchBegan, mayFetch: policy.usesNetwork) { $0.load == load }
      if let violation { throw violation }
    }

    /// Returns whether a page only repeats the items of earlier pages, which ends the list for some strategies.
    private func isRepeated(_ page: Page<some QueryOperation>, at position: Position) -> Bool {
      guard strategy.endsAtRepeatedItems, let direction = position.direction, positions[page.key] == nil else {
        return false
      }
      return loadedItems.areRepeated(in: page, after: edge(direction)?.items ?? [])
    }

    private func check(_ load: Int) throws {
      try Task.checkCancellation()
      guard self.load == load else { throw PagerError.cancelled }
    }

    // MARK: Directions

    func side(_ direction: PagingDirection) -> PageList<Page<PaginatedQuery>> {
      direction == .next ? output.nextPages : output.previousPages
    }

    private func edge(_ direction: PagingDirection) -> Strategy.Edge? {
      side(direction).outermost.map { .other($0.loaded) } ?? output.initialPage.map { .first($0) }
    }

    /// Updates whether there are more pages at each end.
    func updateBoundaries() {
      (output.canLoadNext, output.end) = outlook(.next)
      (output.canLoadPrevious, output.start) = outlook(.previous)
    }

    private func outlook(_ direction: PagingDirection) -> (Bool, PagingStopReason?) {
      guard let edge = edge(direction) else { return (false, nil) }
      // While a page is being loaded, loading cannot continue after it. A partially loaded page is loaded again.
      if load == nil, case .other(let page) = edge, positions[page.key] == nil { return (true, nil) }
      if loadedItems.endedDirections.contains(direction) { return (false, .repeatedItems) }
      let outlook = Self.outlook(strategy.nextStep(direction, from: edge)) { query in
        positions[query.key] != nil || query.key == edge.key
      }
      return outlook.canLoad && emptyPages[direction] >= strategy.emptyPageLimit ? (false, .emptyPages) : outlook
    }

    private static func outlook(
      _ step: Strategy.Step?, isLoop: (PaginatedQuery) -> Bool
    ) -> (canLoad: Bool, end: PagingStopReason?) {
      switch step {
      case nil, .noQuery: (false, nil)
      case .end(let end): (false, end)
      case .page(let query): isLoop(query) ? (false, .repeatedCursor) : (true, nil)
      }
    }

    // MARK: Watching

    /// The identity of the pager in conflicts with watches and other pagers.
    var identity: WatchIdentity { WatchIdentity(firstQuery.compiled, variables: firstQuery.variables) }

    /// Starts listening to the cache before the initial page is requested, so that no change is missed.
    private func startWatching() async {
      guard watchTask == nil, let store = source.store else { return }
      let changes = await store.changes { $0 }.stream
      guard watchTask == nil else { return }
      watchTask = Task { [weak self] in
        for await change in changes {
          guard let self else { return }
          await self.cacheChanged(change)
        }
      }
    }
  }
}

extension BoundaryPage {
  fileprivate var key: PageKey {
    switch self {
    case .first(let page): page.key
    case .other(let page): page.key
    }
  }
}

extension QueryOperation {
  fileprivate var key: PageKey { PageKey(self) }
}

extension GraphQLResult {
  /// Whether there is data. JSON null counts as no data, whatever type it is decoded to.
  var hasData: Bool {
    guard let data else { return false }
    return (data as? JSONValue)?.isNull != true
  }
}
