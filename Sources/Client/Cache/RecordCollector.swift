/// Finds what the roots lead to, and removes the rest.
extension RecordSet {
  /// Which records can be reached from the root records, and from some others, as one flag for each number.
  func reachable(and others: Set<UInt32> = []) -> ContiguousArray<Bool> {
    var marks = ContiguousArray(repeating: false, count: table.entries.count)
    var stack: ContiguousArray<UInt32> = []
    for id in CacheKey.keptRoots.compactMap(find) + others where table.entries[id].exists {
      marks[Int(id)] = true
      stack.append(id)
    }
    while let id = stack.popLast() {
      let entry = table.entries[id]
      guard entry.fieldCount > 0 else { continue }
      table.slots.withRun(entry.fields, count: Int(entry.fieldCount)) { fields in
        for slot in fields { table.mark(slot, &marks, &stack) }
      }
    }
    return marks
  }

  mutating func collect(rootFields: Set<String>?, keeping requests: [RecordRequest], log: inout ChangeLog) {
    // A request may lead to records that no field of a root names.
    let kept = reached(by: requests)
    if let rootFields {
      for root in CacheKey.keptRoots {
        guard let record = self[root] else { continue }
        for field in record.fields where !rootFields.contains("\(root.text).\(field.key)") {
          let name = field.key.prefix { $0 != "(" }
          if rootFields.contains("\(root.text).\(name)(*)") { continue }
          removeField(field.key, of: root, log: &log)
        }
      }
    }
    let marks = reachable(and: kept)
    for number in marks.indices where !marks[number] && table.entries[number].exists {
      removeRecord(UInt32(number), log: &log)
    }
  }
}

extension RecordTable {
  @inline(__always)
  fileprivate func mark(_ slot: ValueSlot, _ marks: inout ContiguousArray<Bool>, _ stack: inout ContiguousArray<UInt32>)
  {
    switch slot.kind {
    case .reference:
      let target = Int(slot.target)
      guard !marks[target], entries[target].exists else { return }
      marks[target] = true
      stack.append(slot.target)
    case .list: markList(slot, &marks, &stack)
    default: return
    }
  }

  private func markList(
    _ slot: ValueSlot, _ marks: inout ContiguousArray<Bool>, _ stack: inout ContiguousArray<UInt32>
  ) {
    for index in 0..<slot.count { mark(slots.element(slot.run, index), &marks, &stack) }
  }

  /// The records that a record refers to, one for each place.
  func targets(of id: UInt32) -> [UInt32] {
    var found: [UInt32] = []
    let entry = entries[id]
    for index in 0..<Int(entry.fieldCount) {
      forEachTarget(of: slots.element(entry.fields, index)) { found.append($0) }
    }
    return found
  }

  func forEachTarget(of slot: ValueSlot, _ body: (UInt32) -> Void) {
    switch slot.kind {
    case .reference: body(slot.target)
    case .list: for index in 0..<slot.count { forEachTarget(of: slots.element(slot.run, index), body) }
    default: break
    }
  }
}
