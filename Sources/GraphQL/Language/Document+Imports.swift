/// A comment that imports a file: `#import "card.graphql"`.
package struct ImportComment: Sendable, Equatable {
  /// The path, relative to the folder of the importing file.
  package let path: String
  /// The byte range of the path.
  package let range: Range<Int>
}

extension Document {
  /// The files imported by comments: `# import Name from "file.graphql"`, `#import "file.graphql"`.
  ///
  /// Source: graphql-import and the loader of `graphql-tag`.
  package var imports: [ImportComment] {
    guard source.mayImport else { return [] }
    return tokens.filter { $0.kind == .comment }.compactMap { importComment($0.range) }
  }

  private func importComment(_ comment: Range<Int>) -> ImportComment? {
    let bytes = source.bytes[comment]
    let words = bytes.dropFirst().drop { $0 == 0x20 }
    guard words.starts(with: Source.importWord), let last = bytes.lastIndex(where: { $0 == 0x22 || $0 == 0x27 }),
      let first = bytes[..<last].lastIndex(of: bytes[last]), first + 1 < last
    else { return nil }
    let range = first + 1..<last
    return ImportComment(path: source.text(range), range: range)
  }
}

extension Source {
  fileprivate static let importWord = Array("import ".utf8)

  /// Whether a comment may import a file. A fast check, so that most documents need not be tokenized.
  fileprivate var mayImport: Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes[...]
      while let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
        rest = bytes[(mark + 1)...].drop { $0 == 0x20 }
        if rest.starts(with: Self.importWord) { return true }
      }
      return false
    }
  }

  /// Whether the source has no tokens.
  var hasOnlyComments: Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes)
      return lexer.next() == .endOfFile && lexer.failure == nil
    }
  }
}
