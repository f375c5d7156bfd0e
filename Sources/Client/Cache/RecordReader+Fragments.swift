import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Whether all of a deferred fragment is there.
extension RecordReader {
  /// Whether a record has everything that a fragment selects, but for what is deferred further. Where an error tells why
  /// something is not there, it is among the failures.
  mutating func isWhole(_ id: UInt32, shapes: ReaderShapes, usage: DeferUsage?) -> Bool {
    let entry = table.entries[id]
    let shape = shapes.shape(type: entry.type, in: table)
    var isWhole = shape.isPossible || path.isEmpty
    for field in shape.fields {
      let isOwn = field.usages.isEmpty || field.usages.contains { used in usage.map(used.isSame(as:)) ?? false }
      guard isOwn else { continue }
      dependOn(entry.hash, field.hash)
      if !isThere(field, of: id, usage: usage) { isWhole = false }
    }
    return isWhole
  }

  private mutating func isThere(_ field: ReaderField, of id: UInt32, usage: DeferUsage?) -> Bool {
    if !field.coverage.isEmpty {
      guard let isCovered = isCovered(field, in: table.entries[id]) else { return false }
      if !isCovered { return true }
    }
    guard field.symbol != RecordTable.none, let slot = table.value(ofField: field.symbol, in: id),
      isFresh(field.symbol, of: id)
    else {
      let isRequired = field.isRequired || !field.coverage.isEmpty
      if isRequired { noteFailures(of: field, in: id) }
      return !isRequired
    }
    path.append(.key(field.responseKey))
    let isThere =
      field.child.map { child in
        guard let window = field.window, slot.kind == .list else {
          return self.isThere(slot, child, field.plan, level: 0, usage: usage)
        }
        let part = window.part(of: slot, in: table)
        return part?.isWhole == true && !slot.isOpen && canBeList(field.plan.shape, level: 0)
          && areThere(slot, part?.range ?? 0..<0, child, field.plan, level: 0, usage: usage)
      } ?? (slot.isScalar && (table.isSurelyRight(slot, field.plan.shape) || isRight(slot, field)))
    path.removeLast()
    if !isThere { noteFailures(of: field, in: id) }
    return isThere
  }

  private mutating func noteFailures(of field: ReaderField, in id: UInt32) {
    let why = errors(of: field, in: id)
    failures += why
  }

  private mutating func isThere(
    _ slot: ValueSlot, _ shapes: ReaderShapes, _ field: PlanField, level: Int, usage: DeferUsage?
  ) -> Bool {
    switch slot.kind {
    case .null: return !field.shape.isNonNull(level: level)
    case .reference:
      dependOn(table.entries[slot.target].hash, ChangedKeys.wholeRecord)
      return exists(slot.target) && canBeObject(field.shape, level: level)
        && isWhole(slot.target, shapes: shapes, usage: usage)
    case .list:
      return !slot.isOpen && canBeList(field.shape, level: level)
        && areThere(slot, 0..<slot.count, shapes, field, level: level, usage: usage)
    case .shortText, .text, .longText, .gap: return false
    }
  }

  private mutating func areThere(
    _ list: ValueSlot, _ range: Range<Int>, _ shapes: ReaderShapes, _ field: PlanField, level: Int, usage: DeferUsage?
  ) -> Bool {
    var areThere = true
    for index in range {
      path.append(.index(index - range.lowerBound))
      let item = table.slots.element(list.run, index)
      let isThere = isThere(item, shapes, field, level: level + 1, usage: usage)
      if !isThere {
        let why = errors(of: item, shapes, field, level: level + 1)
        failures += why
      }
      path.removeLast()
      if !isThere { areThere = false }
    }
    return areThere
  }

  /// Whether no note says that one of these fragments does not cover a record.
  mutating func mayCover(_ notes: [ReaderFragment.Note], _ id: UInt32) -> Bool {
    for note in notes {
      dependOn(table.entries[id].hash, note.hash)
      guard note.symbol != RecordTable.none, let slot = table.value(ofField: note.symbol, in: id) else { continue }
      if slot.payload == CoverageNote.coversNot.payload { return false }
    }
    return true
  }

  mutating func noteFragmentsOnNull(_ shapes: ReaderShapes) {
    guard shapes.node.hasIncremental else { return }
    for (inner, fragment) in shapes.node.fragmentsOnNull(isOpen: isOpen) {
      note(fragment, at: path + inner, .notExecuted)
    }
  }

  mutating func note(_ fragment: ReaderFragment, _ state: DeferredState) {
    note(fragment.plan, at: path, state)
  }

  mutating func note(_ fragment: PlanFragment, at path: [PathComponent], _ state: DeferredState) {
    let compiled = fragment.fragment
    fragments.append(
      DeferredFragment(
        fragmentID: compiled.id, label: compiled.deferral?.label, path: ResponsePath(path),
        typeCondition: compiled.typeCondition, name: compiled.name, state: state))
  }
}
