/// A small random number generator (SplitMix64) whose numbers depend only on its seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number in a range. The standard library's `random(in:)` may change between versions; this must not.
  mutating func int(_ range: Range<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[int(0..<elements.count)]
  }

  /// Returns a number with one decimal.
  mutating func tenths(_ range: Range<Int>) -> Double {
    Double(int(range.lowerBound * 10..<range.upperBound * 10)) / 10
  }

  mutating func chance(oneIn count: Int) -> Bool { int(0..<count) == 0 }
}
