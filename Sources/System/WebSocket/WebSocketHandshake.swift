import ApusASCII
import ApusDigest

/// The keys that prove that both sides support WebSocket (RFC 6455, sections 4.1 and 4.2).
package enum WebSocketHandshake {
  package static let version = "13"

  /// Returns a random value for `Sec-WebSocket-Key`.
  package static func newKey() -> String {
    var random = SystemRandomNumberGenerator()
    return Base64.encode((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }

  /// Returns the value of `Sec-WebSocket-Accept` for a key.
  package static func answer(to key: String) -> String {
    Base64.encode(SHA1Digest.bytes(of: key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
  }
}
