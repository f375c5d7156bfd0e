import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientOperation
import ApusClientPagination
import ApusClientRequestChain
import ApusExplorerCore
import ApusJSON

extension RunSession {
  /// The cache policy for pages: `cacheAndNetwork` becomes `networkFirst`, so that a cached page is not shown first.
  fileprivate var pagePolicy: CachePolicy {
    switch options.cachePolicy {
    case .cacheAndNetwork: .networkFirst
    case .cacheFirst, .networkFirst, .networkOnly, .cacheOnly: options.cachePolicy
    }
  }
}

/// Paging through the lists of a result.
extension LiveEnvironment {
  private func found(_ operation: DynamicOperation, in data: JSONValue?) -> [PageableList] {
    guard let data, operation.compiled.operationType == .query else { return [] }
    return PageableListFinder.lists(
      in: data, operation: operation.compiled, variables: operation.variables, schema: editors.schema)
  }

  /// Returns the pageable lists of the displayed data. For lists already paged, the pager knows whether more pages
  /// exist.
  func lists(of operation: DynamicOperation, in data: JSONValue?, run: RunSession? = nil) async -> [PagedList] {
    var lists: [PagedList] = []
    for list in found(operation, in: data) {
      var state = PagedList(list)
      if let output = await run?.pagers[list.path]?.actor.current {
        state.hasNextPage = output.canLoadNext
        state.hasPreviousPage = output.canLoadPrevious
        state.shortfall = output.shortfall?.explanation
      }
      lists.append(state)
    }
    return lists
  }

  /// Loads the requested pages. Each is merged and shown once it is complete.
  func loadPages(_ id: Int, _ requested: PageRequest, of path: ResponsePath, _ send: ExplorerEnvironment.Send) async {
    guard let run = sessions[id], run.result != nil else {
      return send(.run(id, .pagesFailed("the run is no longer stored; run the operation again")))
    }
    if requested == .first { return await reset(id, send) }
    guard let pager = pager(of: path, in: run) else {
      return send(.run(id, .pagesFailed("\(path) is not a pageable list")))
    }
    sessions.change(id) { $0.begin(pager.request) }
    defer { finish(id, send) }
    let direction: PagingDirection = requested.isBackward ? .previous : .next
    var left = requested.limit ?? .max
    var count = await pager.actor.current.pageCount
    while left > 0 {
      do throws(PagerError) {
        if direction == .next {
          try await pager.actor.loadNext(cachePolicy: run.pagePolicy)
        } else {
          try await pager.actor.loadPrevious(cachePolicy: run.pagePolicy)
        }
      } catch {
        guard !Task.isCancelled else { return }
        return send(.run(id, .pagesFailed("\(error)")))
      }
      let output = await pager.actor.current
      guard !Task.isCancelled else { return }
      // A page of repeated items ends the list and is not among the pages.
      if output.pageCount > count {
        count = output.pageCount
        guard let page = (direction == .next ? output.nextPages.last : output.previousPages.first)?.loaded else {
          return
        }
        await merge(page, direction, at: path, of: id, send)
      }
      let hasMore = direction == .next ? output.canLoadNext : output.canLoadPrevious
      left = hasMore && requested.isAll ? left - 1 : 0
    }
    if !Task.isCancelled { send(.run(id, .pagesCompleted)) }
  }

  private func record(_ page: DynamicOperation, of list: PageableList, in run: RunSession) -> RecordingFile.Run? {
    recordingFile?.startRequest(
      url: run.client.redactedURL, operationName: page.compiled.name,
      query: list.text(run.text, of: run.operation, asking: page), variables: page.variables,
      isPage: true, onError: run.options.onError)
  }

  private func pager(of path: ResponsePath, in run: RunSession) -> RunPager? {
    if let pager = run.pagers[path] { return pager }
    guard let origin = origin(of: path, in: run),
      let list = found(origin.page.query, in: origin.page.data).first(where: { $0.path == origin.path })
    else { return nil }
    let request = RequestID()
    var options = run.options
    options.requestID = request
    // Write a page before showing it: it is small, and the user may immediately look up its records in the cache.
    options.cacheWriteTiming = .beforeResult
    let actor = DynamicQueryPager.Actor(
      source: RunPageSource(
        path: list.path, results: { [weak self] in self?.results(of: $0, by: run.client, $1, isPage: true) },
        record: { [weak self] in self?.record($0, of: list, in: run) }),
      startingWith: origin.page, strategy: list.strategy, options: options)
    let pager = RunPager(actor: actor, request: request, list: list, origin: origin.page)
    sessions.change(run.id) { $0.pagers[path] = pager }
    return pager
  }

  /// Returns the page whose result contains a displayed path, and the path within that result. Indices in paged lists
  /// count across all of their pages.
  private func origin(of path: ResponsePath, in run: RunSession) -> (page: Page<DynamicOperation>, path: ResponsePath)?
  {
    guard let result = run.result else { return nil }
    var page = Page(query: run.operation, result: result)
    var pathInPage = path
    for (shown, pager) in run.pagers.sorted(by: { $0.key.components.count < $1.key.components.count }) {
      for (own, list) in zip(pager.list.listPaths, pager.list.moved(to: shown).listPaths) {
        let depth = list.components.count
        guard path.components.count > depth, path.components.starts(with: list.components),
          case .index(let index) = path.components[depth], let item = pager.item(at: index)
        else { continue }
        page = item.page
        pathInPage = ResponsePath(own.components + [.index(item.index)] + path.components.dropFirst(depth + 1))
      }
    }
    return (page, pathInPage)
  }

  /// Discards the loaded pages.
  private func reset(_ id: Int, _ send: ExplorerEnvironment.Send) async {
    sessions.change(id) { session in
      session.changePages { run in
        run.data = run.result?.data
        run.errors = run.result?.errors ?? []
        run.pagers = [:]
        run.pages = []
      }
    }
    guard let run = sessions[id], let result = run.result else { return }
    send(.run(id, .pagesReset(RunResult(result, lists: await lists(of: run.operation, in: run.data)))))
  }
}

extension PagedList {
  init(_ found: PageableList) {
    self.init(
      path: found.path, listPath: found.listPaths[0], itemCount: found.itemCount, totalCount: found.totalCount,
      hasNextPage: found.canLoadNext, hasPreviousPage: found.canLoadPrevious,
      shortfall: found.shortfall?.explanation, lacksCursor: found.lacksCursor)
  }
}
