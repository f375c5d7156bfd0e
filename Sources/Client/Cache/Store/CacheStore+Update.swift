import ApusClientOperation
import ApusJSON

extension CacheStore {
  /// Updates cached data of an operation: reads it, calls `body` to modify it, and writes the differences.
  ///
  /// The update is atomic, also among processes that share a file, so concurrent increments are not lost. If any selected
  /// data is missing, `body` is not called and nothing changes.
  ///
  /// The update reads and writes the records without optimistic layers. `body` may be called again if a cache file turns out
  /// to be damaged.
  ///
  /// - Returns: The changed keys; empty if nothing changed.
  /// - Throws: The error of `body`; `CacheTransactionError.notFinite` if a value is NaN or infinite; `CacheFileError` if a
  ///   cache file cannot be read or written. Nothing is changed then.
  @discardableResult
  public nonisolated func update(
    _ operation: CompiledOperation, variables: JSONValue = .object([]),
    _ body: @escaping @Sendable (inout JSONValue) throws -> Void
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.update(operation, variables: variables, body) }.changedKeys
  }
}

/// The difference between two states of a response's data.
struct DataDifference {
  let resolver: CacheKeyResolver

  /// Returns the minimal paths that must be written to get from one state to the other. An object that is replaced by
  /// another one, or a list of a different length, is one path.
  func places(from before: JSONValue, to after: JSONValue) -> [ResponsePath] {
    var places: [ResponsePath] = []
    compare(before, after, at: [], &places)
    return places
  }

  private func compare(
    _ before: JSONValue, _ after: JSONValue, at path: [PathComponent], _ places: inout [ResponsePath]
  ) {
    switch (before.kind, after.kind) {
    case (.object, .object) where key(of: before) == key(of: after):
      for member in after.members {
        let place = path + [.key(member.key)]
        if let old = before[member.key] {
          compare(old, member.value, at: place, &places)
        } else {
          places.append(ResponsePath(place))
        }
      }
    case (.array, .array) where before.count == after.count:
      for (index, (old, new)) in zip(before.elements, after.elements).enumerated() {
        compare(old, new, at: path + [.index(index)], &places)
      }
    default:
      if before != after { places.append(ResponsePath(path)) }
    }
  }

  private func key(of object: JSONValue) -> CacheKey? {
    object["__typename"]?.string.flatMap { resolver.key(for: object, typename: $0) }
  }
}
