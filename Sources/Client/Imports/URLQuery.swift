import ApusASCII

/// The fields of a URL query or a form body: `query=%7Ba%7D&name=a+b`.
package enum URLQuery {
  static func encode(_ text: String) -> String { PercentEncoding.encoded(text) }

  static func decode(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), rest.count >= 2,
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

  /// Returns the fields in order, decoded, with their source.
  package static func fields(_ text: Substring) -> [(name: String, value: String, source: Substring)] {
    text.split(separator: "&").map { field in
      let name = field.prefix { $0 != "=" }
      return (decode(name), decode(field.dropFirst(name.count + 1)), field)
    }
  }
}
