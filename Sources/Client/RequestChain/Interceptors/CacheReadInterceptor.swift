import ClientAPI
import ClientCache
import JSON

/// Answers a query from the cache where its policy says so, on the way to the network.
public struct CacheReadInterceptor: RequestChainInterceptor {
  private let store: CacheStore

  public init(store: CacheStore) {
    self.store = store
  }

  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let onward = RequestChain.NextAction.proceed(request: request, response: response)
    guard response == nil, request.operation.compiled.operationType == .query, request.attempt == 0 else {
      return onward
    }
    switch request.options.cachePolicy {
    case .networkOnly, .networkFirst:
      return onward
    case .cacheFirst:
      let read = try await CacheAnswer.read(request, store)
      guard read.isComplete || request.options.allowsPartialReads, let result = try CacheAnswer.result(read, request)
      else { return onward }
      return read.isComplete
        ? .exitEarlyAndEmit(result: result, request: request)
        : .proceedAndEmit(intermediaryResult: result, request: request, response: response)
    case .cacheAndNetwork:
      let read = try await CacheAnswer.read(request, store)
      guard read.isComplete || request.options.allowsPartialReads, let result = try CacheAnswer.result(read, request)
      else { return onward }
      return .proceedAndEmit(intermediaryResult: result, request: request, response: response)
    case .cacheOnly:
      let read = try await CacheAnswer.read(request, store)
      // A fragment that was never delivered is pending, and no miss of what the query asks for at once.
      guard read.missing.isEmpty || request.options.allowsPartialReads,
        let result = try CacheAnswer.result(read, request)
      else { throw GraphQLClientError.cacheMiss(missing: read.missing) }
      return .exitEarlyAndEmit(result: result, request: request)
    }
  }
}

/// Gives the cache's answer to a query whose policy is `networkFirst` when the network fails before anything arrived.
/// A server that answers, with whatever error, is no such failure.
public struct CacheFallbackInterceptor: RequestChainErrorInterceptor {
  private let store: CacheStore

  public init(store: CacheStore) {
    self.store = store
  }

  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard case GraphQLClientError.network(let failure) = error, failure.isTransportFailure,
      request.options.cachePolicy == .networkFirst, request.operation.compiled.operationType == .query,
      request.monitor.facts.resultCount == 0
    else { throw error }
    guard let read = try? await CacheAnswer.read(request, store), read.isComplete,
      let result = try? CacheAnswer.result(read, request)
    else { throw error }
    return .exitEarlyAndEmit(result: result, request: request)
  }
}

/// What the cache knows of a query, as a result.
package enum CacheAnswer {
  /// Reads all that is there; whether that is enough is for the policy to say.
  static func read<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ store: CacheStore
  ) async throws -> CacheRead {
    try await read(request.operation, store, allowStale: request.options.allowsStaleReads)
  }

  package static func read<Operation: GraphQLOperation>(
    _ operation: Operation, _ store: CacheStore, allowStale: Bool = false
  ) async throws -> CacheRead {
    do {
      return try await store.read(
        operation.compiled, variables: operation.variables, allowPartial: true, allowStale: allowStale)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw GraphQLClientError.cacheFailure(reason: "\(error)")
    }
  }

  /// nil when the cache has nothing of it.
  static func result<Operation: GraphQLOperation>(
    _ read: CacheRead, _ request: GraphQLRequest<Operation>
  ) throws -> GraphQLResult<Operation.Data>? {
    guard let data = try TypedData.make(read, request.operation) else { return nil }
    return result(data, read, elapsed: request.startInstant.duration(to: .now))
  }

  package static func result<Data: Sendable>(
    _ data: Data?, _ read: CacheRead, changedKeys: Set<String> = [], errors: [GraphQLError] = [], elapsed: Duration
  ) -> GraphQLResult<Data> {
    var result = GraphQLResult(
      data: data, errors: read.errors + errors, source: .cache, response: read.isComplete ? .complete : .partial,
      fragments: read.fragments, changedKeys: changedKeys, elapsed: elapsed, changedPaths: [ResponsePath([])])
    result.json = read.data
    return result
  }

  /// Whether a read has what a result has that was given out. What errors left without a value is in no cache.
  package static func isSame<Data: Sendable>(_ result: GraphQLResult<Data>, _ read: CacheRead) -> Bool {
    guard let json = result.json else { return false }
    return UnansweredFields.remove(from: json, result.errors) == read.data
  }
}
