/// An index from changes to the readers that depend on them. It finds the affected readers among thousands of watched
/// pages without comparing each.
///
/// A result can be a false positive, from a hash collision or an earlier dependency. Such a reader reads again and
/// finds no difference.
package struct DependencyIndex: Sendable {
  private var tables: [DependencyTable]
  /// Sets of readers that share a key. A table entry with the highest bit set is an index into this list.
  private var shared: [Set<UInt32>] = []
  private var everyone: Set<UInt32> = []
  /// Readers whose numbers do not fit in a table entry. Every change affects them.
  private var unindexed: Set<UInt32> = []

  package init() {
    // Several tables with different load limits grow at different times. This spreads the cost of growth evenly over
    // insertions.
    let count = 1 << DependencyTable.selectorBits
    tables = (0..<count).map { DependencyTable(growsAt: 0.4 + 0.4 * Double($0) / Double(count)) }
  }

  /// Registers a reader with the keys that it depends on. The caller chooses the reader's number, which should be
  /// small.
  package mutating func insert(_ reader: UInt32, dependingOn keys: DependentKeys) {
    everyone.insert(reader)
    guard reader < DependencyTable.valueLimit else {
      unindexed.insert(reader)
      return
    }
    for hash in keys.hashes {
      let table = DependencyTable.selector(of: hash)
      let value = tables[table].valueOrInsert(reader, for: hash)
      if value == reader { continue }
      if value & DependencyTable.mark != 0 {
        shared[Int(value & ~DependencyTable.mark)].insert(reader)
      } else if shared.count < DependencyTable.valueLimit {
        tables[table].set(UInt32(shared.count) | DependencyTable.mark, for: hash)
        shared.append([value, reader])
      } else {
        unindexed.insert(reader)
      }
    }
  }

  /// Returns the readers that a change may affect, in ascending order.
  package func readers(touchedBy changed: ChangedKeys) -> [UInt32] {
    if changed.isEverything { return everyone.sorted() }
    var found = unindexed
    for hash in changed.hashes {
      guard let value = tables[DependencyTable.selector(of: hash)].value(for: hash) else { continue }
      if value & DependencyTable.mark != 0 {
        found.formUnion(shared[Int(value & ~DependencyTable.mark)])
      } else {
        found.insert(value)
      }
    }
    return found.sorted()
  }
}

/// A hash table from dependent keys to small numbers. The fields of one record share a bucket of one cache line. Fields
/// that do not fit (of a root with ten thousand fields) go to other buckets by their own hash.
struct DependencyTable: Sendable {
  /// The number of high bits of a hash that select a table.
  static let selectorBits: UInt64 = 6
  /// Marks a value as an index into `shared`.
  static let mark: UInt32 = 1 << 24
  static let valueLimit = mark - 1

  private static let bucketSize = 8
  private static let valueBits: UInt64 = 25
  /// The number of hash bits that select a record's bucket. In a table with more buckets, a record's fields use
  /// several.
  private static let recordBits: UInt64 = 16

  /// Slots of the form `field | record | value + 1`; 0 is free.
  private var slots = ContiguousArray<UInt64>(repeating: 0, count: bucketSize)
  private var count = 0
  private let fullest: Double

  /// - Parameter growsAt: The load factor at which the table grows.
  init(growsAt fullest: Double) { self.fullest = fullest }

  static func selector(of hash: UInt64) -> Int { Int(hash >> (64 - selectorBits)) }

  func value(for hash: UInt64) -> UInt32? {
    let slot = slots[slotIndex(of: Self.tag(hash))]
    return slot == 0 ? nil : Self.value(slot)
  }

  /// Returns the value of a hash. If there is none, inserts the given value.
  mutating func valueOrInsert(_ value: UInt32, for hash: UInt64) -> UInt32 {
    let tag = Self.tag(hash)
    let found = slotIndex(of: tag)
    if slots[found] != 0 { return Self.value(slots[found]) }
    slots[found] = tag | UInt64(value) + 1
    count += 1
    if Double(count) > Double(slots.count) * fullest { grow() }
    return value
  }

  /// Changes the value of a hash that is in the table.
  mutating func set(_ value: UInt32, for hash: UInt64) {
    let tag = Self.tag(hash)
    slots[slotIndex(of: tag)] = tag | UInt64(value) + 1
  }

  private static func value(_ slot: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: slot & (1 << valueBits - 1)) - 1 }

  /// Returns the bits of a hash that a slot stores, at their position in the slot.
  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt64 {
    (hash << recordBits | hash >> 32 & (1 << recordBits - 1)) << valueBits
  }

  /// Returns the slot of a tag, or the free slot where it would be inserted.
  @inline(__always)
  private func slotIndex(of tag: UInt64) -> Int {
    let mask = slots.count / Self.bucketSize - 1
    let storedTag = tag >> Self.valueBits
    var bucket = Int(truncatingIfNeeded: storedTag) & mask
    var isHome = true
    while true {
      let first = bucket * Self.bucketSize
      for place in first..<(first + Self.bucketSize) {
        let slot = slots[place]
        if slot == 0 || slot >> Self.valueBits == storedTag { return place }
      }
      bucket =
        (isHome ? bucket &+ Int(truncatingIfNeeded: storedTag &* 0x9E37_79B9_7F4A_7C15 >> 32) : bucket &+ 1) & mask
      isHome = false
    }
  }

  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: 0, count: old.count * 2)
    for slot in old where slot != 0 {
      slots[slotIndex(of: slot & ~(1 << Self.valueBits - 1))] = slot
    }
  }
}
