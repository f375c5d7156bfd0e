import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientOperation
import ApusClientPagination
import ApusClientRequestChain
import ApusExplorerCore
import ApusJSON

/// Observing and inspecting the cache. The store's change feed is the only source of change notifications.
extension LiveEnvironment {
  /// Observes the store. The closure runs synchronously on the writer's side.
  func observe(_ store: CacheStore) -> CacheObservation {
    store.observe { [weak self] change in
      guard let self else { return }
      let title = change.change.request.flatMap { endpoint.observed?.title(of: $0) }
      log.add(change, of: sessions.owner(of: change.change), title: title)
      let runs = sessions.record(change)
      // The writes of an application are reported with its requests, so that many do not delay the keys.
      if title != nil { endpoint.observed?.cacheChanged(runs: runs) } else { send(.cacheChanged(runs: runs)) }
    }
  }

  /// Observes an external cache, whose changes do not affect the results of runs.
  func observe(external store: CacheStore) -> CacheObservation {
    store.observe { [weak self] change in
      self?.log.add(change, of: nil)
      self?.send(.cacheChanged(runs: []))
    }
  }

  /// Returns the cache that the inspector shows: the current one, or a snapshot from an earlier result of a run.
  func snapshot(at revision: CacheRevision?) async -> (snapshot: CacheSnapshot, note: String?)? {
    guard let now = try? await inspected.snapshot() else { return nil }
    guard let revision, openedCache == nil else { return (now, nil) }
    if let then = sessions[revision.run]?.moments.snapshot(ofResult: revision.result) { return (then, nil) }
    return (now, "The earlier cache state is no longer stored: this is the current cache")
  }

  // MARK: Rereading the displayed data

  /// Reads a run's displayed data, including its pages, from the cache again after an external change. Sends the new
  /// result if it differs, and whether lost data must be fetched.
  func reread(_ id: Int, _ send: ExplorerEnvironment.Send) async {
    guard let (change, earlier) = sessions.change(id, { $0.takeUnseen() }).flatMap({ $0 }), let session = sessions[id]
    else { return }
    var reads: [CacheRead] = []
    for query in session.queries {
      guard let read = try? await store.read(query.compiled, variables: query.variables, allowPartial: true) else {
        return
      }
      reads.append(read)
    }
    let (data, missing) = merged(reads, session)
    let isComplete = reads.allSatisfy(\.isComplete)
    let isLoss = zip(reads, earlier).contains { $0.hasLost(since: $1) }
    var options = session.options
    options.cachePolicy = session.watchPolicy
    var refetching = RefetchScheduler(options)
    var depth: Int?
    let isConflict = await isConflict(change, reads, session, send)
    if case .fetch(let next) = refetching.changed(
      by: change, isComplete: isComplete, isLoss: isLoss, isConflict: isConflict)
    {
      depth = next
    }
    if depth != nil {
      let loss = (change: sessions.owner(of: change)?.title ?? change.words, misses: await misses(of: session, in: nil))
      sessions.change(id) { $0.loss = loss }
    }
    // In a conflict, the last complete result stays.
    let isSame = depth == nil && (isConflict || isShown(data, reads, session))
    sessions.change(id) { $0.record(reads, shows: data, isOther: !isSame, refetchDepth: depth ?? 0) }
    if isSame { return }
    send(
      .run(
        id,
        .cacheRead(
          RunResult(
            data: data, errors: session.errors, fragments: session.withArrivals(reads[0].fragments),
            missing: missing, changedPaths: [[]], isComplete: isComplete, isFromCache: true,
            lists: await lists(of: session.operation, in: data, run: session), streams: session.result?.streams ?? []),
          fetchesLoss: depth != nil)))
  }

  /// Whether another run took the lost data, from which this run took data before. The first time, the run is noted.
  private func isConflict(
    _ change: CacheChange, _ reads: [CacheRead], _ session: RunSession, _ send: ExplorerEnvironment.Send
  ) async -> Bool {
    guard change.watch != nil else { return false }
    var last: CacheReplacement?
    for (query, read) in zip(session.queries, reads) where !read.isComplete {
      last = try? await store.replacement(of: read, query.compiled, variables: query.variables)
      if last == nil { return false }
    }
    guard let last else { return false }
    let (isConflict, new) = await store.noteTaking(in: change, from: session.watch, last)
    if let new { send(.run(session.id, .noted("\(new)"))) }
    return isConflict
  }

