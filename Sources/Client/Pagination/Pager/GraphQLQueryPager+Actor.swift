import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

extension GraphQLQueryPager {
  /// Pages through the results of a query, one load at a time.
  ///
  /// 1. `fetch` loads the first page, `loadNext` and `loadPrevious` the ones around those that are there, `loadAll` one
  ///    after the other until the end.
  /// 2. Each result that comes is published: what the cache had, and the partial ones of a page with deferred fragments.
  /// 3. A call returns when its request is fulfilled: with `cacheAndNetwork` on the network's result. A second call
  ///    meanwhile throws `loadInProgress`.
  /// 4. From then on the page is watched: when a change of the cache gives it other data, it is published again.
  ///
  /// Cancelling the calling task, `cancel` and `reset` end the request itself; what comes after that is not published.
  public actor Actor {
    typealias Strategy = PagingStrategy<InitialQuery, PaginatedQuery>

    enum Position: Hashable, Sendable {
      case first
      /// The pages on one side in the order in which they came, from 0.
      case side(PagingDirection, Int)

      var direction: PagingDirection? { if case .side(let direction, _) = self { direction } else { nil } }
    }

    let source: any PageSource
    private let firstQuery: InitialQuery
    private let strategy: Strategy
    let options: RequestOptions
    nonisolated let channel: Multicast<Output>

    var output = Output()
    /// Every page that is whole, so that a cursor that leads back is noticed.
    private var positions: [PageKey: Position] = [:]
    /// The load under way: results of another one are late and are dropped.
    var load: Int?
    private var lastLoad = 0
    private var task: Task<Void, any Error>?

    private var emptyPages = EmptyPageCount()

    var watch = PageWatch<Position>()
    /// What keeps the watched pages' records.
    var retainers: [Position: Retainer] = [:]
    private var watchTask: Task<Void, Never>?
    /// What was told while a page was on its way.
    var changesDuringFetches: [CacheChange] = []
    /// The number of the newest of them that is forgotten, because there were too many; 0 for none.
    var forgottenChange = 0
    var mending: PageMending<Position>

    /// A pager through the results of `initialQuery`, whose other pages are those that the strategy asks for.
    ///
    /// `options` go with every request; its cache policy is that of the call.
    public init(
      source: any PageSource, initialQuery: InitialQuery, strategy: PagingStrategy<InitialQuery, PaginatedQuery>,
      options: RequestOptions = .init()
    ) {
      self.source = source
      firstQuery = initialQuery
      self.strategy = strategy
      self.options = options
      mending = PageMending(options)
      channel = Multicast(Output())
    }

    /// A pager whose first page is there already.
    public init(
      source: any PageSource, startingWith page: Page<InitialQuery>,
      strategy: PagingStrategy<InitialQuery, PaginatedQuery>, options: RequestOptions = .init()
    ) {
      self.source = source
      firstQuery = page.query
      self.strategy = strategy
      self.options = options
      mending = PageMending(options)
      emptyPages.came(at: nil, isEmpty: page.isEmpty)
      var output = Output()
      output.firstPage = page
      output.lastUpdated = page.variables
      positions = [page.key: .first]
      (output.canLoadNext, output.end) = Self.outlook(
        strategy.step(.next, from: .first(page)), isLoop: { $0.key == page.key })
      (output.canLoadPrevious, output.start) = Self.outlook(
        strategy.step(.previous, from: .first(page)), isLoop: { $0.key == page.key })
      self.output = output
      channel = Multicast(output)
    }

    deinit {
      watchTask?.cancel()
      task?.cancel()
      mending.cancel()
      if let store = source.store, !retainers.isEmpty {
        Task { [retainers] in for retainer in retainers.values { await store.release(retainer) } }
      }
    }

    // MARK: State

    /// All pages, as they are now.
    public var current: Output { output }
    /// Whether there is a next page.
    public var canLoadNext: Bool { output.canLoadNext }
    /// Whether there is a previous page.
    public var canLoadPrevious: Bool { output.canLoadPrevious }

    /// The pager's output, now and after every change, for as many as iterate.
    public nonisolated var outputs: PagerValues<Output> { PagerValues(channel) { $0 } }
    /// Whether there is a next page, now and whenever that changes.
    public nonisolated var canLoadNextValues: PagerValues<Bool> { PagerValues(channel) { $0.canLoadNext }.distinct() }
    /// Whether there is a previous page, now and whenever that changes.
    public nonisolated var canLoadPreviousValues: PagerValues<Bool> {
      PagerValues(channel) { $0.canLoadPrevious }.distinct()
    }

    func publish() { channel.send(output) }

    // MARK: Loading

    /// Loads the first page. Pages that were loaded before are given up when it comes.
    ///
    /// - Throws: `PagerError`: `loadInProgress`, `cancelled`, `noData` or, for all that a fetch throws, `failed`.
    public func fetch(cachePolicy: CachePolicy = .cacheFirst) async throws(PagerError) {
      _ = try await perform(.first(cachePolicy))
    }

    /// Loads the first page anew; the pages there are stay until it comes.
    ///
    /// - Throws: `PagerError`, as `fetch(cachePolicy:)` does.
    public func refetch(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
      _ = try await perform(.first(cachePolicy))
    }

    /// Loads the page after the last one.
    ///
    /// - Throws: `PagerError`: `missingFirstPage` before the first page, `noMoreContent` behind the last, `noQuery`
    ///   where the strategy has no way forward, and those of `fetch(cachePolicy:)`.
    public func loadNext(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
      _ = try await perform(.side(.next, cachePolicy))
    }

    /// Loads the page before the first one.
    ///
    /// - Throws: `PagerError`, as `loadNext(cachePolicy:)` does, for the way back.
    public func loadPrevious(cachePolicy: CachePolicy = .networkOnly) async throws(PagerError) {
      _ = try await perform(.side(.previous, cachePolicy))
    }

    /// Loads one page after the other, forward and then backward, until there is no more, `pageLimit` pages are there,
    /// or the task is cancelled, and tells why it stopped.
    ///
    /// With `fetchFromInitialPage` the first page is loaded anew; without, it goes on from the pages that are there.
    /// `progress` is called after each page; the output tells it too.
    ///
    /// - Returns: Why it stopped.
    /// - Throws: `PagerError`, as `loadNext(cachePolicy:)` does, but that there is no more content is no error here;
    ///   one empty page after the other is (`noMoreContent(.emptyPages)`).
    @discardableResult
    public func loadAll(
      fetchFromInitialPage: Bool = true, cachePolicy: CachePolicy = .networkOnly, pageLimit: Int? = nil,
      progress: (@Sendable (PagerProgress) -> Void)? = nil
    ) async throws(PagerError) -> PagingEnd {
      try await perform(
        .all(fetchFromInitialPage: fetchFromInitialPage, cachePolicy, pageLimit: pageLimit, progress: progress))
    }

    /// Makes the call and tells why it ended where it did.
    func perform(_ call: PagerCall) async throws(PagerError) -> PagingEnd {
      try await finish(begin(call))
      if case .all(_, _, let limit?, _) = call, output.pageCount >= limit,
        output.canLoadNext || output.canLoadPrevious
      {
        return .pageLimit
      }
      return output.end ?? output.start ?? .lastPage
    }

    /// Begins a load for a caller that does not wait: what is called next finds it begun.
    func launch(_ call: PagerCall, _ launches: PagerLaunches, completion: GraphQLQueryPager.Completion?) {
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
      func tell() {
        let state = PagerProgress(pages: output.pageCount, elapsed: start.duration(to: .now))
        output.progress = state
        publish()
        progress?(state)
      }
      if fetchFromInitialPage {
        try await loadFirst(policy, load: load)
        tell()
      }
      guard output.firstPage != nil else { throw PagerError.missingFirstPage }
      for direction in [PagingDirection.next, .previous] {
        while canLoad(direction), pageLimit.map({ output.pageCount < $0 }) ?? true {
          try await loadSide(direction, policy, load: load)
          tell()
        }
        if emptyPages[direction] >= strategy.emptyPageLimit { throw PagerError.noMoreContent(.emptyPages) }
      }
    }

    private func canLoad(_ direction: PagingDirection) -> Bool {
      direction == .next ? output.canLoadNext : output.canLoadPrevious
    }

    /// Ends the load that is under way, if any; what was loaded stays.
    public func cancel() {
      endLoad(.cancelled)
      mend()
    }

    /// Ends the load that is under way and gives up all pages.
    public func reset() {
      endLoad(nil)
      output = Output()
      positions = [:]
      watch.removeAll()
      releaseUnwatched()
      mending.reset()
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
      settle()
      publish()
    }

    // MARK: One load

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

    /// Waits for the load's end; cancelling the one who waits cancels the load.
    private func finish(_ begun: Load) async throws(PagerError) {
      let outcome = await withTaskCancellationHandler {
        await begun.task.result
      } onCancel: {
        begun.task.cancel()
      }
      // Ended from outside: whoever did it has told so.
      guard load == begun.number else { throw .cancelled }
      var failure: PagerError?
      if case .failure(let error) = outcome { failure = PagerError(error, isCancelled: begun.task.isCancelled) }
      loadEnded(failure)
      mend()
      if let failure { throw failure }
    }

    private func loadFirst(_ policy: CachePolicy, load: Int) async throws {
      try await run(firstQuery, policy, load: load, at: .first) { pager, page in
        if page.isOfAnotherLoad {
          pager.output.previousPages = PageList(isReversed: true)
          pager.output.nextPages = PageList()
          pager.positions = [:]
          pager.watch.removeAll()
          pager.releaseUnwatched()
          pager.mending.reset()
        }
        pager.output.firstPage = page.page
      }
    }

    private func loadSide(_ direction: PagingDirection, _ policy: CachePolicy, load: Int) async throws {
      guard let edge = edge(direction) else { throw PagerError.missingFirstPage }
      let count = side(direction).count
      // A page that was left half loaded is asked for again.
      if case .other(let page) = edge, positions[page.key] == nil {
        return try await runSide(page.query, direction, count - 1, policy, load: load)
      }
      switch strategy.step(direction, from: edge) {
      case nil, .noQuery: throw PagerError.noQuery
      case .end(let end): throw PagerError.noMoreContent(end)
      case .page(let query):
        guard positions[PageKey(query)] == nil else { throw PagerError.noMoreContent(.repeatedCursor) }
        guard emptyPages[direction] < strategy.emptyPageLimit else { throw PagerError.noMoreContent(.emptyPages) }
        try await runSide(query, direction, count, policy, load: load)
      }
    }

    private func runSide(
      _ query: PaginatedQuery, _ direction: PagingDirection, _ arrival: Int, _ policy: CachePolicy, load: Int
    ) async throws {
      try await run(query, policy, load: load, at: .side(direction, arrival)) { pager, page in
        pager.setSide(direction, arrival, to: page.page)
      }
    }

    /// A page to show, and whether it is the first that this load shows.
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
      var last: GraphQLResult<Query.Data>?
      var isFirst = true
      var violation: GraphQLClientError?
      mending.forget(position)
      let fetchBegan = await beginFetch()
      do {
        for try await result in source.results(of: query, options: options) {
          try check(load)
          last = result
          guard result.hasData else { continue }
          show(self, Shown(page: Page(query: query, result: result), isOfAnotherLoad: isFirst))
          isFirst = false
          output.lastUpdated = query.variables
          settle()
          publish()
        }
      } catch let failure as GraphQLClientError {
        guard var whole = last, whole.hasData, whole.response == .complete else { throw failure }
        if case .brokenProtocol = failure {
          // The page is there, with an error for each entry that has no place; the call fails once it is taken in.
          violation = failure
        } else if case .cacheFailure = failure {
          // A page that the cache cannot store is shown, with the failure as an error.
          whole.errors.append(GraphQLError(message: "\(failure)"))
          last = whole
          show(self, Shown(page: Page(query: query, result: whole), isOfAnotherLoad: isFirst))
        } else {
          throw failure
        }
      }
      try check(load)
      guard let last, last.hasData else { throw PagerError.noData(last?.errors ?? []) }
      positions[PageKey(query)] = position
      let page = Page(query: query, result: last)
      emptyPages.came(at: position.direction, isEmpty: page.isEmpty)
      settle()
      publish()
      await watchPage(page, at: position, fetchBegan: fetchBegan, mayFetch: policy != .cacheOnly) { $0.load == load }
      if let violation { throw violation }
    }

