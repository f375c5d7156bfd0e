/// Finds fenced code blocks of Markdown whose info string begins with `graphql` or `gql`. Attributes may follow, as in
/// `graphql title="Birds" {2}`, or enclose it, as in `{.graphql .numberLines}`.
///
/// Source: CommonMark 0.31, section 4.5.
enum MarkdownFences {
  static func find(in bytes: [UInt8]) -> [EmbeddedLiteral] {
    var found: [EmbeddedLiteral] = []
    /// The fence of the open block, and the start of its text if it is GraphQL.
    var open: (fence: ArraySlice<UInt8>, start: Int?)?
    var line = 0
    while line < bytes.count {
      let end = bytes[line...].firstIndex(of: 0x0A) ?? bytes.count
      let text = bytes[line..<end].drop { $0 == 0x20 || $0 == 0x09 }
      let next = min(end + 1, bytes.count)
      fence: if let first = text.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") {
        let fence = text.prefix { $0 == first }
        let info = text.dropFirst(fence.count).drop { $0 <= 0x20 }
        if let block = open {
          if fence.first == block.fence.first, fence.count >= block.fence.count, info.isEmpty {
            if let start = block.start { found.append(EmbeddedLiteral(range: start..<line)) }
            open = nil
          }
        } else if fence.count >= 3 {
          // The info string of a backtick fence contains no backticks.
          if first == UInt8(ascii: "`"), info.contains(first) { break fence }
          open = (fence, isGraphQL(info) ? next : nil)
        }
      }
      if end == bytes.count { break }
      line = next
    }
    if let start = open?.start { found.append(EmbeddedLiteral(range: start..<bytes.count)) }
    return found
  }

  /// Whether the language of an info string is GraphQL, ignoring case.
  private static func isGraphQL(_ info: ArraySlice<UInt8>) -> Bool {
    let text =
      info.starts(with: "{.".utf8) ? info.dropFirst(2) : info.first == UInt8(ascii: "{") ? info.dropFirst() : info
    let word = text.prefix(while: EmbeddedGraphQL.isWord).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let next = text.dropFirst(word.count).first
    // With a dash or a dot, it is the name of another language.
    return EmbeddedGraphQL.isMark(word[...]) && next != UInt8(ascii: "-") && next != UInt8(ascii: ".")
  }
}
