import ClientAPI
import ClientCache
import ClientCore
import ClientOperation
import ClientPagination
import ClientRequestChain
import JSON

/// Who loads the pages of one list, and what is known of the items that are there.
struct LivePager: Sendable {
  let actor: DynamicQueryPager.Actor
  let list: PageableList
  /// The cache keys of the items, so that an item that comes again is left out.
  var keys: Set<CacheKey>
}

/// A page that was merged into what is shown.
struct LoadedPage: Sendable {
  let query: DynamicOperation
  let direction: PagingDirection
  let list: PageableList
}

/// How the live world pages through the lists of a result.
extension LiveWorld {
  private func found(_ operation: DynamicOperation, in data: JSONValue?) -> [PageableList] {
    guard let data, operation.compiled.operationType == .query else { return [] }
    return PageableListFinder.lists(
      in: data, operation: operation.compiled, variables: operation.variables, schema: texts.schema)
  }

  /// The lists with pages in what is shown; of those that were paged, their pager knows how far they go.
  func lists(of operation: DynamicOperation, in data: JSONValue?, run: LiveRun? = nil) async -> [PagedList] {
    var lists: [PagedList] = []
    for list in found(operation, in: data) {
      var state = PagedList(list)
      if let output = await run?.pagers[list.path]?.actor.current {
        state.hasNextPage = output.canLoadNext
        state.hasPreviousPage = output.canLoadPrevious
      }
      lists.append(state)
    }
    return lists
  }

  /// Loads the pages that are wanted; each is shown as soon as it is whole, merged with those before.
  func loadPages(_ id: Int, _ wanted: PagesWanted, of path: ResponsePath, _ send: ExplorerWorld.Send) async {
    guard let run = run(id), let result = run.result else { return }
    if wanted == .first { return await reset(id, send) }
    guard let pager = pager(of: path, in: run, result) else {
      return send(.pagesFailed(id, "there is nothing to page through at \(path)"))
    }
    let direction: PagingDirection = wanted == .previous ? .previous : .next
    var left = if case .all(let limit) = wanted { limit ?? .max } else { 1 }
    while left > 0 {
      do throws(PagerError) {
        if direction == .next { try await pager.actor.loadNext() } else { try await pager.actor.loadPrevious() }
      } catch {
        guard !Task.isCancelled else { return }
        return send(.pagesFailed(id, "\(error)"))
      }
      let output = await pager.actor.current
      guard !Task.isCancelled,
        let page = direction == .next ? output.nextPages.last : output.previousPages.first
      else { return }
      await merge(page, direction, at: path, of: id, send)
      left = output.canLoadNext && wanted.isAll ? left - 1 : 0
    }
    if !Task.isCancelled { send(.pagesCompleted(id)) }
  }

  private func pager(of path: ResponsePath, in run: LiveRun, _ result: GraphQLResult<JSONValue>) -> LivePager? {
    if let known = run.pagers[path] { return known }
    guard let list = found(run.operation, in: run.result?.data).first(where: { $0.path == path }) else { return nil }
    let actor = DynamicQueryPager.Actor(
      source: LivePageSource(client: client, path: path),
      startingWith: Page(query: run.operation, result: result), strategy: list.strategy, options: newestOptions)
    let items = result.data?.value(at: list.listPaths[0])
    let pager = LivePager(actor: actor, list: list, keys: Set(items?.elements.compactMap(key(of:)) ?? []))
    changeRun(run.id) { $0.pagers[path] = pager }
    return pager
  }

  /// The cache key of a list's item, or of an edge's node.
  private func key(of item: JSONValue) -> CacheKey? {
    let node = item["node"] ?? item
    return node["__typename"]?.string.flatMap { store.resolver.key(for: node, typename: $0) }
  }

