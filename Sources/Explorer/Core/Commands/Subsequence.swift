extension String {
  /// Returns a score for a subsequence match: the number of characters skipped (2 for `bd` in `bird`), or a negative
  /// number if the string contains `query` in one piece. Returns `nil` if not all characters occur in order.
  package func subsequenceScore(of query: String) -> Int? {
    if let range = firstRange(of: query) { return distance(from: startIndex, to: range.lowerBound) - 1000 }
    var score = 0
    var rest = query[...]
    var gap = 0
    for character in self {
      guard let next = rest.first else { break }
      if character == next {
        rest = rest.dropFirst()
        score += gap
        gap = 0
      } else {
        gap += 1
      }
    }
    return rest.isEmpty ? score : nil
  }

  /// Returns the character indices that `subsequenceScore` matches.
  package func subsequenceOffsets(of query: String) -> [Int] {
    if query.isEmpty { return [] }
    if let range = firstRange(of: query) {
      let start = distance(from: startIndex, to: range.lowerBound)
      return Array(start..<start + query.count)
    }
    var indexes: [Int] = []
    var rest = query[...]
    for (index, character) in enumerated() where character == rest.first {
      indexes.append(index)
      rest = rest.dropFirst()
    }
    return rest.isEmpty ? indexes : []
  }
}
