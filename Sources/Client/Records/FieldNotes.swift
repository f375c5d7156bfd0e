/// The expiry times and errors of single fields.
///
/// A field has an expiry here if it differs from its record's, and an error if the server returned one instead of a value.
@usableFromInline
package struct FieldNotes: Sendable {
  /// Seconds since 1970; 0 if the field never expires.
  @usableFromInline var expiries: [FieldLocation: UInt32] = [:]
  /// JSON lists of errors, as text.
  @usableFromInline var errorTexts: [RecordID: [FieldID: String]] = [:]

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

  /// The records that have errors.
  package var recordsWithErrors: [RecordID] { Array(errorTexts.keys) }

  package mutating func dropErrors(of record: RecordID) { errorTexts[record] = nil }
}
