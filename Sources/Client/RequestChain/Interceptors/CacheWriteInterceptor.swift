import ApusClientAPI
import ApusClientCache
import ApusClientIncremental
import ApusClientNetwork
import ApusJSON

/// Writes results to the cache as the request's policy says, and tells in each result which keys it changed, unless the
/// request wants its results before they are written.
///
/// Only what passed the check against the operation is written. A field that contradicts it, or that is null because of an
/// error, would be read back as an answer: its error is kept in place of the cached value. So are the errors of a deferred
/// fragment that failed. When the cache cannot be written, the request fails after its result.
public struct CacheWriteInterceptor: RequestChainInterceptor {
  private let store: CacheStore

  /// An interceptor that writes this cache.
  public init(store: CacheStore) {
    self.store = store
  }

  /// Writes a result, or lets it pass.
  ///
  /// - Throws: `CancellationError`. That the cache cannot be written follows the result, as
  ///   `GraphQLClientError.cacheFailure`.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let response, let merged = response.merged, let result = response.result, let data = data(of: merged),
      !merged.changedPaths.isEmpty || merged.isComplete,
      var options = writeOptions(
        merged, request.options.cacheWrites, part: result.part,
        contradicts: response.checked?.contradictions?.isEmpty == false)
    else { return .proceed(request: request, response: response) }
    if store.policies.obeysCacheControl {
      let lifetime = CacheLifetime(response.head.headers)
      guard lifetime.isStorable else { return .proceed(request: request, response: response) }
      options.maximumAge = lifetime.seconds
    }
    // A list whose stream failed is not known to be whole: it stays open, whatever else is.
    if merged.streams.contains(where: \.hasFailed) { options.isPartial = true }
    options.streamErrors = merged.streams.flatMap(\.state.errors)
    let fragments = response.checked?.fragments ?? merged.fragments
    options.failedFragments = fragments.filter { !$0.state.errors.isEmpty }
    // A fragment that never came has changed nothing, but its object keeps why: that it failed, or covers no object. When
    // all fragments came, only their places are written: others may have changed the rest since.
    let areFulfilled =
      fragments.count >= request.compiled.fragments.count && fragments.allSatisfy { $0.state == .fulfilled }
    if merged.isComplete, request.compiled.hasIncremental, !areFulfilled { options.places = nil }
    options.errors = merged.errors + options.failedFragments.flatMap(\.state.errors)
    options.contradictions = response.checked?.contradictions
    options.refetchDepth = request.options.refetchDepth
    options.request = request.id
    let write = {
      @Sendable [
        store, options, compiled = request.compiled, variables = request.variables, events = request.report.events
      ] () async throws
        -> ChangedKeys in
      let start = ClockInstant.now
      do {
        let changed = try await store.write(
          data, operation: compiled, variables: variables, options: options)
        events?.tell(
          .cacheWritten(
            ClientEvent.CacheWritten(
              part: options.part ?? 0, changedKeyCount: changed.count, duration: start.duration(to: .now))))
        return changed
      } catch let error as CancellationError {
        throw error
      } catch {
        throw GraphQLClientError.cacheFailure(reason: "\(error)")
      }
    }
    if request.options.cacheWriteTiming == .afterResult {
      await request.lateWrites.begin().add(byteCount: result.byteCount) { _ = try await write() }
      return .proceed(request: request, response: response)
    }
    let changed: ChangedKeys
    do {
      changed = try await write()
    } catch let failure as GraphQLClientError {
      // What arrived is not lost because it cannot be kept: the result goes on, and the failure follows it.
      return .multiProceed(
        AsyncThrowingStream { actions in
          actions.yield(.proceed(request: request, response: response))
          actions.finish(throwing: failure)
        })
    }
    guard !changed.isEmpty else { return .proceed(request: request, response: response) }
    var told = response
    var written = result
    written.changedKeys = changed.descriptions
    told.result = written
    return .proceed(request: request, response: told)
  }

  /// The data to write. Where a field that cannot be null made all of it null, the root fields that the errors name have no
  /// value, and the others are not answered.
  private func data(of merged: MergedResult) -> JSONValue? {
    guard let data = merged.data, data.isNull else { return merged.data }
    return merged.errors.contains { $0.path?.isRoot == false } ? .object([]) : nil
  }

  private func writeOptions(
    _ merged: MergedResult, _ policy: CacheWritePolicy, part: Int, contradicts: Bool
  ) -> CacheWriteOptions? {
    switch policy {
    case .never: return nil
    case .whenComplete: return merged.isComplete ? CacheWriteOptions(part: part) : nil
    case .incremental:
      let isWhole =
        part == 0 || !merged.errors.isEmpty || contradicts || merged.changedPaths.contains(ResponsePath([]))
      return CacheWriteOptions(
        isPartial: !merged.isComplete, places: isWhole ? nil : merged.changedPaths, part: part)
    }
  }
}
