/// Which of many reads a change touches, without a look at each of them: what watches ten thousand pages asks this.
///
/// Who is found may be found by accident, or by what it depended on once: it reads again, and finds nothing new.
package struct DependencyIndex: Sendable {
  private var tables: [DependencyTable]
  /// Readers that share a key, found by what a table says with its highest bit.
  private var shared: [Set<UInt32>] = []
  private var everyone: Set<UInt32> = []
  /// Readers that the tables have no room for in their numbers: they are always found.
  private var unindexed: Set<UInt32> = []

  package init() {
    // Several tables that grow one after the other, at fillings spread over a doubling: growth costs every page alike
    // instead of a few pages much.
    let count = 1 << DependencyTable.selectorBits
    tables = (0..<count).map { DependencyTable(growsAt: 0.4 + 0.4 * Double($0) / Double(count)) }
  }

  /// Makes a reader, a small number of the caller's, known by what it depends on.
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

  /// The readers that a change may touch, in ascending order.
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

/// Small numbers by the hashes of dependent keys. Buckets of one cache line each hold the fields of one record together;
/// the fields for which a record's own bucket has no room (a root with ten thousand fields) are spread by themselves.
struct DependencyTable: Sendable {
  /// The highest bits of a hash choose a table.
  static let selectorBits: UInt64 = 6
  /// What a value may be marked by.
  static let mark: UInt32 = 1 << 24
  static let valueLimit = mark - 1

  private static let bucketSize = 8
  private static let valueBits: UInt64 = 25
  /// So many buckets can tell records apart; with more of them, a record's fields are in several.
  private static let recordBits: UInt64 = 16

  /// `field | record | value + 1`; 0 is free.
  private var slots = ContiguousArray<UInt64>(repeating: 0, count: bucketSize)
  private var count = 0
  private let fullest: Double

  /// - Parameter growsAt: which part of it is taken when it grows.
  init(growsAt fullest: Double) { self.fullest = fullest }

  static func selector(of hash: UInt64) -> Int { Int(hash >> (64 - selectorBits)) }

  func value(for hash: UInt64) -> UInt32? {
    let slot = slots[place(of: Self.tag(hash))]
    return slot == 0 ? nil : Self.value(slot)
  }

  /// The value that is there; if there is none, the given one from now on.
  mutating func valueOrInsert(_ value: UInt32, for hash: UInt64) -> UInt32 {
    let tag = Self.tag(hash)
    let found = place(of: tag)
    if slots[found] != 0 { return Self.value(slots[found]) }
    slots[found] = tag | UInt64(value) + 1
    count += 1
    if Double(count) > Double(slots.count) * fullest { grow() }
    return value
  }

  /// Changes the value of a hash that is there.
  mutating func set(_ value: UInt32, for hash: UInt64) {
    let tag = Self.tag(hash)
    slots[place(of: tag)] = tag | UInt64(value) + 1
  }

  private static func value(_ slot: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: slot & (1 << valueBits - 1)) - 1 }

  /// What is kept of a hash, in its place in a slot.
  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt64 {
    (hash << recordBits | hash >> 32 & (1 << recordBits - 1)) << valueBits
  }

  /// Where a tag is, or the free slot where it belongs.
  @inline(__always)
  private func place(of tag: UInt64) -> Int {
    let mask = slots.count / Self.bucketSize - 1
    let kept = tag >> Self.valueBits
    var bucket = Int(truncatingIfNeeded: kept) & mask
    var isHome = true
    while true {
      let first = bucket * Self.bucketSize
      for place in first..<(first + Self.bucketSize) {
        let slot = slots[place]
        if slot == 0 || slot >> Self.valueBits == kept { return place }
      }
      bucket = (isHome ? bucket &+ Int(truncatingIfNeeded: kept &* 0x9E37_79B9_7F4A_7C15 >> 32) : bucket &+ 1) & mask
      isHome = false
    }
  }

  private mutating func grow() {
    let old = slots
    slots = ContiguousArray(repeating: 0, count: old.count * 2)
    for slot in old where slot != 0 {
      slots[place(of: slot & ~(1 << Self.valueBits - 1))] = slot
    }
  }
}
