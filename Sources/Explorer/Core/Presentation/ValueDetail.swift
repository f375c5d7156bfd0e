import ApusJSON

/// A single value for display: its text, and an interpretation if the text alone allows one.
package struct ValueDetail: Equatable, Sendable {
  /// An interpretation of the text.
  package enum Interpretation: Equatable, Sendable {
    case link(String)
    /// Seconds since 1970, for a date with a time and an offset (RFC 3339): `2025-06-01T08:30:00Z`.
    case time(Double)
    /// Bytes encoded as Base64 (RFC 4648).
    case base64(byteCount: Int)
    /// A string that contains JSON, such as `"{\"id\":1}"`, which is shown formatted.
    case json
  }

  /// Lines of the text; JSON is formatted.
  package let lines: [String]
  package let meanings: [Interpretation]
  package let byteCount: Int
  /// Whether the text is truncated.
  package let isCut: Bool

  /// The maximum length in bytes. Longer values can be opened in an editor.
  private static let limit = 256 << 10

  package init(_ value: JSONValue) {
    var meanings: [Interpretation] = []
    var text: String
    if let string = value.string {
      text = string
      if let inner = Self.json(in: string) {
        meanings.append(.json)
        text = inner
      } else if let seconds = RFC3339Date.seconds(string) {
        meanings.append(.time(seconds))
      } else if let link = Link.first(in: string) {
        meanings.append(.link(link))
      } else if let count = Self.base64Size(of: string) {
        meanings.append(.base64(byteCount: count))
      }
      byteCount = string.utf8.count
    } else {
      text = JSONWriter.pretty(value)
      byteCount = text.utf8.count
    }
    isCut = text.utf8.count > Self.limit
    if isCut { text = String(decoding: text.utf8.prefix(Self.limit), as: UTF8.self) }
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    self.meanings = meanings
  }

  private static func json(in text: String) -> String? {
    guard let first = text.utf8.first(where: { $0 > 0x20 }), [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first),
      let inner = try? JSONDocument(parsing: text).root
    else { return nil }
    return JSONWriter.pretty(inner)
  }

  /// Returns the decoded size of Base64 text; nil for text that may as well be a word.
  private static func base64Size(of text: String) -> Int? {
    let bytes = text.utf8
    guard bytes.count >= 24, bytes.count % 4 == 0 else { return nil }
    let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var kinds: Set<Int> = []
    for byte in bytes.dropLast(padding) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): kinds.insert(0)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): kinds.insert(1)
      case UInt8(ascii: "0")...UInt8(ascii: "9"): kinds.insert(2)
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"): break
      default: return nil
      }
    }
    return padding <= 2 && kinds.count == 3 ? bytes.count / 4 * 3 - padding : nil
  }
}