  private func merge(
    _ page: Page<DynamicOperation>, _ direction: PagingDirection, at path: ResponsePath, of id: Int,
    _ send: ExplorerWorld.Send
  ) async {
    guard let run = run(id), var pager = run.pagers[path], let shown = run.data, let next = page.data else { return }
    let list = pager.list
    let (merged, shift) = merged(next, into: shown, direction, &pager)
    changeRun(id) { run in
      run.data = merged
      run.pagers[path] = pager
      run.pages.append(LoadedPage(query: page.query, direction: direction, list: list))
    }
    let errors = page.errors.map { error in
      GraphQLError(
        message: error.message, locations: error.locations,
        path: error.path?.shifted(in: list.listPaths, by: shift), extensions: error.extensions)
    }
    send(
      .pageReceived(
        id,
        RunResult(
          data: merged, errors: (run.result?.errors ?? []) + errors, fragments: run.result?.fragments ?? [],
          changedPaths: list.listPaths, elapsed: page.result.elapsed, byteCount: page.result.byteCount,
          lists: await lists(of: run.operation, in: merged, run: self.run(id)))))
    await write(page.result, of: page.query.compiled, variables: page.variables)
    send(.cacheChanged(touchesRun: false))
  }

  /// The data with a page's new items, and how far the page's own items are shifted in it.
  private func merged(
    _ next: JSONValue, into shown: JSONValue, _ direction: PagingDirection, _ pager: inout LivePager
  ) -> (data: JSONValue, shift: Int) {
    let list = pager.list
    var page = next
    for path in list.listPaths {
      guard let items = next.value(at: path) else { continue }
      let new = items.elements.filter { item in key(of: item).map { !pager.keys.contains($0) } ?? true }
      if new.count < items.count, let changed = try? page.replacing(at: path, with: .array(new)) { page = changed }
    }
    for item in page.value(at: list.listPaths[0])?.elements.map({ $0 }) ?? [] {
      if let key = key(of: item) { pager.keys.insert(key) }
    }
    let shift = direction == .next ? shown.value(at: list.listPaths[0])?.count ?? 0 : 0
    return (list.merge(page, into: shown, direction), shift)
  }

  /// Gives up the pages that were loaded.
  private func reset(_ id: Int, _ send: ExplorerWorld.Send) async {
    changeRun(id) { run in
      run.data = run.result?.data
      run.pagers = [:]
      run.pages = []
    }
    guard let run = run(id), let result = run.result else { return }
    send(.pagesReset(id, RunResult(result, lists: await lists(of: run.operation, in: run.data))))
  }
}

/// Where the explorer's pages come from: a page is whole once its list is. What the operation defers elsewhere came with
/// the first page already and is not waited for again.
private struct LivePageSource: PageSource {
  let client: GraphQLClient
  let path: ResponsePath
  /// The explorer writes to the cache itself, page by page.
  let store: CacheStore? = nil

  func results<Query: QueryOperation>(
    of query: Query, options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await result in client.fetch(query: query, options: options) {
            let isAwaited = result.fragments.contains { fragment in
              fragment.state.isPending && fragment.path.components.starts(with: path.components)
            }
            continuation.yield(result)
            let value = (result.data as? JSONValue)?.value(at: path)
            if !isAwaited, value?.kind == .object || value?.kind == .array { break }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension PagedList {
  init(_ found: PageableList) {
    self.init(
      path: found.path, listPath: found.listPaths[0], itemCount: found.itemCount, totalCount: found.totalCount,
      hasNextPage: found.canLoadNext, hasPreviousPage: found.canLoadPrevious)
  }
}

extension ResponsePath {
  /// A path of a later page in the merged result: the indices of its list count on from those before it.
  func shifted(in lists: [ResponsePath], by offset: Int) -> ResponsePath {
    for list in lists where components.starts(with: list.components) {
      let place = list.components.count
      guard place < components.count, case .index(let index) = components[place] else { continue }
      var shifted = components
      shifted[place] = .index(index + offset)
      return ResponsePath(shifted)
    }
    return self
  }
}
