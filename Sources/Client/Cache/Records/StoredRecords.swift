import ApusClientRecords
import ApusJSON

// The storage type of the cache.
#if APUS_DICTIONARY_RECORDS
  import ApusDictionaryRecords

  typealias StoredRecords = DictionaryRecords
#else
  typealias StoredRecords = PackedRecords
#endif
typealias StoredValue = StoredRecords.Value

/// Conversions between stored and public forms of keys, records and values.
extension StoredRecords {
  // MARK: Keys

  func find(_ key: String) -> RecordID? {
    var key = key
    return key.withUTF8 { find($0, hash: KeyHash.of(UnsafeRawBufferPointer($0))) }
  }

  mutating func record(_ key: String) -> RecordID {
    var key = key
    return key.withUTF8 { record($0) }
  }

  mutating func record(_ key: UnsafeBufferPointer<UInt8>) -> RecordID {
    record(key, hash: KeyHash.of(UnsafeRawBufferPointer(key)))
  }

  /// Returns the id of the record embedded in a field, or at the given indexes in the lists of a field.
  mutating func record(in parent: RecordID, _ field: FieldID, _ positions: some Sequence<UInt32>) -> RecordID {
    positions.reduce(record(in: parent, at: .field(field))) { record(in: $0, at: .index($1)) }
  }

  /// Returns the id of another storage's key.
  mutating func record(_ other: RecordID, of storage: StoredRecords) -> RecordID {
    guard let path = storage.path(of: other) else {
      return storage.withKey(of: other) { record($0, hash: storage.hash(of: other)) }
    }
    let parent = record(path.parent, of: storage)
    switch path.component {
    case .field(let field): return record(in: parent, at: .field(fieldNames.intern(storage.fieldNames[field])))
    case .index: return record(in: parent, at: path.component)
    }
  }

  func key(_ record: RecordID) -> CacheKey { CacheKey(keyText(record)) }

  /// Returns a key's text; for an embedded record, its path.
  func keyText(_ record: RecordID) -> String {
    let (base, components) = components(of: record)
    if components.isEmpty { return base }
    return ([base] + components.map(text)).joined(separator: ".")
  }

  /// Calls `body` with the bytes of a key's text.
  func withKeyText<Result>(_ record: RecordID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard path(of: record) != nil else { return withKey(of: record, body) }
    var text = keyText(record)
    return text.withUTF8(body)
  }

  /// Returns the key of the record that contains an embedded record, and the components of the path from there.
  func components(of record: RecordID) -> (base: String, components: [KeyComponent]) {
    var components: [KeyComponent] = []
    let base = base(of: record) { components.append($0) }
    return (withKey(of: base) { String(decoding: $0, as: UTF8.self) }, components.reversed())
  }

  func text(of component: KeyComponent) -> String {
    switch component {
    case .field(let field): fieldNames[field]
    case .index(let index): String(index)
    }
  }

  /// Returns the closest parent that has a key, or the record itself if it has one. Calls `visit` with the components
  /// of the path, last component first.
  func base(of record: RecordID, _ visit: (KeyComponent) -> Void = { _ in }) -> RecordID {
    var record = record
    while let path = path(of: record) {
      visit(path.component)
      record = path.parent
    }
    return record
  }

  func isEmbedded(_ record: RecordID) -> Bool { path(of: record) != nil }

  /// Returns whether a record is embedded in exactly this field, at the given indexes in its lists.
  func isEmbedded(
    _ record: RecordID, in parent: RecordID, _ field: FieldID, _ positions: some BidirectionalCollection<UInt32>
  )
    -> Bool
  {
    var path = path(of: record)
    for position in positions.reversed() {
      guard let step = path, step.component == .index(position) else { return false }
      path = self.path(of: step.parent)
    }
    return path == RecordPath(parent: parent, component: .field(field))
  }

  /// Returns whether the path of a record contains a list index.
  func isBelowIndex(_ record: RecordID) -> Bool {
    var isBelow = false
    _ = base(of: record) { if case .index = $0 { isBelow = true } }
    return isBelow
  }

  /// Returns whether a value, or the first item of a list, refers to an embedded record.
  func isEmbedded(inFirstItemOf value: StoredValue) -> Bool {
    switch value.kind {
    case .reference: isEmbedded(value.target)
    case .list: value.count > 0 && isEmbedded(inFirstItemOf: item(at: 0, of: value))
    case .null, .scalar, .missing: false
    }
  }

  // MARK: Records

  /// Ids of all records.
  var existing: [RecordID] { keys.filter(exists) }

  func typename(_ record: RecordID) -> String? { self[record].type.map { typenames[$0] } }

