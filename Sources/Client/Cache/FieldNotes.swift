/// What is known of single fields besides their values: when one expires that does so apart from its record, and the
/// error that left one without a value.
///
/// Most caches have none of it, so it is kept beside the flat storage and costs them nothing.
struct FieldNotes: Sendable {
  /// By `record << 32 | field`: seconds since 1970, 0 for never.
  private(set) var expiries: [UInt64: UInt32] = [:]
  /// By record and field: the errors as JSON text, a list.
  private(set) var errors: [UInt32: [UInt32: String]] = [:]

  var isEmpty: Bool { expiries.isEmpty && errors.isEmpty }

  private func place(_ record: UInt32, _ field: UInt32) -> UInt64 { UInt64(record) << 32 | UInt64(field) }

  func expiry(_ record: UInt32, _ field: UInt32) -> UInt32? { expiries[place(record, field)] }
  func error(_ record: UInt32, _ field: UInt32) -> String? { errors[record]?[field] }

  mutating func setExpiry(_ expires: UInt32?, _ record: UInt32, _ field: UInt32) {
    expiries[place(record, field)] = expires
  }

  mutating func setError(_ error: String?, _ record: UInt32, _ field: UInt32) {
    errors[record, default: [:]][field] = error
    if errors[record]?.isEmpty == true { errors[record] = nil }
  }

  mutating func drop(_ record: UInt32, _ field: UInt32) {
    if !expiries.isEmpty { expiries[place(record, field)] = nil }
    if errors[record] != nil { setError(nil, record, field) }
  }

  /// The errors of a record, by field.
  func errors(of record: UInt32) -> [(field: UInt32, text: String)] {
    (errors[record] ?? [:]).map { (field: $0.key, text: $0.value) }.sorted { $0.field < $1.field }
  }

  mutating func dropErrors(of record: UInt32) { errors[record] = nil }
}
