import JSON

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The response keys of an object's fields as bytes, so that a response's keys are compared without building strings.
struct FieldKeys: Sendable {
  private let bytes: ContiguousArray<UInt8>
  private let ends: ContiguousArray<Int32>

  init(_ keys: [String]) {
    var bytes: ContiguousArray<UInt8> = []
    var ends: ContiguousArray<Int32> = []
    for key in keys {
      bytes.append(contentsOf: key.utf8)
      ends.append(Int32(bytes.count))
    }
    self.bytes = bytes
    self.ends = ends
  }

  /// The index of a key. Servers answer in the order of the selections, so the search begins at `expected`.
  func index(of key: UnsafeBufferPointer<UInt8>, expected: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { ends in
        for index in expected..<max(expected, ends.count) where FieldKeys.equals(bytes, ends, index, key) {
          return index
        }
        for index in 0..<min(expected, ends.count) where FieldKeys.equals(bytes, ends, index, key) { return index }
        return nil
      }
    }
  }

  @inline(__always)
  private static func equals(
    _ bytes: UnsafeBufferPointer<UInt8>, _ ends: UnsafeBufferPointer<Int32>, _ index: Int,
    _ key: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    guard Int(ends[index]) - start == key.count else { return false }
    guard let left = bytes.baseAddress, let right = key.baseAddress else { return key.isEmpty }
    return memcmp(left + start, right, key.count) == 0
  }
}

extension PlanFields {
  /// Goes through an object's members that the plan knows, in the object's order, with their index in `fields`.
  package func forEachField<Failure: Error>(
    of object: JSONValue, _ body: (Int, PlanField, JSONValue) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachIndex(of: object) { (index, value) throws(Failure) in try body(index, fields[index], value) }
  }

  /// The same without touching the fields themselves, which costs as much as a leaf's whole check.
  package func forEachIndex<Failure: Error>(
    of object: JSONValue, _ body: (Int, JSONValue) throws(Failure) -> Void
  ) throws(Failure) {
    var expected = 0
    try object.forEachMember { (key, value) throws(Failure) in
      if let index = keys.index(of: key, expected: expected) {
        expected = index + 1
        try body(index, value)
      }
      return true
    }
  }
}
