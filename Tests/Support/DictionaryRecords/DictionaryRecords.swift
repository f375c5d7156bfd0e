import ApusClientRecords

/// A simple implementation of `RecordStorage`: an array of records, dictionaries of keys and referrers, and values that
/// own their memory. All cache tests use it if `APUS_CACHE_STORAGE` is `dictionary`.
package struct DictionaryRecords: RecordStorage {
  private enum Key: Hashable {
    case text([UInt8])
    case path(RecordID, KeyComponent)
  }

  private struct Entry {
    let key: Key
    let hash: UInt64
    var info = RecordInfo()
    var fields: [DictionaryValue] = []
    /// The fields that refer to the record, in order of insertion.
    var referrers: [FieldLocation] = []
    /// The number of keys that continue this one.
    var childCount = 0

    var exists: Bool { info.stamp != 0 }
  }

  package private(set) var keepsReferrers: Bool
  package var fieldNames = InternedNames<FieldID>()
  package var typenames = InternedNames<TypeID>()
  package var notes = FieldNotes()
  package var unreferenced: [RecordID] = []
  /// The entries by ID. A removed key keeps its entry, so that IDs are not reused.
  private var entries: [Entry] = []
  private var ids: [Key: RecordID] = [:]

  package init(keepsReferrers: Bool) { self.keepsReferrers = keepsReferrers }

  private subscript(entry record: RecordID) -> Entry {
    get { entries[Int(record.number)] }
    set { entries[Int(record.number)] = newValue }
  }

  // MARK: Keys

  package var keys: RecordIDs { RecordIDs(count: entries.count) }

  package mutating func reserve(keys: Int) { ids.reserveCapacity(min(keys, 1 << 16)) }

  private mutating func record(_ key: Key, hash: UInt64) -> RecordID {
    if let existing = ids[key] { return existing }
    let record = RecordID(number: UInt32(entries.count))
    entries.append(Entry(key: key, hash: hash))
    ids[key] = record
    if case .path(let parent, _) = key { self[entry: parent].childCount += 1 }
    return record
  }

  package mutating func record(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID {
    record(.text(Array(key)), hash: hash)
  }

  package mutating func record(in parent: RecordID, at component: KeyComponent) -> RecordID {
    record(.path(parent, component), hash: KeyHash.combine(hash(of: parent), component.hash(in: fieldNames)))
  }

  package func find(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID? { ids[.text(Array(key))] }

  package func find(in parent: RecordID, at component: KeyComponent) -> RecordID? { ids[.path(parent, component)] }

  package func path(of record: RecordID) -> RecordPath? {
    guard case .path(let parent, let component) = self[entry: record].key else { return nil }
    return RecordPath(parent: parent, component: component)
  }

  package func withKey<Result>(of record: RecordID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard case .text(let text) = self[entry: record].key else { preconditionFailure("An embedded record has no key.") }
    return text.withUnsafeBufferPointer(body)
  }

  package func hash(of record: RecordID) -> UInt64 { self[entry: record].hash }

  package mutating func removeUnusedKeys() {
    while let record = unreferenced.popLast() {
      let entry = self[entry: record]
      guard !entry.exists, entry.referrers.isEmpty, entry.childCount == 0, ids[entry.key] == record else { continue }
      ids[entry.key] = nil
      guard case .path(let parent, _) = entry.key else { continue }
      self[entry: parent].childCount -= 1
      unreferenced.append(parent)
    }
  }

  // MARK: Records

  package var recordCount: Int { entries.count { $0.exists } }

  package var byteCount: Int { keepsReferrers ? keys.reduce(0) { $0 + byteCount(of: $1) } : 0 }

  package func exists(_ record: RecordID) -> Bool { self[entry: record].exists }

  package subscript(record: RecordID) -> RecordInfo {
    get { self[entry: record].info }
    set { self[entry: record].info = newValue }
  }

  package func byteCount(of record: RecordID) -> Int { self[entry: record].fields.reduce(0) { $0 + $1.byteCount } }

  package func referrerCount(of record: RecordID) -> Int { self[entry: record].referrers.count }

  package func forEachReferrer(of record: RecordID, _ body: (FieldLocation) -> Bool) {
    _ = self[entry: record].referrers.reversed().first { !body($0) }
  }

  package func forEachTarget(of record: RecordID, _ body: (RecordID) -> Void) {
    self[entry: record].fields.flatMap(\.targets).forEach(body)
  }

  package mutating func begin(_ record: RecordID, stamp: UInt32, time: UInt32) -> Bool {
    guard !exists(record) else { return false }
    self[record] = RecordInfo(type: self[record].type, stamp: stamp, written: time)
    return true
  }

  package mutating func remove(_ record: RecordID) {
    for index in (0..<fieldCount(of: record)).reversed() { removeField(at: index, of: record) }
    notes.dropErrors(of: record)
    self[record] = RecordInfo()
    unreferenced.append(record)
  }

  // MARK: Fields

  package func fieldCount(of record: RecordID) -> Int { self[entry: record].fields.count }

  package func field(at index: Int, of record: RecordID) -> DictionaryValue { self[entry: record].fields[index] }

  package func index(of field: FieldID, in record: RecordID, near hint: Int) -> Int? {
    self[entry: record].fields.firstIndex { $0.field == field }
  }

  package mutating func add(_ fields: UnsafeBufferPointer<DictionaryValue>, to record: RecordID) {
    for value in fields {
      self[entry: record].fields.append(value)
      link(value, of: record)
    }
  }

  package mutating func replaceField(at index: Int, of record: RecordID, by value: DictionaryValue) {
    let old = field(at: index, of: record)
    self[entry: record].fields[index] = value
    link(value, of: record)
    unlink(old, of: record)
  }

  package mutating func removeField(at index: Int, of record: RecordID) {
    let old = self[entry: record].fields.remove(at: index)
    unlink(old, of: record)
    notes.drop(record, old.field)
  }

  private mutating func link(_ value: DictionaryValue, of record: RecordID) {
    guard keepsReferrers else { return }
    for target in value.targets { self[entry: target].referrers.append(FieldLocation(record, value.field)) }
  }

  private mutating func unlink(_ value: DictionaryValue, of record: RecordID) {
    guard keepsReferrers else { return }
    for target in value.targets {
      guard let index = self[entry: target].referrers.firstIndex(of: FieldLocation(record, value.field)) else {
        preconditionFailure("A stored reference is not among the referrers.")
      }
      self[entry: target].referrers.remove(at: index)
      if referrerCount(of: target) == 0 { unreferenced.append(target) }
    }
  }

  // MARK: Values

  package func scalar(_ text: UnsafeBufferPointer<UInt8>, isString: Bool) -> DictionaryValue {
    DictionaryValue(.scalar(Array(text), isString: isString))
  }

  package func list(_ items: UnsafeBufferPointer<DictionaryValue>, isOpen: Bool) -> DictionaryValue {
    DictionaryValue(.list(Array(items), isOpen: isOpen))
  }

  package func item(at index: Int, of list: DictionaryValue) -> DictionaryValue { list.items[index] }

  package func withText<Result>(
    of scalar: DictionaryValue, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    scalar.text.withUnsafeBufferPointer(body)
  }

  package func append(_ scalar: DictionaryValue, to text: ByteBuffer) {
    scalar.text.withUnsafeBufferPointer { text.append($0) }
  }

  package func isSameText(
    _ scalar: DictionaryValue, as other: DictionaryValue, of storage: DictionaryRecords
  ) -> Bool {
    scalar.text == other.text
  }

  package func copy(_ value: DictionaryValue) -> DictionaryValue { value }
  package func discard(_ value: DictionaryValue) {}

  // MARK: Complete responses

  package mutating func keepReferrers(stamp: UInt32, time: UInt32) {
    keepsReferrers = true
    for record in keys where exists(record) {
      for value in self[entry: record].fields { link(value, of: record) }
      self[record].stamp = stamp
      if self[record].written == 0 { self[record].written = time }
      if path(of: record) != nil { unreferenced.append(record) }
    }
  }
}

package struct DictionaryValue: StoredValueProtocol {
  enum Content: Sendable {
    case null, missing
    case scalar([UInt8], isString: Bool)
    case reference(RecordID)
    case list([DictionaryValue], isOpen: Bool)
  }

  package var field = FieldID(number: 0)
  private let content: Content

  init(_ content: Content) { self.content = content }

  package static let null = DictionaryValue(.null)
  package static let missing = DictionaryValue(.missing)
  package static func reference(_ record: RecordID) -> DictionaryValue { DictionaryValue(.reference(record)) }

  package var kind: StoredKind {
    switch content {
    case .null: .null
    case .missing: .missing
    case .scalar: .scalar
    case .reference: .reference
    case .list: .list
    }
  }

  package var isString: Bool { if case .scalar(_, let isString) = content { isString } else { false } }
  package var isOpen: Bool { if case .list(_, let isOpen) = content { isOpen } else { false } }
  package var count: Int { items.count }

  package var target: RecordID {
    guard case .reference(let target) = content else { preconditionFailure("The value is not a reference.") }
    return target
  }

  var items: [DictionaryValue] { if case .list(let items, _) = content { items } else { [] } }
  var text: [UInt8] { if case .scalar(let text, _) = content { text } else { [] } }

  /// The referenced records, one for each reference.
  var targets: [RecordID] { kind == .reference ? [target] : items.flatMap(\.targets) }

  var byteCount: Int { items.reduce(16 + (text.count > 8 ? text.count : 0)) { $0 + $1.byteCount } }
}
