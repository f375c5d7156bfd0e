import ClientAPI
import ClientCache
import ClientOperation
import ClientPagination
import JSON

/// What the live world does with the cache: writes results, reads them again, lists and opens records.
/// The cache as it was after each part of the newest run; snapshots share what did not change between them.
struct CachePast {
  private static let limit = 1000

  private var run: Int?
  private var snapshots: [CacheSnapshot] = []
  private var firstIndex = 0
  private var viewed: Int?

  init(run: Int? = nil) { self.run = run }

  /// What is to be seen in place of the cache as it is.
  var shown: CacheSnapshot? {
    guard let viewed, snapshots.indices.contains(viewed - firstIndex) else { return nil }
    return snapshots[viewed - firstIndex]
  }

  mutating func view(_ part: Int?, of run: Int) {
    if run == self.run { viewed = part }
  }

  mutating func add(_ snapshot: CacheSnapshot, to run: Int) {
    guard run == self.run else { return }
    snapshots.append(snapshot)
    guard snapshots.count > Self.limit else { return }
    snapshots.removeFirst(Self.limit / 10)
    firstIndex += Self.limit / 10
  }
}

extension LiveWorld {
  /// The cache as it is shown: as it is, or as it was after a part that is looked back at.
  func shownSnapshot() async -> CacheSnapshot? {
    if let past = past.withLock({ $0.shown }) { return past }
    return try? await store.snapshot()
  }

  func write(_ result: GraphQLResult<JSONValue>, of operation: CompiledOperation, variables: JSONValue) async {
    guard let data = result.data, data.kind == .object else { return }
    let isWhole = result.part == 0 || result.changedPaths.contains([])
    _ = try? await store.write(
      data, operation: operation, variables: variables,
      options: CacheWriteOptions(
        isPartial: result.response == .partial, places: isWhole ? nil : result.changedPaths, part: result.part))
  }

  /// Reads what is shown again from the cache, its pages too, and tells if it is another now.
  func readAgain(_ id: Int, _ send: ExplorerWorld.Send) async {
    guard let run = run(id), run.operation.compiled.operationType == .query,
      let first = try? await store.read(
        run.operation.compiled, variables: run.operation.variables, allowPartial: true)
    else { return }
    var data = first.data
    var missing = first.missing
    var isComplete = first.isComplete
    for request in await laterRequests(of: run) {
      guard let read = try? await store.read(request.operation, variables: request.variables, allowPartial: true)
      else { continue }
      isComplete = isComplete && read.isComplete
      guard let page = read.data, let shown = data, let connection = run.connection else { continue }
      let offset = shown.value(at: connection.listPaths[0])?.count ?? 0
      data = connection.merge(page, into: shown)
      missing += read.missing.map { $0.shifted(in: connection.listPaths, by: offset) }
    }
    if isComplete && data == run.data { return }
    changeRun(id) { $0.data = data }
    send(
      .cacheRead(
        id,
        RunResult(
          data: data, errors: run.result?.errors ?? [], fragments: first.fragments, missing: missing,
          changedPaths: [[]], isComplete: isComplete, isFromCache: true,
          connection: connection(of: run.operation, in: data))))
  }

  /// Fetches what the cache lost: the operation, and those of its pages that are no longer whole.
  func fetchAgain(_ id: Int, _ send: ExplorerWorld.Send) async {
    guard let run = run(id) else { return }
    let later = await laterRequests(of: run)
    guard !later.isEmpty else { return await receive(run.operation, run: id, send) }
    do {
      let first = PageRequest(operation: run.operation.compiled, variables: run.operation.variables)
      for request in [first] + later {
        let read = try await store.read(request.operation, variables: request.variables, allowPartial: true)
        if read.isComplete { continue }
        for try await result in fetch(request) {
          await write(result, of: request.operation, variables: request.variables)
        }
      }
      await readAgain(id, send)
      send(.cacheChanged(touchesRun: false))
      send(.runCompleted(id))
    } catch {
      guard !Task.isCancelled else { return }
      send(.runFailed(id, RunFailure(error)))
    }
  }

  private func laterRequests(of run: LiveRun) async -> [PageRequest] {
    await run.pager?.current.nextPages.map(\.request) ?? []
  }

  func listRecords(_ filter: String) async -> ExplorerWorld.Records {
    guard let snapshot = await shownSnapshot() else { return ExplorerWorld.Records() }
    return ExplorerWorld.Records(
      entries: RecordReading.entries(of: snapshot, filter: filter), totalCount: snapshot.count,
      totalBytes: snapshot.byteCount)
  }
}
