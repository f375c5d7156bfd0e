extension String {
  /// How far apart the letters of `wanted` stand in this text, in their order; `nil` when they do not all occur.
  package func subsequenceScore(of wanted: String) -> Int? {
    if let range = firstRange(of: wanted) { return distance(from: startIndex, to: range.lowerBound) - 1000 }
    var score = 0
    var rest = wanted[...]
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

  /// The places of the letters by which `subsequenceScore` judges, counted in characters.
  package func subsequencePlaces(of wanted: String) -> [Int] {
    if wanted.isEmpty { return [] }
    if let range = firstRange(of: wanted) {
      let start = distance(from: startIndex, to: range.lowerBound)
      return Array(start..<start + wanted.count)
    }
    var places: [Int] = []
    var rest = wanted[...]
    for (place, character) in enumerated() where character == rest.first {
      places.append(place)
      rest = rest.dropFirst()
    }
    return rest.isEmpty ? places : []
  }
}
