/// The text form of bytes that terminals take for the clipboard (RFC 4648, section 4).
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    var bits = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | Int(byte)
      count += 8
      while count >= 6 {
        count -= 6
        result.append(digits[bits >> count & 0x3F])
      }
      bits &= (1 << count) - 1
    }
    if count > 0 { result.append(digits[bits << (6 - count) & 0x3F]) }
    while result.count % 4 != 0 { result.append(0x3D) }
    return String(decoding: result, as: UTF8.self)
  }
}
