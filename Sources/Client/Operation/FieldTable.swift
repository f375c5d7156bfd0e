import ApusJSON

/// The fields of an object in plain memory, so that walking a response compares keys without creating strings and
/// without reference counting.
package final class FieldTable: Sendable {
  package struct Entry: BitwiseCopyable, Sendable {
    package let nameStart: Int32
    package let nameLength: Int32
    package let shape: TypeShape
    package let hasChild: Bool
  }

  package let count: Int
  // The memory is written before another thread can hold this object, only read after that, and freed in `deinit`, so
  // no accesses can race.
  package nonisolated(unsafe) let entries: UnsafePointer<Entry>
  /// The concatenated response keys.
  package nonisolated(unsafe) let names: UnsafePointer<UInt8>
  /// One bit per field: set if the field comes with the object itself and is required.
  package let required: UInt64
  /// `required`, including fields from deferred fragments.
  package let requiredWithFragments: UInt64
  /// The indexes by response key.
  private let indexes: [String: Int]

  init(_ fields: [PlanField], indexes: [String: Int]) {
    let names = UnsafeMutablePointer<UInt8>.allocate(capacity: fields.reduce(1) { $0 + $1.responseKey.utf8.count })
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: fields.count + 1)
    var end = 0
    var required: UInt64 = 0
    var requiredWithFragments: UInt64 = 0
    for (index, field) in fields.enumerated() {
      let start = end
      for byte in field.responseKey.utf8 {
        (names + end).initialize(to: byte)
        end += 1
      }
      (entries + index).initialize(
        to: Entry(
          nameStart: Int32(start), nameLength: Int32(end - start), shape: field.shape, hasChild: field.child != nil))
      guard index < 64 else { continue }
      if field.isRequired(whereDelivered: { _ in false }) { required |= 1 << UInt64(index) }
      if field.isRequired(whereDelivered: { _ in true }) { requiredWithFragments |= 1 << UInt64(index) }
    }
    count = fields.count
    self.indexes = indexes
    self.names = UnsafePointer(names)
    self.entries = UnsafePointer(entries)
    self.required = required
    self.requiredWithFragments = requiredWithFragments
  }

  deinit {
    entries.deallocate()
    names.deallocate()
  }

  /// Returns the index of a key. Servers usually keep the order of selections, so the search starts at `expected`.
  package func index(of key: UnsafeBufferPointer<UInt8>, expected: Int) -> Int? {
    guard let bytes = key.baseAddress else { return (0..<count).first { entries[$0].nameLength == key.count } }
    var index = expected < count ? expected : 0
    for _ in 0..<count {
      let entry = entries[index]
      if Int(entry.nameLength) == key.count, Tape.areEqual(names + Int(entry.nameStart), bytes, count: key.count) {
        return index
      }
      // A search among many fields would take quadratic time for members in another order.
      if count > 32 { return indexes[String(decoding: key, as: UTF8.self)] }
      index += 1
      if index == count { index = 0 }
    }
    return nil
  }
}

extension PlanFields {
  /// Calls `body` for each planned member of an object, in the object's order, with the index in `fields`.
  package func forEachField<Failure: Error>(
    of object: JSONValue, _ body: (Int, PlanField, JSONValue) throws(Failure) -> Void
  ) throws(Failure) {
    var expected = 0
    try object.forEachMember { (key, value) throws(Failure) in
      if let index = table.index(of: key, expected: expected) {
        expected = index + 1
        try body(index, fields[index], value)
      }
      return true
    }
  }
}
