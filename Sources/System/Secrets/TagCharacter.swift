/// Tag characters (U+E0000 to U+E007F): invisible, and part of the character that precedes them. Only the flags of regions
/// need them: a black flag, the letters and digits of the region, and the cancel tag (UTS #51, emoji tag sequences).
/// Anywhere else they can hide text.
package enum TagCharacter {
  private static let all: ClosedRange<UInt32> = 0xE0000...0xE007F
  private static let flag: Unicode.Scalar = "\u{1F3F4}"
  private static let cancel: Unicode.Scalar = "\u{E007F}"
  /// A region and its part, such as `gbsct`.
  private static let regionLengths = 3...6

  package static func contains(_ scalar: Unicode.Scalar) -> Bool { all.contains(scalar.value) }

  /// Whether a character contains a tag character and is not a flag.
  package static func isHidden(in scalars: some BidirectionalCollection<Unicode.Scalar>) -> Bool {
    scalars.contains(where: contains) && !isFlag(scalars)
  }

  private static func isFlag(_ scalars: some BidirectionalCollection<Unicode.Scalar>) -> Bool {
    guard scalars.first == flag, scalars.last == cancel else { return false }
    let region = scalars.dropFirst().dropLast()
    return regionLengths.contains(region.count)
      && region.allSatisfy { (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value) }
  }
}
