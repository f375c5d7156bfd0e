import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// A location in an operation for which the cache has no value, with the reason: `bird.nest` has a reference to
/// `Nest:n7`, which was evicted.
public struct CacheMiss: Sendable, Hashable {
  /// The reason for a cache miss.
  public enum Reason: Sendable, Hashable {
    /// The record that would contain the field is missing.
    case noRecord
    /// The record does not have the field.
    case noField
    /// The record has the field only with other arguments, under these keys.
    case otherArguments([String])
    /// The value's time to live has passed.
    case expired
    /// The field refers to a missing record.
    case danglingReference(CacheKey)
    /// The server returned these error messages instead of a value.
    case errors([String])
    /// The value does not match the operation's type, or is incomplete.
    case invalidValue
    /// A write replaced the object that had the field by another one.
    case replaced(CacheReplacement)
  }

  /// The path of the value in the response.
  public let path: ResponsePath
  /// The key of the record that was searched.
  public let record: CacheKey
  /// The field's key in the record, with its arguments.
  public let field: String
  /// The reason for the miss.
  public let reason: Reason
}

extension CacheStore {
  /// Returns the values of an operation with its variables, including deferred fragments, that the cache does not have.
  ///
  ///     for miss in try await store.misses(of: BirdQuery(id: "b42")) { print(miss.path, miss.reason) }
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public nonisolated func misses<Operation: GraphQLOperation>(
    of operation: Operation, allowStale: Bool = false, in snapshot: CacheSnapshot? = nil, limit: Int = 1000
  ) async throws -> [CacheMiss] {
    try await misses(
      of: operation.compiled, variables: operation.variables, allowStale: allowStale, in: snapshot, limit: limit)
  }

  /// Returns the values of an operation, including deferred fragments, that the cache does not have.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - variables: The values of its variables, as a JSON object.
  ///   - allowStale: Whether expired values count as available.
  ///   - snapshot: The state of the cache to search; `nil` for the current one.
  ///   - limit: The maximum number of misses to return.
  /// - Returns: The misses, in the order of the operation's fields.
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public nonisolated func misses(
    of operation: CompiledOperation, variables: JSONValue = .object([]), allowStale: Bool = false,
    in snapshot: CacheSnapshot? = nil, limit: Int = 1000
  ) async throws -> [CacheMiss] {
    let records = if let snapshot { snapshot.records } else { try await self.snapshot().records }
    let request = request(operation, variables)
    let readOptions = ReadOptions(time: now, allowsStale: allowStale)
    let read = RecordReader.read(request, from: records, readOptions, allowPartial: true, fragments: .all)
    let places = ResponsePlaces(records, request)
    return Array(read.missing.lazy.compactMap { places.miss(at: $0, readOptions) }.prefix(limit))
  }
}

extension CacheStore {
  /// Returns the last replacement that took data of an incomplete read, if writes of other objects took everything that
  /// it lacks; otherwise `nil`.
  package nonisolated func replacement(
    of read: CacheRead, _ operation: CompiledOperation, variables: JSONValue
  ) async throws -> CacheReplacement? {
    let places = Set(read.missing).subtracting(read.errors.compactMap(\.path))
    if places.isEmpty { return nil }
    let misses = try await misses(of: operation, variables: variables, allowStale: true, limit: places.count)
    let replacements = misses.compactMap { miss -> CacheReplacement? in
      if places.contains(miss.path), case .replaced(let replacement) = miss.reason { return replacement }
      return nil
    }
    return replacements.count == places.count ? replacements.last : nil
  }
}

extension ResponsePlaces {
  /// Returns the miss at a path that a read reported as missing. Returns `nil` for paths in a connection that was
  /// assembled from several pages, and for fields that are not in the operation's document.
  func miss(at path: ResponsePath, _ readOptions: ReadOptions) -> CacheMiss? {
    guard let place = location(at: path), let field = place.field else { return rootMiss(at: path) }
    let isExpected = field.isRequired || !field.coverage.isEmpty
    guard place.value != nil || (place.rest.isEmpty && isExpected) else { return nil }
    return CacheMiss(
      path: path, record: storage.key(place.record), field: field.key,
      reason: reason(place.value, field, in: place.record, readOptions))
  }

  private func rootMiss(at path: ResponsePath) -> CacheMiss? {
    let fields = root.shape(type: nil, in: storage).fields
    guard let field = fields.first(where: { path == [.key($0.responseKey)] }), field.isRequired else { return nil }
    return CacheMiss(path: path, record: rootKey, field: field.key, reason: .noRecord)
  }

  private func reason(
    _ value: StoredValue?, _ field: ReaderField, in record: RecordID, _ readOptions: ReadOptions
  ) -> CacheMiss.Reason {
    // Without a coverage marker, the value may belong to another fragment.
    let isUncertain = !field.coverage.isEmpty && storage.isCovered(field, in: record) == nil
    guard let value, let fieldID = field.id, !isUncertain else { return absence(of: field, in: record) }
    let end = storage.expiry(of: fieldID, in: record)
    if end != 0, end <= readOptions.time, !readOptions.allowsStale { return .expired }
    if value.kind == .reference, !storage.exists(value.target) { return .danglingReference(storage.key(value.target)) }
    return .invalidValue
  }

  /// Returns the reason why a record does not have a field.
  private func absence(of field: ReaderField, in record: RecordID) -> CacheMiss.Reason {
    if let fieldID = field.id, let text = storage.notes.error(record, fieldID),
      let errors = JSONBytes.document(Array(text.utf8))
    {
      return .errors(GraphQLError.list(errors).map(\.message))
    }
    if let fieldID = field.id, let taker = storage.notes.taker(record, fieldID),
      let replacement = CacheReplacement(stored: taker)
    {
      return .replaced(replacement)
    }
    let others = storage.pages(ofField: field.key, in: record).map { storage.fieldNames[$0.field] }
    return others.isEmpty ? .noField : .otherArguments(others)
  }
}
