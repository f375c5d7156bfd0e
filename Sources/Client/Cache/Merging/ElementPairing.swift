/// Finds the elements that a local change kept: pairs the indexes of a changed list with those of the list that was read.
struct ElementPairing {
  /// For each element of the changed list, the index of the element that it is; `nil` for a new one.
  private(set) var partners: [Int?]
  private var isTaken: [Bool]

  init(count: Int, readCount: Int) {
    partners = Array(repeating: nil, count: count)
    isTaken = Array(repeating: false, count: readCount)
  }

  /// Pairs elements that have a common key and match, in order.
  mutating func pair<Key: Hashable>(
    byKeys newKeys: (Int) -> [Key], _ readKeys: (Int) -> [Key], if isMatch: (_ new: Int, _ read: Int) -> Bool
  ) {
    var candidates: [Key: ArraySlice<Int>] = [:]
    for index in isTaken.indices where !isTaken[index] {
      for key in readKeys(index) { candidates[key, default: []].append(index) }
    }
    for index in partners.indices where partners[index] == nil {
      for key in newKeys(index) {
        candidates[key] = candidates[key]?.drop { isTaken[$0] }
        guard let match = candidates[key]?.first(where: { !isTaken[$0] && isMatch(index, $0) }) else { continue }
        take(match, for: index)
        break
      }
    }
  }

  /// Pairs the remaining elements of the given pairs.
  mutating func pair(_ pairs: [(new: Int, read: Int)], if isMatch: (_ new: Int, _ read: Int) -> Bool) {
    for (new, read) in pairs where partners[new] == nil && !isTaken[read] && isMatch(new, read) { take(read, for: new) }
  }

  private mutating func take(_ read: Int, for index: Int) {
    partners[index] = read
    isTaken[read] = true
  }
}
