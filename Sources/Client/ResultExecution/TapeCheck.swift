import ApusClientOperation
import ApusJSON

/// A fast check of data on a document's tape, without creating values.
///
/// It returns `false` for invalid data and in doubtful cases, which the executor then examines.
package struct TapeCheck {
  private let document: JSONDocument
  private let tape: Tape
  /// Whether fields of deferred fragments are required.
  private let isOpen: Bool

  init(_ document: JSONDocument, isOpen: Bool) {
    self.document = document
    self.isOpen = isOpen
    tape = Tape(document)
  }

  /// Whether a leaf value is valid.
  package static func isRight(leaf place: TapePosition, of document: JSONDocument, shape: TypeShape) -> Bool {
    TapeCheck(document, isOpen: false).isRight(leaf: place, shape: shape, level: 0)
  }

  /// Whether the value is a valid object.
  func isRight(object: TapePosition, node: PlanNode) -> Bool {
    tape.kind(object) == Tape.Kind.object && isRight(object: object, node: node, fields: fields(of: object, node: node))
  }

  private func fields(of object: TapePosition, node: PlanNode) -> PlanFields {
    node.dependsOnType ? node.fields(of: document.value(at: object)) : node.fields(for: nil)
  }

  private func isRight(object: TapePosition, node: PlanNode, fields: PlanFields) -> Bool {
    let typenameIndex = node.possibleTypes == nil ? nil : fields.typenameIndex
    let table = fields.table
    guard table.count <= 64 else { return false }
    var seen: UInt64 = 0
    var expected = 0
    var place = tape.inside(object)
    let end = tape.end(object)
    while place.isBefore(end) {
      let key = place
      let value = tape.next(key)
      place = tape.next(value)
      guard !tape.hasEscape(key) else { return false }
      var found = expected
      if found >= table.count || !isNamed(key, table.entries[found], table) {
        guard let other = table.index(of: tape.raw(key), expected: expected) else { continue }
        found = other
      }
      expected = found + 1
      seen |= 1 << UInt64(found)
      if found == typenameIndex, !isPossible(value, node: node) { return false }
      let entry = table.entries[found]
      let isFine =
        entry.hasChild || entry.shape.leaf == .checked
        ? isRight(value, field: fields.fields[found], level: 0) : isRight(leaf: value, shape: entry.shape, level: 0)
      guard isFine else { return false }
    }
    let required = isOpen ? table.requiredWithFragments : table.required
    return seen & required == required
  }

  @inline(__always)
  private func isNamed(_ key: TapePosition, _ entry: FieldTable.Entry, _ table: FieldTable) -> Bool {
    let length = Int(entry.nameLength)
    return tape.length(key) == length
      && Tape.areEqual(tape.start(key), table.names + Int(entry.nameStart), count: length)
  }

  private func isPossible(_ value: TapePosition, node: PlanNode) -> Bool {
    guard tape.kind(value) == Tape.Kind.string, !tape.hasEscape(value) else { return false }
    let name = tape.raw(value)
    // Nearly always there is only one possible type. Comparing it does not create a string.
    if let only = node.concreteType {
      return only.utf8.count == name.count && only.utf8.elementsEqual(name)
    }
    return node.possibleTypes?.contains(String(decoding: name, as: UTF8.self)) ?? true
  }

  /// Whether the value of a field with selections or a custom check is valid.
  private func isRight(_ value: TapePosition, field: PlanField, level: Int) -> Bool {
    let shape = field.shape
    let isInnermost = level >= Int(shape.listDepth)
    switch tape.kind(value) {
    case Tape.Kind.null: return !shape.isNonNull(level: level)
    case _ where isInnermost && shape.leaf == .checked:
      return field.field.leafCheck?(document.value(at: value)) != false
    case Tape.Kind.array:
      guard !shape.isKnown || !isInnermost else { return shape.leaf == .any }
      return isRight(list: value, field: field, level: shape.isKnown ? level + 1 : level)
    case Tape.Kind.object:
      if isInnermost, let child = field.child { return isRight(object: value, node: child) }
      return isInnermost && (!shape.isKnown || shape.leaf == .any)
    default: return isRight(leaf: value, shape: shape, level: level)
    }
  }

  private func isRight(list: TapePosition, field: PlanField, level: Int) -> Bool {
    // If the fields do not depend on the type, all objects of the list share them.
    let child = level >= Int(field.shape.listDepth) ? field.child : nil
    let shared = child.flatMap { $0.dependsOnType ? nil : $0.fields(for: nil) }
    var element = tape.inside(list)
    let end = tape.end(list)
    while element.isBefore(end) {
      if let child, let shared, tape.kind(element) == Tape.Kind.object {
        guard isRight(object: element, node: child, fields: shared) else { return false }
      } else {
        guard isRight(element, field: field, level: level) else { return false }
      }
      element = tape.next(element)
    }
    return true
  }

  private func isRight(leaf value: TapePosition, shape: TypeShape, level: Int) -> Bool {
    let isInnermost = level >= Int(shape.listDepth)
    switch tape.kind(value) {
    case Tape.Kind.null: return !shape.isNonNull(level: level)
    case Tape.Kind.array:
      guard !shape.isKnown || !isInnermost else { return shape.leaf == .any }
      let inner = shape.isKnown ? level + 1 : level
      var element = tape.inside(value)
      let end = tape.end(value)
      while element.isBefore(end) {
        guard isRight(leaf: element, shape: shape, level: inner) else { return false }
        element = tape.next(element)
      }
      return true
    case Tape.Kind.object: return isInnermost && (!shape.isKnown || shape.leaf == .any)
    case let kind: return isInnermost && matches(value, kind: kind, leaf: shape.leaf)
    }
  }

  /// Whether a scalar other than null has the type.
  private func matches(_ value: TapePosition, kind: UInt16, leaf: TypeShape.Leaf) -> Bool {
    switch leaf {
    case .any: true
    case .string, .enumeration: kind == Tape.Kind.string
    case .boolean: kind < Tape.Kind.number
    // A number may be a valid ID, but must be converted, so the executor examines it.
    case .id: kind == Tape.Kind.string
    case .float: kind == Tape.Kind.number && LeafCheck.isPlain(tape.raw(value))
    case .int: kind == Tape.Kind.number && LeafCheck.isPlainWhole(tape.raw(value))
    case .object, .checked: false
    }
  }
}
