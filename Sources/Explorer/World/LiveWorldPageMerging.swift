import ApusClientAPI
import ApusClientPagination
import ApusExplorerCore
import ApusJSON

/// Merges the pages of a list into the result on the screen: items that are there already are left out, and the errors and
/// pagers of items that move along go with them.
extension LiveWorld {
  /// The identities of an item: its cache key or that of the edge's node, and its type and id.
  func identities(of item: JSONValue) -> [JSONValue] {
    let node = item["node"] ?? item
    let key = node["__typename"]?.string.flatMap { store.resolver.key(for: node, typename: $0) }
    return [key.map { JSONValue($0.text) }, PageableList.identity(item)].compactMap { $0 }
  }

  /// Merges a page into the data on the screen, and sends the result.
  func merge(
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
        // The lists inside items have moved with them.
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

  /// The errors on the screen with those of a page. The paths of errors after the new items move with their items.
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
