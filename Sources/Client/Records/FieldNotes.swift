/// The expiry times and errors of single fields, and the writes that took their values.
///
/// A field has an expiry here if it differs from its record's, an error if the server returned one instead of a value,
/// and a taker if another object replaced the one that had a value.
@usableFromInline
package struct FieldNotes: Sendable {
  /// Seconds since 1970; 0 if the field never expires.
  @usableFromInline var expiries: [FieldLocation: UInt32] = [:]
  /// Lists of errors as JSON text: `[{"message":"Not found"}]`.
  @usableFromInline var errorTexts: [RecordID: [FieldID: String]] = [:]
  /// The writes that took the values of fields, as JSON objects in text.
  @usableFromInline var takerTexts: [RecordID: [FieldID: String]] = [:]

  package init() {}

  @inlinable
  package var isEmpty: Bool { expiries.isEmpty && errorTexts.isEmpty }
  @inlinable
  package var hasExpiries: Bool { !expiries.isEmpty }
  @inlinable
  package var hasErrors: Bool { !errorTexts.isEmpty }

  package func expiry(_ record: RecordID, _ field: FieldID) -> UInt32? { expiries[FieldLocation(record, field)] }
  package func error(_ record: RecordID, _ field: FieldID) -> String? { errorTexts[record]?[field] }

  package mutating func setExpiry(_ expires: UInt32?, _ record: RecordID, _ field: FieldID) {
    expiries[FieldLocation(record, field)] = expires
  }

  package mutating func setError(_ error: String?, _ record: RecordID, _ field: FieldID) {
    errorTexts[record, default: [:]][field] = error
    if errorTexts[record]?.isEmpty == true { errorTexts[record] = nil }
  }

  package mutating func drop(_ record: RecordID, _ field: FieldID) {
    if hasExpiries { expiries[FieldLocation(record, field)] = nil }
    if hasErrors { setError(nil, record, field) }
  }

  /// Returns the errors of a record, ordered by field id.
  package func errors(of record: RecordID) -> [(field: FieldID, text: String)] {
    (errorTexts[record] ?? [:]).map { (field: $0.key, text: $0.value) }.sorted { $0.field < $1.field }
  }

  package var recordsWithErrors: [RecordID] { Array(errorTexts.keys) }

  /// Removes the errors and takers of a record.
  package mutating func dropErrors(of record: RecordID) {
    errorTexts[record] = nil
    if hasTakers { takerTexts[record] = nil }
  }

  // MARK: Takers

  @inlinable
  package var hasTakers: Bool { !takerTexts.isEmpty }

  /// Returns the write that took the value of a field.
  package func taker(_ record: RecordID, _ field: FieldID) -> String? { takerTexts[record]?[field] }

  package mutating func setTaker(_ taker: String?, _ record: RecordID, _ field: FieldID) {
    takerTexts[record, default: [:]][field] = taker
    if takerTexts[record]?.isEmpty == true { takerTexts[record] = nil }
  }

  /// The records with fields that have takers.
  package var recordsWithTakers: [RecordID] { Array(takerTexts.keys) }

  /// Returns the takers of a record's fields, ordered by field id.
  package func takers(of record: RecordID) -> [(field: FieldID, text: String)] {
    (takerTexts[record] ?? [:]).map { (field: $0.key, text: $0.value) }.sorted { $0.field < $1.field }
  }
}
