import ApusJSON
import Testing

@testable import ApusLanguageServer

/// Positions in the encodings of the protocol, compared with a simple count by character.
struct PositionEncodingTests {
  private static let texts = [
    "", "{ a }", "{ bird(id: \"🐦\") { name } }", "# é\r\n{\r\n  a(b: \"日本🐦🐦\") # 🪶\r\n}\r\n", "a\n\n🐦\nb\n",
    "🐦\ré🪶\n\r\n日",
  ]

  /// The starts of characters, in bytes and in the encoding, followed by the end of the text.
  private func places(in text: String, _ encoding: PositionEncoding) -> [(offset: Int, position: Position)] {
    var places: [(offset: Int, position: Position)] = []
    var (offset, line, character) = (0, 0, 0)
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      places.append((offset, Position(line: line, character: character)))
      offset += UTF8.width(scalar)
      switch encoding {
      case .utf8: character += UTF8.width(scalar)
      case .utf16: character += UTF16.width(scalar)
      case .utf32: character += 1
      }
      let isBeforeLineFeed = index + 1 < scalars.count && scalars[index + 1] == "\n"
      if scalar == "\n" || (scalar == "\r" && !isBeforeLineFeed) { (line, character) = (line + 1, 0) }
    }
    places.append((offset, Position(line: line, character: character)))
    return places
  }

  @Test(arguments: [PositionEncoding.utf8, .utf16, .utf32])
  func `positions agree with a count by character`(encoding: PositionEncoding) {
    for text in Self.texts {
      let bytes = Array(text.utf8)
      let source = TextFile(path: "/a", uri: "file:///a", language: .graphql, version: nil, bytes: bytes).source
      let places = places(in: text, encoding)
      for earlier in places {
        #expect(encoding.position(of: earlier.offset, in: source) == earlier.position, "\(text)")
        for other in places {
          let found = encoding.position(of: other.offset, in: source, after: earlier)
          #expect(found == other.position, "\(earlier.offset) to \(other.offset) of \(text)")
          guard earlier.offset <= other.offset else { continue }
          let range: JSONValue = ["start": earlier.position.json, "end": other.position.json]
          #expect(encoding.range(of: earlier.offset..<other.offset, in: source) == range, "\(text)")
        }
      }
    }
  }

  @Test func `positions after the end of the text are its end`() {
    let source = TextFile(
      path: "/a", uri: "file:///a", language: .graphql, version: nil, bytes: Array("# 🐦".utf8)
    ).source
    let start = (offset: 0, position: Position(line: 0, character: 0))
    #expect(PositionEncoding.utf16.position(of: 99, in: source, after: start) == Position(line: 0, character: 4))
  }
}
