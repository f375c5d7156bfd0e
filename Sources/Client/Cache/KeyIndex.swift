/// Finds keys by their hash: open addressing with linear probing, the hash's upper half beside each number, so that a
/// probe seldom has to look at the entry itself. As long as there are few they stand in a row, and take no memory beside.
struct KeyIndex: Sendable {
  private static let empty = UInt64.max

  /// The numbers as long as they are few; nothing of it is read from then on.
  private var row = Row()
  private var slots = PagedArray<UInt64>()
  private var count = 0

  /// Eight numbers in the index itself. A vector would be the same, but whatever has an index in it would want memory at a
  /// multiple of 64, which is dear to find.
  private struct Row {
    static let count = 8
    private var numbers = (empty, empty, empty, empty, empty, empty, empty, empty)

    subscript(_ position: Int) -> UInt64 {
      get { withUnsafeBytes(of: numbers) { $0.load(fromByteOffset: position * 8, as: UInt64.self) } }
      set {
        withUnsafeMutableBytes(of: &numbers) {
          $0.storeBytes(of: newValue, toByteOffset: position * 8, as: UInt64.self)
        }
      }
    }
  }

  private var isRow: Bool { slots.count == 0 }

  private func home(_ upper: UInt64) -> Int { Int(truncatingIfNeeded: upper) & (slots.count - 1) }

  /// The number whose hash is `hash` and that `matches` confirms.
  @inline(__always)
  func find(hash: UInt64, matches: (UInt32) -> Bool) -> UInt32? {
    let upper = hash >> 32
    if isRow { return findInRow(upper, matches) }
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

  private func findInRow(_ upper: UInt64, _ matches: (UInt32) -> Bool) -> UInt32? {
    for position in 0..<count where row[position] >> 32 == upper {
      let number = UInt32(truncatingIfNeeded: row[position])
      if matches(number) { return number }
    }
    return nil
  }

  /// Adds a number that `find` did not find.
  mutating func insert(hash: UInt64, number: UInt32) {
    if isRow {
      if count < Row.count {
        row[count] = hash & ~UInt64(UInt32.max) | UInt64(number)
        count += 1
        return
      }
      leaveRow(for: 16)
    }
    if (count + 1) * 3 > slots.count * 2 { grow() }
    place(hash & ~UInt64(UInt32.max) | UInt64(number))
    count += 1
  }

  /// Makes room for so many numbers, as far as there are none yet.
  mutating func reserve(_ expected: Int) {
    guard count == 0, expected > Row.count, expected * 3 > slots.count * 2 else { return }
    var capacity = max(slots.count, 16)
    while expected * 3 > capacity * 2 { capacity *= 2 }
    slots = PagedArray(repeating: Self.empty, count: capacity)
  }

  private mutating func leaveRow(for capacity: Int) {
    slots = PagedArray(repeating: Self.empty, count: capacity)
    for position in 0..<count { place(row[position]) }
  }

  private mutating func place(_ entry: UInt64) {
    var position = home(entry >> 32)
    while slots[position] != Self.empty { position = (position + 1) & (slots.count - 1) }
    slots[position] = entry
  }

  private mutating func grow() {
    let old = slots
    slots = PagedArray(repeating: Self.empty, count: old.count * 2)
    old.forEachPage { _, page in
      for entry in page where entry != Self.empty { place(entry) }
    }
  }

  /// Takes many numbers out at once. What stays is met in the order of its homes, so nearly every slot is written where
  /// it was read.
  mutating func removeAll(where isGone: (UInt32) -> Bool) {
    if isRow {
      let old = (0..<count).map { row[$0] }.filter { !isGone(UInt32(truncatingIfNeeded: $0)) }
      count = old.count
      for (position, entry) in old.enumerated() { row[position] = entry }
      return
    }
    let old = slots
    slots = PagedArray(repeating: Self.empty, count: old.count)
    count = 0
    old.forEachPage { _, page in
      for entry in page where entry != Self.empty && !isGone(UInt32(truncatingIfNeeded: entry)) {
        place(entry)
        count += 1
      }
    }
  }

  /// Takes a number out and closes the gap, so that no probe ends too early.
  mutating func remove(hash: UInt64, number: UInt32) {
    let entry = hash & ~UInt64(UInt32.max) | UInt64(number)
    if isRow {
      guard let position = (0..<count).first(where: { row[$0] == entry }) else { return }
      count -= 1
      row[position] = row[count]
      return
    }
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

/// A flag for each number, all of them clear at first.
struct KeyMarks {
  private var flags: ContiguousArray<Bool>

  init(count: Int) { flags = ContiguousArray(repeating: false, count: count) }

  subscript(_ number: UInt32) -> Bool { flags[Int(number)] }

  mutating func mark(_ number: UInt32) { flags[Int(number)] = true }
}
