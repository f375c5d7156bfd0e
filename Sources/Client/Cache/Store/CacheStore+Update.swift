import ApusClientOperation
import ApusJSON

extension CacheStore {
  /// Changes what the cache has of an operation: `body` gets the data and makes another of it, and what it made another is
  /// written. From the reading to the writing nobody else changes anything, so that of two who count up none is lost; this
  /// holds for several processes on one file too. Nothing happens when the data is not all there.
  ///
  /// What is changed is what the cache keeps: optimistic layers lie over it before and after. `body` may be called again
  /// when the file of a cache was damaged, and what it throws leaves everything as it was.
  @discardableResult
  public nonisolated func update(
    _ operation: CompiledOperation, variables: JSONValue = .object([]),
    _ body: @escaping @Sendable (inout JSONValue) throws -> Void
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.update(operation, variables: variables, body) }.changedKeys
  }
}

/// Where one form of a response's data differs from another.
struct DataDifference {
  let resolver: CacheKeyResolver

  /// The smallest places that must be written to make the one form of the other. An object in place of another, and a
  /// list of another length, are places as a whole.
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
