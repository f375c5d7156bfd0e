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
      if found == typenameIndex, !isListed(typename: value, node) { return false }
      let entry = table.entries[found]
      let isFine =
        entry.hasChild || entry.shape.isChecked
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

  private func isListed(typename value: TapePosition, _ node: PlanNode) -> Bool {
    tape.kind(value) == Tape.Kind.string && !tape.hasEscape(value) && node.lists(typename: tape.raw(value))
  }

  /// Whether the value of a field with selections or a custom check is valid.
  private func isRight(_ value: TapePosition, field: PlanField, level: Int) -> Bool {
    switch ValueRule(for: tape.valueKind(value), field.shape, level: level, hasSelections: field.child != nil) {
    case .custom: field.field.leafCheck?(document.value(at: value)) != false
    case .elements: isRight(list: value, field: field, level: field.shape.levelOfElements(at: level))
    case .selections: field.child.map { isRight(object: value, node: $0) } ?? false
    case let rule: isRight(scalar: value, rule)
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

  @inline(__always)
  private func isRight(leaf value: TapePosition, shape: TypeShape, level: Int) -> Bool {
    let rule = ValueRule(for: tape.valueKind(value), shape, level: level, hasSelections: false)
    return rule == .elements
      ? isRight(leaves: value, shape: shape, level: shape.levelOfElements(at: level)) : isRight(scalar: value, rule)
  }

  private func isRight(leaves list: TapePosition, shape: TypeShape, level: Int) -> Bool {
    var element = tape.inside(list)
    let end = tape.end(list)
    while element.isBefore(end) {
      guard isRight(leaf: element, shape: shape, level: level) else { return false }
      element = tape.next(element)
    }
    return true
  }

  @inline(__always)
  private func isRight(scalar value: TapePosition, _ rule: ValueRule) -> Bool {
    switch rule {
    case .valid: true
    case .whole: LeafCheck.isPlainWhole(tape.raw(value))
    case .finite: LeafCheck.isPlain(tape.raw(value))
    // A number may be a valid ID, but must be converted, so the executor examines it.
    case .integer: false
    case .wrong, .elements, .selections, .custom: false
    }
  }
}
