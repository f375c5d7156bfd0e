/// An array in memory: what it was made from, and the slots that changed or were appended since.
final class JSONArrayStorage: Sendable {
  private enum Base: Sendable {
    case values([JSONValue])
    /// An array on a tape, with the index of each element.
    case tape(JSONDocument, [UInt32])
  }

  private let base: Base
  private let baseCount: Int
  private let changes: PersistentSlots
  let count: Int

  init(_ elements: [JSONValue]) {
    base = .values(elements)
    baseCount = elements.count
    changes = PersistentSlots()
    count = elements.count
  }

  /// The array at `index` of a tape, made ready to be changed.
  init(_ document: JSONDocument, _ index: Int) {
    var positions: [UInt32] = []
    positions.reserveCapacity(document.count(at: index))
    var position = index + 2
    let end = document.next(after: index)
    while position < end {
      positions.append(UInt32(truncatingIfNeeded: position))
      position = document.next(after: position)
    }
    base = .tape(document, positions)
    baseCount = positions.count
    changes = PersistentSlots()
    count = baseCount
  }

  private init(base: Base, baseCount: Int, changes: PersistentSlots, count: Int) {
    self.base = base
    self.baseCount = baseCount
    self.changes = changes
    self.count = count
  }

  subscript(index: Int) -> JSONValue? {
    guard index >= 0, index < count else { return nil }
    if !changes.isEmpty, let changed = changes[index] { return changed }
    switch base {
    case .values(let values): return index < baseCount ? values[index] : nil
    case .tape(let document, let positions):
      return index < baseCount ? document.value(at: Int(positions[index])) : nil
    }
  }

  /// A version in which the element at `index`, at most one past the end, is `value`.
  func setting(_ index: Int, to value: JSONValue) -> JSONArrayStorage {
    JSONArrayStorage(
      base: base, baseCount: baseCount, changes: changes.setting(index, to: value), count: max(count, index + 1))
  }
}

/// An object in memory: what it was made from, and the members that changed or were appended since.
final class JSONObjectStorage: Sendable {
  private enum Base: Sendable {
    case members([(String, JSONValue)])
    /// An object on a tape, with the index of each key.
    case tape(JSONDocument, [UInt32])
  }

  private let base: Base
  private let baseCount: Int
  private let changes: PersistentSlots
  /// The keys of the members behind the base's.
  private let appendedKeys: [String]
  /// The slot of each key, where a search through them would be slow.
  private let slots: [String: Int]?
  private static let searchLimit = 12

  var count: Int { baseCount + appendedKeys.count }

  init(_ members: [(String, JSONValue)]) {
    var unique: [(String, JSONValue)] = []
    var slots: [String: Int] = [:]
    if members.count <= Self.searchLimit {
      for member in members {
        if let slot = unique.firstIndex(where: { $0.0 == member.0 }) {
          unique[slot].1 = member.1
        } else {
          unique.append(member)
        }
      }
      self.slots = nil
    } else {
      slots.reserveCapacity(members.count)
      unique.reserveCapacity(members.count)
      for member in members {
        if let slot = slots[member.0] {
          unique[slot].1 = member.1
        } else {
          slots[member.0] = unique.count
          unique.append(member)
        }
      }
      self.slots = slots
    }
    base = .members(unique)
    baseCount = unique.count
    changes = PersistentSlots()
    appendedKeys = []
  }

  /// The object at `index` of a tape, made ready to be changed.
  init(_ document: JSONDocument, _ index: Int) {
    var positions: [UInt32] = []
    var slots: [String: Int] = [:]
    let isLarge = document.count(at: index) > Self.searchLimit
    var position = index + 2
    let end = document.next(after: index)
    while position < end {
      if isLarge { slots[document.string(at: position)] = positions.count }
      positions.append(UInt32(truncatingIfNeeded: position))
      position = document.next(after: document.next(after: position))
    }
    base = .tape(document, positions)
    baseCount = positions.count
    changes = PersistentSlots()
    appendedKeys = []
    self.slots = isLarge ? slots : nil
  }

  private init(
    base: Base, baseCount: Int, changes: PersistentSlots, appendedKeys: [String], slots: [String: Int]?
  ) {
    self.base = base
    self.baseCount = baseCount
    self.changes = changes
    self.appendedKeys = appendedKeys
    self.slots = slots
  }

  subscript(key: String) -> JSONValue? { slot(of: key).map { member($0).1 } }

  func member(_ slot: Int) -> (key: String, value: JSONValue) {
    let changed = changes.isEmpty ? nil : changes[slot]
    guard slot < baseCount else { return (appendedKeys[slot - baseCount], changed ?? .null) }
    switch base {
    case .members(let members): return (members[slot].0, changed ?? members[slot].1)
    case .tape(let document, let positions):
      let position = Int(positions[slot])
      return (document.string(at: position), changed ?? document.value(at: document.next(after: position)))
    }
  }

  private func slot(of key: String) -> Int? {
    if let slots, let slot = slots[key] { return slot }
    if let index = appendedKeys.firstIndex(of: key) { return baseCount + index }
    if slots != nil { return nil }
    switch base {
    case .members(let members): return members.firstIndex { $0.0 == key }
    case .tape(let document, let positions):
      var key = key
      return key.withUTF8 { bytes in positions.lastIndex { document.string(at: Int($0), equals: bytes) } }
    }
  }

  /// A version in which the member named `key` is `value`.
  func setting(_ key: String, to value: JSONValue) -> JSONObjectStorage {
    if let slot = slot(of: key) {
      return JSONObjectStorage(
        base: base, baseCount: baseCount, changes: changes.setting(slot, to: value), appendedKeys: appendedKeys,
        slots: slots)
    }
    return JSONObjectStorage(
      base: base, baseCount: baseCount, changes: changes.setting(count, to: value), appendedKeys: appendedKeys + [key],
      slots: slots)
  }
}
