import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// Whether all of a deferred fragment is there.
extension RecordReader {
  /// Whether a record has everything that a fragment selects, but for what is deferred further. Where an error tells why
  /// something is not there, it is among the failures.
  mutating func isWhole(_ id: RecordID, shapes: ReaderShapes, usage: DeferUsage?) -> Bool {
    let shape = shapes.shape(type: storage[id].type, in: storage)
    var isWhole = shape.isPossible || path.isEmpty
    for field in shape.fields {
      let isOwn = field.usages.isEmpty || field.usages.contains { used in usage.map(used.isSame(as:)) ?? false }
      guard isOwn else { continue }
      dependOn(storage.hash(of: id), field.hash)
      if !isThere(field, of: id, usage: usage) { isWhole = false }
    }
    return isWhole
  }

  private mutating func isThere(_ field: ReaderField, of id: RecordID, usage: DeferUsage?) -> Bool {
    if !field.coverage.isEmpty {
      guard let isCovered = isCovered(field, in: id) else { return false }
      if !isCovered { return true }
    }
    guard let own = field.id, let slot = storage.value(of: own, in: id), isFresh(own, of: id)
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
        let part = window.part(of: slot, in: storage)
        return part?.isWhole == true && !slot.isOpen && canBeList(field.plan.shape, level: 0)
          && areThere(slot, part?.range ?? 0..<0, child, field.plan, level: 0, usage: usage)
      }
      ?? ((slot.kind == .scalar || slot.kind == .null)
        && (storage.isSurelyRight(slot, field.plan.shape) || isRight(slot, field)))
    path.removeLast()
    if !isThere { noteFailures(of: field, in: id) }
    return isThere
  }

  private mutating func noteFailures(of field: ReaderField, in id: RecordID) {
    let why = errors(of: field, in: id)
    failures += why
  }

  private mutating func isThere(
    _ slot: StoredValue, _ shapes: ReaderShapes, _ field: PlanField, level: Int, usage: DeferUsage?
  ) -> Bool {
    switch slot.kind {
    case .null: return !field.shape.isNonNull(level: level)
    case .reference:
      dependOn(storage.hash(of: slot.target), ChangedKeys.wholeRecord)
      return exists(slot.target) && canBeObject(field.shape, level: level)
        && isWhole(slot.target, shapes: shapes, usage: usage)
    case .list:
      return !slot.isOpen && canBeList(field.shape, level: level)
        && areThere(slot, 0..<slot.count, shapes, field, level: level, usage: usage)
    case .scalar, .missing: return false
    }
  }

  private mutating func areThere(
    _ list: StoredValue, _ range: Range<Int>, _ shapes: ReaderShapes, _ field: PlanField, level: Int, usage: DeferUsage?
  ) -> Bool {
    var areThere = true
    for index in range {
      path.append(.index(index - range.lowerBound))
      let item = storage.item(at: index, of: list)
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
  mutating func mayCover(_ notes: [ReaderFragment.Note], _ id: RecordID) -> Bool {
    for note in notes {
      dependOn(storage.hash(of: id), note.hash)
      if let own = note.id, let value = storage.value(of: own, in: id), storage.json(value).bool == false {
        return false
      }
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
