import CApusCrypto

/// SHA-1 (RFC 3174), which the WebSocket handshake requires. It is not used for security.
package enum SHA1Digest {
  package static func bytes(of text: String) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBufferPointer { SHA1($0.baseAddress, $0.count, &digest) }
    return digest
  }
}