  func fields(of record: RecordID) -> [StoredValue] {
    (0..<fieldCount(of: record)).map { field(at: $0, of: record) }
  }

  func value(of field: FieldID, in record: RecordID) -> StoredValue? {
    index(of: field, in: record, near: 0).map { self.field(at: $0, of: record) }
  }

  /// Returns a record's values of the same field as `key`, such as `birds({"first":10})`, with any arguments.
  func pages(ofField key: String, in record: RecordID) -> [StoredValue] {
    let name = String(key.prefix { $0 != "(" })
    let prefix = name + "("
    return fields(of: record).filter { value in
      let other = fieldNames[value.field]
      return other == name || other.hasPrefix(prefix)
    }
  }

  /// Returns the expiry time of a field in seconds since 1970; 0 for never.
  func expiry(of field: FieldID, in record: RecordID) -> UInt32 {
    if notes.hasExpiries, let fieldExpiry = notes.expiry(record, field) { return fieldExpiry }
    return self[record].expires
  }

  /// Returns the targets of all references in a record, with duplicates.
  func targets(of record: RecordID) -> [RecordID] {
    var found: [RecordID] = []
    forEachTarget(of: record) { found.append($0) }
    return found
  }

  func forEachTarget(of value: StoredValue, _ body: (RecordID) -> Void) {
    switch value.kind {
    case .reference: body(value.target)
    case .list: for index in 0..<value.count { forEachTarget(of: item(at: index, of: value), body) }
    case .null, .missing, .scalar: break
    }
  }

  func items(of list: StoredValue) -> [StoredValue] { (0..<list.count).map { item(at: $0, of: list) } }

  // MARK: Values

  mutating func scalar(_ value: JSONValue) -> StoredValue {
    if value.isNull { return .null }
    var made = StoredValue.null
    JSONBytes.withStored(value) { text, isString in made = scalar(text, isString: isString) }
    return made
  }

  mutating func list(_ items: [StoredValue], isOpen: Bool = false) -> StoredValue {
    items.withUnsafeBufferPointer { list($0, isOpen: isOpen) }
  }

  mutating func add(_ field: StoredValue, to record: RecordID) {
    withUnsafePointer(to: field) { add(UnsafeBufferPointer(start: $0, count: 1), to: record) }
  }

  /// Sets the value of a field, which may be new.
  mutating func set(_ value: StoredValue, in record: RecordID) {
    if let index = index(of: value.field, in: record, near: 0) {
      replaceField(at: index, of: record, by: value)
    } else {
      add(value, to: record)
    }
  }

  /// Returns a list of scalars as JSON, or `nil` if it contains anything else.
  func json(ofList list: StoredValue) -> JSONValue? {
    var elements: [JSONValue] = []
    for index in 0..<list.count {
      let item = item(at: index, of: list)
      switch item.kind {
      case .null: elements.append(.null)
      case .scalar: elements.append(json(item))
      case .reference, .list, .missing: return nil
      }
    }
    return .array(elements)
  }

  func json(_ scalar: StoredValue) -> JSONValue {
    withText(of: scalar) { JSONBytes.value(of: $0, isString: scalar.isString) }
  }

  func value(_ value: StoredValue) -> RecordValue {
    switch value.kind {
    case .null: .scalar(.null)
    case .missing: .missing
    case .reference: .reference(CacheReference(key(value.target)))
    case .list: .list(items(of: value).map { self.value($0) })
    case .scalar: .scalar(json(value))
    }
  }

  /// Returns a copy of a record for clients of the cache.
  func record(_ record: RecordID) -> Record {
    let fields = fields(of: record).compactMap { value -> Record.Field? in
      let key = fieldNames[value.field]
      return CoverageMarker.isNote(key) ? nil : Record.Field(key: key, value: self.value(value))
    }
    return Record(key: key(record), typename: typename(record), fields: fields)
  }

  func summary(_ record: RecordID, isReachable: Bool = true) -> RecordSummary {
    let info = self[record]
    return RecordSummary(
      key: key(record), typename: typename(record), fieldCount: shownFieldCount(of: record),
      byteSize: byteCount(of: record), referrerCount: referrerCount(of: record), written: Int(info.written),
      expires: info.expires == 0 ? nil : Int(info.expires), isReachable: isReachable)
  }

  /// Returns the number of fields without coverage markers.
  func shownFieldCount(of record: RecordID) -> Int {
    fields(of: record).count { !CoverageMarker.isNote(fieldNames[$0.field]) }
  }

  func referrers(of record: RecordID, limit: Int = .max) -> [Referrer] {
    var found: [Referrer] = []
    forEachReferrer(of: record) { place in
      found.append(Referrer(key: key(place.record), field: fieldNames[place.field]))
      return found.count < limit
    }
    return found
  }
}
