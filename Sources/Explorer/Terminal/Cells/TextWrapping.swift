/// Wraps text to a width.
package enum TextWrapping {
  /// Returns lines of at most `width` cells, broken at line breaks and between words if possible.
  package static func lines(of text: String, width: Int) -> [String] {
    // A fast check on bytes, because a value of a megabyte usually has no line breaks.
    guard text.utf8.contains(where: { 0x0A...0x0D ~= $0 || $0 == 0xC2 || $0 == 0xE2 }) else {
      return lines(ofLine: text[...], width: width)
    }
    return text.split(whereSeparator: \.isNewline).flatMap { lines(ofLine: $0, width: width) }
  }

  /// Returns at most `limit` lines. If more follow, the last one ends with an ellipsis.
  package static func lines(of text: String, width: Int, limit: Int) -> [String] {
    let lines = lines(of: text, width: width)
    guard lines.count > limit, limit > 0 else { return Array(lines.prefix(max(0, limit))) }
    return lines[..<(limit - 1)] + [TextWidth.truncated("\(lines[limit - 1]) …", to: width)]
  }

  /// Returns the lines with an indentation, and all but the first indented by two more cells.
  package static func hangingLines(of text: String, width: Int, indentation: Int = 0) -> [String] {
    let indent = String(repeating: " ", count: indentation)
    let lines = lines(of: text, width: max(8, width - indentation - 2))
    return lines.enumerated().map { indent + ($0.offset == 0 ? "" : "  ") + $0.element }
  }

  /// Wraps paragraphs, which end at an empty line. Lines that begin with two blanks stay as they are.
  package static func paragraphs(of text: String, width: Int) -> [String] {
    var lines: [String] = []
    var paragraph = ""
    func end() {
      lines += Self.lines(of: paragraph, width: width)
      paragraph = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix("  ") {
        end()
        lines.append(String(line))
      } else {
        paragraph += paragraph.isEmpty ? String(line) : " \(line)"
      }
    }
    end()
    return lines
  }

  /// Wraps a line. Continuation lines have the same indentation.
  private static func lines(ofLine text: Substring, width: Int) -> [String] {
    let indentation = String(text.prefix { $0 == " " }.prefix(max(0, width / 2)))
    guard indentation.isEmpty else {
      return lines(ofLine: text.drop { $0 == " " }, width: width - indentation.count).map { indentation + $0 }
    }
    var wrapped: [String] = []
    var line = ""
    var used = 0
    func end() {
      if !line.isEmpty { wrapped.append(line) }
      (line, used) = ("", 0)
    }
    for bytes in text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
      let word = Substring(bytes)
      let length = TextWidth.width(of: word)
      if used + 1 + length > width { end() }
      if !line.isEmpty {
        line += " "
        used += 1
      }
      guard used + length > width else {
        line += word
        used += length
        continue
      }
      // A word longer than a line is broken between characters.
      guard bytes.contains(where: { $0 >= 0x80 }) else {
        var rest = bytes
        while !rest.isEmpty {
          if used >= width { end() }
          let piece = rest.prefix(max(1, width - used))
          line += Substring(piece)
          used += piece.count
          rest = rest[piece.endIndex...]
        }
        continue
      }
      for character in word {
        let cells = TextWidth.width(of: character)
        if used + cells > width { end() }
        line.append(character)
        used += cells
      }
    }
    end()
    return wrapped
  }
}
