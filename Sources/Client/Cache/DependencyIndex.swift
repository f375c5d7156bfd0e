/// Which of many reads a change touches, without a look at each of them: what watches ten thousand pages asks this.
package struct DependencyIndex: Sendable {
  /// Parts of a hash stand for it: who is found by accident is asked again with all of it, by `areTouched(by:)`.
  private var readers: [[UInt32: UInt32]] = Array(repeating: [:], count: tableCount)
  /// Readers that share a key, found by what `readers` says with its highest bit.
  private var shared: [Set<UInt32>] = []
  private var everyone: Set<UInt32> = []

  /// Several small tables, of which one at a time has to grow.
  private static let tableCount = 64
  private static let isShared: UInt32 = 1 << 31

  package init() {}

  /// Makes a reader, a small number of the caller's, known by what it depends on.
  package mutating func insert(_ reader: UInt32, dependingOn keys: DependentKeys) {
    everyone.insert(reader)
    for hash in keys.hashes {
      let (table, part) = Self.place(of: hash)
      guard let known = readers[table][part] else {
        readers[table][part] = reader
        continue
      }
      if known & Self.isShared != 0 {
        let index = Int(known & ~Self.isShared)
        shared[index].insert(reader)
      } else if known != reader {
        readers[table][part] = UInt32(shared.count) | Self.isShared
        shared.append([known, reader])
      }
    }
  }

  /// The readers that a change may touch, in ascending order.
  package func readers(touchedBy changed: ChangedKeys) -> [UInt32] {
    if changed.isEverything { return everyone.sorted() }
    var found: Set<UInt32> = []
    for hash in changed.hashes {
      let (table, part) = Self.place(of: hash)
      guard let known = readers[table][part] else { continue }
      if known & Self.isShared != 0 {
        found.formUnion(shared[Int(known & ~Self.isShared)])
      } else {
        found.insert(known)
      }
    }
    return found.sorted()
  }

  private static func place(of hash: UInt64) -> (table: Int, part: UInt32) {
    (Int(hash >> 58), UInt32(truncatingIfNeeded: hash))
  }
}
