import ClientAPI
import ClientOperation
import ClientPagination
import JSON

/// How the live world pages through the first connection of a result.
extension LiveWorld {
  func fetch(_ request: PageRequest) -> AsyncThrowingStream<GraphQLResult<JSONValue>, any Error> {
    client.fetch(
      query: DynamicOperation(compiled: request.operation, variables: request.variables), options: LiveWorld.options)
  }

  /// The connection that pages are loaded of: the outermost one with more to come, else the outermost.
  private func pageable(_ operation: DynamicOperation, in data: JSONValue?) -> ClientPagination.Connection? {
    guard let data, operation.compiled.operationType == .query else { return nil }
    let found = ConnectionFinder.connections(
      in: data, operation: operation.compiled, variables: operation.variables)
    return found.first(where: \.canLoadNext) ?? found.first
  }

  func connection(of operation: DynamicOperation, in data: JSONValue?) -> Connection? {
    pageable(operation, in: data).map(Connection.init)
  }

  /// Loads one page, or all; each is shown as soon as it is whole, merged behind the ones before.
  func loadPages(_ id: Int, all: Bool, _ send: ExplorerWorld.Send) async {
    guard let run = run(id), let result = run.result,
      let connection = run.connection ?? pageable(run.operation, in: run.data)
    else { return send(.pagesFailed(id, "there is nothing to page through")) }
    let pager = run.pager ?? pager(for: run, result, through: connection)
    changeRun(id) { run in
      run.pager = pager
      run.connection = connection
    }
    var goesOn = true
    while goesOn {
      do {
        try await pager.loadNext()
      } catch {
        guard !Task.isCancelled else { return }
        return send(.pagesFailed(id, "\(error)"))
      }
      guard !Task.isCancelled, let page = await pager.current.nextPages.last else { return }
      let hasMore = await pager.canLoadNext
      await show(page, of: id, through: connection, hasMore: hasMore, send)
      goesOn = all && hasMore && !Task.isCancelled
    }
    if !Task.isCancelled { send(.pagesCompleted(id)) }
  }

  private func pager(
    for run: LiveRun, _ result: GraphQLResult<JSONValue>, through connection: ClientPagination.Connection
  ) -> GraphQLQueryPager.Actor {
    let request = PageRequest(operation: run.operation.compiled, variables: run.operation.variables)
    return GraphQLQueryPager.Actor(
      startingWith: Page(request: request, result: result), strategy: .forward(through: connection)
    ) { [self] operation, variables in
      pageResults(PageRequest(operation: operation, variables: variables), through: connection)
    }
  }

  /// A page is whole once its connection is: what the operation defers elsewhere came with the first page already and
  /// is not waited for again.
  private func pageResults(
    _ request: PageRequest, through connection: ClientPagination.Connection
  ) -> AsyncThrowingStream<GraphQLResult<JSONValue>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await result in fetch(request) {
            let isAwaited = result.fragments.contains { fragment in
              fragment.state.isPending && fragment.path.components.starts(with: connection.path.components)
            }
            continuation.yield(result)
            if !isAwaited, result.data?.value(at: connection.path)?.kind == .object { break }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func show(
    _ page: Page, of id: Int, through connection: ClientPagination.Connection, hasMore: Bool,
    _ send: ExplorerWorld.Send
  ) async {
    guard let run = run(id), let shown = run.data, let next = page.result.data else { return }
    let offset = shown.value(at: connection.listPaths[0])?.count ?? 0
    let merged = connection.merge(next, into: shown)
    let errors = page.result.errors.map { error in
      GraphQLError(
        message: error.message, locations: error.locations,
        path: error.path?.shifted(in: connection.listPaths, by: offset), extensions: error.extensions)
    }
    changeRun(id) { $0.data = merged }
    var state = Connection(connection)
    state.itemCount = merged.value(at: connection.listPaths[0])?.count ?? 0
    state.hasNextPage = hasMore
    send(
      .pageReceived(
        id,
        RunResult(
          data: merged, errors: (run.result?.errors ?? []) + errors, fragments: run.result?.fragments ?? [],
          changedPaths: connection.listPaths, elapsed: page.result.elapsed, byteCount: page.result.byteCount,
          connection: state)))
    await write(page.result, of: page.request.operation, variables: page.request.variables)
    send(.cacheChanged(touchesRun: false))
  }
}

extension Connection {
  init(_ found: ClientPagination.Connection) {
    self.init(
      path: found.path, itemCount: found.itemCount, totalCount: found.totalCount, hasNextPage: found.canLoadNext)
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
