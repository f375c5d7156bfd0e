import ApusASCII

extension TextBuffer {
  /// Returns all occurrences of a single-line string. By default, case is significant only if the string contains
  /// uppercase letters.
  package func matches(of pattern: String, isExact: Bool? = nil) -> [Range<TextPosition>] {
    guard !pattern.isEmpty else { return [] }
    let isExact = isExact ?? pattern.contains(where: \.isUppercase)
    let needle = Array((isExact ? pattern : pattern.lowercased()).utf8)
    var found: [Range<TextPosition>] = []
    for (index, line) in lines.enumerated() {
      let bytes = Array(line.utf8)
      guard bytes.count >= needle.count else { continue }
      // Only ASCII letters are compared without case: the lowercase forms of others may differ in length.
      let text = isExact ? bytes : bytes.map(\.lowercased)
      var column = 0
      while column + needle.count <= text.count {
        if text[column] == needle[0], text[column..<column + needle.count].elementsEqual(needle) {
          found.append(TextPosition(index, column)..<TextPosition(index, column + needle.count))
          column += needle.count
        } else {
          column += 1
        }
      }
    }
    return found
  }
}