  /// Whether a read equals the displayed data. Fields without a value because of an error are not in the cache.
  private func isShown(_ data: JSONValue?, _ reads: [CacheRead], _ session: RunSession) -> Bool {
    if session.data == data { return true }
    guard !session.isReread, session.pages.isEmpty, let result = session.result else { return false }
    let query = session.queries[0]
    return CachedResult.isSame(
      result, reads[0], plan: SelectionPlan(operation: query.compiled, variables: query.variables))
  }

  /// Merges the pages into the operation's data; also returns the paths of all missing values.
  private func merged(_ reads: [CacheRead], _ session: RunSession) -> (data: JSONValue?, missing: [ResponsePath]) {
    var data = reads[0].data
    var missing = reads[0].missing
    var keys: [ResponsePath: ItemKeys] = [:]
    for (loaded, read) in zip(session.pages, reads.dropFirst()) {
      let list = loaded.list.moved(to: loaded.path)
      guard let shown = data, let page = loaded.relocated(read.data, in: shown) else { continue }
      let merged = list.merging(
        page, into: shown, loaded.direction, keys: &keys[list.path, default: ItemKeys(of: list, in: shown)])
      data = merged.data
      missing =
        missing.map(merged.path(ofKnown:))
        + read.missing.map { merged.path(ofNew: $0.moved(from: loaded.list.path, to: loaded.path)) }
    }
    return (data, missing)
  }

  /// Reads the operation and its pages from the cache, and fetches those that are incomplete.
  private func fetchIncomplete(
    of session: RunSession, _ options: RequestOptions
  ) async throws -> (reads: [CacheRead], errors: [GraphQLError], byteCount: Int) {
    var reads: [CacheRead] = []
    var byteCount = 0
    var errors: [GraphQLError] = []
    for query in session.queries {
      var read = try await store.read(query.compiled, variables: query.variables, allowPartial: true)
      if !read.isComplete {
        var newest: [GraphQLError] = []
        for try await result in results(of: query, by: session.client, options, isPage: reads.count > 0) {
          byteCount += result.byteCount
          newest = result.errors
        }
        // The errors of a page do not reflect where its items are now.
        errors += reads.isEmpty ? newest : newest.map { GraphQLError(message: $0.message, extensions: $0.extensions) }
        read = try await store.read(query.compiled, variables: query.variables, allowPartial: true)
      }
      reads.append(read)
    }
    return (reads, errors, byteCount)
  }

  /// Refetches data that the cache lost: the operation and those pages that are no longer complete.
  func refetch(_ id: Int, _ send: ExplorerEnvironment.Send) async {
    guard let session = sessions[id] else { return }
    var options = session.options
    options.cachePolicy = .networkOnly
    options.refetchDepth = session.refetchDepth
    guard !session.pages.isEmpty else { return await receive(id, options, send) }
    let request = RequestID()
    options.requestID = request
    options.watch = session.watch
    sessions.change(id) { $0.begin(request) }
    defer { finish(id, send) }
    do {
      let (reads, newErrors, byteCount) = try await fetchIncomplete(of: session, options)
      let (data, missing) = merged(reads, session)
      // An error no longer applies once its field has a value.
      let errors =
        newErrors
        + session.errors.filter { error in
          !newErrors.contains(error) && error.path.flatMap { data?.value(at: $0) }?.isNull != false
        }
      sessions.change(id) {
        $0.record(reads, shows: data, isOther: true, refetchDepth: 0)
        $0.errors = errors
      }
      send(
        .run(
          id,
          .cacheRead(
            RunResult(
              data: data, errors: errors, fragments: session.withArrivals(reads[0].fragments), missing: missing,
              changedPaths: [[]], isComplete: reads.allSatisfy(\.isComplete), isFromCache: byteCount == 0,
              byteCount: byteCount, lists: await lists(of: session.operation, in: data, run: session),
              streams: session.result?.streams ?? []),
            fetchesLoss: false)))
      send(.run(id, .completed))
    } catch {
      guard !Task.isCancelled else { return }
      send(.run(id, .failed(RunError(error))))
    }
  }

  // MARK: Cache use of a run

  /// Returns how much of a run's data came from the cache, and the cache misses when the run began; after a refetch, the
  /// misses that led to it.
  func cacheUse(of id: Int) async -> CacheUsage {
    guard let session = sessions[id] else { return CacheUsage() }
    let hidden = HiddenFields(of: session.operation.compiled.selections)
    var use = CacheUsage(
      fromCache: session.given.byCache?.fieldCount(without: hidden) ?? 0,
      fromNetwork: session.given.byNetwork?.fieldCount(without: hidden) ?? 0)
    if let loss = session.loss {
      (use.refetchedAfter, use.misses) = (loss.change, loss.misses)
    } else if session.isQuery, session.options.cachePolicy.readsCacheFirst {
      use.misses = await misses(of: session, in: session.moments.start)
    }
    return use
  }

