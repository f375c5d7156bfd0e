import ApusClientAPI
import ApusClientCache
import ApusClientIncremental
import ApusClientNetwork
import ApusClientOperation
import ApusJSON

/// Writes results to the cache as the request's policy requires, and lists the changed keys in each result, unless the
/// request gets its results before they are written.
///
/// Only data that passed the check against the operation is written. For a field that contradicts the operation or is
/// null because of an error, the error is stored next to the cached value, because a null would be read back as valid
/// data. The errors of failed deferred fragments are stored too. If the cache cannot be written, the request fails
/// after its result.
public struct CacheWriteInterceptor: RequestChainInterceptor {
  private let store: CacheStore

  /// Creates an interceptor that writes to a cache.
  public init(store: CacheStore) {
    self.store = store
  }

  /// Writes a result, if the policy requires it.
  ///
  /// - Throws: `CancellationError`. If the write fails, `GraphQLClientError.cacheFailure` follows the result.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let response, let merged = response.merged, let result = response.result, let data = data(of: merged),
      !merged.changedPaths.isEmpty || merged.isComplete,
      let options = writeOptions(for: request, response, merged, part: result.payloadIndex)
    else { return .proceed(request: request, response: response) }
    let write = CacheWrite(
      store: store, data: data, operation: request.compiled, variables: request.variables, options: options,
      events: request.report.events)
    if request.options.cacheWriteTiming == .afterResult {
      await request.lateWrites.begin().add(byteCount: result.byteCount) { _ = try await write.perform() }
      return .proceed(request: request, response: response)
    }
    let changed: ChangedKeys
    do {
      changed = try await write.perform()
    } catch let failure as GraphQLClientError {
      // A failed write must not lose the result. The result proceeds, followed by the error.
      return .multiProceed(
        AsyncThrowingStream { actions in
          actions.yield(.proceed(request: request, response: response))
          actions.finish(throwing: failure)
        })
    }
    guard !changed.isEmpty else { return .proceed(request: request, response: response) }
    var reported = response
    var written = result
    written.changedKeys = changed.descriptions
    reported.result = written
    return .proceed(request: request, response: reported)
  }

  /// Returns the data to write. If an error at a non-null field made all data null, the root fields with errors have no
  /// value, and the other fields count as not sent.
  private func data(of merged: MergedResult) -> JSONValue? {
    guard let data = merged.data, data.isNull else { return merged.data }
    return merged.errors.contains { $0.path?.isRoot == false } ? .object([]) : nil
  }

  /// Returns the options of a write; nil if the response is not to be written.
  private func writeOptions<Operation: GraphQLOperation>(
    for request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>, _ merged: MergedResult, part: Int
  ) -> CacheWriteOptions? {
    guard
      var options = writeOptions(
        merged, request.options.cacheWrites, part: part,
        contradicts: response.checked?.contradictions?.isEmpty == false || !merged.conflicts.isEmpty)
    else { return nil }
    if store.policies.obeysCacheControl {
      let lifetime = CacheLifetime(response.head.headers)
      guard lifetime.isStorable else { return nil }
      options.maximumAge = lifetime.seconds
    }
    // A list whose stream failed may be incomplete, so the write stays partial.
    if merged.streams.contains(where: \.hasFailed) { options.isPartial = true }
    options.streamErrors = merged.streams.flatMap(\.state.errors)
    let fragments = response.checked?.fragments ?? merged.fragments
    options.failedFragments = fragments.filter { !$0.state.errors.isEmpty }
    // A fragment that did not arrive changed no fields, but its object stores the reason. If all fragments arrived,
    // only their paths are written, because the rest may have been changed by others since.
    let areFulfilled =
      fragments.count >= request.compiled.fragments.count && fragments.allSatisfy { $0.state == .fulfilled }
    if merged.isComplete, request.compiled.hasIncremental, !areFulfilled { options.paths = nil }
    options.errors = merged.errors + options.failedFragments.flatMap(\.state.errors)
    options.contradictions = response.checked?.contradictions
    options.conflicts = merged.conflicts
    options.refetchDepth = request.options.refetchDepth
    options.watch = request.options.watch
    options.request = request.id
    return options
  }

  private func writeOptions(
    _ merged: MergedResult, _ policy: CacheWritePolicy, part: Int, contradicts: Bool
  ) -> CacheWriteOptions? {
    switch policy {
    case .never: return nil
    case .whenComplete: return merged.isComplete ? CacheWriteOptions(payloadIndex: part) : nil
    case .incremental:
      let isWhole =
        part == 0 || !merged.errors.isEmpty || contradicts || merged.changedPaths.contains(ResponsePath([]))
      return CacheWriteOptions(
        isPartial: !merged.isComplete, paths: isWhole ? nil : merged.changedPaths, payloadIndex: part)
    }
  }
}

/// A write of one result to a cache.
private struct CacheWrite: Sendable {
  let store: CacheStore
  let data: JSONValue
  let operation: CompiledOperation
  let variables: JSONValue
  let options: CacheWriteOptions
  let events: RequestEventEmitter?

  /// Writes the result and returns the changed keys.
  ///
  /// - Throws: `CancellationError`, otherwise `GraphQLClientError.cacheFailure`.
  func perform() async throws -> ChangedKeys {
    let start = ClockInstant.now
    do {
      let changed = try await store.write(data, operation: operation, variables: variables, options: options)
      events?.emit(
        .cacheWritten(
          ClientEvent.CacheWrite(
            part: options.payloadIndex ?? 0, changedKeyCount: changed.count, duration: start.duration(to: .now))))
      return changed
    } catch let error as CancellationError {
      throw error
    } catch {
      throw GraphQLClientError.cacheFailure(reason: "\(error)")
    }
  }
}
