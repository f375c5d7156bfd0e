/// The key with which client and server show each other that both speak WebSocket (RFC 6455, sections 4.1 and 4.2).
package enum WebSocketHandshake {
  package static let version = "13"

  /// What a client sends as `Sec-WebSocket-Key`.
  package static func newKey() -> String {
    var random = SystemRandomNumberGenerator()
    return Base64.encode((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }

  /// What the server has to answer in `Sec-WebSocket-Accept`.
  package static func answer(to key: String) -> String {
    Base64.encode(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }
}

/// Base64 as headers carry it (RFC 4648, section 4).
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        text.append(
          place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// SHA-1 (RFC 3174), which the handshake asks for; it protects nothing.
enum SHA1 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bitCount = UInt64(message.count) * 8
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> UInt64(56 - 8 * $0)) }
    var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for block in stride(from: 0, to: bytes.count, by: 64) { mix(bytes[block..<block + 64], into: &hash) }
    return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  private static func mix(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
    }
    var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
    for index in 0..<80 {
      let (choice, constant): (UInt32, UInt32) =
        switch index {
        case 0..<20: (b & c | ~b & d, 0x5A82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotated(a, by: 5) &+ choice &+ e &+ constant &+ words[index]
      (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { hash[index] &+= value }
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
