/// A storage for the records of a cache or a response. Keys, fields, values and references have opaque ids.
///
/// - An id belongs to one storage. A copy of a storage has the same ids, but changes independently.
/// - The caller owns a value that it created (`scalar`, `list`, `reference`, `copy`) until the value is stored in a record,
///   put   in a list, or discarded. A value that was read belongs to its record: copy it before storing it elsewhere.
/// - Storing and removing values updates the byte and reference counts. The cache removes embedded records without
///   references;   `unreferenced` collects candidates.
///
/// Caches use `PackedRecords`. All tests of the cache also run on a storage of dictionaries.
package protocol RecordStorage: Sendable {
  associatedtype Value: StoredValueProtocol

  /// Creates an empty storage. Only a storage that keeps referrers counts bytes and knows which fields refer to a record,
  /// which a cache needs and a response does not.
  init(keepsReferrers: Bool)
  var keepsReferrers: Bool { get }

  // MARK: Names

  /// The keys of fields, with their arguments: `birds({"first":10})`.
  var fieldNames: InternedNames<FieldID> { get set }
  var typenames: InternedNames<TypeID> { get set }

  // MARK: Keys

  /// Returns the id of a key, and assigns one if the key is new. The key need not have a record.
  mutating func record(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID
  /// Returns the id of an embedded record's key, and assigns one if the key is new.
  mutating func record(in parent: RecordID, at component: KeyComponent) -> RecordID
  func find(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID?
  func find(in parent: RecordID, at component: KeyComponent) -> RecordID?
  /// Returns the location of an embedded record, or `nil` for a record with a key.
  func path(of record: RecordID) -> RecordPath?
  /// Calls `body` with the key of a record that is not embedded.
  func withKey<Result>(of record: RecordID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
  /// Returns the hash of a record's key. It is the same in all storages of a process.
  func hash(of record: RecordID) -> UInt64
  /// The ids of all keys. An embedded record's id follows its parent's unless ids were reused.
  var keys: RecordIDs { get }
  /// Allocates memory for approximately `keys` keys in an empty storage.
  mutating func reserve(keys: Int)
  /// Keys that may be unused and records that may have lost their last reference since the last `removeUnusedKeys`.
  var unreferenced: [RecordID] { get set }
  /// Removes the keys among `unreferenced` that have no record, no reference and no embedded keys.
  mutating func removeUnusedKeys()

  // MARK: Records

  var recordCount: Int { get }
  /// The byte count of all values.
  var byteCount: Int { get }
  func exists(_ record: RecordID) -> Bool
  /// The type and times of a record. The type can be set before the record exists, and is then kept for it.
  subscript(record: RecordID) -> RecordInfo { get set }
  /// Returns the byte count of a record's values.
  func byteCount(of record: RecordID) -> Int
  /// Returns the number of references to a record.
  func referrerCount(of record: RecordID) -> Int
  /// Calls `body` with each field that refers to a record, newest reference first, until `body` returns false.
  func forEachReferrer(of record: RecordID, _ body: (FieldLocation) -> Bool)
  /// Calls `body` with the target of each reference in a record; more than once if several references have the same target.
  func forEachTarget(of record: RecordID, _ body: (RecordID) -> Void)
  /// Creates the record of a key if it does not exist. Returns whether it was created.
  mutating func begin(_ record: RecordID, stamp: UInt32, time: UInt32) -> Bool
  /// Removes a record with its fields, expiry times and errors.
  mutating func remove(_ record: RecordID)
  /// The expiry times and errors of single fields. Removing a record or field removes them too.
  var notes: FieldNotes { get set }

  // MARK: Fields

  func fieldCount(of record: RecordID) -> Int
  func field(at index: Int, of record: RecordID) -> Value
  /// Returns the index of a field, or `nil` if the record does not have it. `hint` is the most likely index.
  func index(of field: FieldID, in record: RecordID, near hint: Int) -> Int?
  /// Adds fields that the record does not have.
  mutating func add(_ fields: UnsafeBufferPointer<Value>, to record: RecordID)
  /// Replaces the field at an index.
  mutating func replaceField(at index: Int, of record: RecordID, by value: Value)
  mutating func removeField(at index: Int, of record: RecordID)

  // MARK: Values

  /// Creates a value from the characters of a string without escapes, or from JSON text.
  mutating func scalar(_ text: UnsafeBufferPointer<UInt8>, isString: Bool) -> Value
  /// Creates a list from values that the caller owns. An open list is a stream that has not received all of its items.
  mutating func list(_ items: UnsafeBufferPointer<Value>, isOpen: Bool) -> Value
  func item(at index: Int, of list: Value) -> Value
  /// Calls `body` with the text of a scalar.
  func withText<Result>(of scalar: Value, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
  func append(_ scalar: Value, to text: ByteBuffer)
  /// Whether scalars of two storages have the same text.
  func isSameText(_ scalar: Value, as other: Value, of storage: Self) -> Bool
  mutating func copy(_ value: Value) -> Value
  mutating func discard(_ value: Value)

  // MARK: Complete responses

  /// Converts a response's storage to a cache's: counts the bytes and links the references of all records.
  mutating func keepReferrers(stamp: UInt32, time: UInt32)
}

/// A field's value with the id of the field, or an item of a list.
@usableFromInline
package protocol StoredValueProtocol: Sendable {
  static var null: Self { get }
  /// An item of a list that was never fetched, between items that were.
  static var missing: Self { get }
  static func reference(_ record: RecordID) -> Self

  /// The field; meaningless for the items of a list.
  var field: FieldID { get set }
  var kind: StoredKind { get }
  /// Whether a scalar holds the characters of a string, which are JSON once they are quoted.
  var isString: Bool { get }
  /// Whether a list is a stream that has not received all of its items.
  var isOpen: Bool { get }
  /// The number of items of a list.
  var count: Int { get }
  /// The record that a reference refers to.
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

/// The type and times of a record.
@usableFromInline
package struct RecordInfo: Sendable, Equatable {
  @usableFromInline package var type: TypeID?
  /// The change that last wrote the record.
  @usableFromInline package var stamp: UInt32
  /// The time of the last write, in seconds since 1970.
  @usableFromInline package var written: UInt32
  /// The time when the record's fields expire, in seconds since 1970; 0 for never. The notes have the exceptions.
  @usableFromInline package var expires: UInt32

  @inlinable
  package init(type: TypeID? = nil, stamp: UInt32 = 0, written: UInt32 = 0, expires: UInt32 = 0) {
    (self.type, self.stamp, self.written, self.expires) = (type, stamp, written, expires)
  }

  /// Whether the file was searched for this record and does not have it; used in the loaded part of a file.
  package var isKnownAbsent: Bool {
    get { stamp == 0 && written == .max }
    set { written = newValue ? .max : 0 }
  }
}

/// The location of an embedded record in its parent.
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
  /// A list index, at most `maximumIndex`.
  case index(UInt32)

  package static let maximumIndex = UInt32(Int32.max)
}
