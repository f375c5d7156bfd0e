import ApusClientAPI
import ApusClientCache
import ApusClientNetwork
import ApusClientOperation
import ApusJSON

/// Reads a query from the cache before the network fetch, if its policy allows.
public struct CacheReadInterceptor: RequestChainInterceptor {
  let store: CacheStore

  /// Creates an interceptor that reads a cache.
  public init(store: CacheStore) {
    self.store = store
  }

  /// Returns a query's result from the cache; all other requests proceed.
  ///
  /// - Throws: `GraphQLClientError.cacheMiss` if the policy is `cacheOnly` and data is missing, `.cacheFailure` if it
  ///   is `cacheOnly` and the cache cannot be read; the errors of the operation's `makeData(from:)`;
  ///   `CancellationError`.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let onward = RequestChain.NextAction<Operation>.proceed(request: request, response: response)
    guard response == nil, request.compiled.operationType == .query, request.attempt == 0 else { return onward }
    switch request.options.cachePolicy {
    case .networkOnly, .networkFirst:
      return onward
    case .cacheFirst:
      guard let (read, result) = try await readable(request) else { return onward }
      guard read.hasBase || request.options.allowsPartialReads, let result else { return onward }
      return read.isComplete
        ? .exitEarlyAndEmit(result: result, request: request)
        : .proceedAndEmit(intermediaryResult: result, request: request, response: response)
    case .cacheAndNetwork:
      guard let (read, result) = try await readable(request) else { return onward }
      guard read.hasBase || request.options.allowsPartialReads, let result else { return onward }
      return .proceedAndEmit(intermediaryResult: result, request: request, response: response)
    case .cacheOnly:
      let (read, result) = try await CachedResult.answer(request, store)
      guard read.hasBase || request.options.allowsPartialReads, let result else {
        throw GraphQLClientError.cacheMiss(missing: read.missing)
      }
      return .exitEarlyAndEmit(result: result, request: request)
    }
  }

  /// Returns the result from the cache, or `nil` if the cache cannot be read, so that the network is used.
  private func readable<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> (read: CacheRead, result: GraphQLResult<Operation.Data>?)? {
    do {
      return try await CachedResult.answer(request, store)
    } catch GraphQLClientError.cacheFailure {
      return nil
    }
  }
}

/// Reads a query with the policy `networkFirst` from the cache if the network fails before a result arrived. A response
/// with an error status does not count as a network failure.
public struct CacheFallbackInterceptor: RequestChainErrorInterceptor {
  private let store: CacheStore

  /// Creates an interceptor that falls back to a cache.
  public init(store: CacheStore) {
    self.store = store
  }

  /// Returns the cached result if the policy allows it and the network failed: a complete one, or a partial one if the
  /// request allows partial reads. The reason is recorded in the request's monitor.
  ///
  /// - Throws: The given error in all other cases.
  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard case GraphQLClientError.network(let failure) = error, failure.isTransportFailure,
      request.options.cachePolicy.fallsBackToCache, request.compiled.operationType == .query,
      !request.hasServerResult
    else { throw error }
    guard let (read, result) = try? await CachedResult.answer(request, store), let result,
      read.isComplete || request.options.allowsPartialReads
    else { throw error }
    request.options.monitor?.fellBack(because: .network(failure))
    return .exitEarlyAndEmit(result: result, request: request)
  }
}

/// Reads the result of a query from the cache.
package enum CachedResult {
  /// Reads the cache, and creates a result from the data found, nil if there is none. The policy determines whether a
  /// partial result is enough.
  static func answer<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ store: CacheStore
  ) async throws -> (read: CacheRead, result: GraphQLResult<Operation.Data>?) {
    let start = ClockInstant.now
    let read = try await read(request.operation, store, allowStale: request.options.allowsStaleReads)
    let answer = try OperationDecoder.read(read, request.operation)
    request.report.events?.emit(
      .cacheRead(
        ClientEvent.CacheRead(
          outcome: answer.data == nil ? .miss : answer.read.isComplete ? .hit : .partial,
          missingCount: answer.read.missing.count, duration: start.duration(to: .now))))
    guard let data = answer.data else { return (answer.read, nil) }
    return (answer.read, result(data, answer.read, elapsed: request.startInstant.duration(to: .now)))
  }

  package static func read<Operation: GraphQLOperation>(
    _ operation: Operation, _ store: CacheStore, allowStale: Bool = false
  ) async throws -> CacheRead {
    try await reportingFailures {
      try await store.read(
        operation.compiled, variables: operation.variables, allowPartial: true, allowStale: allowStale)
    }
  }

  /// Reads the cache. Its errors become `GraphQLClientError.cacheFailure`.
  package static func reportingFailures<Result>(_ read: () async throws -> Result) async throws -> Result {
    do {
      return try await read()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw GraphQLClientError.cacheFailure(reason: "\(error)")
    }
  }

  package static func result<Data: Sendable>(
    _ data: Data?, _ read: CacheRead, changedKeys: Set<String> = [], errors: [GraphQLError] = [], elapsed: Duration
  ) -> GraphQLResult<Data> {
    var result = GraphQLResult(
      data: data, errors: read.errors + errors, source: .cache, completeness: read.isComplete ? .complete : .partial,
      fragments: read.fragments, changedKeys: changedKeys, elapsed: elapsed, changedPaths: [ResponsePath([])])
    result.json = read.data
    result.streams = read.openLists.map { StreamedList(label: nil, path: $0, state: .pending) }
    return result
  }

  /// Whether a cache read has the same data as an emitted result. Fields that are null because of an error are ignored.
  package static func isSame<Data: Sendable>(
    _ result: GraphQLResult<Data>, _ read: CacheRead, plan: SelectionPlan
  ) -> Bool {
    guard let json = result.json, json.kind == .object else { return false }
    let explained = result.fragments.flatMap(\.state.errors) + result.streams.flatMap(\.state.errors)
    return ErroredField.removeAll(from: json, result.errors, explained: explained, plan: plan) == read.storedData
  }
}

extension CacheRead {
  /// Whether all data of the initial result was found. Deferred fragments may be missing.
  fileprivate var hasBase: Bool { missing.isEmpty }
}
