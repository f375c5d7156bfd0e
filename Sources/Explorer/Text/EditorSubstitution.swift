extension Editor {
  /// Replaces occurrences of a string in lines as one change: in each line the first one or, with `isGlobal`, all of
  /// them. Returns their number.
  package mutating func substitute(_ old: String, with new: String, lines: Range<Int>, isGlobal: Bool) -> Int {
    var count = 0
    var replacements: [(Range<TextPosition>, String)] = []
    for line in lines.reversed() {
      let text = buffer.line(line)
      let pieces = text.components(of: old)
      guard pieces.count > 1 else { continue }
      let found = isGlobal ? pieces.count - 1 : 1
      count += found
      let changed =
        isGlobal ? pieces.joined(separator: new) : pieces[0] + new + pieces.dropFirst().joined(separator: old)
      replacements.append((TextPosition(line, 0)..<TextPosition(line, text.utf8.count), changed))
    }
    guard !replacements.isEmpty else { return 0 }
    let start = cursor
    change(replacements, kind: .other) { _ in TextSelection(start) }
    return count
  }
}

extension String {
  fileprivate func components(of separator: String) -> [String] {
    var pieces: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      pieces.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    pieces.append(String(rest))
    return pieces
  }
}
