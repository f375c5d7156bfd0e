/// Percent-encoding of parts of URLs (RFC 3986, section 2.1): `a b` becomes `a%20b`.
package enum PercentEncoding {
  /// Encodes all bytes except the unreserved characters (section 2.3): letters, digits and `-._~`.
  ///
  /// - Parameter others: Further characters to leave unencoded, such as the slash of a path.
  package static func encoded(_ bytes: some Sequence<UInt8>, keeping others: String = "") -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let saved = Array("-._~\(others)".utf8)
    var encoded: [UInt8] = []
    for byte in bytes {
      if byte.isLetter || byte.isDigit || saved.contains(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  package static func encoded(_ text: String) -> String { encoded(text.utf8) }

  /// Decodes text. A percent sign without two hexadecimal digits stays.
  package static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        rest.prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
