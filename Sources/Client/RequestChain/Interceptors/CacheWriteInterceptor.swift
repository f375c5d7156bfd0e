import ClientAPI
import ClientCache
import ClientIncremental
import JSON

/// Writes results to the cache as the request's policy says, and tells in each result which keys it changed.
///
/// A field that is null because of an error is not written, as it would be read back as an answer; its error is kept in
/// its place. When the cache cannot be written, the request fails behind its result.
public struct CacheWriteInterceptor: RequestChainInterceptor {
  private let store: CacheStore

  public init(store: CacheStore) {
    self.store = store
  }

  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let response, let merged = response.merged, let result = response.result, let data = merged.data,
      !data.isNull, !merged.changedPaths.isEmpty || merged.isComplete,
      var options = writeOptions(merged, request.options.cacheWrites, part: result.part)
    else { return .proceed(request: request, response: response) }
    if store.policies.obeysCacheControl {
      let lifetime = CacheLifetime(response.head.headers)
      guard lifetime.isStorable else { return .proceed(request: request, response: response) }
      options.maximumAge = lifetime.seconds
    }
    options.errors = merged.errors + merged.fragments.flatMap(\.state.errors)
    options.refetchDepth = request.options.refetchDepth
    let changed: ChangedKeys
    do {
      changed = try await store.write(
        UnansweredFields.remove(from: data, options.errors),
        operation: request.operation.compiled, variables: request.operation.variables, options: options)
    } catch let error as CancellationError {
      throw error
    } catch {
      // What arrived is not lost because it cannot be kept: the result goes on, and the failure follows it.
      return .multiProceed(
        AsyncThrowingStream { actions in
          actions.yield(.proceed(request: request, response: response))
          actions.finish(throwing: GraphQLClientError.cacheFailure(reason: "\(error)"))
        })
    }
    guard !changed.isEmpty else { return .proceed(request: request, response: response) }
    var told = response
    told.result = result.with(changedKeys: changed.descriptions)
    return .proceed(request: request, response: told)
  }

  private func writeOptions(
    _ merged: MergedResult, _ policy: CacheWritePolicy, part: Int
  ) -> CacheWriteOptions? {
    switch policy {
    case .never: return nil
    case .whenComplete: return merged.isComplete ? CacheWriteOptions(part: part) : nil
    case .incremental:
      let isWhole = part == 0 || !merged.errors.isEmpty || merged.changedPaths.contains(ResponsePath([]))
      return CacheWriteOptions(
        isPartial: !merged.isComplete, places: isWhole ? nil : merged.changedPaths, part: part)
    }
  }
}

/// The fields that errors have made null.
enum UnansweredFields {
  /// The data without them. Where the null stands in a list, the field that holds the list goes.
  static func remove(from data: JSONValue, _ errors: [GraphQLError]) -> JSONValue {
    // An error that does not say where it happened may have left any of the nulls.
    let data = errors.contains { $0.path == nil } ? withoutNulls(data) : data
    return errors.reduce(data) { data, error in
      guard let path = error.path, let place = place(of: path.components, in: data) else { return data }
      let parent = ResponsePath(Array(place.dropLast()))
      guard case .key(let name)? = place.last, let object = data.value(at: parent), object.kind == .object else {
        return data
      }
      let rest = JSONValue.object(object.members.filter { $0.key != name }.map { ($0.key, $0.value) })
      return (try? data.replacing(at: parent, with: rest)) ?? data
    }
  }

  /// The data without the fields that are null, and without the lists that have a null in them.
  private static func withoutNulls(_ value: JSONValue) -> JSONValue {
    switch value.kind {
    case .object:
      .object(
        value.members.compactMap { member in
          hasNull(member.value) ? nil : (member.key, withoutNulls(member.value))
        })
    case .array: .array(value.elements.map(withoutNulls))
    default: value
    }
  }

  private static func hasNull(_ value: JSONValue) -> Bool {
    value.kind == .array ? value.elements.contains(where: hasNull) : value.isNull
  }

  /// The path to the null that an error left, cut back to the field it belongs to; nil when there is none.
  private static func place(of path: [PathComponent], in data: JSONValue) -> [PathComponent]? {
    var value = data
    var place: [PathComponent] = []
    for component in path {
      let next: JSONValue? =
        switch component {
        case .key(let key): value[key]
        case .index(let index): value[index]
        }
      guard let next else { return nil }
      place.append(component)
      value = next
      if value.isNull { break }
    }
    guard value.isNull else { return nil }
    while case .index? = place.last { place.removeLast() }
    return place.isEmpty ? nil : place
  }
}

extension GraphQLResult {
  func with(changedKeys: Set<String>) -> GraphQLResult {
    var result = GraphQLResult(
      data: data, errors: errors, extensions: extensions, source: source, response: response, fragments: fragments,
      changedKeys: changedKeys, part: part, elapsed: elapsed, byteCount: byteCount, changedPaths: changedPaths)
    result.json = json
    return result
  }
}
