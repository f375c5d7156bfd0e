import CApusCrypto

/// SHA-256 (FIPS 180-4), which identifies persisted queries and proves the start of a sign-in.
package enum SHA256Digest {
  /// Returns the digest of a string's UTF-8 bytes in lowercase hexadecimal.
  package static func hexadecimal(of text: String) -> String { hexadecimal(of: Array(text.utf8)) }

  package static func bytes(of bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    _ = bytes.withUnsafeBufferPointer { SHA256($0.baseAddress, $0.count, &digest) }
    return digest
  }

  package static func hexadecimal(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var output: [UInt8] = []
    for byte in Self.bytes(of: bytes) {
      output.append(digits[Int(byte >> 4)])
      output.append(digits[Int(byte & 15)])
    }
    return String(decoding: output, as: UTF8.self)
  }
}
