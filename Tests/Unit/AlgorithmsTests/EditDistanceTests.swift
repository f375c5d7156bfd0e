import ApusAlgorithms
import Testing

@Suite struct EditDistanceTests {
  @Test(arguments: [
    ("name", "name", 0), ("", "", 0), ("Name", "Name", 0),
    // A difference in case only is one edit, however many letters differ.
    ("Name", "name", 1), ("NAME", "name", 1), ("name", "NAME", 1),
    ("nam", "name", 1), ("names", "name", 1), ("nome", "name", 1), ("nmae", "name", 1),
    // Case does not count beside other edits.
    ("NMAE", "name", 1), ("Nome", "namE", 1), ("", "ab", 2), ("mane", "name", 2),
    // A swapped pair has no letter of another edit.
    ("ca", "abc", 3),
  ])
  func `edits are insertions, deletions, replacements, swaps and a change of case`(
    left: String, right: String, edits: Int
  ) {
    for (input, option) in [(left, right), (right, left)] {
      for threshold in 0...4 {
        #expect(
          EditDistance(input).measure(option, threshold) == (edits <= threshold ? edits : nil), "\(input), \(threshold)"
        )
      }
    }
  }

  @Test func `names of more than 256 bytes are only equal to themselves`() {
    let long = String(repeating: "a", count: 256)
    #expect(EditDistance(long).measure(long.dropLast() + "b", 1) == 1)
    #expect(EditDistance(long).measure(long + "a", 1) == nil)
    #expect(EditDistance(long + "a").measure(long, 1) == nil)
    #expect(EditDistance(long + "a").measure(long + "a", 1) == 0)
    #expect(EditDistance(long + "a").measure(long + "b", 1) == nil)
  }

  /// Returns the distance by its definition, from the ends of both words.
  private static func distance(_ left: ArraySlice<Character>, _ right: ArraySlice<Character>) -> Int {
    guard let first = left.last, let second = right.last else { return max(left.count, right.count) }
    var result = min(
      distance(left.dropLast(), right) + 1, distance(left, right.dropLast()) + 1,
      distance(left.dropLast(), right.dropLast()) + (first == second ? 0 : 1))
    if left.count > 1, right.count > 1, first == right.dropLast().last, left.dropLast().last == second {
      result = min(result, distance(left.dropLast(2), right.dropLast(2)) + 1)
    }
    return result
  }

  @Test func `the distances of all short words are those of the definition`() {
    var words = [""]
    for word in words { words += ["a", "b", "c"].map { word + $0 } }
    for _ in 0..<2 { words += Set(words.flatMap { word in ["a", "b", "c"].map { word + $0 } }).subtracting(words) }
    for left in words {
      let measured = EditDistance(left)
      for right in words {
        let expected = Self.distance(Array(left)[...], Array(right)[...])
        #expect(measured.measure(right, 9) == expected, "\(left) and \(right)")
      }
    }
  }
}
