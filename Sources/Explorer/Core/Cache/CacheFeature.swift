import ApusExplorerText
import ApusJSON

/// A record in the list of the cache inspector.
package struct RecordEntry: Equatable, Sendable {
  package var key: String
  package var typename: String?
  package var fieldCount: Int
  package var byteSize: Int
  package var referrerCount: Int
  /// Seconds since it was last written.
  package var age: Int
  /// Seconds until it expires; `nil` if it never does.
  package var expiresIn: Int?
  /// Whether the record is reachable from a root.
  package var isReachable: Bool

  package init(
    key: String, typename: String?, fieldCount: Int, byteSize: Int, referrerCount: Int, age: Int = 0,
    expiresIn: Int? = nil, isReachable: Bool = true
  ) {
    self.age = age
    self.expiresIn = expiresIn
    self.isReachable = isReachable
    self.key = key
    self.typename = typename
    self.fieldCount = fieldCount
    self.byteSize = byteSize
    self.referrerCount = referrerCount
  }
}

/// An open record: its fields as rows, and its referrers.
package struct RecordDetail: Equatable, Sendable {
  package struct Row: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
      case scalar(JSONValue)
      case reference(String)
      case list(Int)
      case object(Int)
      /// The number of items omitted from a very long list.
      case more(Int)
      /// An item that was not fetched, in a list with fetched items.
      case missing
    }

    /// The field key, including arguments: `birds({"first":10})`. Evicting any row of the field evicts the whole field.
    package var field: String
    package var label: String
    package var depth: Int
    package var value: Value

    package init(field: String, label: String, depth: Int, value: Value) {
      self.field = field
      self.label = label
      self.depth = depth
      self.value = value
    }

    package var reference: String? { if case .reference(let key) = value { key } else { nil } }
  }

  /// A field of another record that refers to this one, such as `nest` of `Bird:b42` for the record `Nest:n7`.
  package struct Referrer: Equatable, Sendable {
    package var key: String
    package var field: String

    package init(key: String, field: String) {
      self.key = key
      self.field = field
    }
  }

  package var key: String
  package var typename: String?
  package var rows: [Row]
  package var referrers: [Referrer]
  /// Fields that lead from a root to the record, root first: `birds` of `QUERY_ROOT`, then `nest` of `Bird:b42`. Empty
  /// for roots and unreachable records.
  package var path: [Referrer]
  /// Names of displayed operations that read the record.
  package var watchers: [String]
  package var byteSize: Int

  package init(
    key: String, typename: String?, rows: [Row], referrers: [Referrer], byteSize: Int, path: [Referrer] = [],
    watchers: [String] = []
  ) {
    self.path = path
    self.watchers = watchers
    self.key = key
    self.typename = typename
    self.rows = rows
    self.referrers = referrers
    self.byteSize = byteSize
  }

  /// The number of rows: fields, then referrers, then the path from a root.
  package var rowCount: Int { rows.count + referrers.count + path.count }

  package func reference(ofRow index: Int) -> String? {
    if rows.indices.contains(index) { return rows[index].reference }
    let referrer = index - rows.count
    if referrers.indices.contains(referrer) { return referrers[referrer].key }
    let step = referrer - referrers.count
    return path.indices.contains(step) ? path[step].key : nil
  }
}

/// The cache inspector: the record list, or one record with its navigation history.
package struct CacheFeature: Equatable, Sendable {
  package var records: [RecordEntry] = []
  package var totalCount = 0
  package var totalBytes = 0
  package var list = ListCursor()
  package var filterInput = LineEditor()
  package var isFiltering = false
  package var sort = RecordSort()
  /// The listing currently shown, which differs from the requested one until new results arrive; `nil` before the first
  /// results.
  package var listed: RecordListing?
  /// An earlier snapshot that is shown; `nil` for the current cache.
  package var revision: CacheRevision?
  /// An external cache that is shown; `nil` for the explorer's own.
  package var external: ExternalCache?
  /// Keys of marked records.
  package var marked: Set<String> = []
  /// The value being edited.
  package var edit: FieldEdit?

  package var isShowingWrites = false
  package var writes: [CacheWriteEntry] = []
  package var openedWrite: CacheWriteDetail?
  package var writeList = ListCursor()

  /// The key of the open record, whose content may not have arrived or may be gone.
  package var openedKey: String?
  package var opened: RecordDetail?
  package var isGone = false
  package var recordList = ListCursor()
  /// A field to select when the record arrives.
  var wantedField: String?
  package var back: [String] = []
  package var forward: [String] = []

  package init() {}

  package var filter: String { filterInput.text }

  package var requested: RecordListing { RecordListing(filter: filter, sort: sort, revision: revision) }

  /// The reason why no records are listed, or `nil` if some are.
  package var reasonForNoRecords: String? {
    guard records.isEmpty else { return nil }
    if listed == nil { return "Loading the cache" }
    return filter.isEmpty ? "The cache is empty" : "No record matches; value:TEXT searches values"
  }

  package var selectedRecord: RecordEntry? {
    records.indices.contains(list.selected) ? records[list.selected] : nil
  }

  package var selectedRow: RecordDetail.Row? {
    guard let opened, opened.rows.indices.contains(recordList.selected) else { return nil }
    return opened.rows[recordList.selected]
  }
}

/// An external cache file: a SQLite file written by this client, or exported JSON.
package struct ExternalCache: Equatable, Sendable {
  package var path: String
  package var isWritable: Bool

  package init(path: String, isWritable: Bool = false) {
    self.path = path
    self.isWritable = isWritable
  }
}

/// A field's value while it is being edited, as JSON text: `"Owl"`, with its quotes.
package struct FieldEdit: Equatable, Sendable {
  package var record: String
  package var field: String
  package var input: LineEditor

  package init(record: String, field: String, text: String) {
    self.record = record
    self.field = field
    input = LineEditor(text)
  }

  package var text: String { input.text }
}
