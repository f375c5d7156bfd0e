import ApusExplorerText
import ApusJSON

/// A record in the list of the cache inspector.
package struct RecordEntry: Equatable, Sendable {
  package var key: String
  package var typename: String?
  package var fieldCount: Int
  package var byteSize: Int
  package var referrerCount: Int
  /// Seconds since it was written last.
  package var age: Int
  /// Seconds until it expires; `nil` for never.
  package var expiresIn: Int?
  /// Whether the roots lead to it.
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

/// An opened record: its fields as rows, and who refers to it.
package struct OpenedRecord: Equatable, Sendable {
  package struct Row: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
      case scalar(JSONValue)
      case reference(String)
      case list(Int)
      case object(Int)
      /// How many items were left out of a very long list.
      case more(Int)
      /// An item that was never fetched, between items that were.
      case missing
    }

    /// The field as the cache knows it, with its arguments; what an eviction of a row within it takes away too.
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

  /// A field of another record that refers to this one.
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
  /// The fields that lead to the record from a root, the root's first; empty for a root, and where nothing leads to it.
  package var path: [Referrer]
  /// The operations on the screen that read the record.
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

  /// Fields first, then who refers to the record, then the way to it from a root.
  package var rowCount: Int { rows.count + referrers.count + path.count }

  package func reference(ofRow index: Int) -> String? {
    if rows.indices.contains(index) { return rows[index].reference }
    let referrer = index - rows.count
    if referrers.indices.contains(referrer) { return referrers[referrer].key }
    let step = referrer - referrers.count
    return path.indices.contains(step) ? path[step].key : nil
  }
}

/// The cache inspector: the list of records, or one record and the way that led to it.
package struct CacheInspector: Equatable, Sendable {
  package var records: [RecordEntry] = []
  package var totalCount = 0
  package var totalBytes = 0
  package var list = ListCursor()
  package var filterInput = LineEditor()
  package var isFiltering = false
  package var sort = RecordSort()
  /// Which records the list shows: others than are wanted, until they have been found; `nil` before the first were.
  package var listed: RecordListing?
  /// The moment of the shown run that is looked back at; `nil` for the cache as it is.
  package var moment: CacheMoment?
  /// The other program's cache that is looked at; `nil` for the explorer's own.
  package var foreign: ForeignCache?
  /// The keys of the marked records.
  package var marked: Set<String> = []
  /// A value that is being typed.
  package var edit: FieldEdit?

  package var isShowingWrites = false
  package var writes: [WriteEntry] = []
  package var openedWrite: OpenedWrite?
  package var writeList = ListCursor()

  /// The key of the record being looked at; its content may still be on its way or be gone.
  package var openedKey: String?
  package var opened: OpenedRecord?
  package var isGone = false
  package var recordList = ListCursor()
  /// The field to be selected when the record is there.
  var wantedField: String?
  package var back: [String] = []
  package var forward: [String] = []

  package init() {}

  package var filter: String { filterInput.text }

  /// The records that are asked for.
  package var wanted: RecordListing { RecordListing(filter: filter, sort: sort, moment: moment) }

  package var selectedRecord: RecordEntry? {
    records.indices.contains(list.selected) ? records[list.selected] : nil
  }

  package var selectedRow: OpenedRecord.Row? {
    guard let opened, opened.rows.indices.contains(recordList.selected) else { return nil }
    return opened.rows[recordList.selected]
  }
}

/// The file of another program's cache: one of SQLite that this client made, or an exported JSON.
package struct ForeignCache: Equatable, Sendable {
  package var path: String
  package var isWritable: Bool

  package init(path: String, isWritable: Bool = false) {
    self.path = path
    self.isWritable = isWritable
  }
}

/// A field's value while it is being edited, as JSON text.
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
