/// Who refers to whom: the edges between records, and what becomes of those that nothing refers to any more.
extension RecordTable {
  /// Notes that a field refers to a record and returns the slot for it.
  mutating func link(source: UInt32, field: UInt32, target: UInt32) -> ValueSlot {
    guard keepsReferrers else {
      var slot = ValueSlot.reference(target)
      slot.field = field
      return slot
    }
    let free = freeEdges.popLast()
    let number = free ?? UInt32(edges.count)
    let head = entries[target].addReferrer(number)
    let edge = ReferenceEdge(source: source, field: field, target: target, previous: Self.none, next: head)
    if free == nil { edges.append(edge) } else { edges[number] = edge }
    if head != Self.none { edges[head].previous = number }
    var slot = ValueSlot.reference(target, edge: number)
    slot.field = field
    return slot
  }

  private mutating func unlink(_ slot: ValueSlot) {
    guard keepsReferrers, slot.edge != Self.none else { return }
    let edge = edges[slot.edge]
    if edge.previous == Self.none {
      entries[edge.target].firstReferrer = edge.next
    } else {
      edges[edge.previous].next = edge.next
    }
    if edge.next != Self.none { edges[edge.next].previous = edge.previous }
    entries[edge.target].referrerCount -= 1
    entries[edge.target].uses -= 1
    if entries[edge.target].referrerCount == 0 { loosened.append(edge.target) }
    freeEdges.append(slot.edge)
  }

  /// Gives back what a value that was taken out of its record held.
  mutating func release(_ slot: ValueSlot) {
    switch slot.kind {
    case .null, .shortText, .gap: break
    case .text: texts.release(slot.run, count: slot.count)
    case .longText: texts.release(slot.run, count: texts.lengthOfPage(slot.run))
    case .reference: unlink(slot)
    case .list:
      for index in 0..<slot.count { release(slots.element(slot.run, index)) }
      if slot.count > 0 { slots.release(slot.run, count: slot.count) }
    }
  }

  /// Calls `body` with each edge to a record, the newest first, until it returns false.
  func forEachReferrer(of id: UInt32, _ body: (ReferenceEdge) -> Bool) {
    var number = entries[id].firstReferrer
    while number != Self.none {
      let edge = edges[number]
      guard body(edge) else { return }
      number = edge.next
    }
  }
}
