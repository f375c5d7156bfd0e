import ApusClientAPI
import ApusClientCache
import ApusClientNetwork
import ApusClientOperation
import ApusJSON

/// Answers a query from the cache where its policy says so, on the way to the network.
public struct CacheReadInterceptor: RequestChainInterceptor {
  let store: CacheStore

  /// An interceptor that reads this cache.
  public init(store: CacheStore) {
    self.store = store
  }

  /// Answers a query on its way to the network; lets everything else pass.
  ///
  /// - Throws: `GraphQLClientError`: `cacheMiss` where the policy is `cacheOnly` and something is missing,
  ///   `cacheFailure` where it is `cacheOnly` and the cache cannot be read; what the operation's `makeData(from:)` throws;
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
      let (read, result) = try await CacheAnswer.answer(request, store)
      guard read.hasBase || request.options.allowsPartialReads, let result else {
        throw GraphQLClientError.cacheMiss(missing: read.missing)
      }
      return .exitEarlyAndEmit(result: result, request: request)
    }
  }

  /// The cache's answer; `nil` where the cache cannot be read, which the network need not suffer from.
  private func readable<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>
  ) async throws -> (read: CacheRead, result: GraphQLResult<Operation.Data>?)? {
    do {
      return try await CacheAnswer.answer(request, store)
    } catch GraphQLClientError.cacheFailure {
      return nil
    }
  }
}

/// Gives the cache's answer to a query whose policy is `networkFirst` when the network fails before anything arrived.
/// A server that answers, with whatever error, is no such failure.
public struct CacheFallbackInterceptor: RequestChainErrorInterceptor {
  private let store: CacheStore

  /// An interceptor that falls back on this cache.
  public init(store: CacheStore) {
    self.store = store
  }

  /// The cache's answer, where the policy asks for it and the network failed: all of it, or what there is where the request
  /// allows partial reads. The request's monitor has the reason.
  ///
  /// - Throws: The error it is given, in all other cases.
  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard case GraphQLClientError.network(let failure) = error, failure.isTransportFailure,
      request.options.cachePolicy == .networkFirst, request.compiled.operationType == .query,
      !request.hasServerResult
    else { throw error }
    guard let (read, result) = try? await CacheAnswer.answer(request, store), let result,
      read.isComplete || request.options.allowsPartialReads
    else { throw error }
    request.options.monitor?.fellBack(because: .network(failure))
    return .exitEarlyAndEmit(result: result, request: request)
  }
}

/// What the cache knows of a query, as a result.
package enum CacheAnswer {
  /// All that is there, and the result that it makes, nil when that is nothing; whether it is enough is for the policy to
  /// say.
  static func answer<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ store: CacheStore
  ) async throws -> (read: CacheRead, result: GraphQLResult<Operation.Data>?) {
    let start = ClockInstant.now
    let read = try await read(request.operation, store, allowStale: request.options.allowsStaleReads)
    let answer = try TypedData.read(read, request.operation)
    request.report.events?.tell(
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
    do {
      return try await store.read(
        operation.compiled, variables: operation.variables, allowPartial: true, allowStale: allowStale)
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
      data: data, errors: read.errors + errors, source: .cache, response: read.isComplete ? .complete : .partial,
      fragments: read.fragments, changedKeys: changedKeys, elapsed: elapsed, changedPaths: [ResponsePath([])])
    result.json = read.data
    result.streams = read.openLists.map { DeferredStream(label: nil, path: $0, state: .pending) }
    return result
  }

  /// Whether a read has what a result has that was given out. Fields that errors left without a value do not count.
  package static func isSame<Data: Sendable>(
    _ result: GraphQLResult<Data>, _ read: CacheRead, plan: SelectionPlan
  ) -> Bool {
    guard let json = result.json, json.kind == .object else { return false }
    let explained = result.fragments.flatMap(\.state.errors) + result.streams.flatMap(\.state.errors)
    return UnansweredField.removeAll(from: json, result.errors, explained: explained, plan: plan) == read.storedData
  }
}

extension CacheRead {
  /// Whether all data of the initial result is there. Deferred fragments may be missing.
  fileprivate var hasBase: Bool { missing.isEmpty }
}
