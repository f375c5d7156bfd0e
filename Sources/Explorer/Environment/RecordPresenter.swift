import ApusClientCache
import ApusExplorerCore
import ApusJSON
import ApusPlatform

/// Converts cache records for display in the inspector.
enum RecordPresenter {
  /// The maximum number of items to show of a list in a record.
  private static let itemLimit = 500
  private static let referrerLimit = 200

  /// The maximum number of records to list; the filter finds the others.
  static let entryLimit = 20_000

  static func entries(
    of snapshot: CacheSnapshot, filter: String, sort: RecordSort, limit: Int = entryLimit
  ) -> [RecordEntry] {
    let now = Int(time(nil))
    return snapshot.summaries(
      RecordFilter(words: filter), order: order(sort.column), isReversed: sort.isReversed, limit: limit
    ).map { summary in
      RecordEntry(
        key: summary.key.text, typename: summary.typename, fieldCount: summary.fieldCount, byteSize: summary.byteSize,
        referrerCount: summary.referrerCount, age: max(0, now - summary.written),
        expiresIn: summary.expires.map { $0 - now }, isReachable: summary.isReachable)
    }
  }

  /// Whether a filter is a jq program to run on each record, such as `.age > 3` or `select(.name)`, rather than words.
  static func isProgram(_ filter: String) -> Bool { filter.hasPrefix(".") || filter.hasPrefix("select(") }

  /// Returns a record as the JSON object that jq receives: its fields by field key, with references as cache keys.
  /// `{"name": "Owl", "nest": "Nest:n7"}`
  static func json(_ key: String, in snapshot: CacheSnapshot) -> JSONValue {
    .object((snapshot.record(CacheKey(key))?.fields ?? []).map { ($0.key, json($0.value)) })
  }

  private static func json(_ value: RecordValue) -> JSONValue {
    switch value {
    case .scalar(let value): value
    case .reference(let reference): JSONValue(reference.key.text)
    case .list(let items): .array(items.map(json))
    case .missing: .null
    }
  }

  private static func order(_ column: RecordSort.Column) -> RecordOrder {
    switch column {
    case .met: .insertion
    case .key: .key
    case .type: .typename
    case .fields: .fieldCount
    case .bytes: .byteSize
    case .age: .written
    case .referrers: .referrerCount
    }
  }

  static func opened(_ key: String, in snapshot: CacheSnapshot) -> RecordDetail? {
    guard let record = snapshot.record(CacheKey(key)) else { return nil }
    var rows: [RecordDetail.Row] = []
    for field in record.fields { add(field.value, field.key, label: field.key, depth: 0, to: &rows) }
    let referrers = snapshot.referrers(of: record.key, limit: referrerLimit)
    return RecordDetail(
      key: key, typename: record.typename, rows: rows,
      referrers: referrers.map { RecordDetail.Referrer(key: $0.key.text, field: $0.field) },
      byteSize: snapshot.summary(of: record.key)?.byteSize ?? 0,
      path: snapshot.path(to: record.key).map { RecordDetail.Referrer(key: $0.key.text, field: $0.field) })
  }

  private static func add(
    _ value: RecordValue, _ field: String, label: String, depth: Int, to rows: inout [RecordDetail.Row]
  ) {
    switch value {
    case .scalar(let scalar):
      rows.append(RecordDetail.Row(field: field, label: label, depth: depth, value: .scalar(scalar)))
    case .missing: rows.append(RecordDetail.Row(field: field, label: label, depth: depth, value: .missing))
    case .reference(let reference):
      rows.append(RecordDetail.Row(field: field, label: label, depth: depth, value: .reference(reference.key.text)))
    case .list(let items):
      rows.append(RecordDetail.Row(field: field, label: label, depth: depth, value: .list(items.count)))
      for (index, item) in items.prefix(itemLimit).enumerated() {
        add(item, field, label: "\(index)", depth: depth + 1, to: &rows)
      }
      if items.count > itemLimit {
        let rest = items.count - itemLimit
        rows.append(RecordDetail.Row(field: field, label: "", depth: depth + 1, value: .more(rest)))
      }
    }
  }
}
