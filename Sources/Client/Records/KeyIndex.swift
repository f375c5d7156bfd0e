/// A hash table from keys to numbers, with open addressing and linear probing. Each slot has the upper half of the hash with
/// the number, so that a probe rarely compares the keys themselves.
struct KeyIndex: Sendable {
  private static let empty = UInt64.max

  private var slots = PagedArray<UInt64>()
  private var count = 0

  private func home(_ upper: UInt64) -> Int { Int(truncatingIfNeeded: upper) & (slots.count - 1) }

  /// Returns the number with this hash for which `matches` returns true.
  @inline(__always)
  func find(hash: UInt64, matches: (UInt32) -> Bool) -> UInt32? {
    let upper = hash >> 32
    if slots.count == 0 { return nil }
    var position = home(upper)
    while true {
      let slot = slots[position]
      if slot == Self.empty { return nil }
      if slot >> 32 == upper {
        let number = UInt32(truncatingIfNeeded: slot)
        if matches(number) { return number }
      }
      position = (position + 1) & (slots.count - 1)
    }
  }

  /// Adds a number that is not in the index.
  mutating func insert(hash: UInt64, number: UInt32) {
    if (count + 1) * 3 > slots.count * 2 { grow() }
    insertEntry(hash & ~UInt64(UInt32.max) | UInt64(number))
    count += 1
  }

  /// Allocates memory for a number of entries if the index is empty.
  mutating func reserve(_ expected: Int) {
    guard count == 0, expected * 3 > slots.count * 2 else { return }
    var capacity = max(slots.count, 16)
    while expected * 3 > capacity * 2 { capacity *= 2 }
    slots = PagedArray(repeating: Self.empty, count: capacity)
  }

  private mutating func insertEntry(_ entry: UInt64) {
    var position = home(entry >> 32)
    while slots[position] != Self.empty { position = (position + 1) & (slots.count - 1) }
    slots[position] = entry
  }

  private mutating func grow() {
    let old = slots
    slots = PagedArray(repeating: Self.empty, count: max(old.count * 2, 16))
    old.forEachPage { _, page in
      for entry in page where entry != Self.empty { insertEntry(entry) }
    }
  }

  /// Removes many numbers. The remaining entries are reinserted in slot order, so that reads and writes are nearly
  /// sequential.
  mutating func removeAll(where isGone: (UInt32) -> Bool) {
    let old = slots
    slots = PagedArray(repeating: Self.empty, count: old.count)
    count = 0
    old.forEachPage { _, page in
      for entry in page where entry != Self.empty && !isGone(UInt32(truncatingIfNeeded: entry)) {
        insertEntry(entry)
        count += 1
      }
    }
  }

  /// Removes a number and closes the gap, so that no probe ends early.
  mutating func remove(hash: UInt64, number: UInt32) {
    let entry = hash & ~UInt64(UInt32.max) | UInt64(number)
    if slots.count == 0 { return }
    let mask = slots.count - 1
    var hole = home(entry >> 32)
    while slots[hole] != entry {
      if slots[hole] == Self.empty { return }
      hole = (hole + 1) & mask
    }
    var next = (hole + 1) & mask
    while slots[next] != Self.empty {
      let distanceToHome = (next - home(slots[next] >> 32)) & mask
      if distanceToHome >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = Self.empty
    count -= 1
  }
}
