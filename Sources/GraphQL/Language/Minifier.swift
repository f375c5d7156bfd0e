/// Writes definitions with no more than their meaning: no comments, no line ends, no white space that two tokens can do
/// without. It parses back to the same tree.
///
/// Source: the reference implementation's `stripIgnoredCharacters`; here block strings stay as they are written.
package enum Minifier {
  /// The definitions at some ranges of a document, one behind the other.
  package static func minify(_ document: Document, _ ranges: [Range<Int>]) -> String {
    var text = ""
    var followsWord = false
    for range in ranges {
      for token in document.tokens(from: range.lowerBound, to: range.upperBound) where token.kind != .comment {
        let isWord = token.kind.isWord
        if followsWord, isWord || token.kind == .spread { text += " " }
        text += document.source.text(token.range)
        followsWord = isWord
      }
    }
    return text
  }
}

extension TokenKind {
  /// Names, numbers and strings: two of them in a row would read as one.
  fileprivate var isWord: Bool {
    switch self {
    case .name, .int, .float, .string, .blockString: true
    default: false
    }
  }
}
