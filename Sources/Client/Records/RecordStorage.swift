/// The records of a cache or of a response, as the cache's rules need them: keys, fields, values and references by opaque ids.
///
/// - An id belongs to one storage. A copy of a storage knows the same ids, and does not change with the other.
/// - A value that was made (`scalar`, `list`, `reference`, `copy`) belongs to its maker until it is stored in a record, put in
///   a list, or discarded. A value that was read belongs to its record: it is copied before it is stored elsewhere.
/// - Storing and removing values counts their bytes and references. Removing embedded records that lost their last reference
///   is a rule of the cache, for which `unreferenced` collects candidates.
///
/// `PackedRecords` is the storage of the product. The tests have another one, of dictionaries, on which all tests of the
/// cache run too.
package protocol RecordStorage: Sendable {
  associatedtype Value: StoredValueProtocol

  /// An empty storage. Only one that keeps referrers counts bytes and knows which fields refer to a record: a cache needs
  /// that, a response does not.
  init(keepsReferrers: Bool)
  var keepsReferrers: Bool { get }

  // MARK: Names

  /// The keys of fields, with their arguments: `birds({"first":10})`.
  var fieldNames: NameTable<FieldID> { get set }
  var typenames: NameTable<TypeID> { get set }

  // MARK: Keys

  /// Returns the id of a key, which need not have a record.
  mutating func record(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID
  /// Returns the id of the record that is embedded in another one.
  mutating func record(in parent: RecordID, at component: KeyComponent) -> RecordID
  func find(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID?
  func find(in parent: RecordID, at component: KeyComponent) -> RecordID?
  /// The way to an embedded record; `nil` for a record with a key.
  func path(of record: RecordID) -> RecordPath?
  /// Calls `body` with the key of a record that is not embedded.
  func withKey<Result>(of record: RecordID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
  /// The hash of a record's key: the same in each storage of the process.
  func hash(of record: RecordID) -> UInt64
  /// The ids of all keys, in the order in which they were first met: an embedded record comes after its parent.
  var keys: RecordIDs { get }
  /// Allocates memory for about so many keys in an empty storage.
  mutating func reserve(keys: Int)
  /// Keys that may be unused, and records that may have lost their last reference, since the last `removeUnusedKeys`.
  var unreferenced: [RecordID] { get set }
  /// Removes the keys among `unreferenced` that have no record, no reference and no embedded keys.
  mutating func removeUnusedKeys()

  // MARK: Records

  var recordCount: Int { get }
  /// The bytes of all values.
  var byteCount: Int { get }
  func exists(_ record: RecordID) -> Bool
  /// The type and the times of a record. A type that is set for a key without a record lasts until there is one.
  subscript(record: RecordID) -> RecordInfo { get set }
  /// The bytes of a record's values.
  func byteCount(of record: RecordID) -> Int
  /// The number of references to a record.
  func referrerCount(of record: RecordID) -> Int
  /// Calls `body` with each field that refers to a record, the newest reference first, until it returns false.
  func forEachReferrer(of record: RecordID, _ body: (FieldPlace) -> Bool)
  /// Calls `body` with each record that a record refers to, one for each place.
  func forEachTarget(of record: RecordID, _ body: (RecordID) -> Void)
  /// Makes sure that there is a record under a key. Returns whether there was none.
  mutating func begin(_ record: RecordID, stamp: UInt32, time: UInt32) -> Bool
  /// Removes a record with its fields and notes.
  mutating func remove(_ record: RecordID)
  /// Expiries and errors of single fields; they go with their record or field.
  var notes: FieldNotes { get set }

  // MARK: Fields

  func fieldCount(of record: RecordID) -> Int
  func field(at index: Int, of record: RecordID) -> Value
  /// The index of a field, which probably is `hint`; `nil` when the record does not have it.
  func index(of field: FieldID, in record: RecordID, near hint: Int) -> Int?
  /// Adds fields that a record does not have.
  mutating func add(_ fields: UnsafeBufferPointer<Value>, to record: RecordID)
  /// Replaces the field at an index.
  mutating func replaceField(at index: Int, of record: RecordID, by value: Value)
  mutating func removeField(at index: Int, of record: RecordID)

  // MARK: Values

  /// Makes a value of the characters of a string that needs no escapes, or of other JSON text.
  mutating func scalar(_ text: UnsafeBufferPointer<UInt8>, isString: Bool) -> Value
  /// Makes a list of values that were made. One that is open lacks items that are still to come.
  mutating func list(_ items: UnsafeBufferPointer<Value>, isOpen: Bool) -> Value
  func item(at index: Int, of list: Value) -> Value
  /// Calls `body` with the text of a scalar.
  func withText<Result>(of scalar: Value, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
  func append(_ scalar: Value, to text: ByteBuffer)
  /// Whether two scalars of two storages have one text.
  func isSameText(_ scalar: Value, as other: Value, of storage: Self) -> Bool
  mutating func copy(_ value: Value) -> Value
  mutating func discard(_ value: Value)

  // MARK: A whole response

  /// Makes the storage of a response the one of a cache: counts bytes and references of all that is in it.
  mutating func keepReferrers(stamp: UInt32, time: UInt32)
}

/// A value of a field, or an item of a list. It says which field it is stored in.
@usableFromInline
package protocol StoredValueProtocol: Sendable {
  static var null: Self { get }
  /// An item of a list that was never fetched, between items that were.
  static var missing: Self { get }
  static func reference(_ record: RecordID) -> Self

  /// The field; meaningless for the items of a list.
  var field: FieldID { get set }
  var kind: StoredKind { get }
  /// Whether a scalar is the characters of a string, which need only quotes to be JSON.
  var isString: Bool { get }
  /// Whether a list lacks items that are still to come.
  var isOpen: Bool { get }
  /// The number of items of a list.
  var count: Int { get }
  /// The record that a reference leads to.
  var target: RecordID { get }
}

extension StoredValueProtocol {
  @inlinable
  package func stored(in field: FieldID) -> Self {
    var value = self
    value.field = field
    return value
  }
}

@usableFromInline
package enum StoredKind: UInt8, Sendable {
  case null, reference, list, missing, scalar
}

/// The type and the times of a record.
@usableFromInline
package struct RecordInfo: Sendable, Equatable {
  @usableFromInline package var type: TypeID?
  /// The number of the change that wrote the record last.
  @usableFromInline package var stamp: UInt32
  /// When the record was written last, in seconds since 1970.
  @usableFromInline package var written: UInt32
  /// When its fields expire, except those with another expiry in the notes; 0 for never.
  @usableFromInline package var expires: UInt32

  @inlinable
  package init(type: TypeID? = nil, stamp: UInt32 = 0, written: UInt32 = 0, expires: UInt32 = 0) {
    (self.type, self.stamp, self.written, self.expires) = (type, stamp, written, expires)
  }

  /// In a part of a file: whether the file was searched for the record and has none.
  package var isKnownAbsent: Bool {
    get { stamp == 0 && written == .max }
    set { written = newValue ? .max : 0 }
  }
}

/// The way to an embedded record.
@usableFromInline
package struct RecordPath: Equatable, Sendable {
  @usableFromInline package let parent: RecordID
  @usableFromInline package let component: KeyComponent

  @inlinable
  package init(parent: RecordID, component: KeyComponent) { (self.parent, self.component) = (parent, component) }
}

/// The last component of an embedded record's key.
@usableFromInline
package enum KeyComponent: Hashable, Sendable {
  case field(FieldID)
  /// Up to `maximumIndex`.
  case index(UInt32)

  package static let maximumIndex = UInt32(Int32.max)
}
