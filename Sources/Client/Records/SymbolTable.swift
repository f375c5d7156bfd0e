/// Names that occur again and again (field keys, typenames) as small numbers.
///
/// A list that is paged to its end has a field key for each page. So a copy shares its names with the original, and a
/// name more costs the same however many there are.
struct SymbolTable: Sendable {
  private static let chunkSize = 256

  /// All but the last are full and never change.
  private var chunks: [[String]] = []
  private(set) var hashes = PagedArray<UInt64>()
  private var numbers = KeyIndex()

  var count: Int { hashes.count }

  mutating func intern(_ name: String) -> UInt32 {
    let hash = KeyHash.of(name)
    if let number = find(name, hash) { return number }
    let number = UInt32(count)
    if count % Self.chunkSize == 0 { chunks.append([]) }
    chunks[chunks.count - 1].append(name)
    hashes.append(hash)
    numbers.insert(hash: hash, number: number)
    return number
  }

  func index(of name: String) -> UInt32? { find(name, KeyHash.of(name)) }

  private func find(_ name: String, _ hash: UInt64) -> UInt32? {
    numbers.find(hash: hash) { self.name($0) == name }
  }

  func name(_ index: UInt32) -> String { chunks[Int(index) / Self.chunkSize][Int(index) % Self.chunkSize] }

  /// Calls `body` with all names, in the order of their numbers.
  func forEach(_ body: (String) -> Void) {
    for chunk in chunks { for name in chunk { body(name) } }
  }
}
