/// A temporary set of key hashes. The hashes are used directly, without hashing them again.
struct KeyHashSet: Sendable {
  /// Slots with open addressing; 0 is free.
  private var slots: ContiguousArray<UInt64>
  private var holdsZero = false
  private let mask: Int

  init(_ hashes: ContiguousArray<UInt64>) {
    var size = 16
    while size < hashes.count * 2 { size *= 2 }
    mask = size - 1
    slots = ContiguousArray(repeating: 0, count: size)
    for hash in hashes {
      if hash == 0 { holdsZero = true }
      slots[slotIndex(of: hash)] = hash
    }
  }

  func contains(_ hash: UInt64) -> Bool { hash == 0 ? holdsZero : slots[slotIndex(of: hash)] == hash }

  /// Returns the slot of the hash, or the free slot where it would be inserted.
  @inline(__always)
  private func slotIndex(of hash: UInt64) -> Int {
    // The lower half of a hash distinguishes the fields of a record, the upper half the records.
    var place = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
    while slots[place] != hash, slots[place] != 0 { place = (place + 1) & mask }
    return place
  }
}
