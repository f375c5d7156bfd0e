/// A value behind one reference, copied when it is changed and somebody else holds it too.
struct CopyOnWrite<Value: Sendable>: Sendable {
  /// Safe to share: only who holds it alone changes it, and that is checked before each change.
  final class Box: @unchecked Sendable {
    // Without a check for exclusive access, which each reading would begin and end: only the two accessors below reach it.
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

  /// Whether both are one and the same, and so surely equal.
  func isIdentical(to other: CopyOnWrite) -> Bool { box === other.box }
}
