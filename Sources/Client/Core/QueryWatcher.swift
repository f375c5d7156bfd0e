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
    var fetched = try await passOn(client.fetch(query: query, options: options), continuation)
    // What came before the base was read is in it.
    var last = await store.lastChange
    var base = try await self.read()
    // What others changed while the fetch ran is in the base, but nobody has been told yet.
    var isBaseKnown = false
    var mayRefetch = canRefetch
    for await change in changes {
      guard base.dependentKeys.areTouched(by: change.changedKeys) else { continue }
      let read = try await self.read()
      if isSame(read, base) {
        // The fetch's own writes come by here too, and change nothing any more.
        if isBaseKnown || isOwn(change) && read.isComplete == fetched { continue }
      } else if change.number <= last {
        // What made it another is a later change, which comes by itself.
        continue
      }
      base = read
      isBaseKnown = true
      publish(read, change.changedKeys.descriptions, [], continuation)
      if read.isComplete {
        mayRefetch = canRefetch
      } else if mayRefetch {
        mayRefetch = false
        fetched = try await refetch(continuation)
        last = await store.lastChange
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

  /// Passes results on; whether the last one was whole.
  private func passOn(
    _ results: GraphQLClient.Results<Query.Data>, _ continuation: Continuation
  ) async throws -> Bool {
    var isComplete = true
    for try await result in results {
      isComplete = result.response == .complete
      continuation.yield(result)
    }
    return isComplete
  }

  /// Whether the result was whole.
  private func refetch(_ continuation: Continuation) async throws -> Bool {
    var options = options
    options.cachePolicy = .networkOnly
    do {
      return try await passOn(client.fetch(query: query, options: options), continuation)
    } catch let error as CancellationError {
      throw error
    } catch {
      try Task.checkCancellation()
      publish(try await self.read(), [], [GraphQLError(message: "\(error)")], continuation)
      return false
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
