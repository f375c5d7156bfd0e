import Testing

@testable import ApusClientRecords

/// Numbers are found by their hashes, whatever numbers are added and removed and however many hashes collide.
struct KeyIndexTests {
  /// The number of different upper halves of the hashes, which determine the slots: all different, a few, or one.
  private static let kinds: [UInt64] = [1 << 20, 5, 1]

  private static func hash(_ number: UInt32, _ kinds: UInt64) -> UInt64 { (UInt64(number) % kinds) << 32 | 7 }

  /// Returns the numbers below a limit that the index finds.
  private static func numbers(in index: KeyIndex, _ kinds: UInt64, below limit: UInt32 = 120) -> [UInt32] {
    (0..<limit).filter { number in index.find(hash: hash(number, kinds)) { $0 == number } == number }
  }

  @Test(arguments: kinds)
  func `a number is found until it is removed`(kinds: UInt64) {
    for count in UInt32(1)...40 {
      var index = KeyIndex()
      var expected: [UInt32: UInt64] = [:]
      func isRight() -> Bool { Self.numbers(in: index, kinds) == expected.keys.sorted() }
      func insert(_ numbers: Range<UInt32>) {
        for number in numbers {
          expected[number] = Self.hash(number, kinds)
          index.insert(hash: Self.hash(number, kinds), number: number)
        }
      }
      insert(0..<count)
      #expect(isRight())
      for number in stride(from: 0, to: count, by: 3) {
        expected[number] = nil
        index.remove(hash: Self.hash(number, kinds), number: number)
      }
      // A number that is no longer in the index.
      index.remove(hash: Self.hash(0, kinds), number: 0)
      #expect(isRight())
      index.removeAll { $0 % 2 == 0 }
      expected = expected.filter { $0.key % 2 != 0 }
      #expect(isRight())
      insert(100..<110)
      #expect(isRight())
      index.removeAll { _ in true }
      #expect(Self.numbers(in: index, kinds).isEmpty)
    }
  }

  /// Tested with tables of one page and of several.
  @Test(arguments: [3, 8, 9, 300, 700] as [UInt32])
  func `a copy does not change with the original`(count: UInt32) {
    let kinds = Self.kinds[0]
    var index = KeyIndex()
    for number in 0..<count { index.insert(hash: Self.hash(number, kinds), number: number) }
    let copy = index
    index.remove(hash: Self.hash(1, kinds), number: 1)
    index.insert(hash: Self.hash(999, kinds), number: 999)
    #expect(Self.numbers(in: copy, kinds, below: 1000) == Array(0..<count))
    #expect(Self.numbers(in: index, kinds, below: 1000) == [0] + Array(2..<count) + [999])
  }
}
