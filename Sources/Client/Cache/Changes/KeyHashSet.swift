/// A set of key hashes that is made, asked and thrown away: they are hashes already and need none of their own.
struct KeyHashSet: Sendable {
  /// Open addressing; 0 is free.
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
      slots[place(of: hash)] = hash
    }
  }

  func contains(_ hash: UInt64) -> Bool { hash == 0 ? holdsZero : slots[place(of: hash)] == hash }

  /// Where the hash is, or where it would stand.
  @inline(__always)
  private func place(of hash: UInt64) -> Int {
    // The lower half tells the fields of a record apart, the upper half the records.
    var place = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
    while slots[place] != hash, slots[place] != 0 { place = (place + 1) & mask }
    return place
  }
}
