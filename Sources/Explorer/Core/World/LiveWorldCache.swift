import ClientAPI
import ClientCache
import ClientCore
import ClientOperation
import ClientPagination
import JSON

/// What the live world does with the cache: writes results, reads them again, lists and opens records.
/// The cache as it was after each part of the newest run; snapshots share what did not change between them.
struct CachePast {
  /// Two snapshots share what did not change between them, in pages; each costs some hundred KB of its own.
  private static let limit = 200

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
    if let lookedAt { return try? await lookedAt.store.snapshot() }
    if let past = past.withLock({ $0.shown }) { return past }
    return try? await store.snapshot()
  }

  func write(_ result: GraphQLResult<JSONValue>, of operation: CompiledOperation, variables: JSONValue) async {
    guard let data = result.data, data.kind == .object else { return }
    let isWhole = result.part == 0 || result.changedPaths.contains([])
    let before = try? await store.snapshot()
    var options = CacheWriteOptions(
      isPartial: result.response == .partial, places: isWhole ? nil : result.changedPaths, part: result.part)
    options.errors = result.errors
    guard let changed = try? await store.write(data, operation: operation, variables: variables, options: options),
      let before, let after = try? await store.snapshot()
    else { return }
    log.add(
      title: operation.name ?? operation.operationType.rawValue, part: result.part, before: before, after: after,
      changed: changed)
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
    for loaded in run.pages {
      let (query, direction, list) = (loaded.query, loaded.direction, loaded.list.moved(to: loaded.place))
      guard let read = try? await store.read(query.compiled, variables: query.variables, allowPartial: true)
      else { continue }
      isComplete = isComplete && read.isComplete
      guard let shown = data, let page = loaded.relocated(read.data, in: shown) else { continue }
      data = list.merge(page, into: shown, direction)
      let before = shown.value(at: list.listPaths[0])?.count ?? 0
      let after = data?.value(at: list.listPaths[0])?.count ?? 0
      let missed = read.missing.map { $0.moved(from: loaded.list.path, to: loaded.place) }
      switch direction {
      case .next: missing += missed.map { $0.shifted(in: list.listPaths, by: before) }
      case .previous: missing = missing.map { $0.shifted(in: list.listPaths, by: after - before) } + missed
      }
    }
    if isComplete && data == run.data { return }
    changeRun(id) { $0.data = data }
    send(
      .cacheRead(
        id,
        RunResult(
          data: data, errors: run.result?.errors ?? [], fragments: first.fragments, missing: missing,
          changedPaths: [[]], isComplete: isComplete, isFromCache: true,
          lists: await lists(of: run.operation, in: data, run: run))))
  }

  /// Fetches what the cache lost: the operation, and those of its pages that are no longer whole.
  func fetchAgain(_ id: Int, _ send: ExplorerWorld.Send) async {
    guard let run = run(id) else { return }
    guard !run.pages.isEmpty else { return await receive(run.operation, run: id, send) }
    do {
      for query in [run.operation] + run.pages.map(\.query) {
        let read = try await store.read(query.compiled, variables: query.variables, allowPartial: true)
        if read.isComplete { continue }
        for try await result in client.fetch(query: query, options: run.options) {
          await write(result, of: query.compiled, variables: query.variables)
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

  func listRecords(_ filter: String, _ sort: RecordSort) async -> ExplorerWorld.Records {
    guard let snapshot = await shownSnapshot() else { return ExplorerWorld.Records() }
    let entries =
      RecordReading.isProgram(filter)
      ? await entries(of: snapshot, program: filter, sort)
      : RecordReading.entries(of: snapshot, filter: filter, sort: sort)
    return ExplorerWorld.Records(entries: entries, totalCount: snapshot.count, totalBytes: snapshot.byteCount)
  }

  /// The records for which a jq program gives something that is true.
  private func entries(of snapshot: CacheSnapshot, program: String, _ sort: RecordSort) async -> [RecordEntry] {
    let all = RecordReading.entries(of: snapshot, filter: "", sort: sort)
    let records = all.map { entry in RecordReading.json(entry.key, in: snapshot) }
    let program = "[.[] | (try ([\(program)] | any) catch false)]"
    guard case .success(let told) = await filtering.filter(program, SharedJSON(.array(records))) else { return [] }
    return zip(all, told.elements).filter { $0.1.bool == true }.map(\.0)
  }

  func openRecord(_ key: String) async -> OpenedRecord? {
    guard let snapshot = await shownSnapshot(), var opened = RecordReading.opened(key, in: snapshot) else {
      return nil
    }
    if lookedAt == nil, let run = newestRun, run.operation.compiled.operationType == .query,
      let read = try? await store.read(
        run.operation.compiled, variables: run.operation.variables, allowPartial: true, allowStale: true),
      snapshot.isRead(CacheKey(key), by: read.dependentKeys)
    {
      opened.watchers = [run.operation.compiled.name ?? "the shown query"]
    }
    return opened
  }
}
