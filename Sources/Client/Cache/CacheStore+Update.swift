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
    try await update(operation, variables: variables) { read in
      guard var data = read.data else { return nil }
      let before = data
      try body(&data)
      return (before, after: data)
    }
  }

  /// The same with all that was read. `body` tells what it made another as the data before and after, for it may have the
  /// data in a form of its own; an answer of `nil` changes nothing.
  @discardableResult
  package nonisolated func update(
    _ operation: CompiledOperation, variables: JSONValue,
    reading body: @escaping @Sendable (CacheRead) throws -> (before: JSONValue, after: JSONValue)?
  ) async throws -> ChangedKeys {
    let request = request(operation, variables)
    return try await change(reading: request, ChangeOrigin(.modification)) { records, time in
      let moment = ReadMoment(time: time, allowsStale: false)
      let read = RecordReader.read(request, from: records, moment, allowPartial: false)
      guard read.isComplete, let (before, after) = try body(read) else { return [] }
      let places = DataDifference(resolver: request.resolver).places(from: before, to: after)
      guard !places.isEmpty else { return [] }
      var changed = Normalizer.records(of: after, request, options: CacheWriteOptions(places: places), time: time)
      // The list that was read is the whole one: what was made of it stands in its place.
      changed.merges = changed.merges.filter { if case .append = $0.value.merge { false } else { true } }
      return [.merge(changed)]
    }
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