  /// Returns the paths without a value in a cache-only result. Deferred fragments count as pending, not as missing.
  func missing(in result: GraphQLResult<JSONValue>, _ id: Int) async -> [ResponsePath] {
    guard let session = sessions[id] else { return [] }
    return await cacheMisses(of: session, in: session.moments.start).map(\.path).filter { path in
      !result.fragments.contains { $0.state.isPending && path.starts(with: $0.path) }
    }
  }

  /// Returns the misses in a snapshot, or in the current cache, as they are shown.
  private func misses(of session: RunSession, in snapshot: CacheSnapshot?) async -> [CacheUsage.Miss] {
    let current = snapshot == nil ? try? await store.snapshot() : nil
    guard let records = snapshot ?? current else { return [] }
    return await cacheMisses(of: session, in: records).map { miss in
      CacheUsage.Miss(
        path: miss.path, record: miss.record.text, field: miss.field, reason: miss.reason.words,
        hasRecord: records.record(miss.record) != nil)
    }
  }

  private func cacheMisses(of session: RunSession, in snapshot: CacheSnapshot?) async -> [CacheMiss] {
    let operation = session.operation
    return
      (try? await store.misses(
        of: operation.compiled, variables: operation.variables, allowStale: session.options.allowsStaleReads,
        in: snapshot)) ?? []
  }

  // MARK: Between the response and the records

  /// Returns the record that a value in a run's response is stored in.
  func findRecord(of id: Int, at path: ResponsePath, _ revision: CacheRevision?) async -> (
    record: String, field: String?
  )? {
    guard let session = sessions[id], let (snapshot, _) = await snapshot(at: revision) else { return nil }
    let location = try? await store.location(
      at: path, of: session.operation.compiled, variables: session.operation.variables, in: snapshot)
    return location.map { ($0.record.text, $0.field) }
  }

  /// Returns the first path in a run's response that shows a record.
  func findPath(to record: String, in id: Int) async -> ResponsePath? {
    guard let session = sessions[id] else { return nil }
    return
      (try? await store.path(
        to: CacheKey(record), of: session.operation.compiled, variables: session.operation.variables)) ?? nil
  }

  // MARK: The readers of the cache

  /// A displayed query that reads given cache entries.
  struct ActiveQuery: Sendable {
    let name: String
    /// The reason why the query does not refetch lost data; nil if it does.
    let reasonAgainstFetching: String?
  }

  /// Returns the displayed queries whose dependent keys match a condition.
  func readers(of something: (DependentKeys) -> Bool) async -> [ActiveQuery] {
    var readers: [ActiveQuery] = []
    for session in sessions.all where session.isQuery && session.result != nil {
      for query in session.queries {
        guard
          let read = try? await store.read(
            query.compiled, variables: query.variables, allowPartial: true, allowStale: true),
          something(read.dependentKeys)
        else { continue }
        readers.append(
          ActiveQuery(
            name: session.operation.compiled.name ?? "the current query",
            reasonAgainstFetching: reasonAgainstFetching(with: session.watchPolicy)))
        break
      }
    }
    return readers
  }

  private func reasonAgainstFetching(with policy: CachePolicy) -> String? {
    if !policy.usesNetwork { return "its cache policy is \(policy.words)" }
    return replay == nil ? nil : "a recording has no server"
  }
}

extension JSONValue {
  /// The number of leaf fields in the data of a response; none if it is null.
  fileprivate func fieldCount(without hidden: HiddenFields) -> Int { isNull ? 0 : leafCount(without: hidden) }
}

extension CacheMiss.Reason {
  /// The description for the user.
  fileprivate var words: String {
    switch self {
    case .noRecord: "the record does not exist"
    case .noField: "the record does not have the field"
    case .otherArguments(let keys): "the record has it with other arguments: \(keys.joined(separator: ", "))"
    case .expired: "it has expired"
    case .danglingReference(let key): "it refers to \(key.text), which does not exist"
    case .errors(let messages): "its value is missing because of an error: \(messages.joined(separator: "; "))"
    case .invalidValue: "its value does not have the type that the operation requests"
    case .replaced(let replacement): "\(replacement)"
    }
  }
}
