/// A value stored by reference, which is copied when it is changed while shared.
struct CopyOnWrite<Value: Sendable>: Sendable {
  /// Safe to share, because it is changed only after checking that it is uniquely referenced.
  final class Box: @unchecked Sendable {
    // Exclusivity checks are disabled for speed; only the two accessors below access the value.
    @exclusivity(unchecked) var value: Value
    init(_ value: Value) { self.value = value }
  }

  var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    _read { yield box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }

  /// Whether both have the same storage and are therefore equal.
  func isIdentical(to other: CopyOnWrite) -> Bool { box === other.box }
}
