import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// A place of an operation that the cache has no value for, and why.
public struct CacheMiss: Sendable, Hashable {
  /// Why the cache has no value.
  public enum Reason: Sendable, Hashable {
    /// There is no record that the field could be in.
    case noRecord
    /// The record does not have the field.
    case noField
    /// The record has the field with other arguments: under these keys.
    case otherArguments([String])
    /// It has outlived its time.
    case expired
    /// It refers to a record that is not there.
    case lostRecord(CacheKey)
    /// These errors left it without a value when it was asked for.
    case errors([String])
    /// The value is not of the type that the operation asks for, or is not all there.
    case unfit
  }

  /// The path of the value in the response.
  public let path: ResponsePath
  /// The record that was looked into.
  public let record: CacheKey
  /// The field's key in the record, with its arguments.
  public let field: String
  /// Why the value is missing.
  public let reason: Reason
}

extension CacheStore {
  /// The values that the cache lacks for an operation, its deferred fragments included, in the operation's order; no more than
  /// `limit`. Without `allowStale` expired values are missing. With a `snapshot` that state of the cache is searched.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public nonisolated func misses(
    of operation: CompiledOperation, variables: JSONValue = .object([]), allowStale: Bool = false,
    in snapshot: CacheSnapshot? = nil, limit: Int = 1000
  ) async throws -> [CacheMiss] {
    let records = if let snapshot { snapshot.records } else { try await self.snapshot().records }
    let request = request(operation, variables)
    let moment = ReadMoment(time: now, allowsStale: allowStale)
    let read = RecordReader.read(request, from: records, moment, allowPartial: true, fragments: .all)
    let places = ResponsePlaces(records, request)
    return Array(read.missing.lazy.compactMap { places.miss(at: $0, moment) }.prefix(limit))
  }
}

extension ResponsePlaces {
  /// The miss at a path that a read found to be missing; `nil` for one in a connection that was put together from several
  /// pages, and for a field that the operation does not have itself.
  func miss(at path: ResponsePath, _ moment: ReadMoment) -> CacheMiss? {
    guard let place = place(at: path), let field = place.field else { return rootMiss(at: path) }
    let isExpected = field.isRequired || !field.coverage.isEmpty
    guard place.value != nil || (place.rest.isEmpty && isExpected) else { return nil }
    return CacheMiss(
      path: path, record: storage.key(place.record), field: field.key,
      reason: reason(place.value, field, in: place.record, moment))
  }

  private func rootMiss(at path: ResponsePath) -> CacheMiss? {
    let fields = root.shape(type: nil, in: storage).fields
    guard let field = fields.first(where: { path == [.key($0.responseKey)] }), field.isRequired else { return nil }
    return CacheMiss(path: path, record: rootKey, field: field.key, reason: .noRecord)
  }

  private func reason(
    _ value: StoredValue?, _ field: ReaderField, in record: RecordID, _ moment: ReadMoment
  ) -> CacheMiss.Reason {
    // Where no note says that a fragment covers the record, the value may be another fragment's.
    let isUncertain = !field.coverage.isEmpty && storage.isCovered(field, in: record) == nil
    guard let value, let own = field.id, !isUncertain else { return absence(of: field, in: record) }
    let end = storage.expiry(of: own, in: record)
    if end != 0, end <= moment.time, !moment.allowsStale { return .expired }
    if value.kind == .reference, !storage.exists(value.target) { return .lostRecord(storage.key(value.target)) }
    return .unfit
  }

  /// Why a record does not have a field.
  private func absence(of field: ReaderField, in record: RecordID) -> CacheMiss.Reason {
    if let own = field.id, let text = storage.notes.error(record, own),
      let errors = JSONText.document(Array(text.utf8))
    {
      return .errors(GraphQLError.list(errors).map(\.message))
    }
    let others = storage.fields(of: record).map { storage.fieldNames[$0.field] }.filter(field.isPage)
    return others.isEmpty ? .noField : .otherArguments(others)
  }
}
