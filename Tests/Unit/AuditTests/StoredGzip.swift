/// Encodes bytes as a gzip stream without compression (RFC 1951, section 3.2.4; RFC 1952), in one piece per part, which
/// can be decoded as soon as it arrives.
struct StoredGzip {
  private(set) var pieces: [[UInt8]] = []

  init(_ parts: [[UInt8]]) {
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let length = UInt16(part.count)
      var piece: [UInt8] = index == 0 ? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] : []
      piece += [isLast ? 1 : 0] + Self.bytes(length) + Self.bytes(~length) + part
      if isLast {
        let all = parts.flatMap { $0 }
        piece += Self.bytes(Self.checksum(all)) + Self.bytes(UInt32(all.count))
      }
      pieces.append(piece)
    }
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let shifted = sum >> 1
        sum = sum & 1 == 1 ? shifted ^ 0xEDB8_8320 : shifted
      }
    }
    return ~sum
  }
}
