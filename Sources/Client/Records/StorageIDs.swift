/// An opaque id in one storage.
@usableFromInline
package protocol StorageID: Hashable, Comparable, BitwiseCopyable, Sendable {
  var number: UInt32 { get }
  init(number: UInt32)
}

extension StorageID {
  @inlinable
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The id of a key, with or without a record.
@usableFromInline
package struct RecordID: StorageID {
  @usableFromInline package let number: UInt32

  @inlinable
  package init(number: UInt32) { self.number = number }
}

/// The id of a field's key.
@usableFromInline
package struct FieldID: StorageID {
  @usableFromInline package let number: UInt32

  @inlinable
  package init(number: UInt32) { self.number = number }
}

/// The id of a typename.
@usableFromInline
package struct TypeID: StorageID {
  @usableFromInline package let number: UInt32

  @inlinable
  package init(number: UInt32) { self.number = number }
}

/// A field of a record.
@usableFromInline
package struct FieldLocation: Hashable, BitwiseCopyable, Sendable {
  @usableFromInline package let record: RecordID
  @usableFromInline package let field: FieldID

  @inlinable
  package init(_ record: RecordID, _ field: FieldID) { (self.record, self.field) = (record, field) }
}

/// The ids of all keys of a storage, in order.
@usableFromInline
package struct RecordIDs: RandomAccessCollection, Sendable {
  @usableFromInline package let startIndex = 0
  @usableFromInline package let endIndex: Int

  @inlinable
  package init(count: Int) { endIndex = count }

  @inlinable
  package subscript(index: Int) -> RecordID { RecordID(number: UInt32(index)) }
}

/// A set of the records of one storage, as one flag per key.
@usableFromInline
package struct RecordMarks: Sendable {
  @usableFromInline var flags: ContiguousArray<Bool>

  package init(for keys: RecordIDs) { flags = ContiguousArray(repeating: false, count: keys.count) }

  @inlinable
  package func contains(_ record: RecordID) -> Bool { flags[Int(record.number)] }

  /// Adds a record. Returns whether the set did not contain it.
  @discardableResult
  @inlinable
  package mutating func insert(_ record: RecordID) -> Bool {
    let isNew = !flags[Int(record.number)]
    flags[Int(record.number)] = true
    return isNew
  }

  package var count: Int { flags.count { $0 } }
}

/// A map from the ids of one storage to those of another.
@usableFromInline
package struct IDMap<ID: StorageID>: Sendable {
  @usableFromInline var ids: ContiguousArray<ID> = []

  @inlinable
  package init() {}

  /// Adds the target of the next source id.
  @inlinable
  package mutating func append(_ id: ID) { ids.append(id) }
  @inlinable
  package subscript(id: ID) -> ID { ids[Int(id.number)] }
  package var all: ContiguousArray<ID> { ids }
}
