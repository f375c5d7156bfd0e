import ClientAPI
import ClientCache
import ClientRequestChain
import JSON

/// Gives a query's result again whenever the cache changes under it.
///
/// 1. The query is fetched as its policy says; all its results are passed on.
/// 2. What the cache now has of it is the base: its dependent keys tell which changes matter.
/// 3. When a change meets them and the data has become another, it is published.
/// 4. When something was lost, what is left is published, and the query fetched once: not again before it was whole.
struct QueryWatcher<Query: QueryOperation>: Sendable {
  let client: GraphQLClient
  let store: CacheStore
  let query: Query
  let options: RequestOptions

  private let start = ContinuousClock.now

  init(client: GraphQLClient, store: CacheStore, query: Query, options: RequestOptions) {
    self.client = client
    self.store = store
    self.query = query
    self.options = options
  }

  private typealias Continuation = GraphQLClient.Results<Query.Data>.Continuation

  func results() -> GraphQLClient.Results<Query.Data> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await run(continuation)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func run(_ continuation: Continuation) async throws {
    // Before the fetch, so that no change falls between it and the listening.
    let changes = await store.changes()
    // What is watched is not collected, and does not fall to the limit of the cache.
    let retainer = await store.retain(query.compiled, variables: query.variables)
    defer { Task { [store] in await store.release(retainer) } }
    for try await result in client.fetch(query: query, options: options) { continuation.yield(result) }
    // The fetch's own writes are in the base, and told.
    var told = await store.lastChange
    var base = try await self.read()
    // What others changed while the fetch ran is in the base, but nobody has been told yet.
    var isBaseKnown = false
    var mayRefetch = canRefetch
    for await change in changes {
      if change.number <= told, isOwn(change) { continue }
      guard base.dependentKeys.areTouched(by: change.changedKeys) else { continue }
      let read = try await self.read()
      if isSame(read, base), isBaseKnown || isOwn(change) { continue }
      base = read
      isBaseKnown = true
      publish(read, change.changedKeys.descriptions, [], continuation)
      if read.isComplete {
        mayRefetch = canRefetch
      } else if mayRefetch {
        mayRefetch = false
        try await refetch(continuation)
        told = await store.lastChange
        base = try await self.read()
        isBaseKnown = false
      }
    }
    try Task.checkCancellation()
  }

  private func read() async throws -> CacheRead {
    try await CacheAnswer.read(query, store, allowStale: options.allowsStaleReads)
  }

  private var canRefetch: Bool { options.cachePolicy != .cacheOnly && options.cacheWrites != .never }

  private func isOwn(_ change: CacheChange) -> Bool {
    if case .write(query.compiled.name, _) = change.cause { true } else { false }
  }

  private func refetch(_ continuation: Continuation) async throws {
    var options = options
    options.cachePolicy = .networkOnly
    do {
      for try await result in client.fetch(query: query, options: options) { continuation.yield(result) }
    } catch let error as CancellationError {
      throw error
    } catch {
      try Task.checkCancellation()
      publish(try await self.read(), [], [GraphQLError(message: "\(error)")], continuation)
    }
  }

  private func publish(
    _ read: CacheRead, _ changedKeys: Set<String>, _ errors: [GraphQLError], _ continuation: Continuation
  ) {
    // A model may have no room for what is missing: then there is a result, and no data in it.
    let data = (try? TypedData.make(read, query)) ?? nil
    continuation.yield(
      CacheAnswer.result(data, read, changedKeys: changedKeys, errors: errors, elapsed: start.duration(to: .now)))
  }

  private func isSame(_ left: CacheRead, _ right: CacheRead) -> Bool {
    left.isComplete == right.isComplete && left.missing == right.missing && left.data == right.data
      && left.fragments.map(\.state) == right.fragments.map(\.state)
  }
}
