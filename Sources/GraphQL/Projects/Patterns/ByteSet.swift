struct ByteSet: Hashable, Sendable {
  private var bits = SIMD4<UInt64>()

  init(_ bytes: some Sequence<UInt8> = []) {
    for byte in bytes { bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
  }

  func contains(_ byte: UInt8) -> Bool { bits[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

  mutating func formUnion(_ other: ByteSet) { bits |= other.bits }

  // MARK: UTF-8

  /// Returns the encodings of Unicode scalars as sequences of sets: "é" to "ë" is `[[C3], [A9–AB]]`.
  static func sequences(ofScalars ranges: [ClosedRange<UInt32>]) -> [[ByteSet]] {
    var single = ByteSet()
    var sequences: [[ByteSet]] = []
    for range in ranges {
      for (part, length) in lengths where part.overlaps(range) {
        let clamped = range.clamped(to: part)
        if length == 1 {
          single.formUnion(ByteSet(UInt8(clamped.lowerBound)...UInt8(clamped.upperBound)))
        } else {
          sequences += Self.sequences(clamped, length)
        }
      }
    }
    return single == ByteSet() ? sequences : [[single]] + sequences
  }

  private static let lengths: [(ClosedRange<UInt32>, Int)] = [
    (0...0x7F, 1), (0x80...0x7FF, 2), (0x800...0xFFFF, 3), (0x1_0000...0x10_FFFF, 4),
  ]

  /// Returns the sequences of scalars whose encodings have the same length.
  private static func sequences(_ range: ClosedRange<UInt32>, _ length: Int) -> [[ByteSet]] {
    let (low, high) = (range.lowerBound, range.upperBound)
    // A range is one sequence if, after the first byte that differs, all continuation bytes are possible.
    for place in 1..<length {
      let mask = UInt32(1) << (6 * UInt32(place)) - 1
      if low & ~mask == high & ~mask { continue }
      if low & mask != 0 { return sequences(low...(low | mask), length) + sequences((low | mask) + 1...high, length) }
      if high & mask != mask {
        return sequences(low...((high & ~mask) - 1), length) + sequences(high & ~mask...high, length)
      }
    }
    return [zip(encoding(low, length), encoding(high, length)).map { ByteSet($0...$1) }]
  }

  private static func encoding(_ scalar: UInt32, _ length: Int) -> [UInt8] {
    let mark: UInt32 = length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0
    let first = mark | scalar >> (6 * UInt32(length - 1))
    return [UInt8(first)]
      + (0..<(length - 1)).reversed().map { UInt8(0x80 | scalar >> (6 * UInt32($0)) & 0x3F) }
  }
}
