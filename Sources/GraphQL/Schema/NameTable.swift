/// The number of an interned name, unique within a schema.
package typealias NameID = UInt32

/// The interned names of a schema: bytes in one arena, with an open-addressing hash table. Comparing two names compares
/// two numbers.
package struct NameTable: Sendable {
  private struct Entry {
    var offset: UInt32
    var length: UInt32
    var hash: UInt32
  }

  private var arena: [UInt8] = []
  private var entries: ContiguousArray<Entry> = []
  /// Name numbers plus one; zero marks a free slot. The count is a power of two.
  private var slots: [UInt32]

  package init(minimumCapacity: Int = 64) {
    var size = 128
    while size < minimumCapacity * 2 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    entries.reserveCapacity(minimumCapacity)
    arena.reserveCapacity(minimumCapacity * 12)
  }

  package var count: Int { entries.count }

  package subscript(id: NameID) -> String {
    let entry = entries[Int(id)]
    return String(decoding: arena[Int(entry.offset)..<Int(entry.offset + entry.length)], as: UTF8.self)
  }

  package func withBytes<Result>(of id: NameID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let entry = entries[Int(id)]
    return arena.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[Int(entry.offset)..<Int(entry.offset + entry.length)]))
    }
  }

  package func find(_ name: String) -> NameID? {
    var name = name
    return name.withUTF8 { find($0) }
  }

  package func find(_ name: UnsafeBufferPointer<UInt8>) -> NameID? {
    let hash = Self.hash(name)
    let id = slots[slot(of: name, hash)]
    return id == 0 ? nil : id - 1
  }

  package mutating func intern(_ name: StaticString) -> NameID {
    intern(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  package mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> NameID {
    let hash = Self.hash(name)
    let slot = slot(of: name, hash)
    if slots[slot] != 0 { return slots[slot] - 1 }
    let id = NameID(entries.count)
    entries.append(Entry(offset: UInt32(arena.count), length: UInt32(name.count), hash: hash))
    arena.append(contentsOf: name)
    slots[slot] = id + 1
    if entries.count * 2 > slots.count { grow() }
    return id
  }

  /// Returns the slot of a name, or the free slot for it.
  private func slot(of name: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot] - 1)]
      if entry.hash == hash, Int(entry.length) == name.count, isEqual(entry, name) { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private func isEqual(_ entry: Entry, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    arena.withUnsafeBufferPointer { arena in
      let offset = Int(entry.offset)
      for index in 0..<name.count where arena[offset + index] != name[index] { return false }
      return true
    }
  }

  private mutating func grow() {
    var larger = [UInt32](repeating: 0, count: slots.count * 2)
    let mask = larger.count - 1
    for (id, entry) in entries.enumerated() {
      var slot = Int(entry.hash) & mask
      while larger[slot] != 0 { slot = (slot + 1) & mask }
      larger[slot] = UInt32(id) + 1
    }
    slots = larger
  }

  /// Random per process, so that no schema can be crafted to make its names collide.
  private static let seed = UInt64.random(in: .min ... .max)

  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hash = seed ^ UInt64(truncatingIfNeeded: name.count)
    var index = 0
    let bytes = UnsafeRawBufferPointer(name)
    while index + 8 <= name.count {
      hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < name.count {
      rest = rest << 8 | UInt64(name[index])
      index += 1
    }
    hash = mix(hash ^ rest)
    return UInt32(truncatingIfNeeded: hash)
  }

  static func hash(_ key: UInt64) -> UInt64 { mix(seed ^ key) }

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
