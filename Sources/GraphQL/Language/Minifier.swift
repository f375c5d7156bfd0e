/// Writes definitions without comments, line breaks and unnecessary white space:
/// `query Q($id:ID){bird(id:$id){id name}}`. The output parses to an equal tree.
///
/// Descriptions of operations, fragments and variables are left out.
///
/// Source: the reference implementation's `stripIgnoredCharacters`, except that block strings are kept unchanged.
package enum Minifier {
  /// Returns the definitions in the given ranges of a document, one after the other.
  package static func minify(_ document: Document, _ ranges: [Range<Int>]) -> String {
    let descriptions = Set(document.executableDescriptions.map(\.lowerBound))
    var text = ""
    var followsWord = false
    for range in ranges {
      for token in document.tokens(from: range.lowerBound, to: range.upperBound)
      where token.kind != .comment && !descriptions.contains(token.range.lowerBound) {
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
  /// Whether the token needs a separator before another such token.
  fileprivate var isWord: Bool {
    switch self {
    case .name, .int, .float, .string, .blockString: true
    default: false
    }
  }
}
