/// The fenced blocks of Markdown whose info string is `graphql` or `gql`.
///
/// Source: CommonMark 0.31, section 4.5.
enum MarkdownFences {
  static func find(in bytes: [UInt8]) -> [EmbeddedLiteral] {
    var found: [EmbeddedLiteral] = []
    /// Of the block that is open: its fence, and where its text begins if it is GraphQL.
    var open: (fence: ArraySlice<UInt8>, start: Int?)?
    var line = 0
    while line < bytes.count {
      let end = bytes[line...].firstIndex(of: 0x0A) ?? bytes.count
      let text = bytes[line..<end].drop { $0 == 0x20 }
      let next = min(end + 1, bytes.count)
      if let first = text.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") {
        let fence = text.prefix { $0 == first }
        let info = text.dropFirst(fence.count).filter { $0 > 0x20 }
        if let block = open {
          if fence.first == block.fence.first, fence.count >= block.fence.count, info.isEmpty {
            if let start = block.start { found.append(EmbeddedLiteral(range: start..<line)) }
            open = nil
          }
        } else if fence.count >= 3 {
          open = (fence, EmbeddedGraphQL.isMark(info[...]) ? next : nil)
        }
      }
      if end == bytes.count { break }
      line = next
    }
    if let start = open?.start { found.append(EmbeddedLiteral(range: start..<bytes.count)) }
    return found
  }
}
