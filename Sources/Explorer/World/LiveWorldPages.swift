import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientFormats
import ApusClientOperation
import ApusClientPagination
import ApusClientRequestChain
import ApusExplorerCore
import ApusJSON
import Synchronization

/// Who loads the pages of one list, and what is known of the items that are there: shared, so that a page costs what it
/// has and not what came before it.
final class LivePager: Sendable {
  let actor: DynamicQueryPager.Actor
  /// What its requests are named by.
  let request: RequestID
  /// The list where its own operation's result has it. In what is shown it may be elsewhere: in an item of a later page.
  let list: PageableList
  private struct Items {
    /// What the items are known by, so that an item that comes again is left out.
    var known: Set<JSONValue>
    /// Which page brought each of the items that are shown, those of the pages before the first from its place outward.
    var before: [PageItem] = []
    var after: [PageItem]
  }

  private let items: Mutex<Items>

  init(
    actor: DynamicQueryPager.Actor, request: RequestID, list: PageableList, known: Set<JSONValue>, items: [PageItem]
  ) {
    self.actor = actor
    self.request = request
    self.list = list
    self.items = Mutex(Items(known: known, after: items))
  }

  var itemCount: Int { items.withLock { $0.before.count + $0.after.count } }

  func item(at index: Int) -> PageItem? {
    items.withLock { items in
      let place = index - items.before.count
      if place < 0 { return index < 0 ? nil : items.before[items.before.count - 1 - index] }
      return place < items.after.count ? items.after[place] : nil
    }
  }

  func isKnown(_ identities: [JSONValue]) -> Bool { items.withLock { $0.known.contains(anyOf: identities) } }

  func know(_ identities: [JSONValue]) { items.withLock { $0.known.formUnion(identities) } }

  func add(_ new: [PageItem], _ direction: PagingDirection) {
    items.withLock { items in
      if direction == .next { items.after += new } else { items.before += new.reversed() }
    }
  }
}

extension Set {
  fileprivate func contains(anyOf elements: [Element]) -> Bool { elements.contains { contains($0) } }
}

/// An item of a page, by its place in the page's own result.
struct PageItem: Sendable {
  let page: Page<DynamicOperation>
  let index: Int
}

/// A page that was merged into what is shown.
struct LoadedPage: Sendable {
  let query: DynamicOperation
  let direction: PagingDirection
  let list: PageableList
  /// Where the list was shown when the page came.
  let place: ResponsePath

  /// The data on the screen with the page's list in place of the merged one; null for a page without its list.
  func relocated(_ data: JSONValue?, in shown: JSONValue) -> JSONValue? {
    try? shown.replacing(at: place, with: data?.value(at: list.path) ?? .null)
  }
}

extension RunSession {
  /// How a page is fetched: what the cache has of one is not shown before what the server says.
  fileprivate var pagePolicy: CachePolicy {
    options.cachePolicy == .cacheAndNetwork ? .networkFirst : options.cachePolicy
  }
}

/// How the live world pages through the lists of a result.
extension LiveWorld {
  private func found(_ operation: DynamicOperation, in data: JSONValue?) -> [PageableList] {
    guard let data, operation.compiled.operationType == .query else { return [] }
    return PageableListFinder.lists(
      in: data, operation: operation.compiled, variables: operation.variables, schema: texts.schema)
  }

