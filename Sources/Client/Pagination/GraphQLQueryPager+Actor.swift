import ClientAPI
import ClientOperation
import JSON

extension GraphQLQueryPager {
  /// Pages through the results of a query, one load at a time.
  ///
  /// 1. `fetch` loads the first page, `loadNext` the one after the last, `loadAll` one after the other until the end.
  /// 2. Each result that comes, the partial ones of a page with deferred fragments too, is published.
  /// 3. A call returns when its page is whole. A second call meanwhile throws `loadInProgress`.
  ///
  /// Cancelling the calling task, `cancel` and `reset` end the fetch itself; what comes after that is not published.
  public actor Actor {
    private let first: PageRequest
    private let strategy: PagingStrategy
    private let fetchPage: PageFetch
    private var output = PagerOutput()
    /// What was asked for already, so that a cursor that leads back is noticed.
    private var requested: Set<PageRequest> = []
    private var listeners: [Int: AsyncStream<PagerOutput>.Continuation] = [:]
    private var nextListener = 0
    /// The load under way: results of another one are late and are dropped.
    private var load: Int?
    private var lastLoad = 0
    private var task: Task<Void, any Error>?

    public init(first: PageRequest, strategy: PagingStrategy, fetch: @escaping PageFetch) {
      self.first = first
      self.strategy = strategy
      fetchPage = fetch
    }

    /// A pager whose first page is there already.
    public init(startingWith page: Page, strategy: PagingStrategy, fetch: @escaping PageFetch) {
      first = page.request
      self.strategy = strategy
      fetchPage = fetch
      output.firstPage = page
      output.lastUpdated = page.variables
      requested = [page.request]
      switch strategy.next(page) {
      case .page: output.canLoadNext = true
      case .end(let end): output.end = end
      }
    }

    // MARK: State

    /// All pages, as they are now.
    public var current: PagerOutput { output }
    public var canLoadNext: Bool { output.canLoadNext }
    public var canLoadPrevious: Bool { output.canLoadPrevious }

    /// The pager's output, now and after every change. Many may listen; a slow one is given the newest output and not
    /// those that it missed.
    public func outputs() -> AsyncStream<PagerOutput> {
      let id = nextListener
      nextListener += 1
      let (stream, continuation) = AsyncStream.makeStream(
        of: PagerOutput.self, bufferingPolicy: .bufferingNewest(1))
      listeners[id] = continuation
      continuation.onTermination = { [weak self] _ in
        Task { await self?.removeListener(id) }
      }
      continuation.yield(output)
      return stream
    }

    private func removeListener(_ id: Int) { listeners[id] = nil }

    private func publish() {
      for listener in listeners.values { listener.yield(output) }
    }

    // MARK: Loading

    /// Loads the first page. Pages that were loaded before are given up when it comes.
    public func fetch() async throws(PagerError) {
      try await exclusively { pager, load in
        await pager.forgetRequests()
        try await pager.run(pager.first, load: load, place: .first)
      }
    }

    /// The same, for a pager that has pages already.
    public func refetch() async throws(PagerError) { try await fetch() }

    /// Loads the page after the last one.
    public func loadNext() async throws(PagerError) {
      try await exclusively { pager, load in try await pager.loadNextPage(load: load) }
    }

    /// Loads one page after the other until there is no more, `pageLimit` pages are there, or the task is cancelled,
    /// and tells why it stopped. The first page is loaded too if it is not there.
    ///
    /// `progress` is called with the number of pages after each of them.
    @discardableResult
    public func loadAll(
      pageLimit: Int? = nil, progress: (@Sendable (_ pages: Int) -> Void)? = nil
    ) async throws(PagerError) -> PagingEnd {
      try await exclusively { pager, load in
        if await pager.output.firstPage == nil {
          try await pager.run(pager.first, load: load, place: .first)
          progress?(1)
        }
        while true {
          let count = await pager.output.pages.count
          if let pageLimit, count >= pageLimit { return }
          guard await pager.canLoadNext else { return }
          try await pager.loadNextPage(load: load)
          progress?(await pager.output.pages.count)
        }
      }
      return output.end ?? .pageLimit
    }

    /// Ends the load that is under way, if any; what was loaded stays.
    public func cancel() { endLoad() }

    /// Ends the load that is under way and gives up all pages.
    public func reset() {
      endLoad()
      output = PagerOutput()
      requested = []
      publish()
    }

    private func endLoad() {
      guard load != nil else { return }
      task?.cancel()
      task = nil
      load = nil
      output.isLoading = false
      publish()
    }

    // MARK: One load

    private enum Place {
      case first, next
    }

    private func exclusively(
      _ body: @escaping @Sendable (Actor, _ load: Int) async throws -> Void
    ) async throws(PagerError) {
      guard load == nil else { throw .loadInProgress }
      if Task.isCancelled { throw .cancelled }
      lastLoad += 1
      let number = lastLoad
      load = number
      output.isLoading = true
      publish()
      let task = Task { try await body(self, number) }
      self.task = task
      let outcome = await withTaskCancellationHandler {
        await task.result
      } onCancel: {
        task.cancel()
      }
      let wasEnded = load != number
      if !wasEnded {
        load = nil
        self.task = nil
        output.isLoading = false
        publish()
      }
      do {
        try outcome.get()
      } catch let error as PagerError {
        throw error
      } catch {
        throw task.isCancelled || error is CancellationError ? .cancelled : .failed(error)
      }
      if wasEnded { throw .cancelled }
    }

    private func forgetRequests() { requested = [] }

    private func loadNextPage(load: Int) async throws {
      guard let last = output.nextPages.last ?? output.firstPage else { throw PagerError.missingFirstPage }
      switch strategy.next(last) {
      case .end(let end): throw PagerError.noMoreContent(end)
      case .page(let request):
        guard !requested.contains(request) else { throw PagerError.noMoreContent(.repeatedCursor) }
        try await run(request, load: load, place: .next)
      }
    }

    private func run(_ request: PageRequest, load: Int, place: Place) async throws {
      let index = output.nextPages.count
      var last: GraphQLResult<JSONValue>?
      for try await result in try await fetchPage(request.operation, request.variables) {
        try Task.checkCancellation()
        guard self.load == load else { throw PagerError.cancelled }
        last = result
        guard result.data.map({ !$0.isNull }) == true else { continue }
        show(Page(request: request, result: result), place: place, at: index)
      }
      try Task.checkCancellation()
      guard let last, last.data.map({ !$0.isNull }) == true else { throw PagerError.noData(last?.errors ?? []) }
      requested.insert(request)
      settle()
      publish()
    }

    private func show(_ page: Page, place: Place, at index: Int) {
      switch place {
      case .first:
        output.nextPages = []
        output.previousPages = []
        output.firstPage = page
      case .next:
        if index < output.nextPages.count {
          output.nextPages[index] = page
        } else {
          output.nextPages.append(page)
        }
      }
      output.lastUpdated = page.variables
      settle()
      publish()
    }

    /// Whether there is a page after the last one.
    private func settle() {
      guard let last = output.nextPages.last ?? output.firstPage else { return }
      switch strategy.next(last) {
      case .page(let request):
        let isRepeated = requested.contains(request) || request == last.request
        output.canLoadNext = !isRepeated
        output.end = isRepeated ? .repeatedCursor : nil
      case .end(let end):
        output.canLoadNext = false
        output.end = end
      }
    }
  }
}
