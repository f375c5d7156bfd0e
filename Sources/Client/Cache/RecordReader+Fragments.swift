import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// Reports the states of deferred fragments.
extension RecordReader {
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
    outcome.fragments.append(
      DeferredFragment(
        fragmentID: compiled.id, label: compiled.deferral?.label, path: ResponsePath(path),
        typeCondition: compiled.typeCondition, name: compiled.name, state: state))
  }
}
