import ApusClientOperation
import ApusJSON

/// The stretch of a list that an offset and a limit ask for.
///
/// Such a list is kept as one, from its first item on. What was not fetched of it is a gap, and a gap at its end says that
/// nobody knows whether more follows; without one the list ends where it ends.
struct OffsetWindow {
  let offset: Int
  /// `nil` asks for everything to the end.
  let limit: Int?

  /// A server may be asked for any offset, but a list with a billion gaps is no list.
  private static let largestOffset = 1_000_000

  /// `nil` when the arguments are no numbers of items.
  init?(offset: JSONValue?, limit: JSONValue?) {
    guard let start = Self.number(offset, 0), start <= Self.largestOffset, let count = Self.number(limit, .max) else {
      return nil
    }
    self.offset = start
    self.limit = count == .max ? nil : count
  }

  /// `nil` for lists of scalars too, which are not taken apart.
  init?(of field: PlanField, _ offset: String, _ limit: String, _ variables: JSONValue) {
    guard field.child != nil else { return nil }
    let values = field.field.argumentValues(variables: variables)
    self.init(
      offset: values.first { $0.name == offset }?.value, limit: values.first { $0.name == limit }?.value)
  }

  private static func number(_ value: JSONValue?, _ standard: Int) -> Int? {
    guard let value, !value.isNull else { return standard }
    return value.int.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Where it begins and ends in a list of which so many items are kept.
  struct Part {
    let range: Range<Int>
    /// Whether it holds all that was asked for.
    let isWhole: Bool
  }

  /// `nil` when nothing of what was asked for is known.
  func part(of list: ValueSlot, in table: RecordTable) -> Part? {
    let isEndKnown = list.count == 0 || table.slots.element(list.run, list.count - 1).kind != .gap
    let known = isEndKnown ? list.count : list.count - 1
    let end = limit.map { offset + min($0, Int.max - offset) } ?? .max
    if end <= known { return Part(range: offset..<end, isWhole: true) }
    if isEndKnown { return Part(range: min(offset, known)..<known, isWhole: true) }
    if end == offset { return Part(range: known..<known, isWhole: true) }
    return offset < known ? Part(range: offset..<known, isWhole: false) : nil
  }
}

extension RecordMerge {
  /// Puts what a stretch of a list has become in the place of the stretch: what stands behind it moves, and where the list
  /// ends is as known as it was.
  mutating func put(
    _ slot: ValueSlot, in range: Range<Int>, of old: ValueSlot, record: UInt32, field: UInt32,
    in table: inout RecordTable
  ) -> ValueSlot {
    var items = self.items(of: old, in: table)
    let isSame =
      slot.count == range.count
      && range.allSatisfy {
        isEqual(items[$0], incoming.table.slots.element(slot.run, $0 - range.lowerBound), in: table)
      }
    if isSame { return old }
    let new = (0..<slot.count).map {
      adopt(incoming.table.slots.element(slot.run, $0), record: record, field: field, into: &table)
    }
    for item in items[range] { table.release(item) }
    items.replaceSubrange(range, with: new)
    return remake(old, items, field: field, isOpen: old.isOpen, in: &table)
  }

  /// Puts a page in its place in the list that is there.
  mutating func place(
    _ slot: ValueSlot, _ window: OffsetWindow?, in existing: ValueSlot?, record: UInt32, field: UInt32,
    of table: inout RecordTable
  ) -> ValueSlot {
    guard slot.kind == .list, let window else {
      return replace(existing, by: slot, record: record, field: field, in: &table)
    }
    let old = existing?.kind == .list ? existing : nil
    if let existing, old == nil { table.release(existing) }
    var items = old.map { self.items(of: $0, in: table) } ?? []
    let before = items
    var isEndKnown = old != nil && items.last?.kind != .gap
    while items.last?.kind == .gap { items.removeLast() }
    let end = window.offset + slot.count
    if slot.count > 0 {
      while items.count < window.offset { items.append(.gap) }
    }
    for index in 0..<slot.count {
      let item = incoming.table.slots.element(slot.run, index)
      let place = window.offset + index
      if place < items.count, isEqual(items[place], item, in: table) { continue }
      let adopted = adopt(item, record: record, field: field, into: &table)
      if place < items.count {
        table.release(items[place])
        items[place] = adopted
      } else {
        items.append(adopted)
        isEndKnown = false
      }
    }
    let isShort = !slot.isOpen && window.limit.map { slot.count < $0 } ?? true
    if isShort, end <= items.count {
      for item in items[end...] { table.release(item) }
      items.removeSubrange(end...)
      isEndKnown = true
    }
    if !isEndKnown { items.append(.gap) }
    guard let old else {
      return items.withUnsafeBufferPointer { table.makeList($0, field: field, isOpen: slot.isOpen) }
    }
    let isSame =
      old.isOpen == slot.isOpen && before.count == items.count
      && zip(before, items).allSatisfy { $0.isSame(as: $1) || ($0.kind == .gap && $1.kind == .gap) }
    return isSame ? old : remake(old, items, field: field, isOpen: slot.isOpen, in: &table)
  }
}
