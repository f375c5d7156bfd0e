import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// A value of a response as the cache has it.
package struct RecordPlace: Sendable, Equatable {
  package let record: CacheKey
  /// The field's key in the record, with its arguments; nil for the record itself.
  package let field: String?
}

extension CacheStore {
  /// Where the value at a path of an operation's response is in the cache, or as much of the way as is there; nil where
  /// there is nothing of it. `snapshot` is the cache as it was then, instead of as it is.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  package nonisolated func place(
    at path: ResponsePath, of operation: CompiledOperation, variables: JSONValue, in snapshot: CacheSnapshot? = nil
  ) async throws -> RecordPlace? {
    let records = if let snapshot { snapshot.records } else { try await self.snapshot().records }
    return RecordFinder(records, request(operation, variables)).place(at: path)
  }

  /// The first path of an operation's response that leads to a record; nil where none does.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  package nonisolated func path(
    to record: CacheKey, of operation: CompiledOperation, variables: JSONValue
  ) async throws -> ResponsePath? {
    var finder = RecordFinder(try await snapshot().records, request(operation, variables))
    return finder.path(to: record)
  }
}

/// Walks along an operation through the records, as the reader does.
private struct RecordFinder {
  private let storage: StoredRecords
  private let records: RecordSet
  private let rootKey: CacheKey
  private let root: ReaderShapes
  private let context: ReaderContext
  private var path: [PathComponent] = []
  /// How many values are looked at before a record is given up.
  private var steps = 200_000

  init(_ records: RecordSet, _ request: RecordRequest) {
    self.records = records
    storage = records.storage
    context = ReaderContext(request)
    root = context.shapes(of: request.plan.root)
    rootKey = request.root
  }

  // MARK: From the response to the cache

  func place(at path: ResponsePath) -> RecordPlace? {
    guard let id = records.find(rootKey), storage.exists(id) else { return nil }
    return place(at: path.components[...], in: id, root)
  }

  private func place(at path: ArraySlice<PathComponent>, in id: RecordID, _ shapes: ReaderShapes) -> RecordPlace? {
    guard case .key(let key)? = path.first,
      let field = shapes.shape(type: storage[id].type, in: storage).fields.first(where: { $0.responseKey == key }),
      let own = field.id, let slot = storage.value(of: own, in: id)
    else { return RecordPlace(record: storage.key(id), field: nil) }
    let here = RecordPlace(record: storage.key(id), field: storage.fieldNames[own])
    guard let child = field.child else { return here }
    return place(at: path.dropFirst(), in: slot, of: field, child) ?? here
  }

  private func place(
    at path: ArraySlice<PathComponent>, in slot: StoredValue, of field: ReaderField, _ child: ReaderShapes
  ) -> RecordPlace? {
    switch slot.kind {
    case .reference:
      return storage.exists(slot.target) ? place(at: path, in: slot.target, child) : nil
    case .list:
      guard case .index(let index)? = path.first else { return nil }
      let first = field.window.flatMap { $0.part(of: slot, in: storage)?.range.lowerBound } ?? 0
      guard index >= 0, first + index < slot.count else { return nil }
      return place(at: path.dropFirst(), in: storage.item(at: first + index, of: slot), of: field, child)
    case .null, .scalar, .missing: return nil
    }
  }

  // MARK: From the cache to the response

  mutating func path(to key: CacheKey) -> ResponsePath? {
    guard let goal = records.find(key), let id = records.find(rootKey), storage.exists(id) else { return nil }
    if goal == id { return ResponsePath([]) }
    return look(for: goal, in: id, root) ? ResponsePath(path) : nil
  }

  private mutating func look(for goal: RecordID, in id: RecordID, _ shapes: ReaderShapes) -> Bool {
    for field in shapes.shape(type: storage[id].type, in: storage).fields {
      guard let child = field.child, let own = field.id, let slot = storage.value(of: own, in: id) else { continue }
      path.append(.key(field.responseKey))
      if look(for: goal, in: slot, of: field, child) { return true }
      path.removeLast()
    }
    return false
  }

  private mutating func look(
    for goal: RecordID, in slot: StoredValue, of field: ReaderField, _ child: ReaderShapes
  ) -> Bool {
    steps -= 1
    guard steps > 0 else { return false }
    switch slot.kind {
    case .reference:
      if slot.target == goal { return true }
      return storage.exists(slot.target) && look(for: goal, in: slot.target, child)
    case .list:
      let range = field.window.flatMap { $0.part(of: slot, in: storage)?.range } ?? 0..<slot.count
      for index in range {
        path.append(.index(index - range.lowerBound))
        if look(for: goal, in: storage.item(at: index, of: slot), of: field, child) { return true }
        path.removeLast()
      }
      return false
    case .null, .scalar, .missing: return false
    }
  }
}
