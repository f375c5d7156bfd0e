import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// The location of a response's value in the cache.
package struct RecordFieldLocation: Sendable, Equatable {
  package let record: CacheKey
  /// The field's key in the record, with its arguments; `nil` for the record itself.
  package let field: String?
}

extension CacheStore {
  /// Finds the cached value at a path in an operation's response, or at the longest prefix that is cached: for
  /// `bird.nest.eggs` the record `Bird:b42` and its field `nest` if the nest is missing. Returns `nil` if even the
  /// first field is not cached. With a `snapshot`, searches that state of the cache.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  package nonisolated func location(
    at path: ResponsePath, of operation: CompiledOperation, variables: JSONValue, in snapshot: CacheSnapshot? = nil
  ) async throws -> RecordFieldLocation? {
    let records = if let snapshot { snapshot.records } else { try await self.snapshot().records }
    return ResponsePlaces(records, request(operation, variables)).recordPlace(at: path)
  }

  /// Returns the first path of an operation's response that leads to a record, or `nil` if there is none.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  package nonisolated func path(
    to record: CacheKey, of operation: CompiledOperation, variables: JSONValue
  ) async throws -> ResponsePath? {
    ResponsePlaces(try await snapshot().records, request(operation, variables)).path(to: record)
  }
}

/// Maps paths of an operation's response to records, and records to paths.
struct ResponsePlaces {
  let storage: StoredRecords
  private let records: RecordSet
  let rootKey: CacheKey
  let root: ReaderNode
  private let context: ReaderContext

  init(_ records: RecordSet, _ request: RecordRequest) {
    self.records = records
    storage = records.storage
    context = ReaderContext(request)
    root = context.shapes(of: request.plan.root)
    rootKey = request.root
  }

  private var rootRecord: RecordID? { records.findRecord(rootKey) }

  private func fields(of record: RecordID, _ shapes: ReaderNode) -> [ReaderField] {
    shapes.shape(type: storage[record].type, in: storage).fields
  }

  // MARK: Response to cache

  /// The end of a response path in the cache.
  struct Place {
    /// The last record in which a field of the path was looked up.
    var record: RecordID
    /// The last field that was looked up; `nil` for the root.
    var field: ReaderField?
    /// The value of the field, or the list item that the path leads to.
    var value: StoredValue?
    /// The record that the path leads to, or `nil` if its value is not a record.
    var target: RecordID?
    /// The rest of the path, which the cache does not have.
    var rest: ArraySlice<PathComponent>
  }

  /// Follows a path as far as possible. Returns `nil` if there is no root record.
  func location(at path: ResponsePath) -> Place? {
    guard let start = rootRecord else { return nil }
    var place = Place(record: start, target: start, rest: path.components[...])
    var shapes = root
    while let record = place.target, case .key(let key)? = place.rest.first,
      let field = fields(of: record, shapes).first(where: { $0.responseKey == key })
    {
      place = Place(record: record, field: field, rest: place.rest.dropFirst())
      place.value = field.id.flatMap { storage.value(of: $0, in: record) }
      guard let child = field.child else { break }
      place.target = target(of: field, &place.value, &place.rest)
      shapes = child
    }
    return place
  }

  /// Returns the record that a value, or its item at the start of the path, refers to.
  private func target(
    of field: ReaderField, _ value: inout StoredValue?, _ path: inout ArraySlice<PathComponent>
  ) -> RecordID? {
    if value == nil, let redirect = field.redirect {
      var index = 0
      if redirect.isList, case .index(let position)? = path.popFirst() { index = position }
      return redirect.keys.indices.contains(index) ? records.findRecord(redirect.keys[index]) : nil
    }
    while let list = value, list.kind == .list, case .index(let index)? = path.first {
      let range = range(of: list, field)
      guard index >= 0, index < range.count else { return nil }
      value = storage.item(at: range.lowerBound + index, of: list)
      path.removeFirst()
    }
    guard let value, value.kind == .reference, storage.exists(value.target) else { return nil }
    return value.target
  }

  /// Returns the items of a list that are part of the response.
  private func range(of list: StoredValue, _ field: ReaderField) -> Range<Int> {
    field.window.flatMap { $0.part(of: list, in: storage)?.range } ?? 0..<list.count
  }

  func recordPlace(at path: ResponsePath) -> RecordFieldLocation? {
    guard let place = location(at: path) else { return nil }
    if let target = place.target { return RecordFieldLocation(record: storage.key(target), field: nil) }
    let field = place.value == nil ? nil : place.field?.id.map { storage.fieldNames[$0] }
    return RecordFieldLocation(record: storage.key(place.record), field: field)
  }

  // MARK: Cache to response

  /// The maximum number of values that a search for a record visits.
  private static let longestSearch = 200_000

  func path(to key: CacheKey) -> ResponsePath? {
    guard let goal = records.find(key), let start = rootRecord else { return nil }
    var (path, steps): ([PathComponent], Int) = ([], Self.longestSearch)
    return goal == start || search(goal, in: start, root, &path, &steps) ? ResponsePath(path) : nil
  }

  private func search(
    _ goal: RecordID, in record: RecordID, _ shapes: ReaderNode, _ path: inout [PathComponent], _ steps: inout Int
  ) -> Bool {
    for field in fields(of: record, shapes) {
      guard field.child != nil, let fieldID = field.id, let value = storage.value(of: fieldID, in: record) else {
        continue
      }
      path.append(.key(field.responseKey))
      if search(goal, in: value, of: field, &path, &steps) { return true }
      path.removeLast()
    }
    return false
  }

  private func search(
    _ goal: RecordID, in value: StoredValue, of field: ReaderField, _ path: inout [PathComponent], _ steps: inout Int
  ) -> Bool {
    steps -= 1
    guard steps > 0, let child = field.child else { return false }
    switch value.kind {
    case .reference:
      return value.target == goal
        || (storage.exists(value.target) && search(goal, in: value.target, child, &path, &steps))
    case .list:
      let range = range(of: value, field)
      for index in range {
        path.append(.index(index - range.lowerBound))
        if search(goal, in: storage.item(at: index, of: value), of: field, &path, &steps) { return true }
        path.removeLast()
      }
      return false
    case .null, .scalar, .missing: return false
    }
  }
}