    private func check(_ load: Int) throws {
      try Task.checkCancellation()
      guard self.load == load else { throw PagerError.cancelled }
    }

    // MARK: The two sides

    func side(_ direction: PagingDirection) -> PageList<Page<PaginatedQuery>> {
      direction == .next ? output.nextPages : output.previousPages
    }

    func setSide(_ direction: PagingDirection, _ arrival: Int, to page: Page<PaginatedQuery>) {
      switch direction {
      case .next: output.nextPages.set(arrival: arrival, to: page)
      case .previous: output.previousPages.set(arrival: arrival, to: page)
      }
    }

    private func edge(_ direction: PagingDirection) -> Strategy.Edge? {
      side(direction).outermost.map { .other($0) } ?? output.firstPage.map { .first($0) }
    }

    /// Whether there is a page behind each end.
    func settle() {
      (output.canLoadNext, output.end) = outlook(.next)
      (output.canLoadPrevious, output.start) = outlook(.previous)
    }

    private func outlook(_ direction: PagingDirection) -> (Bool, PagingEnd?) {
      guard let edge = edge(direction) else { return (false, nil) }
      // A page that is still being loaded is none to go on from, one that was left half loaded is asked for again.
      if load == nil, case .other(let page) = edge, positions[page.key] == nil { return (true, nil) }
      let outlook = Self.outlook(strategy.step(direction, from: edge)) { query in
        positions[query.key] != nil || query.key == edge.key
      }
      return outlook.canLoad && emptyPages[direction] >= strategy.emptyPageLimit ? (false, .emptyPages) : outlook
    }

    private static func outlook(
      _ step: Strategy.Step?, isLoop: (PaginatedQuery) -> Bool
    ) -> (canLoad: Bool, end: PagingEnd?) {
      switch step {
      case nil, .noQuery: (false, nil)
      case .end(let end): (false, end)
      case .page(let query): isLoop(query) ? (false, .repeatedCursor) : (true, nil)
      }
    }

    // MARK: Watching

    /// Listens to the cache, before the first page is asked for, so that no change falls between.
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

extension EdgePage {
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
  /// JSON null is no data, whatever type it has.
  var hasData: Bool {
    guard let data else { return false }
    return (data as? JSONValue)?.isNull != true
  }
}
