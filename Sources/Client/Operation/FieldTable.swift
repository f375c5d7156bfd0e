import JSON

/// The fields of an object as a walk along its members looks at them: plain memory, so that a response's keys are
/// compared without building strings, and nothing is counted.
package struct FieldTable: Sendable {
  package struct Entry: BitwiseCopyable, Sendable {
    package let nameStart: Int32
    package let nameLength: Int32
    package let shape: TypeShape
    package let hasChild: Bool
  }

  @usableFromInline let entries: ContiguousArray<Entry>
  /// The response keys, one behind the other.
  @usableFromInline let names: ContiguousArray<UInt8>
  /// Bit n stands for the n-th field: set where it comes with the object itself and so must be there.
  package let required: UInt64
  /// The same with the fields that deferred fragments bring.
  package let requiredWithFragments: UInt64

  init(_ fields: [PlanField]) {
    var names: ContiguousArray<UInt8> = []
    var entries: ContiguousArray<Entry> = []
    var required: UInt64 = 0
    var requiredWithFragments: UInt64 = 0
    for (index, field) in fields.enumerated() {
      let start = names.count
      names.append(contentsOf: field.responseKey.utf8)
      entries.append(
        Entry(
          nameStart: Int32(start), nameLength: Int32(names.count - start), shape: field.shape,
          hasChild: field.child != nil))
      guard index < 64, field.isCertain else { continue }
      requiredWithFragments |= 1 << UInt64(index)
      if field.usages.isEmpty { required |= 1 << UInt64(index) }
    }
    self.names = names
    self.entries = entries
    self.required = required
    self.requiredWithFragments = requiredWithFragments
  }

  /// The table as bare memory, for as long as `body` runs.
  @inlinable @inline(__always)
  package func withBytes<Result>(
    _ body: (UnsafeBufferPointer<Entry>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    entries.withUnsafeBufferPointer { entries in names.withUnsafeBufferPointer { names in body(entries, names) } }
  }

  /// The index of a key. Servers answer in the order of the selections, so the search begins at `expected`.
  @inlinable
  package static func index(
    of key: UnsafeBufferPointer<UInt8>, expected: Int, in entries: UnsafeBufferPointer<Entry>,
    _ names: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let bytes = key.baseAddress, let names = names.baseAddress else {
      return entries.firstIndex { $0.nameLength == key.count }
    }
    var index = expected < entries.count ? expected : 0
    for _ in 0..<entries.count {
      let entry = entries[index]
      if Int(entry.nameLength) == key.count, Tape.areEqual(names + Int(entry.nameStart), bytes, count: key.count) {
        return index
      }
      index += 1
      if index == entries.count { index = 0 }
    }
    return nil
  }
}

extension PlanFields {
  /// Goes through an object's members that the plan knows, in the object's order, with their index in `fields`.
  package func forEachField<Failure: Error>(
    of object: JSONValue, _ body: (Int, PlanField, JSONValue) throws(Failure) -> Void
  ) throws(Failure) {
    var expected = 0
    try object.forEachMember { (key, value) throws(Failure) in
      let found = table.withBytes { FieldTable.index(of: key, expected: expected, in: $0, $1) }
      if let index = found {
        expected = index + 1
        try body(index, fields[index], value)
      }
      return true
    }
  }
}
