/// The records of a cache or response in flat memory, used by every cache.
///
/// The structure is one reference to its contents, so passing it is cheap. Copies share the contents until one is changed,
/// and after that all pages that did not change.
package struct PackedRecords: RecordStorage {
  @usableFromInline var contents: PackedContents

  /// The contents for a change. They are copied first if another storage shares them.
  private var unsharedContents: PackedContents {
    mutating get {
      if !isKnownUniquelyReferenced(&contents) { contents = PackedContents(copying: contents) }
      return contents
    }
  }

  package init(keepsReferrers: Bool) { contents = PackedContents(keepsReferrers: keepsReferrers) }

  package var keepsReferrers: Bool { contents.keepsReferrers }

  package var fieldNames: InternedNames<FieldID> {
    get { contents.fieldNames }
    _modify { yield &unsharedContents.fieldNames }
  }
  package var typenames: InternedNames<TypeID> {
    get { contents.typenames }
    _modify { yield &unsharedContents.typenames }
  }

  // MARK: Keys

  package mutating func record(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID {
    unsharedContents.record(key, hash: hash)
  }
  package mutating func record(in parent: RecordID, at component: KeyComponent) -> RecordID {
    unsharedContents.record(in: parent, at: component)
  }
  package func find(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID? { contents.find(key, hash: hash) }
  package func find(in parent: RecordID, at component: KeyComponent) -> RecordID? {
    contents.find(in: parent, at: component)
  }
  @inlinable
  package func path(of record: RecordID) -> RecordPath? { contents.path(of: record) }
  @inlinable
  package func withKey<Result>(of record: RecordID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    contents.withKey(of: record, body)
  }
  @inlinable
  package func hash(of record: RecordID) -> UInt64 { contents.hash(of: record) }
  @inlinable
  package var keys: RecordIDs { contents.keys }
  package mutating func reserve(keys: Int) { unsharedContents.reserve(keys: keys) }
  package var unreferenced: [RecordID] {
    get { contents.unreferenced }
    _modify { yield &unsharedContents.unreferenced }
  }
  package mutating func removeUnusedKeys() { unsharedContents.removeUnusedKeys() }

  // MARK: Records

  package var recordCount: Int { contents.recordCount }
  package var byteCount: Int { contents.byteCount }
  @inlinable
  package func exists(_ record: RecordID) -> Bool { contents.exists(record) }
  package subscript(record: RecordID) -> RecordInfo {
    @inlinable get { contents[record] }
    set { unsharedContents[record] = newValue }
  }
  package func byteCount(of record: RecordID) -> Int { contents.byteCount(of: record) }
  package func referrerCount(of record: RecordID) -> Int { contents.referrerCount(of: record) }
  package func forEachReferrer(of record: RecordID, _ body: (FieldLocation) -> Bool) {
    contents.forEachReferrer(of: record, body)
  }
  package func forEachTarget(of record: RecordID, _ body: (RecordID) -> Void) {
    contents.forEachTarget(of: record, body)
  }
  package mutating func begin(_ record: RecordID, stamp: UInt32, time: UInt32) -> Bool {
    unsharedContents.begin(record, stamp: stamp, time: time)
  }
  package mutating func remove(_ record: RecordID) { unsharedContents.remove(record) }
  package var notes: FieldNotes {
    @inlinable get { contents.notes }
    _modify { yield &unsharedContents.notes }
  }

  // MARK: Fields

  @inlinable
  package func fieldCount(of record: RecordID) -> Int { contents.fieldCount(of: record) }
  @inlinable
  package func field(at index: Int, of record: RecordID) -> PackedValue { contents.field(at: index, of: record) }
  @inlinable
  package func index(of field: FieldID, in record: RecordID, near hint: Int) -> Int? {
    contents.index(of: field, in: record, near: hint)
  }
  package mutating func add(_ fields: UnsafeBufferPointer<PackedValue>, to record: RecordID) {
    unsharedContents.add(fields, to: record)
  }
  package mutating func replaceField(at index: Int, of record: RecordID, by value: PackedValue) {
    unsharedContents.replaceField(at: index, of: record, by: value)
  }
  package mutating func removeField(at index: Int, of record: RecordID) {
    unsharedContents.removeField(at: index, of: record)
  }

  // MARK: Values

  package mutating func scalar(_ text: UnsafeBufferPointer<UInt8>, isString: Bool) -> PackedValue {
    unsharedContents.scalar(text, isString: isString)
  }
  package mutating func list(_ items: UnsafeBufferPointer<PackedValue>, isOpen: Bool) -> PackedValue {
    unsharedContents.list(items, isOpen: isOpen)
  }
  @inlinable
  package func item(at index: Int, of list: PackedValue) -> PackedValue { contents.item(at: index, of: list) }
  @inlinable
  package func withText<Result>(of scalar: PackedValue, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    contents.withText(of: scalar, body)
  }
  @inlinable
  package func append(_ scalar: PackedValue, to text: ByteBuffer) { contents.append(scalar, to: text) }
  package func isSameText(_ scalar: PackedValue, as other: PackedValue, of storage: PackedRecords) -> Bool {
    contents.isSameText(scalar, as: other, of: storage.contents)
  }
  package mutating func copy(_ value: PackedValue) -> PackedValue { unsharedContents.copy(value) }
  package mutating func discard(_ value: PackedValue) { unsharedContents.discard(value) }

  // MARK: Complete responses

  package mutating func keepReferrers(stamp: UInt32, time: UInt32) {
    unsharedContents.keepReferrers(stamp: stamp, time: time)
  }
}
