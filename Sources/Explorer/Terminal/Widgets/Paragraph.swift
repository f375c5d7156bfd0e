/// Text broken into lines between words; a word that is too long is broken where it must be.
package enum Paragraph {
  package static func wrap(_ text: String, width: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines += wrapLine(paragraph, width: width)
    }
    return lines
  }

  private static func wrapLine(_ text: Substring, width: Int) -> [String] {
    var lines: [String] = []
    // Further lines of an indented paragraph or a list entry stay under its text.
    let indent = min(indentation(of: text), width / 2)
    var line = String(text.prefix { $0 == " " })
    var used = line.utf8.count
    var isFresh = true
    for word in text.split(separator: " ") {
      var word = word
      var wordWidth = TextWidth.width(of: word)
      if !isFresh, used + 1 + wordWidth > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
        used = indent
        isFresh = true
      }
      while used + (isFresh ? 0 : 1) + wordWidth > width {
        let (head, headWidth) = prefix(of: word, width: max(1, width - used))
        lines.append(line + head)
        word = word[head.endIndex...]
        wordWidth -= headWidth
        line = String(repeating: " ", count: indent)
        used = indent
        isFresh = true
      }
      if !isFresh {
        line += " "
        used += 1
      }
      line += word
      used += wordWidth
      isFresh = isFresh && word.isEmpty
    }
    if !isFresh || lines.isEmpty { lines.append(line) }
    return lines
  }

  private static func indentation(of text: Substring) -> Int {
    let spaces = text.prefix { $0 == " " }.count
    let rest = text.dropFirst(spaces)
    return spaces + (rest.hasPrefix("- ") || rest.hasPrefix("* ") || rest.hasPrefix("• ") ? 2 : 0)
  }

  private static func prefix(of word: Substring, width: Int) -> (text: Substring, width: Int) {
    var used = 0
    var end = word.startIndex
    while end < word.endIndex {
      let next = TextWidth.width(of: word[end])
      // At least one character moves on, or a wide one would never fit into one cell.
      if used + next > width, end > word.startIndex { break }
      used += next
      end = word.index(after: end)
    }
    return (word[..<end], used)
  }
}
