/// Finds GraphQL in components of Vue, Svelte and Astro: in scripts, in the frontmatter of Astro, and in sections of GraphQL
/// such as `<graphql>`, `<page-query>` and `<static-query>`.
///
/// Source: the documentation of vue-apollo ("Query in a custom block"), Gridsome ("Querying data") and Astro
/// ("Components").
enum MarkupSections {
  private static let queries = ["graphql", "page-query", "static-query"]

  static func literals(in bytes: [UInt8]) -> [EmbeddedLiteral] {
    var found: [EmbeddedLiteral] = []
    var position = 0
    if let frontmatter = frontmatter(in: bytes) {
      found += JavaScriptLiterals.find(in: bytes, frontmatter)
      position = frontmatter.upperBound
    }
    while let tag = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = tag + 1
      let name = bytes[position...].prefix { EmbeddedGraphQL.isWord($0) || $0 == UInt8(ascii: "-") }
      let text = String(decoding: EmbeddedGraphQL.lowercase(name), as: UTF8.self)
      guard text == "script" || queries.contains(text),
        let opened = bytes[name.endIndex...].firstIndex(of: UInt8(ascii: ">")),
        bytes[opened - 1] != UInt8(ascii: "/")
      else { continue }
      let start = opened + 1
      let end = closingTag(text, in: bytes, from: start) ?? bytes.count
      if text == "script" {
        found += JavaScriptLiterals.find(in: bytes, start..<end)
      } else {
        found.append(EmbeddedLiteral(range: start..<end))
      }
      position = end
    }
    return found
  }

  /// Returns the code between the lines `---` at the start of a file.
  private static func frontmatter(in bytes: [UInt8]) -> Range<Int>? {
    let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.count
    guard bytes[start...].starts(with: "---".utf8) else { return nil }
    var line = bytes[start...].firstIndex(of: 0x0A)
    let first = line ?? bytes.count
    while let end = line {
      if bytes[(end + 1)...].starts(with: "---".utf8) { return first..<end + 1 }
      line = bytes[(end + 1)...].firstIndex(of: 0x0A)
    }
    return nil
  }

  private static func closingTag(_ name: String, in bytes: [UInt8], from start: Int) -> Int? {
    let expected = Array("</\(name)".utf8)
    guard start + expected.count <= bytes.count else { return nil }
    return (start...bytes.count - expected.count).first {
      bytes[$0] == expected[0] && EmbeddedGraphQL.lowercase(bytes[$0..<$0 + expected.count]) == expected
    }
  }
}
