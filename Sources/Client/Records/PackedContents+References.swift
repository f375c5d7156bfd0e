/// References between records.
extension PackedContents {
  private static var none: UInt32 { .max }

  @inlinable
  func referrerCount(of record: RecordID) -> Int { Int(headers[record].referrerCount) }

  func forEachReferrer(of record: RecordID, _ body: (FieldLocation) -> Bool) {
    var number = headers[record].firstReferrer
    while number != Self.none {
      let edge = edges[number]
      guard body(edge.place) else { return }
      number = edge.next
    }
  }

  func forEachTarget(of record: RecordID, _ body: (RecordID) -> Void) {
    let header = headers[record]
    guard header.fieldCount > 0 else { return }
    forEachTarget(in: values.run(header.fields, count: Int(header.fieldCount)), body)
  }

  private func forEachTarget(in run: UnsafeBufferPointer<PackedValue>, _ body: (RecordID) -> Void) {
    for value in run {
      switch value.layout {
      case .reference: body(value.target)
      case .list where value.count > 0: forEachTarget(in: values.run(value.run, count: value.count), body)
      case .null, .list, .missing, .shortText, .text, .longText: break
      }
    }
  }

  private func link(_ place: FieldLocation, to target: RecordID) -> PackedValue {
    let free = freeEdges.popLast()
    let number = free ?? UInt32(edges.count)
    let head = headers[target].addReferrer(number)
    let edge = ReferenceEdge(place: place, target: target, previous: Self.none, next: head)
    if free == nil { edges.append(edge) } else { edges[number] = edge }
    if head != Self.none { edges[head].previous = number }
    return .reference(target, edge: number)
  }

  func unlink(_ reference: PackedValue) {
    guard keepsReferrers, reference.edge != Self.none else { return }
    let edge = edges[reference.edge]
    if edge.previous == Self.none {
      headers[edge.target].firstReferrer = edge.next
    } else {
      edges[edge.previous].next = edge.next
    }
    if edge.next != Self.none { edges[edge.next].previous = edge.previous }
    headers[edge.target].referrerCount -= 1
    headers[edge.target].uses -= 1
    if headers[edge.target].referrerCount == 0 { unreferenced.append(edge.target) }
    freeEdges.append(reference.edge)
  }

  func keepReferrers(stamp: UInt32, time: UInt32) {
    keepsReferrers = true
    for record in keys where headers[record].exists {
      let header = headers[record]
      let count = Int(header.fieldCount)
      let size = count == 0 ? 0 : insertReferences(values.writable(header.fields), count: count, of: record, field: nil)
      headers[record].retain(stamp: stamp, time: time, size: size)
      byteCount += size
      if header.isPath { unreferenced.append(record) }
    }
  }

  /// Links the references in the values of a record, and returns the byte count of the values.
  ///
  /// - Parameter field: The field that all values belong to, as items of its list; `nil` if each value is a field.
  func insertReferences(
    _ places: UnsafeMutablePointer<PackedValue>, count: Int, of record: RecordID, field: FieldID?
  ) -> Int {
    // The pointer stays valid: its page belongs to this storage only, and no value is stored or released in the loop.
    var size = 0
    for index in 0..<count {
      let value = places[index]
      switch value.layout {
      case .null, .shortText, .missing: size += 16
      case .text, .longText: size += byteCount(of: value)
      case .reference:
        size += 16
        let place = FieldLocation(record, field ?? value.field)
        places[index] = link(place, to: value.target).stored(in: value.field)
      case .list:
        size += 16
        guard value.count > 0 else { continue }
        size += insertReferences(
          values.writable(value.run), count: value.count, of: record, field: field ?? value.field)
      }
    }
    return size
  }
}
