/// A table of repeated names (field keys, typenames) and their numbers.
///
/// A paged list has a field key for each page, so tables can be large: copies share the names, and the cost of adding a name
/// does not depend on the size of the table.
struct SymbolTable: Sendable {
  private static let chunkSize = 256

  /// All chunks except the last are full and never change.
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
