import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// The reason why a body that is labeled as JSON cannot be read, with an excerpt.
///
/// The first that applies: the body is compressed without saying so, it was cut short while it was compressed, it is
/// empty, it is not UTF-8, it is not JSON.
struct UnreadableBody {
  private static let excerptByteCount = 24

  let body: [UInt8]
  let head: HTTPHead
  let error: JSONSyntaxError

  var reason: String {
    let encoding = head.headers.values(of: "Content-Encoding").joined(separator: ", ")
    let isEncoded = !encoding.isEmpty && encoding.lowercased() != "identity"
    let isEmpty = body.allSatisfy(\.isWhiteSpace)
    if !isEncoded, let name = Self.compression(of: body) {
      return "the body is compressed (\(name)), but it has no Content-Encoding"
    }
    if isEncoded, isEmpty || error.isEndOfText {
      return "the compressed body (\(encoding)) was cut short after \(body.count) decoded bytes\(near)"
    }
    if isEmpty { return "the body is empty" }
    if let encoding = textEncoding {
      return "the text is in \(encoding); JSON is sent as UTF-8 (RFC 8259, section 8.1)"
    }
    return "\(error)\(near)"
  }

  /// The text around the error: `, near '{"data":'`.
  private var near: String {
    let end = min(error.offset, body.count)
    let before = body[..<end].suffix(Self.excerptByteCount)
    let after = body[end...].prefix(Self.excerptByteCount)
    // A character may begin before the excerpt.
    let start = before.drop { $0 & 0xC0 == 0x80 }
    let text = SingleLineText.line(String(decoding: Array(start) + after, as: UTF8.self))
    guard !text.isEmpty else { return "" }
    let (head, tail) = (before.startIndex > 0 ? "…" : "", after.endIndex < body.endIndex ? "…" : "")
    return ", near '\(head)\(text)\(tail)'"
  }

  /// The name of the encoding, if the text is not UTF-8.
  private var textEncoding: String? {
    let declared = head.contentType["charset"].map { SingleLineText.line($0, limit: 40) }
    let isUTF8 = declared.map { ["utf-8", "utf8", "us-ascii", "ascii"].contains($0.lowercased()) } ?? true
    // JSON begins with an ASCII character, so zeros next to it show the size of a character.
    let start = body.prefix(4)
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || start.contains(0) {
      return isUTF8 ? "UTF-16 or UTF-32" : declared
    }
    return isUTF8 || !error.isNotUTF8 ? nil : declared
  }

  private static func compression(of body: [UInt8]) -> String? {
    if body.starts(with: [0x1F, 0x8B]) { return "gzip" }
    return body.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) ? "zstd" : nil
  }
}