  /// The lists with pages in what is shown; of those that were paged, their pager knows how far they go.
  func lists(of operation: DynamicOperation, in data: JSONValue?, run: RunSession? = nil) async -> [PagedList] {
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
    guard let run = sessions[id], run.result != nil else {
      return send(.run(id, .pagesFailed("this run is not remembered any more; run it again")))
    }
    if wanted == .first { return await reset(id, send) }
    guard let pager = pager(of: path, in: run) else {
      return send(.run(id, .pagesFailed("there is nothing to page through at \(path)")))
    }
    sessions.change(id) { $0.begin(pager.request) }
    defer { settle(id, send) }
    let direction: PagingDirection = wanted == .previous ? .previous : .next
    var left = if case .all(let limit) = wanted { limit ?? .max } else { 1 }
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
      guard !Task.isCancelled,
        let page = direction == .next ? output.nextPages.last : output.previousPages.first
      else { return }
      await merge(page, direction, at: path, of: id, send)
      left = output.canLoadNext && wanted.isAll ? left - 1 : 0
    }
    if !Task.isCancelled { send(.run(id, .pagesCompleted)) }
  }

  private func record(_ page: DynamicOperation, of list: PageableList, in run: RunSession) -> RecordingFile.Run? {
    recordingFile?.begin(
      url: run.client.shownURL, operationName: page.compiled.name,
      query: list.text(run.text, of: run.operation, asking: page), variables: page.variables,
      isPage: true)
  }

  private func pager(of path: ResponsePath, in run: RunSession) -> LivePager? {
    if let known = run.pagers[path] { return known }
    guard let origin = origin(of: path, in: run),
      let list = found(origin.page.query, in: origin.page.data).first(where: { $0.path == origin.path })
    else { return nil }
    let request = RequestID()
    var options = run.options
    options.requestID = request
    // A page is shown when it is written: it is small, and what is typed at it finds it in the cache.
    options.cacheWriteTiming = .beforeResult
    let actor = DynamicQueryPager.Actor(
      source: LivePageSource(
        path: list.path, results: { [weak self] in self?.results(of: $0, by: run.client, $1, isPage: true) },
        record: { [weak self] in self?.record($0, of: list, in: run) }),
      startingWith: origin.page, strategy: list.strategy, options: options)
    let items = origin.page.data?.value(at: list.listPaths[0])?.elements.map { $0 } ?? []
    let pager = LivePager(
      actor: actor, request: request, list: list, known: Set(items.flatMap(identities(of:))),
      items: items.indices.map { PageItem(page: origin.page, index: $0) })
    sessions.change(run.id) { $0.pagers[path] = pager }
    return pager
  }

  /// Which page's result a place in what is shown comes from, and where it is there: the indices of lists that were paged
  /// count over all of their pages.
  private func origin(of path: ResponsePath, in run: RunSession) -> (page: Page<DynamicOperation>, path: ResponsePath)?
  {
    guard let result = run.result else { return nil }
    var page = Page(query: run.operation, result: result)
    var place = path
    for (shown, pager) in run.pagers.sorted(by: { $0.key.components.count < $1.key.components.count }) {
      for (own, list) in zip(pager.list.listPaths, pager.list.moved(to: shown).listPaths) {
        let depth = list.components.count
        guard path.components.count > depth, path.components.starts(with: list.components),
          case .index(let index) = path.components[depth], let item = pager.item(at: index)
        else { continue }
        page = item.page
        place = ResponsePath(own.components + [.index(item.index)] + path.components.dropFirst(depth + 1))
      }
    }
    return (page, place)
  }

  /// What an item is known by: the cache key of it, or of an edge's node, and its type and id.
  private func identities(of item: JSONValue) -> [JSONValue] {
    let node = item["node"] ?? item
    let key = node["__typename"]?.string.flatMap { store.resolver.key(for: node, typename: $0) }
    return [key.map { JSONValue($0.text) }, PageableList.identity(item)].compactMap { $0 }
  }

  private func merge(
    _ page: Page<DynamicOperation>, _ direction: PagingDirection, at path: ResponsePath, of id: Int,
    _ send: ExplorerWorld.Send
  ) async {
    guard let run = sessions[id], let pager = run.pagers[path], let shown = run.data else { return }
    let loaded = LoadedPage(query: page.query, direction: direction, list: pager.list, place: path)
    guard let next = loaded.relocated(page.data, in: shown) else { return }
    let list = pager.list.moved(to: path)
    let before = pager.itemCount
    let merged = merged(next, into: shown, list, direction, page, pager)
    let added = pager.itemCount - before
    let errors = errors(of: run, and: page, at: path, pager, direction, before: before, added: added)
    sessions.change(id) { session in
      session.changePages { run in
        run.data = merged
        run.errors = errors
        // What was paged within items that stand further behind now.
        if direction == .previous, added > 0 {
          run.pagers = Dictionary(
            run.pagers.map { ($0.key.shifted(in: list.listPaths, by: added), $0.value) },
            uniquingKeysWith: { first, _ in first })
        }
        run.pages.append(loaded)
      }
    }
    send(
      .run(
        id,
        .pageReceived(
          RunResult(
            data: merged, errors: errors, fragments: run.result?.fragments ?? [],
            changedPaths: list.listPaths, elapsed: page.result.elapsed, byteCount: page.result.byteCount,
            lists: await lists(of: run.operation, in: merged, run: sessions[id]), streams: run.result?.streams ?? []))))
  }

  /// The errors of what is shown with a page's own: the paths of those behind the new items go along with their places.
  private func errors(
    of run: RunSession, and page: Page<DynamicOperation>, at path: ResponsePath, _ pager: LivePager,
    _ direction: PagingDirection, before: Int, added: Int
  ) -> [GraphQLError] {
    let lists = pager.list.moved(to: path).listPaths
    func shifted(_ error: GraphQLError, _ place: ResponsePath?, by count: Int) -> GraphQLError {
      GraphQLError(
        message: error.message, locations: error.locations, path: place?.shifted(in: lists, by: count),
        extensions: error.extensions)
    }
    let shown = run.errors.map { shifted($0, $0.path, by: direction == .previous ? added : 0) }
    let own = page.errors.map { error in
      shifted(error, error.path?.moved(from: pager.list.path, to: path), by: direction == .next ? before : 0)
    }
    return shown + own
  }

  /// The data with a page's new items.
  private func merged(
    _ next: JSONValue, into shown: JSONValue, _ list: PageableList, _ direction: PagingDirection,
    _ page: Page<DynamicOperation>, _ pager: LivePager
  ) -> JSONValue {
    var next = next
    for (position, path) in list.listPaths.enumerated() {
      guard let items = next.value(at: path) else { continue }
      let kept = items.elements.enumerated().filter { !pager.isKnown(identities(of: $0.element)) }
      if kept.count < items.count, let changed = try? next.replacing(at: path, with: .array(kept.map(\.element))) {
        next = changed
      }
      guard position == 0 else { continue }
      let new = kept.map { PageItem(page: page, index: $0.offset) }
      pager.add(new, direction)
    }
    for item in next.value(at: list.listPaths[0])?.elements.map({ $0 }) ?? [] {
      pager.know(identities(of: item))
    }
    return list.merge(next, into: shown, direction)
  }

  /// Gives up the pages that were loaded.
  private func reset(_ id: Int, _ send: ExplorerWorld.Send) async {
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

/// Where the explorer's pages come from: a page is whole once its list is. What the operation defers elsewhere came with
/// the first page already and is not waited for again.
private struct LivePageSource: PageSource {
  let path: ResponsePath
  let results: @Sendable (DynamicOperation, RequestOptions) -> GraphQLClient.Results<JSONValue>?
  /// Notes what comes of a page's query, where that is wanted.
  let record: @Sendable (DynamicOperation) -> RecordingFile.Run?
  /// The session listens to the cache for all of its pages.
  let store: CacheStore? = nil

  func results<Query: QueryOperation>(
    of query: Query, options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        guard let page = query as? DynamicOperation else { return continuation.finish() }
        let recorded = record(page)
        var options = options
        if let recorded { options.monitor = RequestMonitor(keepsParts: false) { recorded.note($0) } }
        do {
          var isThere = false
          var errors: [GraphQLError] = []
          for try await result in results(page, options) ?? .finished(throwing: CancellationError()) {
            let isAwaited = result.fragments.contains { fragment in
              fragment.state.isPending && fragment.path.components.starts(with: path.components)
            }
            let value = result.data?.value(at: path)
            errors = result.errors
            isThere = value?.kind == .object || value?.kind == .array
            // A page without its list and without an error is an empty page, the last.
            if !isThere, result.response == .complete, errors.isEmpty, result.data?.kind == .object { isThere = true }
            if isThere { continuation.yield(try result.map(Self.typed)) }
            if !isAwaited, isThere { break }
          }
          if !isThere { throw PagerError.noData(errors) }
          recorded?.end(error: nil, exitCode: 0)
          continuation.finish()
        } catch {
          recorded?.end(error: "\(error)", exitCode: GraphQLClientError.exitCode(for: error))
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func typed<Data: Sendable>(_ data: JSONValue) throws -> Data {
    guard let data = data as? Data else { throw CancellationError() }
    return data
  }
}

extension PagedList {
  init(_ found: PageableList) {
    self.init(
      path: found.path, listPath: found.listPaths[0], itemCount: found.itemCount, totalCount: found.totalCount,
      hasNextPage: found.canLoadNext, hasPreviousPage: found.canLoadPrevious, lacksCursor: found.lacksCursor)
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
