import ApusClientAPI
import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// Decides which deferred fragments are part of the data, and reports their states.
extension RecordReader {
  func isOpen(_ usages: [PlanDeferral]) -> Bool {
    usages.isEmpty || usages.contains { usage in isOpen(usage) }
  }

  func isOpen(_ usage: PlanDeferral) -> Bool { open.contains { $0.isSame(as: usage) } }

  /// Decides whether a fragment on a record is part of the data.
  mutating func decide(on fragment: ReaderFragment, in id: RecordID) {
    if let parent = fragment.plan.parentUsage, !isOpen(parent) { return }
    if fragment.plan.application == .never { return record(fragment, .notExecuted) }
    if !mayCover(fragment.enclosing, id) { return }
    if !mayCover(fragment.direct, id) { return record(fragment, .notExecuted) }
    let trial = rule == .all ? ReadOutcome() : tried(fragment, on: id)
    if !trial.isIncomplete, let usage = fragment.plan.usage { open.append(usage) }
    record(fragment, !trial.isIncomplete ? .fulfilled : trial.errors.isEmpty ? .pending : .failed(trial.errors))
    guard trial.isIncomplete else { return }
    outcome.isIncomplete = true
    for error in trial.errors where !outcome.errors.contains(error) { outcome.errors.append(error) }
  }

  /// Writes a fragment without its nested deferred fragments, removes the output, and returns the result.
  private mutating func tried(_ fragment: ReaderFragment, on id: RecordID) -> ReadOutcome {
    let (outer, start) = (outcome, text.count)
    outcome = ReadOutcome()
    rule = .trial
    let usages = open.count
    if let usage = fragment.plan.usage { open.append(usage) }
    if !writeRecord(id, shapes: fragment.shapes) { outcome.isIncomplete = true }
    open.removeSubrange(usages...)
    rule = .complete
    text.cut(to: start)
    defer { outcome = outer }
    return outcome
  }

  /// Returns whether no coverage marker excludes one of these fragments for a record.
  private mutating func mayCover(_ notes: [ReaderFragment.Note], _ id: RecordID) -> Bool {
    for note in notes {
      dependOn(storage.hash(of: id), note.hash)
      if let fieldID = note.id, let value = storage.value(of: fieldID, in: id), storage.json(value).bool == false {
        return false
      }
    }
    return true
  }

  mutating func noteFragmentsOnNull(_ shapes: ReaderNode) {
    guard shapes.node.hasIncremental else { return }
    for (inner, fragment) in shapes.node.fragmentsOnNull(isOpen: isOpen) {
      record(fragment, at: path + inner, .notExecuted)
    }
  }

  mutating func record(_ fragment: ReaderFragment, _ state: DeferredState) {
    record(fragment.plan, at: path, state)
  }

  mutating func record(_ fragment: PlanFragment, at path: [PathComponent], _ state: DeferredState) {
    outcome.fragments.append(DeferredFragment(fragment.fragment, objectPath: ResponsePath(path), state: state))
  }
}
