import ApusASCII

/// The text of an HTML page as a browser shows it: without tags, comments, styles and scripts, and with character
/// references decoded (HTML, section 13.2.5).
package enum HTMLText {
  /// Returns the title of a page, or its text if it has no title.
  package static func summary(of page: String) -> String {
    let bytes = Array(page.utf8)
    for run in runs(in: bytes[...]) where run.isTitle {
      let title = decoded(run.text)
      if title.contains(where: { !$0.isWhitespace }) { return title }
    }
    return runs(in: bytes[...]).filter { !$0.isTitle }.map { decoded($0.text) }.joined(separator: " ")
  }

  /// Returns what pages show of a value that is part of their source: the text between its tags, and what follows a tag
  /// in which it begins. Text without a tag has none.
  static func pieces(of value: String) -> [String] {
    let bytes = Array(value.utf8)
    guard let close = bytes.firstIndex(of: UInt8(ascii: ">")) ?? bytes.firstIndex(of: UInt8(ascii: "<")) else {
      return []
    }
    let shown = runs(in: bytes[...]).map { decoded($0.text) }
    // The value may begin in an attribute without quotes.
    let rest = runs(in: bytes[close...].dropFirst()).map { decoded($0.text) }
    return (shown + rest + [shown.joined(separator: " "), rest.joined(separator: " ")]).filter { $0 != value }
  }

  /// Text between markup.
  private struct Run {
    var text: ArraySlice<UInt8>
    /// Whether it is the content of `title`, in which tags are text.
    var isTitle = false
  }

  private static func runs(in bytes: ArraySlice<UInt8>) -> [Run] {
    var runs: [Run] = []
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      guard bytes[index] == UInt8(ascii: "<"), let end = endOfMarkup(in: bytes[index...]) else {
        index += 1
        continue
      }
      runs.append(Run(text: bytes[start..<index]))
      let name = String(decoding: bytes[index...].dropFirst().prefix { $0.isLetter }.map(\.lowercased), as: UTF8.self)
      start = end
      if ["script", "style", "title"].contains(name) {
        start = endOfContent(of: name, in: bytes[end...])
        if name == "title" { runs.append(Run(text: bytes[end..<start], isTitle: true)) }
      }
      index = start
    }
    runs.append(Run(text: bytes[start...]))
    return runs
  }

  /// Returns the end of a tag or comment; nil if the `<` is text.
  private static func endOfMarkup(in bytes: ArraySlice<UInt8>) -> Int? {
    let rest = bytes.dropFirst()
    guard let next = rest.first else { return nil }
    if rest.starts(with: "!--".utf8) {
      return rest.dropFirst(3).firstRange(of: Array("-->".utf8))?.upperBound ?? bytes.endIndex
    }
    let isClosing = next == UInt8(ascii: "/")
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") || isClosing && rest.dropFirst().first?.isLetter == false
    {
      return rest.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.endIndex
    }
    guard next.isLetter || isClosing && rest.count > 1 else { return nil }
    return endOfTag(in: rest)
  }

  /// Returns the end of a tag. A `>` in quotes after an equals sign is part of an attribute's value.
  private static func endOfTag(in bytes: ArraySlice<UInt8>) -> Int {
    var index = bytes.startIndex
    var (isAfterEquals, isInValue) = (false, false)
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: ">") { return index + 1 }
      if isAfterEquals, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        index = bytes[(index + 1)...].firstIndex(of: byte) ?? bytes.endIndex - 1
        isAfterEquals = false
      } else if byte <= 0x20 {
        isInValue = false
      } else {
        isInValue = isInValue || isAfterEquals
        isAfterEquals = byte == UInt8(ascii: "=") && !isInValue
      }
      index += 1
    }
    return bytes.endIndex
  }

  /// Returns the end of the text in an element without markup, such as a script: the start of its closing tag.
  private static func endOfContent(of name: String, in bytes: ArraySlice<UInt8>) -> Int {
    let closing = Array("</\(name)".utf8)
    return bytes.indices.first { index in
      bytes[index] == closing[0] && bytes[index...].prefix(closing.count).map(\.lowercased) == closing
    } ?? bytes.endIndex
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.first {
      let reference = byte == UInt8(ascii: "&") ? CharacterReference.decoded(rest) : nil
      text += reference?.meaning ?? [byte]
      rest = rest.dropFirst(reference?.length ?? 1)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
