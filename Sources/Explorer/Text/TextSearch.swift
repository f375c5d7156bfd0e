import ApusASCII

extension TextBuffer {
  /// All places of a text, which lies in one line; capitals count only where it has one.
  package func matches(of pattern: String, isExact: Bool? = nil) -> [Range<TextPosition>] {
    guard !pattern.isEmpty else { return [] }
    let isExact = isExact ?? pattern.contains(where: \.isUppercase)
    let wanted = Array((isExact ? pattern : pattern.lowercased()).utf8)
    var found: [Range<TextPosition>] = []
    for (index, line) in lines.enumerated() {
      let bytes = Array(line.utf8)
      guard bytes.count >= wanted.count else { continue }
      // Other letters than ASCII's are compared as they are: their small forms may have other lengths.
      let text = isExact ? bytes : bytes.map(\.lowercased)
      var column = 0
      while column + wanted.count <= text.count {
        if text[column] == wanted[0], text[column..<column + wanted.count].elementsEqual(wanted) {
          found.append(TextPosition(index, column)..<TextPosition(index, column + wanted.count))
          column += wanted.count
        } else {
          column += 1
        }
      }
    }
    return found
  }
}
