/// Names that occur again and again (field keys, typenames) as small numbers.
struct SymbolTable: Sendable {
  private(set) var names: [String] = []
  private(set) var hashes: ContiguousArray<UInt64> = []
  private var indices: [String: UInt32] = [:]

  var count: Int { names.count }

  mutating func intern(_ name: String) -> UInt32 {
    if let index = indices[name] { return index }
    let index = UInt32(names.count)
    names.append(name)
    hashes.append(KeyHash.of(name))
    indices[name] = index
    return index
  }

  func index(of name: String) -> UInt32? { indices[name] }

  func name(_ index: UInt32) -> String { names[Int(index)] }

  /// Which names satisfy a test; for the few questions that are asked of every name.
  func indices(where matches: (String) -> Bool) -> [UInt32] {
    names.indices.filter { matches(names[$0]) }.map(UInt32.init)
  }
}
