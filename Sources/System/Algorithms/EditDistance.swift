/// The edit distance between two names: insertions, deletions, replacements and swaps of neighbors. `nmae` is one edit
/// away from `name`, and so is `Name`, because a difference only in case counts as one.
package struct EditDistance {
  /// Longer names are not compared, because the time is proportional to the product of both sizes.
  private static let longest = 256

  private let input: String
  private let letters: [UInt8]

  package init(_ input: String) {
    self.input = input
    letters = Array(input.lowercased().utf8)
  }

  /// Returns the distance to a name; `nil` if it is larger than the threshold.
  package func measure(_ option: String, _ threshold: Int) -> Int? {
    if option == input { return 0 }
    let counts = (option.utf8.count, letters.count)
    guard max(counts.0, counts.1) <= Self.longest, abs(counts.0 - counts.1) <= threshold else { return nil }
    var long = Array(option.lowercased().utf8)
    if long == letters { return threshold < 1 ? nil : 1 }
    var short = letters
    if long.count < short.count { swap(&long, &short) }
    var beforeLast = [Int](repeating: 0, count: short.count + 1)
    var last = Array(0...short.count)
    var current = last
    for row in 1...max(long.count, 1) {
      current[0] = row
      var smallest = row
      for column in stride(from: 1, through: short.count, by: 1) {
        let cost = long[row - 1] == short[column - 1] ? 0 : 1
        var cell = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + cost)
        if row > 1, column > 1, long[row - 1] == short[column - 2], long[row - 2] == short[column - 1] {
          cell = min(cell, beforeLast[column - 2] + 1)
        }
        current[column] = cell
        smallest = min(smallest, cell)
      }
      if smallest > threshold { return nil }
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[short.count] <= threshold ? last[short.count] : nil
  }
}
