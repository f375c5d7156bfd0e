import ApusJSON

extension PlanNode {
  /// Returns the deferred fragments that can never arrive because an object is null, with their paths relative to it.
  /// `isOpen` returns whether a deferred fragment around the null has arrived.
  ///
  /// The number of steps is limited, because no data bounds the search: fragments that spread each other twice can
  /// produce a million paths below one null.
  package func fragmentsOnNull(
    isOpen: (PlanDeferral) -> Bool
  ) -> [(path: [PathComponent], fragment: PlanFragment)] {
    var found: [(path: [PathComponent], fragment: PlanFragment)] = []
    var steps = 1000
    addFragmentsOnNull(at: [], isOpen: isOpen, steps: &steps, to: &found)
    return found
  }

  private func addFragmentsOnNull(
    at path: [PathComponent], isOpen: (PlanDeferral) -> Bool, steps: inout Int,
    to found: inout [(path: [PathComponent], fragment: PlanFragment)]
  ) {
    guard hasIncremental, steps > 0 else { return }
    steps -= 1
    let fields = fields(for: nil)
    for fragment in fields.fragments where fragment.parentUsage.map(isOpen) ?? true {
      found.append((path, fragment))
    }
    for field in fields.fields {
      // A field that only a pending fragment selects may still arrive.
      guard let child = field.child, field.usages.isEmpty || field.usages.contains(where: isOpen) else { continue }
      child.addFragmentsOnNull(at: path + [.key(field.responseKey)], isOpen: isOpen, steps: &steps, to: &found)
    }
  }
}
