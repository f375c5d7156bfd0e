import ApusClientAPI
import ApusClientPagination
import ApusExplorerCore
import ApusJSON

/// Merges pages into the displayed result. Errors and pagers of items that move are moved along.
extension LiveEnvironment {
  /// Merges a page into the displayed data and sends the result.
  func merge(
    _ page: Page<DynamicOperation>, _ direction: PagingDirection, at path: ResponsePath, of id: Int,
    _ send: ExplorerEnvironment.Send
  ) async {
    guard let run = sessions[id], let pager = run.pagers[path], let shown = run.data else { return }
    let loaded = LoadedPage(query: page.query, direction: direction, list: pager.list, path: path)
    guard let next = loaded.relocated(page.data, in: shown) else { return }
    let merged = pager.merge(page, relocated: next, into: shown, at: path, direction)
    let errors = merged.errors(
      run.errors, and: page.errors.map { $0.at($0.path?.moved(from: pager.list.path, to: path)) })
    sessions.change(id) { session in
      session.changePages { run in
        run.data = merged.data
        run.errors = errors
        // Lists inside items have moved with their items.
        if direction == .previous {
          run.pagers = Dictionary(
            run.pagers.map { (merged.path(ofKnown: $0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        run.pages.append(loaded)
      }
    }
    send(
      .run(
        id,
        .pageReceived(
          RunResult(
            data: merged.data, errors: errors, fragments: run.result?.fragments ?? [],
            changedPaths: pager.list.moved(to: path).listPaths, elapsed: page.result.elapsed,
            byteCount: page.result.byteCount,
            lists: await lists(of: run.operation, in: merged.data, run: sessions[id]),
            streams: run.result?.streams ?? []))))
  }
}
