/// Finds fenced code blocks of Markdown whose info string begins with `graphql` or `gql`. Attributes may follow, as in
/// `graphql title="Birds" {2}`, or enclose it, as in `{.graphql .numberLines}`.
///
/// Source: CommonMark 0.31, sections 4.4 (indented code), 4.5 (fences) and 5.2 (list items).
enum MarkdownFences {
  static func find(in bytes: [UInt8]) -> [EmbeddedLiteral] {
    var found: [EmbeddedLiteral] = []
    /// The fence of the open block, and the start of its text if it is GraphQL.
    var open: (fence: ArraySlice<UInt8>, start: Int?)?
    /// The columns at which the contents of the surrounding list items begin.
    var items: [Int] = []
    var line = 0
    while line < bytes.count {
      let end = bytes[line...].firstIndex(of: 0x0A) ?? bytes.count
      let text = bytes[line..<end].drop { $0 == 0x20 || $0 == 0x09 }
      let indent = indentation(of: bytes[line..<text.startIndex])
      if open == nil, let first = text.first, first > 0x20 {
        while let last = items.last, indent < last { items.removeLast() }
        if let content = contentOfItem(text, at: indent) { items.append(content) }
      }
      let next = min(end + 1, bytes.count)
      fence: if let first = text.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") {
        let fence = text.prefix { $0 == first }
        let info = text.dropFirst(fence.count).drop { $0 <= 0x20 }
        if let block = open {
          if fence.first == block.fence.first, fence.count >= block.fence.count, info.isEmpty {
            if let start = block.start { found.append(EmbeddedLiteral(range: start..<line)) }
            open = nil
          }
        } else if fence.count >= 3, indent - (items.last ?? 0) < 4 {
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

  /// Returns the column after white space; a tab leads to the next multiple of four.
  private static func indentation(of space: ArraySlice<UInt8>) -> Int {
    space.reduce(0) { $1 == 0x09 ? ($0 / 4 + 1) * 4 : $0 + 1 }
  }

  /// Returns the column at which the content of a list item begins; `nil` for a line without `-`, `*`, `+`, `1.` or `1)`.
  private static func contentOfItem(_ text: ArraySlice<UInt8>, at indent: Int) -> Int? {
    let digits = text.prefix { (0x30...0x39).contains($0) }
    let marks = digits.isEmpty ? "-*+".utf8.map(\.self) : digits.count < 10 ? ".)".utf8.map(\.self) : []
    let rest = text.dropFirst(digits.count)
    guard let mark = rest.first, marks.contains(mark) else { return nil }
    let space = rest.dropFirst().prefix { $0 == 0x20 || $0 == 0x09 }
    guard !space.isEmpty || rest.count == 1 else { return nil }
    let width = indent + digits.count + 1
    return width + (space.first == 0x20 && space.count < 5 ? space.count : 1)
  }

  /// Whether the language of an info string is GraphQL, ignoring case.
  private static func isGraphQL(_ info: ArraySlice<UInt8>) -> Bool {
    let text =
      info.starts(with: "{.".utf8) ? info.dropFirst(2) : info.first == UInt8(ascii: "{") ? info.dropFirst() : info
    let word = text.prefix(while: EmbeddedGraphQL.isWord)
    let next = text.dropFirst(word.count).first
    // With a dash or a dot, it is the name of another language.
    return EmbeddedGraphQL.isMark(EmbeddedGraphQL.lowercase(word)[...]) && next != UInt8(ascii: "-")
      && next != UInt8(ascii: ".")
  }
}
