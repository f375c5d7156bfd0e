import CApusCrypto

/// Base64 (RFC 4648, section 4).
package enum Base64 {
  package static func encode(_ bytes: [UInt8]) -> String {
    // libcrypto adds a terminating zero byte.
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }

  /// Returns the bytes of padded text, or `nil` if it is not Base64.
  package static func decode(_ text: String) -> [UInt8]? {
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard text.utf8.count % 4 == 0, padding < 3 else { return nil }
    var bytes = [UInt8](repeating: 0, count: text.utf8.count / 4 * 3)
    let count = EVP_DecodeBlock(&bytes, Array(text.utf8), Int32(text.utf8.count))
    return count < 0 ? nil : Array(bytes.prefix(Int(count) - padding))
  }
}
